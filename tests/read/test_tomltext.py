"""A game.toml is changed where it is meant, and stays as it is written around that."""

from __future__ import annotations

import pytest

from pnp.read.tomltext import with_texts, without_component
from pnp.values.problems import Fault

TWO = """\
# Mine.
[game]
name = "x" # short

# All pieces.

# The first.
[component.one]
size = "poker"
values = [
  [1, 2],
]
[component.one.grid]
cell = "1mm"

# The second.
[component.two] # and last
size = "tarot"
[expect.one]
copies = 1
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_component_goes_with_its_notes(end: str) -> None:
    """Its sections, what is expected of it and the notes right above; the other notes and the line ends stay."""
    left = (
        '# Mine.\n[game]\nname = "x" # short\n\n# All pieces.\n\n# The second.\n[component.two] # and last\nsize = "tarot"\n'
    )
    assert without_component(TWO.replace("\n", end), "one") == left.replace("\n", end)
    tables = '[table.one.columns]\na = {}\n\n[table.two]\nfile = "cards.csv"\n\n[table.three]\nfile = "one.xlsx"\n'
    assert without_component(TWO + tables, "one", ["one.csv", "cards.csv"]) == left + '\n[table.three]\nfile = "one.xlsx"\n'
    for written in ('component.one.size = "poker"\n', '[component]\none = {size = "poker"}\n'):
        with pytest.raises(Fault, match="do it in its text"):
            without_component(written, "one")


@pytest.mark.parametrize(
    ("toml", "section", "texts", "wanted"),
    [
        ("[p]\na = '#fff' # white\nb = \"x\"\n\n# Next.\n[q]\n", "p", {"a": "#000", "c d": 'say "x"'}, None),
        (
            '[game]\nname = "x"\n\n[component.a]\n',
            "fonts",
            {"body": "B"},
            '[game]\nname = "x"\n\n[fonts]\nbody = "B"\n\n[component.a]\n',
        ),
        ("", "game", {"style": "night"}, '\n[game]\nstyle = "night"\n'),
        ('[p]\na = ["x",\n"y"]', "p", {"b": "z"}, '[p]\na = ["x",\n"y"]\nb = "z"\n'),
    ],
)
def test_texts_are_written_where_they_stand(toml: str, section: str, texts: dict[str, str], wanted: str | None) -> None:
    """A new one at the end of its section, in the quotation marks of the old one where it takes the place of one."""
    made = '[p]\na = \'#000\' # white\nb = "x"\n"c d" = "say \\"x\\""\n\n# Next.\n[q]\n'
    assert with_texts(toml, section, texts) == (made if wanted is None else wanted)


@pytest.mark.parametrize("toml", ['p.a = "x"\n', 'p = {a = "x"}\n', "[p]\na = '''x'''\n", '[p]\na = ["x"]\n'])
def test_what_is_written_otherwise_is_refused(toml: str) -> None:
    with pytest.raises(Fault, match="do it in its text"):
        with_texts(toml, "p", {"a": "it's", "b": "y"})

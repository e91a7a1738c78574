"""README and pages are complete, and what they say to type works."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import pypdf
import pytest
from commands import run
from drawn_elsewhere import INKSCAPE
from pages import DOCS, IN_THE_STUDIO, PAGES, README, ROOT, TUTORIAL, anchors, blocks, languages, navigation, page
from PIL import Image
from pressprofile import press_profile
from pydantic import BaseModel

from pnp.check.evaluator import known_names
from pnp.check.registry import CHECKS
from pnp.cli.main import cli, commands
from pnp.draw.textbox import DATA_KEYS
from pnp.read import presets
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.read.schema import GameFile
from pnp.values.problems import Problems
from pnp.values.sections import RulesFile

# What is written into the little game of the pages, in the order in which its files are named.
OWN_GAME, DICE, BOARDS, ALLOW, RULES = (
    DOCS / "how-to" / f"{name}.md" for name in ("game-of-your-own", "folded-pieces", "boards", "check", "rules-of-your-own")
)
# Files of that game are shown in blocks of these languages.
SHOWN_AS = {".csv": "csv", ".j2": "jinja", ".txt": "text"}
FROM_INKSCAPE = DOCS / "how-to" / "from-inkscape.md"
ADDONS = DOCS / "how-it-works" / "add-ons.md"
MACROS = DOCS / "reference" / "macros.md"
TABLES = DOCS / "reference" / "tables.md"


def models(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """A pydantic model and all models inside its fields."""
    yield model
    for field in model.model_fields.values():
        pending = [field.annotation]
        while pending:
            kind = pending.pop()
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                yield from models(kind)
            pending.extend(getattr(kind, "__args__", ()))


def plain(text: str) -> str:
    """Text without its parting in lines."""
    return " ".join(text.split())


@pytest.fixture
def reference(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """``docs/make/reference.py``, which writes two of the pages."""
    monkeypatch.syspath_prepend(DOCS / "make")
    import reference  # type: ignore[import-not-found]

    return reference  # type: ignore[no-any-return]


def test_every_command_is_documented_in_full_with_the_words_of_its_help(reference: ModuleType) -> None:
    """The page is what ``docs/make/reference.py`` makes of the commands now: all of them, every option and its help."""
    text = page("reference/commands")
    told = dict(re.findall(r"^## `pnp ?(\w*).*?`\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))

    shared = text.partition(f"\n## {reference.SHARED}\n")[2].partition("\n## ")[0]

    assert shared and text == reference.commands_page()
    assert set(told) == {"", *commands()}
    for name, command in (("", cli), *commands().items()):
        paragraphs = (command.help or "").replace("\b", "").split("\n\n")
        assert all(plain(paragraph) in plain(told[name]) for paragraph in paragraphs)
        for option in (param for param in command.params if isinstance(param, click.Option)):
            assert all(f"`{flag}`" in told[name] for flag in (*option.opts, *option.secondary_opts))
            what, _, default = plain(option.help or "").partition(" Default: ")
            assert what in plain(told[name]) + plain(shared)
            assert default.rstrip(".") in plain(told[name]) + plain(shared)
    listed = re.findall(r"\[`(\w+)`\]\(#pnp-", text)
    assert listed == sorted(commands())


def test_every_way_to_make_backs_is_told() -> None:
    """Each word that ``--backs`` takes is explained where one prints."""
    (option,) = (param for param in commands()["build"].params if param.name == "backs")

    assert isinstance(option.type, click.Choice)
    assert [word for word in option.type.choices if f"- `--backs {word}`:" not in page("how-to/print-at-home")] == []


def test_every_exit_code_is_told() -> None:
    """The codes that the command line itself names stand on the page of exit codes."""
    import pnp.cli.main as line

    told = re.findall(r"^\| (\d+) \|", page("reference/exit-codes"), re.MULTILINE)
    named = re.search(r"Exit codes: (.*?)\n\n|Exit codes: (.*)", line.__doc__ or "", re.DOTALL)

    assert named is not None
    assert told == re.findall(r"(?:^|· |\n)(\d+) ", (named[1] or named[2]).replace(" · ", "\n"))


def test_every_key_of_a_game_file_is_documented() -> None:
    """Each key that game.toml may have stands on its page in backquotes, sections in brackets as headings."""
    text = page("reference/game-toml")
    keys = {field.alias or key for model in models(GameFile) for key, field in model.model_fields.items()}
    keys -= {"game", "component", "expect", "layout"}

    assert [key for key in sorted(keys) if f"`{key}`" not in text and f"`[{key}]`" not in text] == []
    sections = "game palette fonts texts table.NAME component.NAME layout.NAME book.NAME expect.COMPONENT"
    for section in sections.split():
        assert f"\n## `[{section}]`\n" in text


def test_every_preset_and_text_setting_is_documented(reference: ModuleType) -> None:
    """Sizes and papers with their measures, and the settings of text boxes."""
    sizes = page("reference/sizes")
    assert sizes == reference.sizes_page()
    for name in presets.size_names():
        width, height = presets.card_size(name)
        assert f"- `{name}` {width:g} × {height:g}\n" in sizes
    for name in presets.paper_names():
        paper = presets.paper(name)
        assert f"- `{name}` {paper.width:g} × {paper.height:g}\n" in sizes
    assert [key for key in DATA_KEYS if f"| `data-{key}` |" not in page("reference/templates")] == []


def test_every_problem_rule_is_documented_once_and_every_documented_rule_exists() -> None:
    """The page of problems holds exactly the rules that the code can find."""
    entries = re.findall(r"^- ((?:`[a-z0-9-]+`(?:, )?)+):", page("reference/problems"), re.MULTILINE)
    named_there = re.findall(r"`([a-z]+(?:-[a-z0-9]+)+)`", "\n".join(entries))
    documented = set(named_there)
    assert [rule for rule, number in Counter(named_there).items() if number > 1] == []
    source = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "pnp").rglob("*.py")))
    says = r"(?:problems\.(?:error|warn|unknown)|\.problem|_problem|Problem|Finding|Wrong|\.fault)"
    called = set(re.findall(says + r"\(\s*\"([a-z]+(?:-[a-z0-9]+)+)\"", source))
    raised = set(re.findall(r"\brule ?= ?\"([a-z]+(?:-[a-z0-9]+)+)\"", source))
    named = set(re.findall(r"(?:RULE = |rule, value, allowed, hint = )\"([a-z]+(?:-[a-z0-9]+)+)\"", source))
    checked = {rule for check in CHECKS.values() for rule in check.rules}

    assert documented - checked == (called | raised | named) - checked


def test_credits_name_every_library_once() -> None:
    """Each library and font that pnp needs to run has one place on the page."""
    text = page("how-it-works/credits")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[^\w.-]", each)[0].lower() for each in project["dependencies"]}
    named = Counter(re.findall(r"`([\w-]+)`", text))

    assert [name for name in sorted(needed) if named[name] != 1] == []


@pytest.mark.parametrize("path", (README, *PAGES, ROOT / "CHANGELOG.md"), ids=lambda path: path.name)
def test_no_line_of_prose_stands_twice_on_a_page(path: Path) -> None:
    """Nor a bullet of one version beside that of another: a library or a sentence is told once."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    # Reference pages say the same of options and arguments that several commands or macros have.
    made = "<!-- Made by" in text
    long = Counter(line.strip() for line in text.splitlines() if len(line.strip()) > 40)

    assert made or [line for line, number in long.items() if number > 1] == []


def test_every_rule_of_the_checker_is_documented_from_its_docstring(reference: ModuleType) -> None:
    """The page is what ``docs/make/reference.py`` makes of the docstrings now."""
    text = page("reference/checker")

    assert text == reference.rules_page()
    for check in CHECKS.values():
        assert [rule for rule in check.rules if f"`{rule}`" not in text] == []


def test_the_language_of_rules_is_documented() -> None:
    """Every key that rules.toml may have, and every name that its expressions may use."""
    text = page("reference/rules-toml")
    keys = {field.alias or key for model in models(RulesFile) for key, field in model.model_fields.items()}
    names = set(known_names(read_game(Project(ROOT), "penguin", Problems()), {}))  # type: ignore[arg-type]

    assert [key for key in sorted(keys) if not re.search(rf"\b{key}\b", text)] == []
    assert [name for name in sorted(names) if f"`{name}" not in text] == []


def test_the_count_that_is_shown_is_the_count_that_comes() -> None:
    """The component table of the pages is what ``pnp count`` prints."""
    shown = next(
        block for block in blocks(DOCS / "how-to" / "change-a-game.md", "text") if block.startswith("pirates-on-the-prowl")
    )

    assert shown == run("count", "pirates-on-the-prowl", at=ROOT).out


def test_what_readme_and_pages_say_to_type_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their own little game is written and built, and every ``pnp`` line leaves with 0."""
    for name in ("content", "templates"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "tests/imports", tmp_path, dirs_exist_ok=True)
    own_game = tmp_path / "content/mygame/game.toml"
    (own_game.parent / "templates").mkdir(parents=True)
    own_game.write_text("\n".join(text for path in (OWN_GAME, DICE, BOARDS) for text in blocks(path, "toml")), "utf-8")
    for path in (OWN_GAME, DICE, BOARDS):
        files = re.findall(r"`(content/mygame/[\w./-]+\.\w+)`", path.read_text(encoding="utf-8"))
        for suffix, language in SHOWN_AS.items():
            named = [name for name in files if name.endswith(suffix)]
            for name, text in zip(named, blocks(path, language), strict=True):
                (tmp_path / name).write_text(text, encoding="utf-8")
    # The picture that is a board, and the drawing that a page makes a template of.
    own_game.parent.joinpath("art").mkdir(exist_ok=True)
    Image.new("RGB", (1680, 1188), "#2a7f9e").save(own_game.parent / "art/island.png")
    # Cards that another program has drawn.
    (tmp_path / "exported").mkdir()
    Image.new("RGB", (816, 1110), "#2a7f9e").save(tmp_path / "exported/one.png")
    (tmp_path / "card.svg").write_text(INKSCAPE, encoding="utf-8")
    (table,) = blocks(README, "csv")
    (tmp_path / "cards.csv").write_text(table, encoding="utf-8")
    # The profile that a print shop would give.
    (tmp_path / "press.icc").write_bytes(press_profile())
    (allow,), (rules,) = blocks(ALLOW, "toml"), blocks(RULES, "toml")
    own_game.with_name("rules.toml").write_text(rules, encoding="utf-8")
    assert tomllib.loads(allow)["allow"][0].keys() == {"rule", "about", "because"}
    read = [path for path in (README, *(DOCS / name for name in navigation())) if path != TUTORIAL]
    typed = [block for path in read for block in blocks(path, "sh")]
    commands = [line for block in typed for line in block.splitlines() if line.startswith("pnp ")]
    monkeypatch.setenv("PNP_CONFIG", str(tmp_path / "settings"))

    assert len(commands) >= 30
    for command in commands:
        # What it counts is compared with what is shown above.
        if command != "pnp count pirates-on-the-prowl":
            done = run(*shlex.split(command)[1:], at=tmp_path)
            assert done.code == 0, f"{command}\n{done.err}"
    assert (tmp_path / "output/mygame/letter/print.pdf").read_bytes().startswith(b"%PDF")
    assert all(
        (tmp_path / f"output/mygame/a4/{name}.pdf").is_file() for name in ("dice", "life", "island", "sea", "hills", "lake")
    )
    (counted,) = json.loads(run("count", "mygame", "--json", at=tmp_path).out)["games"]
    (dividers,) = (each for each in counted["components"] if each["name"] == "dividers")
    assert dividers["copies"] == len(blocks(DICE, "csv")[0].splitlines()) - 1


def test_what_the_page_shows_of_a_template_is_what_is_said(tmp_path: Path) -> None:
    """The answer on the page about Inkscape."""
    assert run("new", "mygame", "--blank", at=tmp_path).code == 0
    (tmp_path / "card.svg").write_text(INKSCAPE, encoding="utf-8")
    (typed,), (shown,) = blocks(FROM_INKSCAPE, "sh"), blocks(FROM_INKSCAPE, "text")

    assert run(*shlex.split(typed)[1:], at=tmp_path).out == shown


def test_the_page_about_tables_is_a_game_that_reads(tmp_path: Path) -> None:
    """Its columns are computed and its rows chosen as it says."""
    folder = tmp_path / "content" / "mygame"
    folder.mkdir(parents=True)
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "spells.svg.j2").write_text("", encoding="utf-8")
    text = "\n".join(['[game]\nname = "Mine"', *blocks(TABLES, "toml"), "[table.cards.columns.town]", 'table = "towns"'])
    (folder / "game.toml").write_text(text, encoding="utf-8")
    rows = "Hex,curse,3,base,4,5,o\nOx,beast,3,base,1,1,o\nJinx,trick,5,promo,1,1,o\n"
    (folder / "cards.csv").write_text(f"name,type,cost,set,attack,defence,town\n{rows}", encoding="utf-8")
    (folder / "towns.csv").write_text("id,name\no,Oslo", encoding="utf-8")
    problems = Problems()
    game = read_game(Project(tmp_path), "mygame", problems)

    assert game is not None and [problem.rule for problem in problems] == ["unprinted-rows"]
    (row,) = game.components[0].table
    assert [row[column] for column in ("name", "total", "strong", "label")] == ["Hex", 9, True, "Oslo (9)"]


def test_ids_and_drawings_are_called_as_the_page_about_tables_says(tmp_path: Path) -> None:
    """From a name, from a column that game.toml chooses, and from nothing."""
    shown = re.findall(r"^\| `(.+)` \| `(.+)` \| `art/(.+)\.png` \|$", page("reference/tables"), re.MULTILINE)
    assert shown and all(made == drawing for _, made, drawing in shown)
    names = [name for name, *_ in shown]
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "cards.svg.j2").write_text("", encoding="utf-8")
    ids = {}
    for game, rules, head in (
        ("made", "", "name"),
        ("typed", '[table.cards]\nid = "Bread"\n', "Bread"),
        ("none", "", "Bread"),
    ):
        folder = tmp_path / "content" / game
        folder.mkdir(parents=True)
        (folder / "game.toml").write_text(f'[game]\nname = "Mine"\n{rules}[component.cards]\nsize = "tcg"\n', "utf-8")
        (folder / "cards.csv").write_text("\n".join([head, *names]), encoding="utf-8")
        read = read_game(Project(tmp_path), game, Problems())
        ids[game] = [row.id for row in read.components[0].table] if read else []

    assert ids["made"] == [made for _, made, _ in shown]
    assert ids["typed"] == ["Rye Loaf", "Crème brûlée", "fire-ice"]
    assert ids["none"] == ["row-2", "row-3", "row-4"]


def test_photo_papers_hold_what_the_page_about_printing_says(tmp_path: Path) -> None:
    """One card on a small photo, two on a large one, a card with its back on the large one alone; a ruler on none."""
    assert run("new", "mygame", "--blank", at=tmp_path).code == 0
    folder = tmp_path / "content/mygame"
    (folder / "cards.csv").write_text("name,text,copies\nFox,Runs.,2\n", encoding="utf-8")
    sheets = {}
    for paper in ("9x13cm", "10x15cm", "13x18cm"):
        assert run("build", "mygame", "--paper", paper, "--backs", "none", at=tmp_path).code == 0
        pages = pypdf.PdfReader(tmp_path / f"output/mygame/{paper}/cards.pdf").pages
        sheets[paper] = len(pages)
        assert not any("100 mm" in each.extract_text() for each in pages)
    with (folder / "game.toml").open("a", encoding="utf-8") as game:
        game.write('back = "cards"\n')
    folded = [run("build", "mygame", "--paper", paper, "--backs", "gutterfold", at=tmp_path).code == 0 for paper in sheets]

    assert sheets == {"9x13cm": 2, "10x15cm": 2, "13x18cm": 1}
    assert folded == [False, False, True]


def test_icons_within_a_text_lie_where_the_page_about_inkscape_says(tmp_path: Path) -> None:
    """``:icons#sword:`` and ``s.icon("icons/icons#sword", …)`` are the same part of the same file."""
    text = FROM_INKSCAPE.read_text(encoding="utf-8")
    (in_text,) = re.findall(r"`(:\w+#\w+:)`", text)
    (by_itself,) = re.findall(r"`(\{\{ s\.icon\(\"icons/.*?\}\})`", text)
    (file,) = re.findall(r"`(art/icons/icons\.svg)`", text)
    assert run("new", "mygame", "--blank", at=tmp_path).code == 0
    folder = tmp_path / "content/mygame"
    (folder / file).parent.mkdir(parents=True)
    parts = '<g id="sword"><path d="M1 1h8v8z"/></g><g id="cup"><path d="M11 11h8v8z"/></g>'
    (folder / file).write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">{parts}</svg>', "utf-8")
    (folder / "cards.csv").write_text(f"name,text\nFox,Draw {in_text} now.\n", encoding="utf-8")
    template = folder / "templates/cards.svg.j2"
    template.write_text(template.read_text("utf-8").replace("{% endblock %}", f"{by_itself}\n{{% endblock %}}"), "utf-8")
    checked = run("check", "mygame", "--json", at=tmp_path)

    assert (checked.code, checked.problems) == (0, [])


def test_the_page_about_drawings_counts_those_that_may_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """The 18 of the page are those that the measure lets pass, and the sum is right."""
    monkeypatch.syspath_prepend(ROOT / "tests" / "measure")
    from allowed import ALLOWED

    row = re.search(r"^\| without text \| ([\d,]+) \| ([\d,]+) \| (\d+) \|$", page("reference/drawings"), re.MULTILINE)
    assert row is not None
    accepted, alike, different = (int(number.replace(",", "")) for number in row.groups())
    assert (accepted - alike, different) == (len(ALLOWED), len(ALLOWED))


def test_no_block_is_left_out_by_these_tests() -> None:
    """All blocks are of a language that is run or compared; files of games stand on pages whose game is built."""
    # What the page of add-ons shows is installed by tests/test_addons.py.
    for path in (README, *(each for each in PAGES if each != ADDONS)):
        assert languages(path) <= {"sh", "text", "csv", "toml", "jinja", "markdown"}, path
        shown = languages(path) & {"csv", "toml", "jinja"}
        held = (README, OWN_GAME, DICE, BOARDS, ALLOW, RULES, MACROS, TUTORIAL, IN_THE_STUDIO, TABLES)
        assert path in held or not shown
        lines = [line for block in blocks(path, "sh") for line in block.splitlines()]
        first = "python3 -m venv .venv && .venv/bin/pip install -q -e"
        ways = (". && . .venv/bin/activate", ". && .venv/bin/pnp build", "'.[test]' && .venv/bin/pytest")
        others = [f"{first} {way}" for way in ways] if path == README else []
        assert [line for line in lines if not line.startswith("pnp ")] == others


def test_ci_runs_the_readme_test_command() -> None:
    """What CI installs and runs is what the README tells a stranger to, and what makes the pages besides."""
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")

    assert "python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]' && .venv/bin/pytest" in README.read_text("utf-8")
    assert ".venv/bin/pip install -q -e '.[test,docs]'" in script
    assert ".venv/bin/mkdocs build --strict" in script
    assert ".venv/bin/pytest" in script.splitlines()


def test_the_page_about_speed_says_what_ci_holds_builds_to() -> None:
    """Once: `tests/bench/cards.py --held` reads it there after all tests."""
    bench = (ROOT / "tests/bench/cards.py").read_text()
    (pattern,) = re.findall(r'^SAID = re\.compile\(r"(.*)"\)$', bench, re.MULTILINE)
    assert len(re.findall(pattern, " ".join((DOCS / "how-it-works/speed.md").read_text().split()))) == 1


def test_the_readme_names_the_five_games_and_their_pages() -> None:
    """Every game of the repository has a line in the README, which links to its own README."""
    text = README.read_text(encoding="utf-8")

    assert "the-games" in anchors(README)
    games = [path.parent.name for path in (ROOT / "content").glob("*/game.toml")]
    assert [name for name in games if f"content/{name}/R" not in text] == []

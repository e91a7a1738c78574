"""A game.toml is read whole or its faults are told, each at its line and all of them at once."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import TinyProject, examples
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from wronggames import wrong_games

from pnp.read.schema import GameFile, json_schema, read_game_file
from pnp.read.tomlfile import Lines
from pnp.values.problems import Place, Problem, Problems
from pnp.values.sections import RulesFile

ROOT = Path(__file__).resolve().parents[2]
MINIMAL = '[game]\nname = "Tiny"\n'


def read(folder: Path, text: str | bytes) -> tuple[GameFile | None, list[Problem]]:
    """What a game.toml of this text comes to, and what is wrong with it."""
    problems = Problems()
    file = folder / "game.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    parsed = read_game_file(file, "game.toml", problems)
    return parsed.rules if parsed and parsed.sound else None, list(problems)


def fault(folder: Path, text: str | bytes) -> Problem:
    """The one thing that is wrong with a game.toml of this text."""
    parsed, (problem,) = read(folder, text)
    assert parsed is None
    return problem


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf" + MINIMAL.encode(), MINIMAL.replace("\n", "\r\n").encode()])
def test_editors_of_windows_may_be_used(tmp_path: Path, data: bytes) -> None:
    """A byte order mark and Windows line ends do not matter."""
    parsed, problems = read(tmp_path, data)

    assert parsed is not None and not problems


PLACES = """\
# a comment = 1
[game]
name = "x"

[table.cargo.columns]
kind = { one_of = ["a"] }
place.table = "b"

[table.cargo.columns.reward]
type = "text"

[component]
cards = { size = "tcg" }
"with.dot" = { size = "tcg" }
'single'.size = "tcg"

[texts]
long = '''
[component.fake]
size = "fake"
name = "fake"
'''
after = "one\N{LINE SEPARATOR}line" # long = 2
hash = "# not a comment"
"two words" = \"\"\"
[game]
\"\"\"

[[expect.cards.split]]
by = "a"
counts = { x = 1 }

[[expect.cards.split]]
by = "b"
[expect.cards.split.where]
kind = "c"

[expect.tickets]
split = [
    { by = "kind" },
    { by = "place" },
]
"""


@pytest.mark.parametrize(
    ("path", "row"),
    [
        (("game", "missing"), 2),
        (("table", "cargo", "columns", "kind", "one_of", 0), 6),
        (("table", "cargo", "columns", "place", "table"), 7),
        (("component", "cards", "size"), 13),
        (("component", "with.dot", "size"), 14),
        (("component", "fake", "size"), 12),
        (("texts", "size"), 17),
        (("texts", "after"), 23),
        (("expect", "cards", "split", 0, "counts", "x"), 31),
        (("expect", "tickets", "split", 1, "by"), 39),
    ],
)
def test_a_key_stands_on_its_line(path: tuple[str | int, ...], row: int) -> None:
    """A key's place is its line, or that of the nearest section around it; nothing inside a text is a key."""
    place = Lines("game.toml", PLACES).place(*path)

    assert place == Place("game.toml", row, ".".join(part for part in path if isinstance(part, str)))


@settings(max_examples=examples(100), deadline=None)
@given(
    st.lists(st.sampled_from(["", "# x = 1", "# [y]", 'other = "a"']), max_size=8),
    st.sampled_from(["key", "'key'", '"key"', "  key", "\tkey "]),
)
def test_lines_before_a_key_count(before: list[str], key: str) -> None:
    """However a key is quoted and indented and whatever stands before it, its line is the one it is on."""
    lines = ["[texts]", *(line.replace("other", f"other{at}") for at, line in enumerate(before)), f'{key} = "x"']

    assert Lines("f", "\n".join(lines)).place("texts", "key").row == len(lines)


@pytest.mark.parametrize(
    ("text", "rule", "place", "words"),
    [
        (MINIMAL + 'language = "English"\n', "bad-value", "game.toml:3:game.language", "en, de, pt-BR"),
        (MINIMAL + '[palette]\n"Deep Sea" = "#fff"\n', "bad-value", "game.toml:4:palette.Deep Sea", "small letters"),
        (MINIMAL + "[expect.cards]\ncopies = -1\n", "bad-value", "game.toml:4:expect.cards.copies", "-1"),
        (MINIMAL + 'language = "Deutsch"\n', "bad-value", "game.toml:3:game.language", 'Write language = "de".'),
        (MINIMAL + 'language = "en_us"\n', "bad-value", "game.toml:3:game.language", 'Write language = "en-US".'),
        (MINIMAL + '[palette]\nsea = "blue"\n', "bad-value", "game.toml:4:palette.sea", 'Write sea = "#0000ff".'),
        (MINIMAL + '[setup]\nplayers = "2"\n', "unknown-key", "game.toml:3:setup", "[setup] stands in rules.toml."),
        (
            MINIMAL + '[component.c]\nsize = "tcg"\nquantity = 3\n',
            "unknown-key",
            "game.toml:5:component.c.quantity",
            "Write copies.",
        ),
        (
            MINIMAL + '[component.c]\nsize = "tcg"\norientation = "landscape"\n',
            "unknown-key",
            "game.toml:5:component.c.orientation",
            '"88mm x 63mm"',
        ),
        (
            '[game]\nname = "x"\npapers = "A4, Letter"\n',
            "bad-value",
            "game.toml:3:game.papers",
            'papers = ["A4", "Letter"].',
        ),
        (
            MINIMAL + '[component.c]\nkind = "meeple"\n',
            "unknown-value",
            "game.toml:4:component.c.kind",
            'Did you mean "pawn"?',
        ),
        (
            MINIMAL + '[table.c.columns]\ncost = { type = "integer" }\n',
            "unknown-value",
            "game.toml:4:table.c.columns.cost.type",
            'Did you mean "whole"?',
        ),
        (MINIMAL + '[fonts]\nbody = ""\n', "bad-value", "game.toml:4:fonts.body", "it must not be empty"),
        ('[game]\nname = "x",\n', "broken-toml", "game.toml:2", "ends in a comma"),
        (MINIMAL + "[palette]\nsea = #83cbe9\n", "broken-toml", "game.toml:4", "nothing stands behind the ="),
        (b"[game]\nname = '\xff'", "unreadable-game-file", "game.toml:2", "0xff"),
        ("x = " + 5000 * "[", "unreadable-game-file", "game.toml", "cannot be read"),
    ],
)
def test_a_fault_is_told_at_its_key(tmp_path: Path, text: str | bytes, rule: str, place: str, words: str) -> None:
    """What is wrong with a value is told where the value is written."""
    found = fault(tmp_path, text)

    assert (found.rule, str(found.place)) == (rule, place)
    assert words in f"{found.message} {found.hint}"


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    """A folder without a game.toml is no game."""
    problems = Problems()

    assert read_game_file(tmp_path / "game.toml", "game.toml", problems) is None
    assert [problem.rule for problem in problems] == ["no-game-file"]
    assert problems.unreadable


def test_a_file_of_endless_length_is_refused(tmp_path: Path) -> None:
    """A game.toml of more than a megabyte is not read."""
    assert "larger than 1 MB" in fault(tmp_path, MINIMAL + "#" * 1_000_000).message


words = st.sampled_from(
    [
        *("game", "name", "papers", "palette", "table", "columns", "component", "cards", "size", "expect", "split", "by"),
        *("where", "counts", "type", "tcg", "a4", "#fff", "whole", "x", "[key]", "", "a.b", 'q"q', "3mm"),
    ]
)
values = st.recursive(
    st.one_of(words, st.text(max_size=5), st.integers(), st.floats(), st.booleans(), st.dates()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(words, inner, max_size=4)),
    max_leaves=12,
)


def toml(value: Any) -> str:
    """A value as it may stand after an equals sign."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{toml(key)} = {toml(inner)}' for key, inner in value.items())}}}"
    return str(value)


@settings(max_examples=examples(200), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(words, values, max_size=5))
@example({"game": {"name": "x", "[key]": 1}})
def test_any_toml_is_read_or_told(tmp_path: Path, data: dict[str, Any]) -> None:
    """Any TOML is a game or has faults that are told, never both, and every fault is a sentence with a place."""
    parsed, problems = read(tmp_path, "\n".join(f"{toml(key)} = {toml(value)}" for key, value in data.items()))

    assert (parsed is None) == bool(problems)
    assert all(problem.rule != "broken-toml" for problem in problems), [str(problem) for problem in problems]
    assert all(problem.message and problem.place.file == "game.toml" for problem in problems)


def schemas(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A schema and every schema inside it."""
    yield schema
    for keyword in ("$defs", "properties", "patternProperties"):
        for inner in schema.get(keyword, {}).values():
            yield from schemas(inner)
    for inner in (*schema.get("anyOf", []), *schema.get("oneOf", [])):
        yield from schemas(inner)
    for keyword in ("items", "additionalProperties", "propertyNames"):
        if isinstance(schema.get(keyword), dict):
            yield from schemas(schema[keyword])


SCHEMAS = pytest.mark.parametrize("whole", [json_schema(), json_schema(RulesFile)], ids=["game", "rules"])


@SCHEMAS
def test_the_schema_is_one_of_draft_2020_12(whole: Mapping[str, Any]) -> None:
    """By that draft's own schema; patterns compile, and references lead somewhere."""
    assert whole["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert json.loads(json.dumps(whole)) == whole
    Draft202012Validator.check_schema(whole, format_checker=Draft202012Validator.FORMAT_CHECKER)
    for schema in schemas(whole):
        for pattern in [*schema.get("patternProperties", {}), schema.get("pattern", "")]:
            re.compile(pattern)
        if "$ref" in schema:
            assert schema["$ref"].removeprefix("#/$defs/") in whole["$defs"]


def test_an_editor_underlines_nothing_that_is_right() -> None:
    """By the schemas every file of the games here is right, also of those that are wrong elsewhere."""
    right = {"game.toml": Draft202012Validator(json_schema()), "rules.toml": Draft202012Validator(json_schema(RulesFile))}
    files = [(path.name, path.parent.name, path.read_text("utf-8")) for path in ROOT.glob("content/*/*.toml")]
    for game in wrong_games():
        for name, data in game.files.items():
            if (file := Path(name).name) in right and not any(file in line for line in game.expected):
                files.append((file, game.name, data.decode()))
    faults = [
        (where, file, fault.json_path, fault.message)
        for file, where, text in files
        if file in right
        for fault in right[file].iter_errors(tomllib.loads(text))
    ]

    assert len(files) > 100 and faults == []


@SCHEMAS
def test_every_key_of_the_schema_is_described(whole: Mapping[str, Any]) -> None:
    """An editor shows a sentence for every key; a section's own stands at its definition."""
    for schema in schemas(whole):
        for key, entry in schema.get("properties", {}).items():
            described = entry.get("description") or whole["$defs"][entry["$ref"].removeprefix("#/$defs/")].get("description")
            assert described and described[-1] in ".…", key


# Of the schema that came with 0.1.
KEYS_OF_0_1 = """
accent address angle around back backs base bleed book by cell columns component contents copies counts cover
cover_ink creep depth designer different each expect faces file fonts foot foot_ink form game grid groups header
height hex hexes highest holds id in inner instead join kind language layout legend licence map marker max min name
names not note numbered of one_of optional outer palette panels paper papers pin players room shape sheet sides size
slots source spaces split subtitle sweep tab table tabs template texts tint title translate type upright value values
version weight where window year
"""


def test_a_game_of_0_1_needs_no_rewriting() -> None:
    """Each key that a game.toml of 0.1 may have is one today."""
    known = {key for schema in schemas(json_schema()) for key in schema.get("properties", {})}

    assert set(KEYS_OF_0_1.split()) <= known


@pytest.mark.parametrize("folder", sorted((ROOT / "content").glob("*/")), ids=lambda folder: folder.name)
@pytest.mark.parametrize("name", ["game", "rules"])
def test_every_shipped_game_names_the_schemas(folder: Path, name: str) -> None:
    """The first line of each file tells an editor where its schema is."""
    first = (folder / f"{name}.toml").read_text(encoding="utf-8").partition("\n")[0]

    assert (folder / first.removeprefix("#:schema ")).resolve() == ROOT / "content" / f"{name}.schema.json"


def test_a_file_in_utf_16_is_called_so(tiny: TinyProject) -> None:
    """A byte that is not UTF-8 helps nobody who chose Unicode in Notepad."""
    tiny.write("content/tiny/game.toml", (tiny.game / "game.toml").read_text().encode("utf-16"))
    (problem,) = tiny.build().problems

    assert (problem.rule, problem.place.row) == ("unreadable-game-file", 1)
    assert "UTF-16" in problem.message and "UTF-8" in problem.hint


@settings(max_examples=examples(200), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(max_size=60), st.text("[]{}=.\"'#\n\\ agmenx1-", max_size=60).map(str.encode)))
def test_random_text_is_told(tmp_path: Path, data: bytes) -> None:
    """Whatever else is in the file is told."""
    parsed, problems = read(tmp_path, data)

    assert (parsed is None) == bool(problems)

"""What ``pnp check`` says on a terminal, and what a build does with what the rules find."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import Left, run
from conftest import TINY_GAME, TINY_TEMPLATE, TinyProject
from pypdf import PdfReader

from pnp.check.registry import documentation
from pnp.check.tile_search import decide
from pnp.cli.output import MOST_SHOWN

FALSE = """
[claim.three-cards]
says = "There are three cards."
expect = 'count("cards") == 3'
"""
BOARD = '[component.sea]\nkind = "board"\nsize = "150mm x 120mm"\n'
GROUND = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}{{ s.ground(face, "#336699") }}{% endblock %}
"""
ALLOW = '[[allow]]\nrule = "{}"\nabout = "{}"\nbecause = "It is meant."\n'
SETUP = '[setup]\nplayers = "2"\n[setup.take.hand]\nwhat = "a card"\nfrom = "cards"\nnumber = 1\nper = "player"\n'
SMALL = TINY_TEMPLATE.replace('size="10 7"', 'size="5 5"')
PALE = TINY_TEMPLATE.replace('name="title", fill="#ffffff"', 'name="title", fill="#7799bb"')


def claims(number: int) -> str:
    """So many claims that are false."""
    return "".join(FALSE.replace("three-cards", f"three-cards-{index}") for index in range(number))


def files(tiny: TinyProject) -> dict[str, bytes]:
    """Everything below output/."""
    folder = tiny.project.root / "output"
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def pages(tiny: TinyProject, name: str) -> list[str]:
    """The text of every page of a built file."""
    return [page.extract_text() for page in PdfReader(tiny.project.root / "output" / "tiny" / name).pages]


def do(tiny: TinyProject, *arguments: str) -> Left:
    """Run a command in the project."""
    return run(*arguments, at=tiny.project.root)


def test_findings_stand_in_groups_with_headings_and_numbers(tiny: TinyProject) -> None:
    """Reading first, then rules, then pieces, whatever was found first; the sum last."""
    # A column that nothing uses is found after the claims, when all is drawn.
    tiny.write("content/tiny/cards.csv", "name,text,mood\nAnna,Draw two.,glad\nBert,Pass.,sad\n")
    tiny.write("content/tiny/rules.toml", claims(2) + ALLOW.format("claim", "nowhere"))
    done = do(tiny, "check", "--no-draw")
    drawn = do(tiny, "check")

    assert done.code == drawn.code == 1
    lines = [line for line in drawn.err.splitlines() if not line.startswith("tiny: ") or "error" in line]
    assert [line.partition(" content/")[0] for line in lines] == [
        *("Reading and drawing: 1", "warning", "Claims: 2", "error", "error", "Allowed findings: 1", "warning"),
        "tiny: 2 errors; mend these before printing; output/tiny/report.html",
    ]
    assert "Reading and drawing" not in done.err


@pytest.mark.parametrize("more", [0, 3])
def test_many_findings_of_one_rule_are_shortened(tiny: TinyProject, more: int) -> None:
    """So many are shown, the rest is counted; --json has them all."""
    tiny.write("content/tiny/rules.toml", claims(MOST_SHOWN + more))
    err = do(tiny, "check", "--no-draw").err
    found = do(tiny, "check", "--no-draw", "--json")

    assert err.count("error content/tiny/rules.toml:") == MOST_SHOWN
    assert (f"  and {more} more of claim (all of them with --json)\n" in err) == bool(more)
    assert ("more of claim" in err) == bool(more)
    assert f"tiny: {MOST_SHOWN + more} errors" in err
    assert len(found.problems) == MOST_SHOWN + more and found.code == 1


def test_json_has_the_evidence(tiny: TinyProject) -> None:
    """What was proved, not only what is wrong: claims with both sides, tables, and what is allowed for which reason."""
    tiny.write("content/tiny/rules.toml", SETUP + claims(1) + ALLOW.format("claim", "claim"))
    (game,) = json.loads(do(tiny, "check", "--no-draw", "--json").out)["games"]

    assert [claim["holds"] for claim in game["claims"]] == [False]
    assert game["claims"][0]["sides"] and game["claims"][0]["expression"]
    assert [table["group"] for table in game["tables"]] == ["setup"] and game["tables"][0]["rows"]
    assert [(entry["rule"], bool(entry["because"])) for entry in game["allowed"]] == [("claim", True)]


def test_a_rule_is_explained(tmp_path: Path) -> None:
    """By its documentation and nothing else; no project is needed for that."""
    done = run("check", "--explain", "claim", at=tmp_path)

    assert (done.code, done.out, done.err) == (0, documentation("claim") + "\n", "")


def test_a_build_stops_at_a_false_claim(tiny: TinyProject) -> None:
    """It writes nothing, and the good files of the build before stay as they are."""
    tiny.write("content/tiny/rules.toml", FALSE)
    first = do(tiny, "build")
    assert not (tiny.project.root / "output").exists()
    tiny.write("content/tiny/rules.toml", FALSE.replace("== 3", "== 2"))
    assert do(tiny, "build").code == 0
    before = files(tiny)
    tiny.write("content/tiny/rules.toml", FALSE)
    second = do(tiny, "build")

    assert first.code == second.code == 1
    assert "There are three cards" in first.err
    assert "tiny: 1 error; nothing was written" in first.err and "tiny: 1 error; nothing was written" in second.err
    assert files(tiny) == before


def test_a_build_stops_at_what_is_seen_on_pieces(tiny: TinyProject) -> None:
    """A text too small is one; what needs pictures of the pieces is looked for by check alone."""
    tiny.write("templates/tiny/cards.svg.j2", SMALL)
    done = do(tiny, "build")

    assert done.code == 1
    assert "it is set in 5 pt" in done.err and not (tiny.project.root / "output").exists()


def test_a_draft_is_built_and_says_so_on_every_sheet(tiny: TinyProject) -> None:
    """In all files with sheets, the board in one piece included; the errors are told, and the code is theirs."""
    tiny.put(game_toml=TINY_GAME + BOARD, sea_svg_j2=GROUND, rules_toml=FALSE)
    done = do(tiny, "build", "--draft")

    assert done.code == 1
    assert "There are three cards" in done.err
    assert "tiny: 1 error; wrote output/tiny/a4/print.pdf" in done.err and "nothing was written" not in done.err
    for name in ("a4/cards.pdf", "a4/sea.pdf", "one-piece/sea.pdf"):
        assert pages(tiny, name) and all("DRAFT · Tiny" in text for text in pages(tiny, name)), name
    plan, _, *sheets = pages(tiny, "a4/print.pdf")
    assert "What to print" in plan and len(sheets) >= 2
    assert all("DRAFT · Tiny" in text for text in sheets)


@pytest.mark.parametrize(
    ("game", "table"),
    [
        (TINY_GAME.replace('"a4"', '"a99"'), None),
        (TINY_GAME + BOARD + 'table = "seas"\n', "id,text\nsea\n"),
        (TINY_GAME.replace('"tcg"', '"400mm x 500mm"'), None),
    ],
    ids=["no paper", "no board", "no sheet"],
)
def test_a_draft_of_what_cannot_be_printed_is_no_fault_of_ours(tiny: TinyProject, game: str, table: str | None) -> None:
    """For no known paper, without the board, with pieces too large: what is wrong is told, and the code is 1."""
    tiny.put(game_toml=game, sea_svg_j2=GROUND)
    if table:
        tiny.write("content/tiny/seas.csv", table)
    done = do(tiny, "build", "--draft")

    assert done.code == 1
    assert "error content/tiny/" in done.err


def test_what_is_allowed_is_silent(tiny: TinyProject) -> None:
    """Checked with 0 and built; without the allowance neither."""
    tiny.write("templates/tiny/cards.svg.j2", SMALL)
    assert do(tiny, "check").code == 1
    tiny.write("content/tiny/rules.toml", ALLOW.format("small-text", "cards/anna"))
    done = do(tiny, "check")

    assert done.code == 0 and "nothing wrong was found" in done.out
    assert "warning" not in done.err and "5 pt" not in done.err
    assert do(tiny, "build").code == 0


@pytest.mark.parametrize(("rule", "template"), [("small-text", SMALL), ("low-contrast", PALE)])
def test_an_allowance_is_not_called_needless_by_who_did_not_look(tiny: TinyProject, rule: str, template: str) -> None:
    """--no-draw looks at no piece, a build at no picture of one: what check needs must not be taken away for them."""
    tiny.write("templates/tiny/cards.svg.j2", template)
    assert rule in [problem["rule"] for problem in do(tiny, "check", "--json").problems]
    tiny.write("content/tiny/rules.toml", ALLOW.format(rule, "cards/anna"))

    for command in (["check"], ["check", "--no-draw"], ["build"]):
        done = do(tiny, *command, "--json")
        assert (done.code, done.problems) == (0, []), command


def test_a_proof_that_comes_to_no_end_has_a_code_of_its_own(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes too many steps to decide is no error, and it is not all well either."""
    monkeypatch.setattr("pnp.check.shuffles.decide", lambda tiling: decide(tiling, 0))
    flower = [(0, 0), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    hexes = [f"t{tile},{q},{r},{'rock' if tile == n else 'sea'}" for tile in range(7) for n, (q, r) in enumerate(flower)]
    tiny.put(
        hexes_csv="\n".join(["tile,q,r,terrain", *hexes]),
        cards_csv="\n".join(["id,name,back", *(f"t{tile},Tile {tile},x" for tile in range(7))]),
        start_csv="\n".join(["slot,pool,q,r", *(f"s{n},x,{2 * n},{n}" for n in range(7))]),
        game_toml=TINY_GAME.replace(
            'size = "tcg"', 'kind = "tile"\nhex = "20mm"\nhexes = "hexes"\n[layout.start]\nof = "cards"'
        ),
        rules_toml='[shuffle.start]\nblocked = { terrain = ["rock"] }\n',
    )
    left = do(tiny, "check", "tiny", "--no-draw")

    assert left.code == 5
    assert "was not decided" in left.err and "tiny: not decided, 1 warning" in left.out


def test_what_one_mistake_has_done_is_told_once(tiny: TinyProject) -> None:
    """A colour that many rows name, a line of a template that fails for each: the first, and where else; all with --json."""
    tiny.write("content/tiny/game.toml", TINY_GAME + '\n[table.cards.columns]\nsky = { type = "colour" }\n')
    tiny.write("content/tiny/cards.csv", "name,text,sky\nAnna,x,red\nBert,y,red\nCarl,z,blue\nDora,z,red\n")
    said = do(tiny, "check").err

    assert said.count("is no colour") == 2
    assert 'cards.csv:2:sky: "red" is no colour' in said and "  and 2 more like it, in rows 3, 5" in said
    assert len(do(tiny, "check", "--json").problems) == 4
    tiny.put(game_toml=TINY_GAME, cards_svg_j2=TINY_TEMPLATE.replace("row.name,", "row.name.pop(),"))
    said = do(tiny, "check").err

    assert said.count("templates/tiny/cards.svg.j2:5") == 1
    assert "  and 3 more there" in said

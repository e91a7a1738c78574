"""``pnp watch``: what is saved is seen once it has come to rest, and the page shows pieces and findings as they are now."""

from __future__ import annotations

import os
import re
import tempfile
from html import unescape
from importlib import resources
from pathlib import Path

import pytest
from conftest import TINY_GAME, TINY_TABLE, TINY_TEMPLATE, TinyProject, aside
from fontTools.ttLib import TTFont

from pnp.cli.watch import look
from pnp.flows.build import Options, Result, build_game
from pnp.flows.watch import UNREAD, WHOLLY, Change, Findings, Watch
from pnp.system.cache import Cache
from pnp.system.paths import scan
from pnp.values.problems import Place, Problem

GIVE_UP = 20.0
BAD_TABLE = "name,text,copies\nAnna,Draw two.,1\nBert,Pass.,many\n"
SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path fill="{}" d="M0 0H10V10H0Z"/></svg>'


def quiet(_: str) -> None:
    """Nobody listens."""


def watch(tiny: TinyProject, out: str = "output") -> Watch:
    """The tiny game, watched."""
    return Watch(tiny.project, "tiny", tiny.project.root / out)


def page(watched: Watch) -> str:
    """What the preview page says."""
    return unescape(watched.page.read_text(encoding="utf-8"))


def pictures(watched: Watch) -> dict[str, bytes]:
    """The pictures that the page shows, by their names in it."""
    return {name: (watched.page.parent / name).read_bytes() for name in re.findall(r'<img src="([^"]+)"', page(watched))}


def saved(watched: Watch) -> Change | None:
    """Two looks after something was saved: the first sees it, the second that it lasts."""
    assert watched.look() is None
    return watched.look()


# --- When to build ---------------------------------------------------------------------------------------


def test_what_editors_put_beside_a_file_is_not_seen(tmp_path: Path) -> None:
    """Locks and copies of editors and spreadsheets are no reason to build."""
    for name in (".cards.csv.swp", "cards.csv~", ".~lock.cards.csv#", "~$cards.xlsx", "cards.csv.tmp"):
        (tmp_path / name).write_text("x")

    assert scan([tmp_path]) == {}


def test_links_that_lead_nowhere_or_round_hide_no_neighbour(tmp_path: Path) -> None:
    """Every file beside them and below is seen, once; a folder is not gone round in for ever."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "gone.svg").symlink_to(tmp_path / "nowhere")
    (tmp_path / "round").symlink_to(tmp_path)
    for name in ("a.csv", "deep/z.csv"):
        (tmp_path / name).write_text("x")

    assert sorted(Path(path).name for path in scan([tmp_path, tmp_path / "no"])) == ["a.csv", "gone.svg", "round", "z.csv"]


def test_a_file_is_other_when_its_size_or_its_time_is(tmp_path: Path) -> None:
    """Also a text of the same length that was written later."""
    file = tmp_path / "cards.csv"
    file.write_text("one")
    before = scan([tmp_path])
    os.utime(file, ns=(1, 1))
    touched = scan([tmp_path])
    file.write_text("three")

    assert before != touched
    assert touched != scan([tmp_path])


# --- What is told ----------------------------------------------------------------------------------------


def finding(row: int, rule: str = "empty-cell") -> Problem:
    """A finding in a row of a table."""
    return Problem(rule, Place("content/tiny/cards.csv", row, "text"), "the cell is empty")


def test_what_was_not_looked_at_is_not_called_mended() -> None:
    """While game.toml cannot be read nobody knows of the cards; afterwards what is still there is no news."""
    findings = Findings()
    small, broken = finding(2, "small-text"), Problem("broken-toml", Place("content/tiny/game.toml", 1), "no TOML")

    assert findings.told([small], WHOLLY) == ([small], [])
    assert findings.told([broken], UNREAD) == ([broken], [])
    assert findings.told([small], WHOLLY) == ([], [broken])
    assert findings.told([], WHOLLY) == ([], [small])


# --- The page --------------------------------------------------------------------------------------------


def test_the_page_shows_a_picture_of_every_face(tiny: TinyProject) -> None:
    """Each card is there with its id, its picture beside the page, and nothing is wrong."""
    watched = watch(tiny)
    change = watched.look()

    assert change is not None
    assert change.drawn == ["cards"]
    assert re.findall(r"<figcaption>([^<]+)<", page(watched)) == ["anna", "bert"]
    assert [picture[:4] for picture in pictures(watched).values()] == [b"\x89PNG"] * 2
    assert "Nothing wrong was found." in page(watched)


def test_an_open_page_learns_that_it_is_old(tiny: TinyProject) -> None:
    """The word beside the page is the page's own until the build changed; both change together."""
    watched, versions = watch(tiny), []
    for table in (TINY_TABLE, TINY_TABLE, TINY_TABLE.replace("Pass", "Pass twice")):
        tiny.write("content/tiny/cards.csv", table)
        watched.rebuild()
        said = re.search(r'var shown = "(\w+)"', page(watched))
        assert said is not None
        assert (watched.page.parent / "state.js").read_text() == f'pnpState("{said[1]}");\n'
        versions.append(said[1])

    assert versions[0] == versions[1] != versions[2]


def test_a_saved_word_is_seen_on_the_second_look(tiny: TinyProject) -> None:
    """One look sees that something changed, the next that it lasts, and no third builds again."""
    watched = watch(tiny)
    watched.look()
    before = pictures(watched)
    tiny.write("content/tiny/cards.csv", TINY_TABLE.replace("Pass.", "Take two and pass."))
    change = saved(watched)

    assert change is not None
    assert change.drawn == ["cards"]
    assert watched.look() is None
    assert len(set(pictures(watched).items()) & set(before.items())) == 1


def test_only_components_whose_faces_changed_are_drawn_anew(tiny: TinyProject) -> None:
    """Another deck's pictures stay as they are."""
    tiny.write("content/tiny/game.toml", TINY_GAME + '\n[component.birds]\nsize = "tcg"\ntemplate = "cards"\n')
    tiny.write("content/tiny/birds.csv", "name,text\nHen,Lay an egg.\n")
    watched = watch(tiny)
    first = watched.rebuild()
    tiny.write("content/tiny/birds.csv", "name,text\nHen,Lay two eggs.\n")
    second = watched.rebuild()

    assert (first.drawn, second.drawn) == (["cards", "birds"], ["birds"])
    assert watched.rebuild().drawn == []
    assert len(pictures(watched)) == 3


def test_a_drawing_of_the_same_name_is_drawn_anew(tiny: TinyProject) -> None:
    """New ink in an old file is seen although neither table nor template changed."""
    tiny.write("content/tiny/art/dot.svg", SQUARE.format("#ff0000"))
    image = '<image href="dot" x="20" y="20" width="9" height="9"/>'
    tiny.write("templates/tiny/cards.svg.j2", TINY_TEMPLATE.replace("{% endblock %}", image + "{% endblock %}"))
    watched = watch(tiny)
    watched.rebuild()
    red = pictures(watched)
    tiny.write("content/tiny/art/dot.svg", SQUARE.format("#00ff00"))

    assert watched.rebuild().drawn == ["cards"]
    assert not set(pictures(watched).values()) & set(red.values())


def test_a_font_of_the_same_family_is_drawn_anew(tiny: TinyProject) -> None:
    """A font file exchanged for another that has the same name changes the letters on the page."""

    def put(package: str, file: str) -> None:
        font = TTFont(str(resources.files(package) / "files" / file))
        for entry in list(font["name"].names):
            if entry.nameID in (1, 4, 6, 16):
                font["name"].setName("Letters", entry.nameID, entry.platformID, entry.platEncID, entry.langID)
        (tiny.game / "fonts").mkdir(exist_ok=True)
        font.save(tiny.game / "fonts/letters.ttf")

    tiny.write("content/tiny/game.toml", TINY_GAME.replace("[component", '[fonts]\nbody = "Letters"\n\n[component'))
    put("font_source_sans_pro", "SourceSansPro-Regular.ttf")
    watched = watch(tiny)
    assert watched.rebuild().result.ok
    before = pictures(watched)
    put("font_source_serif_pro", "SourceSerifPro-Regular.ttf")

    assert watched.rebuild().drawn == ["cards"]
    assert not set(pictures(watched).values()) & set(before.values())


def test_pictures_that_nothing_shows_any_more_are_taken_away(tiny: TinyProject) -> None:
    """The folder holds what the page shows and nothing else, and other previews beside it stay."""
    watched = watch(tiny)
    watched.rebuild()
    other = tiny.write("output/tiny/preview/cards.png", b"made by pnp preview")
    tiny.write("content/tiny/cards.csv", "name,text\nCleo,Swap hands.\n")
    watched.rebuild()
    folder = watched.page.parent

    assert {path.relative_to(folder).as_posix() for path in folder.glob("faces/*")} == set(pictures(watched))
    assert len(pictures(watched)) == 1
    assert other.is_file()
    assert aside(tiny.project.root) == []


def test_a_warning_about_pieces_is_not_mended_by_an_error_elsewhere(tiny: TinyProject) -> None:
    """A wrong cell keeps the rules from looking at texts; the text is as small as before, and that is no news later."""
    small = "name,text,copies\nAnna,Draw two cards and keep them.,{}\n"
    tiny.write("templates/tiny/cards.svg.j2", TINY_TEMPLATE.replace("10 7", "7"))
    watched = watch(tiny)
    tiny.write("content/tiny/cards.csv", small.format(1))
    (warning,) = watched.rebuild().new
    tiny.write("content/tiny/cards.csv", small.format("many"))
    wrong = watched.rebuild()
    tiny.write("content/tiny/cards.csv", small.format(1))
    right = watched.rebuild()

    assert warning.rule == "small-text"
    assert ([problem.rule for problem in wrong.new], wrong.mended) == (["bad-copies"], [])
    assert (right.new, right.mended) == ([], wrong.new)


def test_the_text_of_a_rulebook_is_read_as_well(tiny: TinyProject) -> None:
    """A number that the game cannot give is told with the line of the book that asks for it."""
    watched = watch(tiny)
    watched.rebuild()
    tiny.write("content/tiny/rulebook.md", '# Tiny\n\nThere are {{ count("birds") }} birds.\n')
    change = watched.rebuild()

    assert {problem.place.file for problem in change.new} == {"content/tiny/rulebook.md"}
    assert "content/tiny/rulebook.md:3" in page(watched)


def test_what_people_write_is_shown_as_it_is(tiny: TinyProject) -> None:
    """A value with markup in it is text on the page, not a part of it."""
    tiny.write("content/tiny/cards.csv", BAD_TABLE.replace("many", "<script>boo()</script>"))
    watched = watch(tiny)
    watched.rebuild()

    assert "<script>boo" not in watched.page.read_text(encoding="utf-8")
    assert "<script>boo()</script>" in page(watched)


@pytest.mark.parametrize("broken", ["[[[", None])
def test_a_game_that_cannot_be_read_keeps_its_pieces_on_the_page(tiny: TinyProject, broken: str | None) -> None:
    """A game.toml that is broken or gone is said, the pieces stay as they were, and all is well when it is back."""
    watched = watch(tiny)
    watched.rebuild()
    before = pictures(watched)
    (tiny.game / "game.toml").unlink()
    if broken is not None:
        tiny.write("content/tiny/game.toml", broken)
    (problem,) = watched.rebuild().new

    assert problem.place.file == "content/tiny/game.toml"
    assert pictures(watched) == before
    assert "as they were" in page(watched)
    tiny.write("content/tiny/game.toml", TINY_GAME)
    back = watched.rebuild()
    assert (back.mended, back.drawn) == ([problem], [])
    assert "as they were" not in page(watched)


def test_with_build_the_printable_files_follow(tiny: TinyProject) -> None:
    """They are those of ``pnp build``, made when nothing is wrong and left alone when something is."""
    options = Options(out=tiny.project.root / "output")
    builds = []

    def build() -> Result:
        builds.append(build_game(tiny.project, "tiny", options, quiet))
        return builds[-1]

    watched = Watch(tiny.project, "tiny", options.out, (), build)
    printed = options.out / "tiny/a4/print.pdf"
    watched.rebuild()
    first = printed.read_bytes()
    tiny.write("content/tiny/cards.csv", BAD_TABLE)
    watched.rebuild()
    assert printed.read_bytes() == first
    tiny.write("content/tiny/cards.csv", TINY_TABLE.replace("Bert", "Boris"))
    watched.rebuild()

    assert printed.read_bytes() != first
    assert [built.ok for built in builds] == [True, True]
    assert watched.page.is_file()


@pytest.mark.parametrize(
    ("fault", "said"),
    [(PermissionError(13, "Permission denied", "cards.pdf"), "cards.pdf"), (ValueError("?"), "fault of pnp")],
)
def test_a_build_that_fails_altogether_does_not_end_the_watch(
    tiny: TinyProject, fault: Exception, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A printable file that another program holds, or a fault of pnp's own: told, and the next change is built."""
    monkeypatch.setattr(tempfile, "tempdir", str(tiny.project.root))
    options = Options(out=tiny.project.root / "output")
    faults = [fault]

    def build() -> Result:
        if faults:
            raise faults.pop()
        return build_game(tiny.project, "tiny", options, quiet)

    watched = Watch(tiny.project, "tiny", options.out, (), build)
    look(watched)
    assert said in capsys.readouterr().err
    tiny.write("content/tiny/cards.csv", TINY_TABLE.replace("Bert", "Boris"))
    look(watched)
    look(watched)

    assert "tiny: nothing wrong" in capsys.readouterr().out
    assert (options.out / "tiny/a4/print.pdf").is_file()


# --- The command -----------------------------------------------------------------------------------------


def test_what_breaks_and_what_is_mended_is_told(tiny: TinyProject, capsys: pytest.CaptureFixture[str]) -> None:
    """A broken file does not end the watch; tests/unbreakable/test_stopped.py stops a real one."""
    watched = watch(tiny)
    for name, text, *said in (
        ("cards.csv", TINY_TABLE, "tiny: nothing wrong"),
        ("cards.csv", BAD_TABLE, "error content/tiny/cards.csv:3:copies", "tiny: 1 error"),
        ("game.toml", "[[[", "error content/tiny/game.toml:1"),
        ("game.toml", TINY_GAME, "mended content/tiny/game.toml:1"),
        ("cards.csv", BAD_TABLE.replace("many", "2"), "mended content/tiny/cards.csv:3:copies", "tiny: nothing wrong"),
    ):
        tiny.write(f"content/tiny/{name}", text)
        look(watched)
        look(watched)
        told = "".join(capsys.readouterr())
        assert [words for words in said if words not in told] == [], told


def test_a_watch_with_a_memory_shows_the_same(tiny: TinyProject, tmp_path: Path) -> None:
    """Whether it knows what was drawn before or not, the page and its pictures are the same bytes."""
    known, bare = watch(tiny), watch(tiny, "bare")
    known.cache = Cache(tmp_path / "cache")
    shown = []
    for text in ("Draw two.", "Draw three.", "Draw two."):
        tiny.write("content/tiny/cards.csv", TINY_TABLE.replace("Draw two.", text))
        first, second = known.rebuild(), bare.rebuild()
        assert pictures(known) == pictures(bare)
        assert page(known) == page(bare)
        assert list(first.drawn) == list(second.drawn)
        shown.append(frozenset(pictures(known).values()))

    assert shown[0] == shown[2] != shown[1]
    assert watch(tiny).rebuild().result.ok

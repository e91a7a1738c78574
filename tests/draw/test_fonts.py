"""Fonts are those of the game and of pnp's packages, known by family and role, and never the system's."""

from __future__ import annotations

import shutil
from importlib import resources
from pathlib import Path

import pytest
from desk import Desk
from hanfont import han

from pnp.draw import fonts
from pnp.draw.fonts import FALLBACK, Fonts, check_fonts
from pnp.draw.layer_pdf import compile_layers
from pnp.system.cache import Cache

SHIPPED = {"Source Sans Pro", "Source Serif Pro", "Fredoka One", "Amatic SC"}


def own_font(desk: Desk, family: str) -> Path:
    """The Amatic font under another family's name, in the game's folder."""
    from fontTools.ttLib import TTFont

    path = desk.folder / "fonts" / "Own.ttf"
    path.parent.mkdir(parents=True, exist_ok=True)
    with TTFont(Path(str(resources.files("font_amatic_sc"))) / "files" / "AmaticSC-Regular.ttf") as font:
        for record in font["name"].names:
            if record.nameID in (1, 4, 16):
                record.string = family
        font.save(path)
    return path


def test_only_fonts_of_the_game_and_of_packages_are_used(desk: Desk) -> None:
    """Whatever the machine has installed, a build sees the same fonts: besides these only those within Typst."""
    assert set(desk.tools.fonts.files) == SHIPPED
    folders = [folder.resolve() for folder in desk.game.font_folders]
    for font in desk.tools.fonts.engine.fonts():
        assert font.path is None or any(Path(font.path).resolve().is_relative_to(folder) for folder in folders)


def test_a_games_own_font(desk: Desk) -> None:
    """A file in ``fonts/`` brings its family."""
    path = own_font(desk, "Scrawl")

    assert desk.tools.fonts.files["Scrawl"] == path
    assert desk.tools.fonts.unknown("Scrawl, body") == []


def test_roles_stand_for_families(tmp_path: Path) -> None:
    """A role is its family; ``body`` is there even when the game names none."""
    fonts = Desk(tmp_path, fonts={"title": "Amatic SC"}).tools.fonts

    assert fonts.families("title") == ("Amatic SC", FALLBACK)
    assert fonts.families("body") == (FALLBACK, "Amatic SC")
    assert fonts.unknown("title, body, Amatic SC") == []
    assert fonts.unknown("titel") == ["titel"]
    assert {"title", "body", *SHIPPED} == set(fonts.known())


@pytest.mark.parametrize(
    ("text", "families", "missing"),
    [
        ("abc", ["Fredoka One"], []),
        ("a\u05d0", ["Fredoka One"], ["\u05d0"]),
        ("a\u05d0", ["Fredoka One", "Amatic SC"], []),
        ("\u4e00\u05d0\u4e00", ["Amatic SC"], ["\u4e00"]),
        ("\n\t \u00a0\u200d\ufe0f", [], []),
        ("a", [], ["a"]),
        ("a", ["No Such"], ["a"]),
    ],
)
def test_missing_characters(desk: Desk, text: str, families: list[str], missing: list[str]) -> None:
    """A character is missing when none of the families has it; what is invisible is never missing."""
    assert desk.tools.fonts.missing(text, families) == missing


def test_the_dot_of_a_list_is_seen(desk: Desk) -> None:
    """One that its font draws very small is as large as others."""
    alegreya = Path(__file__).parents[2] / "content/pirates-on-the-prowl/fonts/AlegreyaSans-Regular.ttf"
    desk.write("fonts/Alegreya.ttf", alegreya.read_bytes())
    fonts = Fonts(desk.game)
    assert fonts.bullet(["Source Sans Pro"])[0] == 1.0
    grown, middle = fonts.bullet(["Alegreya Sans"])
    assert 1.5 < grown < 4 and 0.1 < middle < 0.4
    assert fonts.bullet([]) == (1.0, 0.0)


def test_fonts_are_found_once_a_process(desk: Desk) -> None:
    """As long as the files are those: a build after a font was added, changed or removed sees it so."""
    own = own_font(desk, "Scrawl")
    first = Fonts(desk.game)
    assert Fonts(desk.game).engine is first.engine

    shutil.copy(own, own.with_name("Again.ttf"))
    assert Fonts(desk.game).engine is not first.engine
    own_font(desk, "Scribble")
    own.with_name("Again.ttf").unlink()
    assert set(Fonts(desk.game).files) == SHIPPED | {"Scribble"}
    own.unlink()
    assert set(Fonts(desk.game).files) == SHIPPED


def test_what_a_font_has_is_known_from_an_earlier_build(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """And is read when it is a new one."""
    own_font(desk, "Scrawl")
    cache, read = Cache(desk.folder / "cache"), fonts._characters
    looked: list[int] = []
    monkeypatch.setattr(fonts, "_characters", lambda data: looked.append(len(data)) or read(data))

    def missing() -> list[str]:
        return Fonts(desk.game, cache).missing("Añ→ 木", ["Amatic SC", FALLBACK])

    assert missing() == ["木"]
    assert len(looked) == 2
    assert missing() == ["木"]
    assert len(looked) == 2
    assert Fonts(desk.game, cache).missing("木", ["Scrawl"]) == ["木"]
    assert len(looked) == 3


def cut_of(desk: Desk, family: str, style: str, weight: int) -> None:
    """The Amatic font as one of a family, named as type designers name them."""
    from fontTools.ttLib import TTFont

    path = desk.folder / "fonts" / f"{family}-{style}.ttf".replace(" ", "")
    path.parent.mkdir(parents=True, exist_ok=True)
    said = {1: f"{family} {style}", 2: "Regular", 4: f"{family} {style}", 6: path.stem, 16: family, 17: style}
    with TTFont(Path(str(resources.files("font_amatic_sc"))) / "files" / "AmaticSC-Regular.ttf") as font:
        font["name"].names = []
        for number, text in said.items():
            font["name"].setName(text, number, 3, 1, 0x409)
        font["OS/2"].usWeightClass = weight
        font.save(path)


@pytest.mark.parametrize("name", ["Archivo", "Archivo Black", "archivo black", "Archivo-Black", "archivo"])
def test_a_fonts_other_names(desk: Desk, name: str) -> None:
    """A font that is the only one of its family may be named as its file or its full name says."""
    cut_of(desk, "Archivo", "Black", 900)
    desk.fonts["title"] = name
    check_fonts(desk.game, desk.tools.fonts, desk.problems)

    assert not desk.problems.errors
    assert desk.tools.fonts.families(name)[0] == desk.tools.fonts.families("title")[0] == "Archivo"
    assert desk.tools.fonts.unknown(name) == []


def test_one_of_several_fonts_of_a_family_is_told_how_to_write(desk: Desk) -> None:
    """The name of one weight does not quietly become the whole family."""
    cut_of(desk, "Archivo", "Black", 900)
    cut_of(desk, "Archivo", "Thin", 100)
    desk.fonts["title"] = "Archivo Black"
    check_fonts(desk.game, desk.tools.fonts, desk.problems)
    (problem,) = desk.problems

    assert problem.rule == "unknown-font"
    assert 'the family "Archivo" in weight 900' in problem.hint


def test_a_condensed_family_is_known_by_its_own_name(desk: Desk) -> None:
    """Typst calls all widths of a family alike: alone, each is what its files say."""
    for style, weight in (("Regular", 400), ("Bold", 700)):
        cut_of(desk, "Archivo Condensed", style, weight)
    desk.fonts["title"] = "Archivo Condensed"
    check_fonts(desk.game, desk.tools.fonts, desk.problems)

    assert list(desk.problems) == []
    assert desk.tools.fonts.families("title")[0] == "Archivo"


@pytest.mark.parametrize(("named", "place"), [(True, "game.toml"), (False, "fonts")])
def test_two_widths_that_cannot_be_told_apart_are_told(desk: Desk, named: bool, place: str) -> None:
    """Which of them was printed would hang on the order of the files; a template may name one that is no font of a role."""
    cut_of(desk, "Archivo Condensed", "Regular", 400)
    cut_of(desk, "Archivo", "Regular", 400)
    if named:
        desk.fonts["title"] = "Archivo"
    check_fonts(desk.game, desk.tools.fonts, desk.problems)
    (problem,) = desk.problems

    assert (problem.rule, problem.severity) == ("mixed-fonts", "warning")
    assert problem.place.file.endswith(place)
    assert "Archivo, Archivo Condensed" in problem.message


def test_a_shipped_font_by_its_full_name(desk: Desk) -> None:
    """The same for what comes with pnp."""
    assert desk.tools.fonts.unknown("Source Sans Pro Semibold") == ["Source Sans Pro Semibold"]
    assert 'family "Source Sans Pro" in weight 600' in desk.tools.fonts.meant("Source Sans Pro Semibold")


@pytest.mark.parametrize(("language", "width"), [("ja", 1000), ("zh-Hans", 1000), ("zh-Hant", 600)])
def test_letters_have_the_forms_of_the_language(tmp_path: Path, language: str, width: int) -> None:
    """A font with forms of its own for Taiwan shows them in boxes and labels of that language alone."""
    desk = Desk(tmp_path, fonts={"body": "Han"}, language=language)
    desk.write("fonts/Han.ttf", han())
    box = '<foreignObject x="2" y="2" width="36" height="12" data-size="20">直</foreignObject>'
    layers = [each.layer for each in desk.cut(f'{box}<text x="4" y="24" font-size="{20 * 127 / 360}">直</text>')]
    _, fits = compile_layers(layers, desk.tools.fonts)

    assert [round(fit.width * 360 / 127 / 20 * 1000) for fit in fits] == [width, width]

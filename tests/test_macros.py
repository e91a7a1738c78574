"""The page of macros is true to the macro files."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest
from pages import DOCS, ROOT, page
from PIL import Image, ImageChops, ImageStat

SHARED = ROOT / "templates" / "shared"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """``docs/make/macros.py``, which writes the page."""
    monkeypatch.syspath_prepend(DOCS / "make")
    import macros  # type: ignore[import-not-found]

    return macros  # type: ignore[no-any-return]


def heads() -> dict[str, tuple[str, str]]:
    """Every macro of every shared file as it is written there: the file and what stands in its brackets."""
    found = {}
    for path in sorted(SHARED.glob("*.j2")):
        for name, arguments in re.findall(r"\{% macro (\w+)\((.*?)\) -?%\}", path.read_text(encoding="utf-8")):
            found[name] = (path.name, arguments)
    return found


def test_the_page_is_what_the_macro_files_say(made: ModuleType) -> None:
    """``python docs/make/macros.py`` would write the same."""
    assert page("reference/macros") == made.page()


def test_every_macro_is_on_the_page_with_its_signature() -> None:
    """Names, order and defaults of the arguments are those of the file, read here without Jinja2's tree."""
    text = page("reference/macros")
    shown = dict(re.findall(r"^```text\n\w\.(\w+)\((.*?)\)\n```", text, re.MULTILINE | re.DOTALL))

    assert heads()
    assert {name: " ".join(arguments.split()) for name, arguments in shown.items()} == {
        name: arguments for name, (_, arguments) in heads().items()
    }
    for name, (file, _) in heads().items():
        section = text.partition(f"## `shared/{file}`")[2].partition("\n## ")[0]
        assert re.search(rf"^### `\w\.{name}`$", section, re.MULTILINE)


def test_every_macro_and_every_argument_is_explained(made: ModuleType) -> None:
    """The comment above a macro says what it draws, and what each argument is, once."""
    for file in made.NAMES:
        for macro in made.macros((SHARED / file).read_text(encoding="utf-8")):
            assert macro.told.endswith("."), macro.name
            assert [name for names, _ in macro.meanings for name in names] != []
            assert sorted(name for names, _ in macro.meanings for name in names) == sorted(
                argument.name for argument in macro.arguments
            ), macro.name


def test_every_macro_has_an_example_that_calls_it_and_a_picture(made: ModuleType) -> None:
    """The example stands on the page, and what it prints beside it; no picture is left of a macro that is gone."""
    text = page("reference/macros")

    assert set(made.EXAMPLES) == set(heads())
    for name, example in made.EXAMPLES.items():
        assert re.match(rf"\{{\{{ {made.NAMES[heads()[name][0]]}\.{name}\(", example.call)
        assert f"```jinja\n{example.call}\n```\n\n![{name}, printed](../pictures/macros/{name}.png)" in text
    assert sorted(path.stem for path in made.PICTURES.glob("*.png")) == sorted(heads())


def test_the_pictures_show_what_the_examples_print_now(made: ModuleType, tmp_path: Path) -> None:
    """Printed again, each is the same but for a shade at an edge."""
    made.draw(tmp_path)

    for name in heads():
        kept, again = (Image.open(folder / f"{name}.png").convert("RGB") for folder in (made.PICTURES, tmp_path))
        assert kept.size == again.size
        assert max(ImageStat.Stat(ImageChops.difference(kept, again)).mean) < 2, name

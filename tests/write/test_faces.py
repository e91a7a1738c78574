"""Faces as files: PNG and SVG of every side, named by component and id, of the right size, self-contained and alike."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2 as pdfium
import pytest
import typst
from lxml import etree
from PIL import Image, ImageChops, ImageFilter

if TYPE_CHECKING:
    from conftest import TinyProject

SVG = "http://www.w3.org/2000/svg"
XLINK = "{http://www.w3.org/1999/xlink}href"
TEMPLATE = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}
<defs><linearGradient id="a"><stop stop-color="#336699"/><stop offset="1" stop-color="#993366"/></linearGradient>
<clipPath id="b"><circle cx="31" cy="30" r="14"/></clipPath></defs>
<style>.c { fill: #ffcc00 }</style>
<rect x="-3" y="-3" width="69" height="94" fill="url(#a)"/>
<rect class="c" x="4" y="70" width="20" height="6"/>
<g clip-path="url(#b)" opacity="0.8" fill="#ff00ff" stroke="#ff00ff" stroke-width="3">
<image href="ship" x="10" y="10" width="40" height="40"/><image href="bare" x="26" y="25" width="9" height="9"/></g>
<image href="ship" x="4" y="44" width="12" height="12"/>
<image href="flag" x="44" y="44" width="12" height="12"/>
<image href="sun" x="4" y="60" width="6" height="6"/><image href="moon" x="12" y="60" width="6" height="6"/>
<image href="sun" x="26" y="80" width="10" height="4" preserveAspectRatio="xMidYMid slice"/>
<image href="sea" x="20" y="44" width="20" height="20" preserveAspectRatio="xMidYMid slice"/>
<g opacity="0.5"><image href="sea" x="40" y="66" width="20" height="10"/></g>
{{ s.text(row.name ~ " :coin:", 5, 3, 53, 10, size="16 9", fill="#ffffff", name="title") }}
<g transform="rotate(180 31.5 44)">{{ s.text("**Bold** *and* plain\n- list", 5, 3, 30, 14, size="9 6", fill="#ffffff") }}</g>
<text x="55" y="85" font-size="6" fill="#ffffff" text-anchor="end">12 VP</text>
{% endblock %}
"""
BACK = """{% extends "shared/face.svg.j2" %}
{% block face %}<rect x="-3" y="-3" width="69" height="94" fill="#224466"/>{% endblock %}
"""


@pytest.fixture
def rich(tiny: TinyProject) -> TinyProject:
    """The tiny game with everything on its cards that a face can have."""
    sea = io.BytesIO()
    waves = Image.radial_gradient("L").resize((90, 60)).convert("RGB")
    waves.paste("#00ff00", (0, 0, 12, 60))
    waves.save(sea, "JPEG")
    tiny.write("content/tiny/art/sea.jpg", sea.getvalue())
    for name, colour in (("sun", "#ff0000"), ("moon", "#0000ff")):
        tiny.write(
            f"content/tiny/art/{name}.svg",
            f'<svg xmlns="{SVG}" width="9px" height="9px">'
            f'<linearGradient id="a"><stop stop-color="{colour}"/></linearGradient>'
            '<rect id="b" width="9" height="9" fill="url(#a)"/><rect width="9" height="2" fill="#0f0"/>'
            '<rect y="7" width="9" height="2" fill="#ff0"/></svg>',
        )
    for name, colour in (("ship", "#cc3300"), ("flag", "#00cc33")):
        tiny.write(
            f"content/tiny/art/{name}.svg",
            f'<svg xmlns="{SVG}" viewBox="0 0 10 10"><style>.c {{ fill: url(#a) }} path {{ stroke: #fff }}</style>'
            f'<linearGradient id="a"><stop stop-color="{colour}"/></linearGradient>'
            '<rect class="c" width="10" height="10"/><path d="M0 0L10 10"/></svg>',
        )
    tiny.write("content/tiny/art/bare.svg", f'<svg xmlns="{SVG}" viewBox="0 0 9 9"><path d="M2 2h5v5h-5z"/></svg>')
    tiny.write(
        "content/tiny/art/icons/coin.svg",
        f'<svg xmlns="{SVG}" viewBox="0 0 2 2"><circle id="a" cx="1" cy="1" r="1" fill="currentColor"/></svg>',
    )
    tiny.write("templates/tiny/cards.svg.j2", TEMPLATE)
    tiny.write("templates/tiny/back.svg.j2", BACK)
    game = (tiny.game / "game.toml").read_text()
    tiny.write("content/tiny/game.toml", f'{game}back = "back"\n')
    tiny.write("content/tiny/cards.csv", "name\nAnna\nBert\n")
    return tiny


def faces(game: TinyProject, kind: str, **options: object) -> dict[str, bytes]:
    """The faces of a build by their names below ``faces/``."""
    result = game.build(faces=kind, **options)
    assert result.ok, [str(problem) for problem in result.problems]
    folder = game.project.root / "output" / "tiny" / "faces"
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in result.files if folder in path.parents}


def opened(data: bytes) -> Image.Image:
    """A PNG as colours."""
    with Image.open(io.BytesIO(data)) as image:
        return image.convert("RGB")


def drawn(data: bytes, size: tuple[int, int], folder: Path) -> Image.Image:
    """An SVG as an independent program's page, in pixels."""
    (folder / "face.svg").write_bytes(data)
    (folder / "page.typ").write_text('#set page(width: auto, height: auto, margin: 0pt)\n#image("face.svg")')
    document = pdfium.PdfDocument(typst.compile(str(folder / "page.typ"), root=str(folder)))
    try:
        page = document[0]
        return page.render(scale=size[0] / page.get_width()).to_pil().convert("RGB").resize(size)
    finally:
        document.close()


def apart(one: Image.Image, two: Image.Image) -> int:
    """How much two pictures differ where they differ most, 0 to 255; edges half a dot off count little."""
    soft = ImageFilter.GaussianBlur(2)
    return max(high for _, high in ImageChops.difference(one.filter(soft), two.filter(soft)).getextrema())


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_faces_are_named_by_component_and_id(rich: TinyProject, kind: str) -> None:
    """A front for every piece; a back that all share is there once."""
    assert set(faces(rich, kind)) == {f"cards/{name}.{kind}" for name in ("anna-front", "bert-front", "back")}


def test_backs_that_differ_are_named_by_their_piece(rich: TinyProject) -> None:
    """A back for every row has the row's id."""
    rich.write("templates/tiny/back.svg.j2", BACK.replace("#224466", "{{ '#224466' if row.id == 'anna' else '#664422' }}"))
    made = faces(rich, "png", dpi=36)

    assert set(made) == {f"cards/{name}-{side}.png" for name in ("anna", "bert") for side in ("front", "back")}
    assert opened(made["cards/anna-back.png"]).getpixel((9, 9)) == (0x22, 0x44, 0x66)
    assert opened(made["cards/bert-back.png"]).getpixel((9, 9)) == (0x66, 0x44, 0x22)


@pytest.mark.parametrize(("dpi", "bleed", "size"), [(36, True, (69, 94)), (203, False, (63, 88)), (300, True, (69, 94))])
def test_a_png_is_as_large_as_its_face(tiny: TinyProject, dpi: int, bleed: bool, size: tuple[int, int]) -> None:
    """As many dots as its mm make at that resolution, within one, and the resolution is written in it."""
    made = faces(tiny, "png", dpi=dpi, face_bleed=bleed)
    with Image.open(io.BytesIO(made["cards/anna-front.png"])) as image:
        assert image.size == pytest.approx([mm / 25.4 * dpi for mm in size], abs=1)
        assert image.info["dpi"] == pytest.approx((dpi, dpi), abs=0.1)
        assert image.mode == "RGB"


@pytest.mark.parametrize(("bleed", "box"), [(True, "-3 -3 69 94"), (False, "0 0 63 88")])
def test_an_svg_is_in_mm(rich: TinyProject, bleed: bool, box: str) -> None:
    """One unit is a mm, the origin the corner of the trim."""
    for data in faces(rich, "svg", face_bleed=bleed).values():
        root = etree.fromstring(data)
        _, _, width, height = box.split()
        assert (root.get("viewBox"), root.get("width"), root.get("height")) == (box, f"{width}mm", f"{height}mm")


def test_an_svg_needs_nothing_else(rich: TinyProject) -> None:
    """No text that wants a font, nothing from outside, every reference finds its one element. As Inkscape 1.2 opens it:
    references are those of SVG 1.1, and a picture is never a drawing, nor has a drawing a style sheet."""
    for data in faces(rich, "svg").values():
        root = etree.fromstring(data)
        ids = [node.get("id") for node in root.iter(etree.Element) if node.get("id")]
        assert len(ids) == len(set(ids))
        for node in root.iter(etree.Element):
            assert etree.QName(node).localname not in ("text", "tspan", "foreignObject", "script", "style")
            assert "href" not in node.attrib
            if written := node.get(XLINK):
                assert written.startswith(("data:image/png;", "data:image/jpeg;")) or written[1:] in ids
            for wanted in re.findall(r"url\(\s*['\"]?([^)'\"]*)", " ".join(node.attrib.values())):
                assert wanted.startswith("#") and wanted[1:] in ids


def test_an_svg_looks_like_the_png(rich: TinyProject, tmp_path: Path) -> None:
    """Another program draws the SVG as the printer draws the PNG: gradients, clips, styles, pictures, texts, icons."""
    for bleed in (True, False):
        pictures = faces(rich, "png", dpi=150, face_bleed=bleed)
        for name, data in faces(rich, "svg", face_bleed=bleed).items():
            wanted = opened(pictures[name.replace(".svg", ".png")])
            assert apart(drawn(data, wanted.size, tmp_path), wanted) < 60, name


def test_ids_and_styles_stay_with_their_drawing(rich: TinyProject, tmp_path: Path) -> None:
    """Drawings and template all have a gradient ``a`` or a class ``c``: each has its own colour in the one file."""
    image = drawn(faces(rich, "svg")["cards/anna-front.svg"], (690, 940), tmp_path)

    colours = {(8, 54): (0xCC, 0x33, 0), (48, 54): (0, 0xCC, 0x33), (14, 73): (0xFF, 0xCC, 0)}
    colours |= {(7, 63): (0xFF, 0, 0), (15, 63): (0, 0, 0xFF)}
    for (x, y), colour in colours.items():
        found = image.getpixel((10 * (x + 3), 10 * (y + 3)))
        assert found == pytest.approx(colour, abs=3)

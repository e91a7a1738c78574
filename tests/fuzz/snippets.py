# ruff: noqa: E501
# fmt: off
"""Words that mean something, or once did harm, to the readers of game files, tables, templates, drawings and books."""

from __future__ import annotations

NUMBERS = (*("0", "-1", "1", "2", "3", "6", "7", "100", "99999", "100000", "100001", "1000000000", "9" * 30, "9" * 5000, "-0", "0.1",), *("1e3", "1e308", "1e400",
    "-1e400", "nan", "inf", "-inf", "0x10", "0b1", "1_000", "+5", "٣", "²", "½", "1,5", "1.", ".5",),
    *("00", "1e-320", "4294967296", "9223372036854775808", "-9223372036854775809", "1e", "360", "5-3"),)
LETTERS = (*("", " ", "\t", "\r", "\x00", "\x01", "\x1b[31m", "\x7f", "\x85", "\xa0", "\u200b", "\u200f", "\u202e", "\u2028", "\ufeff",), *("\ufffd", "\ufffe",
    "\uffff", "\ue000", "\ue001", "\U0010ffff", "😀", "👩‍👩‍👧", "é", "e\u0301", "ß", "İ", "ı", "ﬁ", "漢字", "עברית",), *("العربية", "ǅ", "a" * 300, "W" * 3000,
    "a b" * 500, "-", "--", "---", "_", ".", "..", "...", "'", '"', "`", "\\", "/", "|",), *("\udcff", "\udc80abc", "%s", "%", "{}", "{0}", "{0.__class__}", "$x$",
    "#", "@", "~", "^", "&", "&amp;", "&#0;", "<", ">", "<b>",),)
NAMES = (*("CON", "nul.csv", "..", ".", "-", "~", "a b", "é.csv", "e\u0301.csv", "\udcff.csv", "\n.csv", "x" * 250, "x" * 300, "*", "?",), *("cards.csv", "cards.CSV",
    "cards.xlsx", "cards.ods", "game.toml", "rules.toml", "rulebook.md", "cards.svg.j2", "fish.svg",), *("fish.png", "icons", "art", "fonts", "x.ttf", "templates",
    "README.md", ".hidden", "a\u202eb", "😀", "<b>.md", '".svg', "'", "&",),)
PLACES = (*tuple(f"content/tiny/{name}" for name in (*("rules.toml", "rulebook.md", "cards.csv", "cards.xlsx", "cards.ods", "art/x.svg", "art/x.png", "art/x.jpg"), *(
    "art/icons/fish.svg", "art/fish.png", "fonts/x.ttf", "fonts/x.otf", "templates/cards.svg.j2", "templates/shared/face.svg.j2",),
    *("game.toml", "hexes.csv", "start.csv", "chart.txt", "spaces.csv", "x.csv", "art/tent.png", "art/cover.svg"),)), "templates/shared/pieces.svg.j2",
    "templates/tiny/x.svg.j2", "content/other/game.toml", "output", "content/game.toml",)
SIZES = tuple(f'"{size}"' for size in (*("tcg", "poker", "mini-euro", "square-70", "square-0", "square-9999", "20mm x 20mm", "0mm x 0mm", "1mm x 1mm", "-5mm x 5mm",
    ), *("1e9mm x 1mm", "210mm x 297mm", "1000mm x 1000mm", "2in x 3in", "20mm", "20", "x", "20mm×20mm", "nan mm x nan mm", "infmm x 2mm",), *("0.0001mm x 5mm",
    "5mm x 400mm", "9" * 400 + "mm", "5 mm", "5mm 5mm", "5.mm x .5mm", "٣mm x ٣mm", "2cm x 3cm", "1pt x 1pt",), *("a4", "letter", "tabloid", "circle", "hex",
    "square", "coin", "x.svg", "../x", "glue", "butt", "gutterfold", "3mm", "0mm", "20mm",),
    *("8mm", "40mm", "400mm", "21mm", "0.5mm", "19.99mm", "tarot", "A4", "leTTer"),))
TOML = (*NUMBERS, *("true", "false", "[]", "{}", '""', '" "', "[[]]", '["a"]', "[1, 2]", '["a", "a"]', "[{}]", "{ a = 1 }", "{ a = { b = [] } }",), *("1979-05-27",
    "1979-05-27T07:32:00Z", "07:32:00", "'''x'''", '"""\nx\n"""', r'"\u0000"', r'"\u202e"', r'"\U0010FFFF"', r'"\n"',), *('"cards"', '"tiles"', '"back"', '"id"',
    '"name"', '"copies"', '"tiny"', '"sea"', '"trade"', '"yes"', '"#fff"', '"#12345"', '"1-2"',), *('"cards.svg.j2"', '"../cards"', '"/etc/passwd"', '"C:\\\\x"',
    '"shared/face"', '"x\\u0000y"', '"2-8"', '"99-1"', '"1, 2 or 3"',), *('["cards"]', '["cards", "cards"]', '["box"]', '["a4", "a4"]', '["1mm x 1mm"]',
    '["100000mm x 3mm"]', '["letter", "a3"]', "[" * 50,), *('{ kind = "map" }', '{ id = "" }', '{ copies = "1" }', '{ "" = "" }', '{ type = "whole" }',
    '{ type = "number", min = nan }',), *('{ type = "whole", min = inf, max = -inf }', '{ table = "cards" }', '{ table = "goods" }', "{ one_of = [] }",
    '{ type = "flag" }',), *('{ type = "colour" }', "{ optional = true }", f'"{"x" * 500}"', f'"{"W" * 300}"', '"漢字"', '"עברית"', '"😀"', '"en"', '"de-AT"',),)
TOML_KEYS = (*("name", "version", "language", "year", "papers", "size", "kind", "table", "where", "template", "back", "bleed", "copies", "title",), *("hexes", "hex",
    "map", "legend", "cell", "shape", "spaces", "marker", "base", "depth", "sides", "faces", "panels", "height", "holds",), *("room", "slots", "upright", "backs",
    "paper", "weight", "columns", "type", "one_of", "min", "max", "optional", "of", "file", "form",), *("game", "palette", "fonts", "texts", "component", "layout",
    "book", "expect", "split", "by", "counts", "groups", "each", "claim",), *("for", "says", "rule", "setup", "take", "words", "economy", "exchange", "movement",
    "shuffle", "colours", "allow", "card", "tile",), *("domino", "board", "token", "tracker", "standee", "pawn", "prism", "die", "screen", "box", "pouch", "ship",
    "dial", "cards", "tiles",), *("chips", "bones", "sea", "chart", "back", "cover", "contents", "accent", "tint", "creep", "highest", "join", '""', "a.b", '"a b"',
    ),)
SECTIONS = (
    *(f'[component.more]\nkind = "{kind}"\n{keys}' for kind, keys in (
        ("card", 'size = "poker"\ntable = "cards"\ntemplate = "cards"'), ("tile", 'hexes = "hexes"\nhex = "20mm"\ntable = "tiles"'),
        ("domino", 'size = "20mm x 40mm"\nhighest = 18'), ("board", 'size = "900mm x 900mm"\ntemplate = "cards"'),
        ("board", 'map = "chart.txt"\nlegend = "chart-legend"\ncell = "5mm"'), ("token", 'size = "9mm"\ntable = "cards"'),
        ("token", 'size = "20mm"\ntable = "cards"\nshape = "x"\ntemplate = "cards"'),
        ("tracker", 'size = "90mm x 30mm"\nspaces = "cards"\nmarker = "cards"'),
        ("standee", 'size = "30mm x 40mm"\nbase = "8mm"\ntemplate = "cards"'), ("pawn", 'size = "20mm x 30mm"\ndepth = "9mm"\ncopies = 100000'),
        ("prism", 'size = "5mm x 5mm"\ndepth = "5mm"'), ("die", 'size = "16mm"\nsides = 10\nfaces = ["a"]'),
        ("screen", 'panels = ["60mm"]\nheight = "50mm"\ntemplate = "cards"'), ("box", 'holds = ["cards"]\ntemplate = "cards"'),
        ("box", 'holds = ["cards", "more"]'), ("pouch", 'size = "60mm x 60mm"\ndepth = "25mm"\ntemplate = "cards"'),
        ("dial", 'size = "60mm"\nvalues = "0-11"\ntemplate = "cards"\nwindow = { shape = "circle", angle = 359.5 }'),
        ("dial", 'size = "30mm"\nvalues = "cards"\ntemplate = "cards"\nwindow = { inner = "9mm", sweep = 1 }\npin = "9mm"'),
        ("ship", 'holds = ["cards"]\ntemplate = "cards"\nslots = 6'), ("card", 'size = "tcg"\ntable = "cards"\ncopies = 3\nbleed = "20mm"'),
    )),
    *('[layout.more]\nof = "cards"', '[layout.more]\nof = "tiles"\ntable = "cards"', '[layout.more]\nof = "bones"\ntable = "start"'),
    *('[book.rulebook]\nform = "card"', '[book.more]\nfile = "rulebook.md"\ntitle = "\\u202e"\ncreep = "9mm"', '[book.more]\ncover = "x"'),
    *('[expect.cards]\ncopies = 2\nsplit = [{ by = "name" }]', '[expect.cards]\nsplit = [{ by = "copies", counts = { 1 = 1 }, groups = 0 }]'),
    *('[table.cards.columns]\nname = { type = "whole" }', '[table.cards.columns]\nname = { table = "cards" }\ntext = { one_of = ["a"] }'),
    *('[table.cards]\nfile = "x.csv"', '[table.cards]\nfile = "rulebook.md"', '[table.cards]\nsheet = "x"', '[table.more.columns]\nid = {}'),
    *('[fonts]\ntitle = "Fredoka One"\nbody = "x"', '[fonts]\nbody = ""', '[palette]\nsea = "#000"', '[texts]\nmotto = "**:x:** {{ 1 }}"'),
    *('[table.cards.columns]\ncopies = { type = "whole", max = 1 }\nid = { type = "number" }', "[[component]]", "[component]", "[game]"),
    *('[component."CON"]\nsize = "tcg"', '[component.con]\nsize = "tcg"\ntable = "cards"\ntemplate = "cards"', "[a]\n" * 500, "a.b.c.d = 1"),
    *('[component.cards]\nsize = "tcg"', 'papers = ["a3"]', 'copies = 100000', 'upright = true', 'backs = "gutterfold"', 'bleed = "0mm"'),
    *('back = "cards"', 'where = { name = "Anna" }', 'template = "x"', 'table = "hexes"', "weight = 800", 'title = "*[x](y)* <b>"'),
)
EXPRESSIONS = tuple(f"'{each}'" for each in (*("1", "0", "true", "none", "players", "count", "count()", 'count("x")', 'count("cards", x=1)',
    'count("cards", **{"a": 1})',), *('rows("cards")', 'rows("cards")[99]', 'rows("cards")[0].x', "rows(1)", 'rows("cards", id=[])', 'rows("cards") | sum', '"a" + 1',
    ), *("1 / 0", "1 // 0", "1 % 0", "9 ** 9 ** 9", "9 ** -1", "0 ** -1", "(-8) ** 0.5", "1e308 * 10", "range(10 ** 9)", "range(5) | list",), *('"a" * 10 ** 9',
    "[1] * 10 ** 9", "1 < none", '"a" < 1', "[1] < [none]", "{} < {}", "not", "(", "((((1))))", "x", "x.y.z", "1 if 0",), *('board("chart")', 'board("cards")',
    'layout("start").slots[0].x', 'layout("x")', 'hexes("tiles", x=1)', 'hexes("tiles")[0].tile',), *('taken("cards", 3)', 'taken("cards", "x")',
    'taken("cards", -1)', 'worth("x", 2)', 'worth("worth", players)', 'faces("cards")',), *('component("cards").width', 'component("x")', "game.players", "game.x",
    "copies([1])", 'copies(rows("cards"))', "len(1)", "len([])",), *("max([])", "min()", "max(1, none)", "abs(none)", 'abs("a")', "[] | first", "[] | max",
    "[1, none] | sort", '[1, "a"] | sort | first',), *('"x" | int', '"x" | float | round(none)', "1.5 | round(10 ** 9)", "3 | batch(0)", "[1] | batch(0) | list",
    "[1] | slice(0) | list",), *('rows("cards") | map(attribute="x.y") | list', 'rows("cards") | groupby("x")', "'a' in 1", '1 in "a"', '"a"[5]', '"a".x()', "1()",),
    *('"%d" % "x"', '"{}".format()', '"{a}" | format(1)', '"\\ud800"', '"\\x00"', "lambda: 1", "x for x in y", "players in 2..8",), *('x in rows("cards")', "x in 1",
    "x in range(10 ** 8)", "x, y in [[1]]", "x in", "players in 0..100000", 'x in rows("goods") | map', "nan",), *('good in rows("goods")', "x in [1, 2]", "1 in [1]",
    "_x in [1]", "true in [1]", "count in [1]", '"a" | map("x") | list', "-none", "+[]",), *('rows("cards") == rows("cards")', 'rows("cards") < rows("goods")',
    'rows("cards")[0] + 1', '{1: 2}[rows("cards")]', "{[]: 1}", "[[]] | unique | list",), *("[{}] | unique | list", 'rows("cards") | unique | list',
    "[[1], [2]] | sum", "10 ** 400 / 3", "10 ** 5000 | string", "1e400 | int", "(1e400 - 1e400) | int",),))
RULES = (*(f'[claim.more]\nsays = "x"\nexpect = {each}' for each in EXPRESSIONS), *(f'[claim.more]\nsays = "x"\nfor = {each}\nexpect = "x"' for each in EXPRESSIONS),
    *(f'[setup]\nplayers = "2-4"\n[setup.take.more]\nwhat = "x"\nfrom = "cards"\nnumber = {each}' for each in EXPRESSIONS),
    *(f'[setup.take.more]\nwhat = "x"\nfrom = "cards"\nwhere = {{ id = "x" }}\nnumber = {each}' for each in EXPRESSIONS), *(
    '[words]\nterms = ["*", "\\\\", "(", "ß"]', '[words]\nbanned = { "(" = "[", "a" = "a" }\nunit = "."\nfrom = 0\nthousands = "\\\\"',), *(
    '[words]\ncounts = { "cards" = "x", "(" = "1 / 0" }', '[words]\nunit = "("', '[words]\nthousands = ""', '[words.counts]\nx = "[]"',), *(
    '[economy]\nearn = ["cards"]', '[economy]\nearn = ["x"]\nfree = ["x"]', '[[exchange]]\nof = "cards"\nneeds = ["name"]\ngives = ["name", "x"]',), *(
    '[movement.chart]\nstarts = ["home"]', "[movement.cards]", '[movement.sea]\ngoals = ["x"]', "[shuffle.start]", "[shuffle.chain]\nturns = true",), *(
    '[shuffle.start]\nstart = { q = "0" }\nblocked = { q = ["0"] }', '[[colours]]\ntable = "cards"\ncolumn = "name"', '[[colours]]\ntable = "x"\ncolumn = "x"',), *(
    '[[allow]]\nrule = "x"\nabout = ""\nbecause = "x"', '[[allow]]\nrule = "claim"\nabout = "x"\nbecause = "x"', 'tolerance = "x%"', "tolerance = -1",),)
CELLS = (*LETTERS, *NUMBERS, *("yes", "no", "Yes", "#fff", "#ffffff", "#12", "sea", "coral", "id", "anna", "Anna", "rum", "bay", "tile", "trade", "map", "0-0", ",",
    ), *("a,b", '"', '""', 'a"b', "line\nbreak", "**bold**", "*it*", ":fish:", ":x:", "::", ":fish:" * 200, "[a](b)", "`x`", "- a\n- b", "1. a",), *("| a |\n|---|",
    "# head", "{{ 1 }}", "{% x %}", "<svg/>", "$x$ #set page()", "#panic()", "\\", "https://x.y", "a|b", "\\*", "***", "~~x~~",), *("=1+1", "@x", "<script>", "&lt;",
    "1 2 3 4 5 6", "a b c d e f", "60", "120", "blue", "open-sea", "1000000 1000000", "-99999999",),)
COLUMNS = ("", "id", "name", "copies", "count", "title", "text", "q", "r", "tile", "turn", "pool", "back", "a", "b", "x", "y", "kind", "letter",)
COLUMNS += (
    *("blocked", "track", "value", "faces", "__class__", "items", "place", "text_of", "cells", "é", " id", "ID", "quantity"),
    *("table", "number"),
)
JINJA = (
    *(f"{{{{ {each} }}}}" for each in (
        "1 / 0", "row", "row.x", "row.name", "row.name.x", "row.copies", "row.id", "row['x']", "row[0]", "face", "face.width", "face.x", "face.bleed * 'a'",
        "9 ** 99", "9 ** 9 ** 9", "'a' * 10 ** 9", "range(10 ** 9) | list", "none + 1", "row.name + 1", "row.name | int + none", "[] | first", "x()", "x.y.z()",
        "row.name | replace(1, 2)", "row.name | truncate('x')", "row.name | wordwrap(0)", "row.name | center(10 ** 9)", "1.5 | round('x')", "row.name | x",
        "row.name.join(1)", "row.name.split('')", "''.join([1])", "'%d' % row.name", "'{}{}'.format(1)", "'{:x}'.format(1.5)", "[1, 'a'] | sort", "{[]: 1}",
        "palette", "palette.x", "palette['']", "texts.motto", "fonts", "game", "game.name", "game.x", "each.name", "self", "self.face()", "super()", "loop.index",
        "caller()", "varargs", "board", "board.fields[0].squares", "token.outline", "net.bleed", "net.x", "tracker", "tile.hexes", "hexes", "domino", "die",
        "picture('x')", "picture(1)", "picture()", "icon('x')", "'\\ud800'", "'\\x00'", "'\\x1b'", "'\\ue000'", "'\\u202e'", "'<b>' | safe", "x | default('a') | tojson",
        "namespace(a=1).a", "cycler()", "cycler().next()", "joiner()()", "dict(1)", "lipsum()", "range(1, 0, 0)", "range('a')", "[1, 2] | batch(0) | list", "{} | dictsort(by='x')",
        "row | list", "row | tojson", "row == row", "row < row", "row | length", "row in [row]", "face | list", "1e400", "(1e400 - 1e400) | int", "-1e400 | int", "10 ** 400 * 1.0",
        "'a' | indent(10 ** 9)", "'a' | urlize", "'a' | format(1, b=2)", "'%(a)s' | format(b=1)", "'%*d' | format(10 ** 9, 1)", "[1] | slice(0) | list", "[[1]] | sum", "'x' | map('x') | list",
        "row.name | map('upper') | join", "['a'] | map(attribute=1) | list", "'a' | attr('x')", "[1, 2] | groupby('x') | list", "row.name[10 ** 9:]", "row.name[::0]", "'a'[99]", "true + true", "not",
    )),
    *("{% if %}", "{% for x in 1 %}{{ x }}{% endfor %}", "{% for x in range(9) %}{{ x }}{% else %}{% endfor %}", "{% for %}", "{% endfor %}", "{% block face %}{% endblock %}"),
    *("{% set x = 1 / 0 %}", "{% set x %}{{ row }}{% endset %}{{ x }}", "{% include 'x' %}", "{% include row.name %}", "{% include 1 %}", "{% include [] %}", "{% extends 'x' %}"),
    *("{% extends none %}", "{% import 'shared/pieces.svg.j2' as s %}", "{% from 'shared/pieces.svg.j2' import x %}{{ x() }}", "{% import 'cards.svg.j2' as s %}{{ s.x }}"),
    *("{% macro m(a, b=1) %}{{ m() }}{% endmacro %}{{ m() }}", "{% macro m() %}{{ caller() }}{% endmacro %}{{ m() }}", "{% call s.text() %}x{% endcall %}", "{{ s.text() }}"),
    *("{{ s.text('a', 'b', 'c', 'd', 'e') }}", "{{ s.text('a', 1, 1, 1e9, 1, size='0 0') }}", "{{ s.text(row.name, 0, 0, 60, 5, size='x') }}", "{{ s.text(none, 1, 1, 9, 9) }}"),
    *("{{ s.text('a', 1, 1, 20, 20, size='-5 9') }}", "{{ s.text('a', 1, 1, 20, 20, align='x', valign='y') }}", "{{ s.text('a', 1, 1, 20, 20, weight='x', style='y', leading='z') }}"),
    *("{{ s.text('a', 1, 1, -20, 20, name='name') }}", "{{ s.text('a', 1, 1, 20, 20, font='x', fill='y') }}", "{{ s.text('a' * 5000, 1, 1, 0.001, 20, size='1e9 1e-9') }}"),
    *("{{ s.text('a\\n\\nb', 1, 1, 20, 20, lang='x', dir='y', tracking='1e9', hyphenate='z') }}", "{{ s.icon('x', 1, 1, 5) }}", "{{ s.icon(row.name, 1, 1, 'a') }}", "{{ s.icon('', 1, 1, 0) }}"),
    *("{{ s.badge(none, none, none) }}", "{{ s.rays(1, 1, 1, count=0) }}", "{{ s.frame(1) }}", "{{ s.ground(face, row.name) }}", "{{ s.banner('a', 1, 1, 1) }}", "{#", "#}", "{{", "}}", "{%", "%}"),
    *("{% raw %}", "{% filter upper %}a{% endfilter %}", "{% with %}{% endwith %}", "{% set ns.x = 1 %}", "{% do x %}", "{% autoescape 1 %}{% endautoescape %}", "{% trans %}", "{% set _ = 1 %}"),
    *("{% for x in range(99999) %}{% for y in range(99999) %}{% endfor %}{% endfor %}", "{% for a, b in [1] %}{% endfor %}", "{% for x in row recursive %}{{ loop(x) }}{% endfor %}", "{% break %}"),
)
ATTRIBUTES = tuple(f'"{each}"' for each in (*(*NUMBERS, "10%", "1em", "5mm", "none", "url(#x)", "url(#g)", "url(http://x)", "#x", "#e", "#c", "#", "currentColor",
    "var(--x)", "var(--sea)",), *("var(--x, var(--y, red))", "rgb(1,2,3)", "rgb(a)", "hsl(1,2%,3%)", "#ggg", "red", "inherit", "transparent", "javascript:x", "M0 0",
    "M0 0h", "M", "",), *("M0 0A0 0 0 0 0 0 0", "M1e400 0L0 0z", "M0 0C1", "M0,0L1,1Z" * 900, "M nan nan", "z", "Mm", "M0 0A1 1 0 2 5 1 1", "0 0 0 0", "0 0 -1 -1",
    "0 0 1e400 1",), *("0 0", "a b c d", "nan nan nan nan", "translate(1e400)", "rotate()", "scale(0)", "matrix(1)", "matrix(0 0 0 0 0 0)", "skewX(90)", "x(1)",
    "translate(1", "scale(-1)",), *("fish", "../x", "/etc/passwd", "x.png", "data:image/png;base64,AAAA", "file:///etc/passwd", "bold", "950", "0 0 0", "9 9", "9",
    "0 0 0 0 0", "nonzero", "evenodd",),))
SVG = (
    *("<rect/>", '<rect width="-1" height="x"/>', '<rect x="1e400" width="1" height="1"/>', '<circle r="-1"/>', '<ellipse rx="a"/>', "<line/>", '<polygon points="1"/>'),
    *('<polygon points="a b c"/>', '<polyline points="1,2 3"/>', "<path/>", '<path d="M0 0Q"/>', '<path d="M0 0a1 1 0 01.5.5"/>', '<path d="junk"/>', "<g>", "</g>", "<svg/>"),
    *('<svg xmlns="x"/>', "<svg x='1' width='5' height='5' viewBox='0 0 0 0'><rect/></svg>", '<use href="#x"/>', '<use href="#u" id="u"/>', '<g id="a"><use href="#a"/></g>', "<use/>"),
    *('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>', '<image href="x"/>', "<image/>", '<image href="fish" width="0" height="0"/>', '<image href="fish" x="a"/>'),
    *('<image href="fish" x="1" y="1" width="1e9" height="5"/>', '<image href="x.png" width="5" height="5"/>', "<text>", "<text/>", '<text x="1" y="1">x</text>', "<text>\x01</text>"),
    *('<text x="1" y="1" font-size="x">a</text>', '<text font-size="0">a</text>', '<text x="1 2 3" font-size="5">abc</text>', '<text font-family="x" font-weight="y">a</text>'),
    *('<text x="1" y="5" font-size="1e9" text-anchor="x">a</text>', "<text><tspan>a</tspan></text>", '<text x="1" y="5" font-family="title" font-size="4" fill="x" transform="rotate(a)">漢</text>'),
    *('<foreignObject/>', '<foreignObject x="1" y="1" width="9" height="9">a</foreignObject>', '<foreignObject x="a" y="1" width="9" height="9" data-size="9">a</foreignObject>', "<style>x{}</style>"),
    *('<foreignObject x="1" y="1" width="9" height="9" data-size="9 8 7">**a**</foreignObject>', '<foreignObject x="1" y="1" width="9" height="9" data-size="nan nan">a</foreignObject>'),
    *('<g transform="rotate(30)"><foreignObject x="1" y="1" width="9" height="9" data-size="9 5">a</foreignObject></g>', "<style>@import x</style>", "<style>rect{fill:red}</style>"),
    *("<script/>", "<!-- -- -->", "<!DOCTYPE svg>", '<!DOCTYPE svg [<!ENTITY a "b">]>&a;', "<![CDATA[x]]>", "<?xml version='1.0'?>", "<?php ?>", "&nbsp;", "&#0;", "&#xD800;", "&#x10FFFF;"),
    *('<linearGradient id="g"/>', '<linearGradient id="g" href="#g"/>', '<rect width="9" height="9" fill="url(#g)"/>', '<radialGradient id="g"><stop offset="x" stop-color="y"/></radialGradient>'),
    *('<clipPath id="c"/>', '<g clip-path="url(#c)"/>', '<g mask="url(#x)"/>', '<g filter="url(#x)"/>', '<filter id="x"><feGaussianBlur stdDeviation="1e9"/></filter>', '<pattern id="p" width="0"/>'),
    *('<pattern id="p" width="1e-9" height="1e-9" patternUnits="userSpaceOnUse"><rect/></pattern>', '<rect width="9" height="9" fill="url(#p)"/>', '<marker id="m"/>', '<path d="M0 0L5 5" marker-end="url(#m)"/>'),
    *('<g data-piece="x" data-cut="y" data-field="z"/>', '<g style="fill: red; x"/>', '<g style="fill:url(http://x)"/>', '<g opacity="x"/>', '<g opacity="nan"/>', '<g stroke-dasharray="0 0"/>', "<g" * 9),
    *('<path d="M0 0h9v9z" stroke="red" stroke-width="-1" stroke-dasharray="-1"/>', '<path d="M0 0h9v9z" stroke="red" stroke-miterlimit="0" stroke-width="1e30"/>', '<a href="#x"><rect/></a>', "<x:y/>", "<é/>"),
)
BOOK = tuple(f"{{{{ {each} }}}}" for each in (*('face("cards", "anna")', 'face("cards")', "face()", 'face("x", "y")', 'face("cards", 1)',
    'face("cards", "anna", width=1)', 'face("cards", "anna", width="0mm", alt="")',), *('face("cards", "rum", width="1e9mm", alt="a")',
    'face("cards", "rum", width="200%", alt="a")', 'face("cards", "rum", side="x", alt="a")', 'faces("cards", [], alt="a")',), *('faces("cards", "rum", alt="a")',
    'faces("cards", ["rum"] * 99, width="9mm", alt="a")', 'faces("cards", [none], alt="a")', 'faces("cards", 1)', 'board("cards", alt="a")', "board()",), *(
    'board("chart", width="x", alt="a")', 'board("sea", alt="a", caption=1)', 'layout("start", alt="a")', 'layout("x", alt="a")',
    'layout("chain", alt="a", width="1mm")', 'folded("dice", alt="a")',), *('folded("cards", alt="a")', 'folded("x")', 'anatomy("cards", "rum", notes=[], alt="a")',
    'anatomy("cards", "rum", notes=[["name"]], alt="a")', 'anatomy("cards", "rum", notes=1, alt="a")',), *(
    'anatomy("cards", "rum", notes=[["name", "x"], ["x", "y"]], alt="a")', 'anatomy("cards", "bakery", notes=[[1, 2]], alt="a")', 'picture("fish")',
    'picture("x", alt="a")', 'picture("fish", alt="a")',), *("component_table(1)", 'component_table(x="y")', 'component_table(different="|")', "setup_table()",
    "setup_table(1)", "imprint()", 'imprint(x="y")', 'imprint(designer="*|*\\n\\n# x")', "page()",), *('page("x")', 'page("end") + 1', "page(1)",
    'page("welcome") * 10 ** 6', 'sheets("cards")', 'sheets("x")', 'pages("cards") / 0', "pages(none)", 'count("cards") / 0', 'rows("cards") | map("x")',), *(
    'count("cards") * "a"', 'rows("cards")', 'rows("cards")[99].name', '"\\ue000face:0\\ue001"', '"\\ue001"', '"\\x00"', '"\\ud800"', '"# x\\n\\n" * 999',
    '"a" * 10 ** 8', "[1] | first.x", "x", "",),))
MARKDOWN = (
    *("# ", "#", "####### x", "# *a* `b` [c](d)", "## End", "## end", "# A\n# A", "Setext\n===", "- a\n  - b\n    - c\n      - d\n        - e", "1. a\n1) b", "999999999. x", "- ", "+", "1."),
    *("| a | b |\n|---|---|\n| 1 |", "| a |\n|---|", "|a|b|\n|-|-|\n|1|2|3|", "|---|", "| |\n|-|", "```\nx\n```", "```x", "~~~", "    code", "`a", "``", "> a\n> > b", ">", "---", "***", "* * *"),
    *("::: example", "::: example A\nx\n:::", ":::", "::: x", "::: columns\na\n\nb\n:::", "::: columns\n:::", "::: back\n# x\n:::", "::: back\nx\n:::\n::: back\ny\n:::", ":::: note\n::: note\n:::\n::::"),
    *("::: note A\n::: example\nx\n:::\n:::", "::: example *x* [y](z)\nx\n:::", "[a](b)", "[a](#end)", "[a](#x)", "[a](http://x.y)", "[a](javascript:x)", "[a][b]\n\n[b]: c", "[]()", "![](fish)", "![a](x)"),
    *("![a](../x)", "![a](http://x/y.png)", "![a](fish)", "![a *b* `c`](art/fish.svg 't')", "![a](art/fish.svg)" * 50, "<b>x</b>", "<!-- x -->", "<script>", "&nbsp;&#0;&x;", "\\", "a\\\nb", "a  \nb", ":fish:"),
    *(":x:", ":fish::fish:", ":" * 500, "*" * 3000, "[" * 3000, "(" * 3000, "_" * 999 + "a", "**a*", "~~a~~", "a^b^", "[^1]\n\n[^1]: x", "- [ ] a", "term\n: x", "$x$", "#set page(width: 1pt)", "@x", "<x>"),
    *("\ue000face:0\ue001", "\ue000page:x\ue001", "\ue000", "\u00ad", "W" * 3000, "a " * 20000, "\n\n# x\n\ny" * 60, "{{ 1 }}", "{% for x in range(9) %}\n# {{ x }}\n{% endfor %}", "{% if 1 %}", "{{", "{#", "{% raw %}"),
    *("{% set x = rows('cards') %}{{ x }}", "{% for r in rows('cards') %}| {{ r.name }} |\n{% endfor %}", "{% include 'x' %}", "{% extends 'x' %}", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "{{ m() }}"),
)
BRACKETS = (*(("(", ")"), ("[", "]"), ("{", "}"), ("<g>", "</g>"), ("{% if 1 %}", "{% endif %}"), ("> ", ""), ("- ", ""), ("*", "*"), ("{{ (", ") }}"),), *(
    ("not ", ""), ("-", ""), ("a = [", "]"), ("x.", "y"), ("[[", "]]"), ('"', '"'), ("**", "**"), ("<svg xmlns='http://www.w3.org/2000/svg'>", "</svg>"),), *(
    ("{% for x in [1] %}", "{% endfor %}"), ("::: note\n", ":::\n"), ("1 + ", "1"), ("~ ", ""), ("['", "']"), ("[a.", "]"), ("a.", " = 1"), ("|", "|"),
    ("  - a\n", ""),),)
ANY = (*LETTERS, *NUMBERS, *TOML[-40:], *JINJA[:40], *SVG[:40], *MARKDOWN[:40], *CELLS[-40:])
WHOLE = (*("", "\n", "\x00", "\x00" * 300, "\ufeff", "\udcff\udcfe", "PK\x03\x04", "PK\x05\x06" + "\x00" * 18, "\udc89PNG\r\n\x1a\n", "GIF89a",
    "\x00\x01\x00\x00" + "\x00" * 60, "OTTO\x00\x01",), *("true", "OTTO" + "\xff" * 99,
    "\udc89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\udcff\udcff\udcff\udcff\udcff\udcff\udcff\udcff\x08\x06\x00\x00\x00", "\udcff\udcd8\udcff\udce0\x00\x10JFIF", "%PDF-1.4",
    "<svg/>",), *('<svg xmlns="http://www.w3.org/2000/svg"/>', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 0"/>',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0"/></svg>', "<a", "<?xml?>",), *(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h5v5z"/><path d="M1 1h5v5z"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1e308 1"><path d="M0 0L1e308 1V9z"/></svg>',), *(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M4 1a3 3 0 1 0 .1 0z"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0L9 9M9 0L0 9"/></svg>',), *("id\n", "id,name\n", "id,id\n1,2\n", ",\n,\n", ",,,\n", '"',
    '"a\n', "a\n" * 3000, "id,name,text,copies\n" + "a,b,c,1\n" * 200, "name,text,copies\nAnna,x,100000\nBert,y,100000\n", "name;text\nAnna;x\n",), *(
    "id,faces\na,1 2 3 4 5 6\n", "tile,q,r\n", "tile,q,r\nbay,0,0\nbay,99999,0\n", "a,b,x,y\n0,0,99999999,0\n", "track,value\na,1\n", "letter,kind\n.,sea\n,land\n",
    "letter,kind\n..,sea\n", "." * 9000, ".\n" * 9000,), *("[game]", '[game]\nname = "x"', '[game]\nname = "x"\n[component.cards]\nsize = "tcg"', "[claim.a]",
    "[words]", "{{ x }}", "{% extends 'shared/face.svg.j2' %}", "{% extends 'cards.svg.j2' %}", "# x", "# x\n# x",), *("{% include 'cards.svg.j2' %}",
    "::: back\n:::", "a " * 50_000, "# A\n\n" + "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 2000, "- " * 3000, "\\\n" * 3000, "[game]\n" + "x = 1\n" * 3000,),)

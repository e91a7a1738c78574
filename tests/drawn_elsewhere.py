"""Three drawings of one card, written as Inkscape, Illustrator and Figma save theirs."""

from __future__ import annotations

INKSCAPE = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg width="63mm" height="88mm" viewBox="0 0 63 88" version="1.1" id="svg5" sodipodi:docname="card.svg"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns="http://www.w3.org/2000/svg" xmlns:svg="http://www.w3.org/2000/svg">
  <sodipodi:namedview id="namedview7" pagecolor="#ffffff" inkscape:document-units="mm"/>
  <defs id="defs2"><rect x="5" y="50" width="53" height="30" id="rect88"/></defs>
  <g inkscape:label="Ground" inkscape:groupmode="layer" id="layer1">
    <rect style="fill:#c4e0ef;stroke-width:0.26" id="rect12" width="63" height="88" x="0" y="0"/>
  </g>
  <g inkscape:label="Words" inkscape:groupmode="layer" id="layer2" transform="translate(0,1)">
    <text xml:space="preserve" style="font-size:6px;font-family:'Fredoka One';fill:#14304d;text-anchor:middle"
       x="31.5" y="11" id="text236" inkscape:label="Name"><tspan
       sodipodi:role="line" id="tspan234" x="31.5" y="11">Big Berg</tspan></text>
    <text xml:space="preserve" id="text86" inkscape:label="rules"
       style="font-size:4.2333px;font-family:'Source Sans Pro';white-space:pre;shape-inside:url(#rect88)"
       ><tspan
         x="5" y="53.6" id="tspan90">Throw it over the wall, </tspan><tspan
         x="5" y="58.9" id="tspan91">then duck.</tspan></text>
    <text style="font-size:5px;font-family:Impact" x="5" y="20" id="text300"><tspan id="tspan300">Cost {cost}</tspan></text>
    <text style="font-size:3px;font-family:'Source Sans Pro'" x="5" y="85" id="text301">A game of snow</text>
  </g>
</svg>
"""

ILLUSTRATOR = """<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 27.0.0, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
    <!ENTITY ns_svg "http://www.w3.org/2000/svg">
    <!ENTITY ns_xlink "http://www.w3.org/1999/xlink">
]>
<svg version="1.1" id="Layer_1" xmlns="&ns_svg;" xmlns:xlink="&ns_xlink;" x="0px" y="0px" viewBox="0 0 180 252"
     style="enable-background:new 0 0 180 252;" xml:space="preserve">
<style type="text/css">
    .st0{fill:#C4E0EF;}
    .st1{fill:#14304D;}
    .st2{font-family:'SourceSansPro-Bold';}
    .st3{font-size:18px;}
    .st4{font-family:'SourceSansPro-Regular';}
    .st5{font-size:12px;}
</style>
<rect class="st0" width="180" height="252"/>
<g id="Name">
    <text transform="matrix(1 0 0 1 14.17 36.9)" class="st1 st2 st3">Big Berg</text>
</g>
<text id="Rules_x5F_text" transform="matrix(1 0 0 1 14.17 160)"
    ><tspan x="0" y="0" class="st4 st5">Throw it over the wall, </tspan><tspan x="0" y="14.4" class="st4 st5"
    >then duck.</tspan></text>
<text id="XMLID_4_" transform="matrix(0 -1 1 0 170 100)" class="st4 st5">%VAR_cost%</text>
</svg>
"""

FIGMA = """<svg width="750" height="1050" viewBox="0 0 750 1050" fill="none" xmlns="http://www.w3.org/2000/svg">
<g id="Card" clip-path="url(#clip0_1_2)">
<rect width="750" height="1050" fill="#C4E0EF"/>
<mask id="mask0_1_2" style="mask-type:alpha" maskUnits="userSpaceOnUse" x="75" y="200" width="600" height="400">
<rect x="75" y="200" width="600" height="400" fill="#D9D9D9"/>
</mask>
<g mask="url(#mask0_1_2)"><circle cx="375" cy="400" r="300" fill="#41688F"/></g>
<text id="Name" fill="#14304D" xml:space="preserve" style="white-space: pre" font-family="Fredoka One" font-size="72"
 letter-spacing="0.02em"><tspan x="59" y="125.7">Big Berg</tspan></text>
<text id="rules" fill="black" xml:space="preserve" style="white-space: pre" font-family="Source Sans Pro" font-size="50"
 letter-spacing="0em"><tspan x="59" y="700">Throw it over the wall,&#10;</tspan
><tspan x="59" y="759">then duck.</tspan></text>
<text id="A game of snow" fill="black" font-family="Source Sans Pro" font-size="30"
><tspan x="59" y="1010">A game of snow</tspan></text>
<path id="Vector" d="M600 60h90v90h-90z" fill="url(#paint0)"/>
</g>
<defs><clipPath id="clip0_1_2"><rect width="750" height="1050" fill="white"/></clipPath>
<linearGradient id="paint0" x1="600" y1="60" x2="690" y2="150" gradientUnits="userSpaceOnUse"><stop stop-color="#FFC845"/>
<stop offset="1" stop-color="#F7705A"/></linearGradient></defs>
</svg>
"""

"""How the studio looks, in light and in dark: what Quasar's own styles do not say."""

CSS = """
:root { --ink: #1d2430; --quiet: #5a6472; --ground: #f4f2ee; --sheet: #ffffff; --line: #d8d3ca; --accent: #0b5fa5;
        --bad: #b3261e; --warn: #8a5a00; --radius: 8px; }
body.body--dark { --ink: #eceff3; --quiet: #a9b3c0; --ground: #16191e; --sheet: #21262e; --line: #3a424d; --accent: #7db8ec;
        --bad: #ff9a92; --warn: #f0c36d; }
body { background: var(--ground); color: var(--ink); font-family: system-ui, sans-serif; }
a { color: var(--accent); }
h1, h2 { margin: 0; font-weight: 650; line-height: 1.2; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.home { max-width: 60rem; margin: 3rem auto; padding: 0 1.5rem; }
.home h1 { font-size: 2rem; margin-bottom: 1.5rem; }
.games { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; }
.game { display: block; padding: 1.25rem; border-radius: var(--radius); background: var(--sheet);
        border: 1px solid var(--line); text-decoration: none; font-weight: 600; }
.q-header.bench { background: var(--sheet); color: var(--ink); border-bottom: 1px solid var(--line); display: flex;
        gap: 1rem; align-items: center; padding: 0 1rem; box-shadow: none; flex-wrap: wrap; }
.bench h1 { font-size: 1.1rem; }
.bench .status { margin-left: auto; color: var(--ink) !important; }
.views, .views .q-panel, .views .q-tab-panel { background: transparent; width: 100%; padding: 0; }
.view { padding: 1rem 1.5rem; width: 100%; }
.bar { display: flex; gap: .75rem; align-items: center; flex-wrap: wrap; margin-bottom: .75rem; }
.wall section { margin-bottom: 2rem; content-visibility: auto; contain-intrinsic-size: auto 30rem; }
.wall h2 { font-size: 1rem; margin: 0 0 .6rem; }
.wall h2 small { color: var(--quiet); font-weight: 400; margin-left: .5rem; }
.faces { display: flex; flex-wrap: wrap; gap: .8rem; align-items: flex-end; }
.face { all: unset; cursor: pointer; display: block; }
.face:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
.face img { display: block; background: var(--sheet); }
.face span { display: block; font-size: .75rem; color: var(--quiet); margin-top: .25rem; max-width: 100%; overflow: hidden;
        text-overflow: ellipsis; white-space: nowrap; }
.face.found span::before { content: "▲ "; color: var(--bad); }
.pages, .maps { display: flex; flex-wrap: wrap; gap: 1.2rem; align-items: flex-start; }
.views figure { margin: 0; flex: none; }
.views figcaption { font-size: .8rem; color: var(--quiet); margin: .3rem 0; overflow-wrap: anywhere; }
.sheet { position: relative; background: #fff; isolation: isolate; box-shadow: 0 0 0 1px var(--line); }
.sheet.bare { box-shadow: none; }
.sheet img { display: block; position: absolute; inset: 0; }
.sheet .through { display: none; opacity: var(--through); mix-blend-mode: multiply; }
.lit .sheet .through { display: block; }
.through.beside { transform: scaleX(-1); }
.through.upside { transform: scaleY(-1); }
.choice { min-width: 10rem; }
.books section { margin-bottom: 2.5rem; }
.books h2 { font-size: 1rem; margin: 0 0 .6rem; }
.books h2 small, .wall h3 small { color: var(--quiet); font-weight: 400; margin-left: .5rem; }
.spread { display: flex; flex-wrap: nowrap; gap: 1px; align-items: flex-start; margin-bottom: 1.2rem; overflow-x: auto; }
.spread.cover > figure { margin-left: var(--page); }
.steps { display: flex; flex-wrap: wrap; gap: 1rem; margin-top: .9rem; }
svg.found polygon { fill: var(--sheet); stroke: var(--quiet); stroke-width: .6; }
svg.found .blocked { fill: var(--quiet); }
svg.found .start, svg.found .goal, svg.found .path { fill: color-mix(in srgb, var(--accent) 45%, var(--sheet)); }
svg.found .bad { fill: color-mix(in srgb, var(--bad) 45%, var(--sheet)); stroke: var(--bad); stroke-width: 2; }
svg.found text { text-anchor: middle; fill: var(--ink); }
svg.found .blocked + text { fill: var(--sheet); }
.stage { position: relative; margin: 0 auto; }
.stage img, .stage svg { position: absolute; inset: 0; width: 100%; height: 100%; }
.close { display: grid; grid-template-columns: minmax(0, 1fr) 19rem; gap: 1.5rem; width: 100%; height: 100%;
        background: var(--ground); color: var(--ink); padding: 1rem 1.5rem; }
.close h2 { font-size: 1.25rem; }
.close .side > * { margin-bottom: .8rem; }
.close .room { overflow: auto; display: grid; place-items: center; }
.finding { display: block; width: 100%; text-align: left; background: var(--sheet); border: 1px solid var(--line);
        border-left: 5px solid var(--warn); border-radius: var(--radius); padding: .7rem 1rem; margin-bottom: .6rem; }
.finding.error { border-left-color: var(--bad); }
.finding .where { font-family: ui-monospace, monospace; font-size: .8rem; color: var(--quiet); }
.finding p { margin: .15rem 0 0; }
.grid { height: calc(100vh - 11rem); min-height: 20rem; }
.text { height: calc(100vh - 12rem); min-height: 20rem; border: 1px solid var(--line); font-size: .9rem; }
.text .wrong { background: color-mix(in srgb, var(--bad) 22%, transparent); }
.said { color: var(--quiet); }
.log { white-space: pre-wrap; font-family: ui-monospace, monospace; font-size: .85rem; }
"""

"""The studio's style sheet, light and dark, beside Quasar's own."""

CSS = """
:root { --ink: #1d2430; --quiet: #5a6472; --ground: #f4f2ee; --sheet: #ffffff; --line: #d8d3ca; --accent: #0b5fa5;
        --bad: #b3261e; --warn: #8a5a00; --felt: #cfdfd3; --radius: 8px; }
body.body--dark { --ink: #eceff3; --quiet: #a9b3c0; --ground: #16191e; --sheet: #21262e; --line: #3a424d; --accent: #7db8ec;
        --bad: #ff9a92; --warn: #f0c36d; --felt: #22352b; }
#app:empty::before { content: "Opening …"; display: block; padding: 40vh 0; text-align: center; color: var(--quiet); }
body { background: var(--ground); color: var(--ink); font-family: system-ui, sans-serif; }
a { color: var(--accent); }
body.body--dark .q-field--focused .q-field__label { color: var(--accent); }
@layer base { body.body--dark .text-primary { color: var(--accent) !important; } }
/* Nobody has to wait for what slides and fades, who has asked for none of it; and what a note lies on can be pressed. */
@media (prefers-reduced-motion: reduce) { *, ::before, ::after { transition-duration: 0s !important; } }
.q-notification { pointer-events: none; }
h1, h2 { margin: 0; font-weight: 650; line-height: 1.2; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.home { width: 100%; max-width: 62rem; margin: 1.5rem auto; padding: 0 1.5rem; }
.home h1 { font-size: 2rem; margin-bottom: 1.5rem; }
.games { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 1.25rem; }
.game { display: block; padding: 1rem; border-radius: var(--radius); background: var(--sheet); color: var(--ink);
        box-shadow: 0 0 0 1px var(--line); text-decoration: none; }
.game:hover { box-shadow: 0 0 0 2px var(--accent); } .game h2 { font-size: 1.05rem; margin-bottom: .35rem; }
.game p { margin: 0; font-size: .85rem; color: var(--quiet); } .game p.error { color: var(--bad); }
.game p.warning { color: var(--warn); } .game p.error::before, .game p.warning::before { content: "▲ "; }
.shown { height: 9.5rem; display: flex; align-items: center; justify-content: center; margin-bottom: .6rem;
        position: relative; }
.game .shown { height: 13rem; }
.pick .shown img { height: 9rem; }
.shown img { display: block; background: var(--ground); max-width: 100%; max-height: 100%; border-radius: 5px;
        box-shadow: 0 0 0 1px var(--line), 0 1px 4px rgb(0 0 0 / .25); }
.home > .bar { justify-content: space-between; margin-bottom: 1.5rem; } .home > .bar h1 { margin: 0; }
.begin { display: grid; gap: .6rem; } .begin h1 { margin: 0 0 .5rem; }
.begin h2 { font-size: 1.05rem; margin: .8rem 0 .7rem; } .begin .back { justify-self: start; }
.begin .q-input, .begin .q-select { max-width: 32rem; } .begin .table .q-textarea { max-width: none; }
.begin .q-field__control { background: var(--sheet); border-radius: var(--radius); }
.picks { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: 1rem; }
.picks.looks { grid-template-columns: repeat(6, minmax(0, 1fr)); }
.pick { position: relative; display: flex; flex-direction: column; gap: .2rem; padding: 1rem; cursor: pointer;
        background: var(--sheet); border-radius: var(--radius); box-shadow: 0 0 0 1px var(--line); }
.pick:hover { box-shadow: 0 0 0 1px var(--quiet); } .pick:has(:checked) { box-shadow: 0 0 0 3px var(--accent); }
.pick:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 4px; }
.pick input { position: absolute; opacity: 0; } .pick b { display: block; font-weight: 650; }
.pick span { color: var(--quiet); font-size: .85rem; line-height: 1.35; display: block; }
.card { height: 9rem; aspect-ratio: 63.5 / 88.9; border-radius: 5px; display: block; }
.looks .pick { padding: .6rem; text-align: center; }
.fan { position: relative; width: 100%; height: 9rem; }
.shown .fan img { position: absolute; left: 50%; top: 4%; height: 8.2rem; max-width: none;
        margin-left: -2.9rem; transform-origin: 50% 110%; }
.fan img:nth-child(1) { transform: rotate(-14deg); } .fan img:nth-child(3) { transform: rotate(14deg); }
.card { background: var(--ground); } .card.empty { background: none; border: 2px dashed var(--line); }
.card.under, .card.over { position: absolute; background: var(--sheet); border: 2px solid var(--line); height: 7.8rem; }
.card.dashed { border-style: dashed; }
.card.under { transform: translate(-.9rem, -.6rem); } .card.over { transform: translate(.5rem, .5rem); }
.begin .table { display: grid; grid-template-columns: minmax(0, 1fr) 15rem; gap: 1rem; }
.cells { font-family: ui-monospace, monospace; font-size: .85rem; min-height: 7rem; tab-size: 14; white-space: pre; }
.drop { border: 2px dashed var(--line); border-radius: var(--radius); display: grid; place-content: center;
        justify-items: center; gap: .6rem; padding: 1rem; text-align: center; }
.drop-input { display: none; }
.over .drop { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 12%, transparent); }
.face.over img { outline: 4px solid var(--accent); outline-offset: 2px; filter: brightness(1.1); }
.wrong { color: var(--bad); }
html:has(.begin) { scroll-padding-bottom: 6rem; }
.begin .last { position: sticky; bottom: 0; padding: .9rem 0; background: var(--ground); z-index: 1; }
@media (max-width: 55rem) { .picks.looks { grid-template-columns: repeat(3, minmax(0, 1fr)); }
        .begin .table { grid-template-columns: minmax(0, 1fr); } }
.q-dialog__inner { z-index: 1; }
/* Nothing is to be seen behind a dialogue that could be scrolled away. */
@layer base { body.q-body--prevent-scroll { position: static !important; overflow: hidden !important; } }
body:has(.bench) { overflow: hidden; } body:has(.bench) .nicegui-content { padding: 0; }
.bench { display: flex; flex-direction: column; width: 100%; height: 100dvh; font-size: .9rem; }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .5rem; padding: .35rem .8rem;
        background: var(--sheet); border-bottom: 1px solid var(--line); }
.top h1 { font-size: 1.05rem; margin: 0 .4rem 0 .2rem; max-width: 18rem; overflow: hidden; text-overflow: ellipsis;
        white-space: nowrap; }
.choice { width: 8.4rem; } .choice.wide { width: 10.6rem; }
.top .choice { width: 9.8rem; } .top .choice .q-field__label { font-size: .9rem; }
.choice .q-field__control, .file .q-field__control { padding: 0 .5rem; }
.choice .q-field__native { font-size: .85rem; overflow: hidden; white-space: nowrap; }
.choice .q-field__native span { overflow: hidden; text-overflow: ellipsis; }
.top .back { display: grid; place-content: center; width: 2rem; height: 2rem; border-radius: 50%; text-decoration: none;
        font-size: 1.3rem; line-height: 1; }
.top .back::before { content: "←"; } .top .back:hover { background: color-mix(in srgb, var(--accent) 12%, transparent); }
.top .status { margin-left: auto; } .top .status.error { color: var(--bad); } .top .status.warning { color: var(--warn); }
.top .status.error .q-btn__content::before, .top .status.warning .q-btn__content::before { content: "▲\\a0"; }
.top .drafts { margin-left: auto; color: var(--warn); } .top .drafts:not(.hidden) ~ .status { margin-left: 0; }
.top .print { padding: .2rem 1rem; }
.frame { flex: 1; min-height: 0; display: grid; grid-template-columns: var(--left, 13.5rem) 5px minmax(0, 1fr) 5px
        var(--right, 18.5rem); grid-template-rows: minmax(0, 1fr) 0 0;
        grid-template-areas: "left a middle c right" "left a b c right" "left a below c right"; }
.frame.tabled { grid-template-rows: minmax(0, 1fr) 5px var(--below, 15rem); }
.frame.full { grid-template-rows: auto 0 minmax(0, 1fr); }
.left { grid-area: left; overflow: auto; padding: .3rem .5rem 1rem; background: var(--sheet); }
.right { grid-area: right; display: flex; flex-direction: column; overflow: auto;
        padding: .8rem .9rem 1.5rem; background: var(--sheet); }
.middle { grid-area: middle; min-width: 0; display: flex; flex-direction: column; }
.below { grid-area: below; min-width: 0; background: var(--sheet) !important; }
.frame:not(.tabled, .full) .below, .frame.full .middle .views { display: none; }
.handle { background: var(--line); touch-action: none; position: relative; }
.handle::after { content: ""; position: absolute; inset: 0 2px; background: var(--sheet); }
.handle.vertical { cursor: col-resize; } .handle.horizontal { cursor: row-resize; }
.handle.horizontal::after { inset: 2px 0; }
.handle:hover::after, .handle:focus-visible::after { background: var(--accent); inset: 0; }
.handle:focus-visible { outline: none; }
[data-pane=left] { grid-area: a; }
[data-pane=below] { grid-area: b; }
[data-pane=right] { grid-area: c; }
.left .add { font-size: .82rem; margin: .3rem 0 -.4rem .1rem; }
.adding { width: min(46rem, 94vw); max-width: none !important; background: var(--sheet); color: var(--ink); gap: 1rem; }
.adding h2 { font-size: 1.15rem; } .adding .bar { margin: 0; } .adding .picks { width: 100%; }
.adding .picks { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .7rem; } .adding .pick { padding: .8rem; }
.adding svg { width: 3rem; height: 3rem; fill: var(--sheet); stroke: var(--accent); stroke-width: 2;
        stroke-linejoin: round; }
.asked { display: flex; flex-wrap: wrap; gap: .8rem; width: 100%; align-items: center; } .asked > .q-field { flex: 1 14rem; }
.left h2 { font-size: .72rem; text-transform: uppercase; letter-spacing: .07em; color: var(--quiet);
        margin: .9rem .4rem .3rem; }
.part { all: unset; box-sizing: border-box; cursor: pointer; display: flex; align-items: center; gap: .55rem; width: 100%;
        padding: .25rem .4rem; border-radius: 6px; }
.part:hover { background: color-mix(in srgb, var(--ink) 7%, transparent); }
.part:focus-visible { outline: 3px solid var(--accent); outline-offset: -2px; }
.part[aria-current] { background: color-mix(in srgb, var(--accent) 18%, transparent); }
.part i, #found i { flex: none; width: 2.6rem; height: 2.6rem; display: grid; place-items: center; }
.part img, #found img { max-width: 2.6rem; max-height: 2.6rem; border-radius: 2px; box-shadow: 0 0 0 1px var(--line); }
.part span { min-width: 0; flex: 1; }
.part b { display: block; font-weight: 500; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.part.file b { font-weight: 400; font-size: .84rem; }
.part small { display: block; color: var(--quiet); font-size: .76rem; } .part.file small { color: var(--warn); }
.part em { flex: none; font-style: normal; font-size: .75rem; font-weight: 650; min-width: 1.3rem;
        text-align: center; padding: 0 .3rem; border-radius: 1rem; background: var(--warn); color: var(--sheet); }
.part em.error { background: var(--bad); }
.strip { display: flex; align-items: center; gap: .5rem; padding: .35rem .8rem; border-bottom: 1px solid var(--line);
        background: var(--sheet); flex-wrap: wrap; }
.switch { border-radius: 7px; background: var(--ground); padding: 2px; }
.switch { min-width: 0; max-width: 100%; }
@media (max-width: 72rem) { .switch .q-tab { padding: 0 .32rem !important; } .top .choice { width: 7.4rem !important; } }
.switch .q-tab--inactive { opacity: 1; }
.switch .q-tab { min-height: 28px; padding: 0 .7rem; border-radius: 5px; color: var(--quiet); }
.switch .q-tab--active { background: var(--sheet); color: var(--ink); box-shadow: 0 0 2px rgb(0 0 0 / .35); }
.switch .q-tab__label { font-size: .85rem; }
.zoom { margin-left: auto; display: flex; align-items: center; }
.zoom .q-btn, .foot .q-btn { color: var(--quiet); font-size: .78rem; min-width: 2rem; }
.sides .q-btn { padding: .1rem .7rem; }
.views { flex: 1; min-height: 0; }
.views, .views .q-panel, .views .q-tab-panel, .below .q-tab-panel { background: transparent; width: 100%; padding: 0; }
.view { padding: .7rem .9rem; width: 100%; }
.view.full, .view.table, .view.near { height: 100%; display: flex; flex-direction: column; }
.foot { display: flex; align-items: center; gap: 1rem; padding: .1rem .8rem; min-height: 1.9rem; background: var(--sheet);
        border-top: 1px solid var(--line); font-size: .8rem; color: var(--quiet); }
.foot [role=status] { flex: 1; min-width: 0; color: var(--ink); overflow: hidden; text-overflow: ellipsis;
        white-space: nowrap; }
.light { display: flex; align-items: center; gap: .7rem; white-space: nowrap; }
.keys { display: flex; gap: .9rem; white-space: nowrap; }
kbd { font: inherit; font-size: .72rem; padding: 0 .3rem; border: 1px solid var(--line); border-radius: 4px; }
.right h2 { font-size: .95rem; overflow-wrap: anywhere; } .right section { margin-top: 1rem; }
.right section > h2 { margin-bottom: .5rem; } .right p { margin: .1rem 0; color: var(--quiet); font-size: .82rem; }
.about { display: flex; gap: .9rem; align-items: flex-start; } .about h2 { margin-bottom: .3rem; }
.small { all: unset; cursor: zoom-in; flex: none; }
.small:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.small img { display: block; max-width: 7rem; max-height: 9rem; border-radius: 4px;
        box-shadow: 0 0 0 1px var(--line), 0 2px 6px rgb(0 0 0 / .2); }
.heading { display: flex; align-items: center; justify-content: space-between; gap: .5rem; margin-bottom: .5rem; }
.right .heading h2 { font-size: .72rem; text-transform: uppercase; letter-spacing: .07em; color: var(--quiet); }
.right .q-btn, .bar .q-btn, .top .q-btn { font-size: .82rem; }
.fields { display: grid; gap: .55rem; } .fields textarea { line-height: 1.35; }
.art { display: grid; justify-items: center; gap: .2rem; padding: .7rem; border: 1px dashed var(--line); border-radius: 6px;
        overflow-wrap: anywhere; text-align: center; }
.art img { max-width: 100%; max-height: 8rem; margin-bottom: .3rem; }
.art.over { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 12%, transparent); }
.palette { margin: 10vh auto 0; width: min(38rem, 92vw); max-width: none !important; background: var(--sheet);
        color: var(--ink); border-radius: 10px; border: 1px solid var(--line); overflow: hidden; }
.palette .q-field { padding: 0 1rem; font-size: 1.05rem; border-bottom: 1px solid var(--line); }
.palette .q-field__native { color: var(--ink); } #found { max-height: 60vh; overflow: auto; padding: .3rem; }
#found div { display: flex; align-items: center; gap: .6rem; padding: .25rem .6rem; border-radius: 6px; cursor: pointer; }
#found i { width: 1.9rem; height: 1.9rem; } #found img { max-width: 1.9rem; max-height: 1.9rem; }
#found span { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#found small { color: var(--quiet); }
#found [aria-selected=true] { background: color-mix(in srgb, var(--accent) 18%, transparent); }
@media (max-width: 60rem) {
  body:has(.bench) { overflow: auto; }
  .bench { height: auto; min-height: 100dvh; }
  .frame, .frame.tabled, .frame.full { display: block; }
  .handle, .keys { display: none; }
  .left { max-height: 30vh; border-bottom: 1px solid var(--line); }
  .middle, .below { border-bottom: 1px solid var(--line); }
  .below { height: 24rem; }
}
.bar { display: flex; gap: .35rem .75rem; align-items: center; flex-wrap: wrap; margin-bottom: .7rem; }
.wall section { margin: 0 -6px 1.6rem; padding: 0 6px 6px; content-visibility: auto; contain-intrinsic-size: auto 30rem; }
.wall h2 { font-size: 1rem; margin: 0 0 .6rem; }
.wall h2 small { color: var(--quiet); font-weight: 400; margin-left: .5rem; }
.faces { display: flex; flex-wrap: wrap; gap: .8rem; align-items: flex-end; }
.faces > * { display: contents; }
.face { all: unset; cursor: pointer; display: block; }
.face:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
.face img { display: block; background: var(--sheet); }
.face span { display: block; font-size: .75rem; color: var(--quiet); margin-top: .25rem; max-width: 100%; overflow: hidden;
        text-overflow: ellipsis; white-space: nowrap; }
.face[aria-current] img { outline: 3px solid var(--accent); outline-offset: 2px; }
.face[aria-current] span { color: var(--accent); font-weight: 600; }
.face.found span::before { content: "▲ "; color: var(--bad); }
.pages, .maps { display: flex; flex-wrap: wrap; gap: 1.2rem; align-items: flex-start; }
.views figure { margin: 0; flex: none; }
.views figcaption { font-size: .8rem; color: var(--quiet); margin: .3rem 0; overflow-wrap: anywhere; }
.sheet { position: relative; background: #fff; isolation: isolate; box-shadow: 0 0 0 1px var(--line); }
.sheet.bare { box-shadow: none; } .sheet img { display: block; position: absolute; inset: 0; }
.sheet .through { display: none; opacity: var(--through); mix-blend-mode: multiply; }
.lit .sheet .through { display: block; }
.through.beside { transform: scaleX(-1); } .through.upside { transform: scaleY(-1); }
.tongues [role=row] { display: grid; grid-template-columns: minmax(6rem, 1fr) minmax(8rem, 2.4fr) minmax(8rem, 2.4fr);
        gap: .3rem .9rem; padding: .35rem .6rem; align-items: start; border-bottom: 1px solid var(--line); }
.tongues [role=table] { background: var(--sheet); border: 1px solid var(--line); border-radius: var(--radius); }
.tongues [role=columnheader] { font-weight: 650; } .tongues [role=cell] { overflow-wrap: anywhere; white-space: pre-wrap; }
.tongues [role=cell]:first-child { font-family: ui-monospace, monospace; font-size: .76rem; color: var(--quiet); }
.tongues textarea { font: inherit; width: 100%; box-sizing: border-box; padding: .2rem .4rem; resize: vertical;
        color: var(--ink); background: var(--sheet); border: 1px solid var(--line); border-radius: 4px; }
.tongues .missing textarea, .tongues .stale textarea { border-left: 4px solid var(--warn); }
.tongues small { display: block; color: var(--warn); } .texts { margin-top: .7rem; }
.part.view { padding: .25rem .4rem; }
.view.table .bar { gap: .35rem .1rem; }
.outcome { font-size: 1.05rem; font-weight: 600; overflow-wrap: anywhere; } .outcome:empty { display: none; }
.printing summary { cursor: pointer; color: var(--quiet); } .printing summary::before { content: "▸ "; }
.printing details[open] summary::before { content: "▾ "; }
 .printing details[open] summary { margin-bottom: .5rem; }
.promising { max-width: 44rem; margin-top: 1.2rem; }
.first { margin: .8rem 0; }
.link { all: unset; cursor: pointer; color: var(--accent); font-size: .85rem; font-weight: 400; margin-left: 1rem; }
.link:hover { text-decoration: underline; } .link:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.books section { margin-bottom: 2.5rem; } .books h2 { font-size: 1rem; margin: 0 0 .6rem; }
.books h2 small, .wall h3 small { color: var(--quiet); font-weight: 400; margin-left: .5rem; }
.spread { display: flex; flex-wrap: nowrap; gap: 1px; align-items: flex-start; margin-bottom: 1.2rem; overflow-x: auto; }
.spread.cover > figure { margin-left: var(--page); }
.frame.playing { grid-template-columns: 0 0 minmax(0, 1fr) 0 0; }
.frame.playing > :is(.left, .right, [data-pane=left], [data-pane=right]) { display: none; }
.view.play { height: 100%; display: grid; grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr) 13.5rem;
        gap: .6rem .8rem; }
.play > .bar { grid-column: 1 / -1; margin: 0; } .play .choice.wide { width: 15rem; } .play .said { flex: 1; }
.table-top { overflow: auto; } .felt { position: relative; background: var(--felt); border-radius: var(--radius); }
.felt > .name { position: absolute; translate: -50% -100%; text-align: center; line-height: 1.15; overflow-wrap: anywhere; }
.lump { all: unset; position: absolute; translate: -50% -50%; cursor: grab; touch-action: none; }
.lump img { display: block; width: 100%; height: 100%; filter: drop-shadow(0 1px 1px rgb(0 0 0 / .45)); }
.lump.many img { filter: drop-shadow(1px 1px 0 #fff8) drop-shadow(2px 2px 1px rgb(0 0 0 / .6)); }
.lump.fixed { cursor: default; } .lump.fixed img { filter: none; }
.lump b { position: absolute; right: -.4em; bottom: -.4em; padding: 0 .35em; font-size: .7rem; font-weight: 650;
        border-radius: 1em; color: var(--sheet); background: var(--ink); }
.lump:focus-visible, .lump[aria-current] { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.ghost { position: fixed; z-index: 9999; pointer-events: none; opacity: .85; }
.hand { display: flex; align-items: center; gap: .5rem; min-height: 8.2rem; padding: .4rem .8rem; overflow-x: auto;
        background: var(--sheet); border: 1px solid var(--line); border-radius: var(--radius); }
.hand .lump { position: relative; translate: none; flex: none; } .hand p { margin: 0 .6rem 0 0; min-width: 9rem; }
.acts { grid-area: 2 / 2 / 4; overflow: auto; padding: .8rem; background: var(--sheet); border: 1px solid var(--line);
        border-radius: var(--radius); } .acts img { display: block; margin: 0 auto .7rem; }
.acts h2 { font-size: .95rem; margin-bottom: .5rem; overflow-wrap: anywhere; }
.acts button { all: unset; box-sizing: border-box; display: flex; gap: .6rem; width: 100%; padding: .25rem .4rem;
        cursor: pointer; border-radius: 6px; }
.acts button:hover { background: color-mix(in srgb, var(--ink) 7%, transparent); }
.acts button:focus-visible { outline: 3px solid var(--accent); }
.acts kbd { flex: none; width: 1.1rem; padding: 0; text-align: center; align-self: start; }
.bench:has(.playing) .keys span:nth-child(3) { display: none; }
.steps:empty { display: none; }
.steps { display: flex; flex-wrap: wrap; gap: 1rem; margin-top: .9rem; }
svg.found polygon { fill: var(--sheet); stroke: var(--quiet); stroke-width: .6; } svg.found .blocked { fill: var(--quiet); }
svg.found .start, svg.found .goal, svg.found .path { fill: color-mix(in srgb, var(--accent) 45%, var(--sheet)); }
svg.found .bad { fill: color-mix(in srgb, var(--bad) 45%, var(--sheet)); stroke: var(--bad); stroke-width: 2; }
svg.found text { text-anchor: middle; fill: var(--ink); } svg.found .blocked + text { fill: var(--sheet); }
.stage { position: relative; margin: 0 auto; }
.stage img, .stage svg { position: absolute; inset: 0; width: 100%; height: 100%; }
.right > * { order: 2; flex: none; } .right > .about { order: 0; } .right > .arranging { order: 1; }
.boxes { position: absolute; inset: 0; }
.box { position: absolute; cursor: move; touch-action: none; opacity: .75;
        box-shadow: inset 0 0 0 1px #0b5fa5, 0 0 0 1px #fff; background: center / 100% 100% no-repeat; }
.box.picture { box-shadow: inset 0 0 0 1px #a33c00, 0 0 0 1px #fff; } .box.fixed { cursor: default; }
.box:hover, .box:focus { opacity: 1; } .box:focus { outline: 2px solid #0b5fa5; outline-offset: 0; z-index: 1; }
.box.picture:focus { outline-color: #a33c00; } .box.held { opacity: .85; }
.box b { position: absolute; left: 0; bottom: 100%; padding: 0 .35rem; font: 500 .7rem/1.5 system-ui, sans-serif;
        color: #fff; background: #0b5fa5; white-space: pre; border-radius: 3px 3px 0 0;
        pointer-events: none; display: none; }
.box.picture b { background: #a33c00; } .box:hover b, .box:focus b { display: block; }
.box i { position: absolute; width: 10px; height: 10px; margin: -5px; background: #fff; border: 2px solid #0b5fa5;
        border-radius: 2px; display: none; } .box:focus i, .box:hover i { display: block; }
.box.picture i { border-color: #a33c00; }
.box i[data-edge*=n] { top: 0; } .box i[data-edge*=s] { top: 100%; } .box i[data-edge*=w] { left: 0; }
.box i[data-edge*=e] { left: 100%; } .box i[data-edge=n], .box i[data-edge=s] { left: 50%; cursor: ns-resize; }
.box i[data-edge=e], .box i[data-edge=w] { top: 50%; cursor: ew-resize; }
.box i[data-edge=e] { left: 100%; } .box i[data-edge=w] { left: 0; } .box i[data-edge=s] { top: 100%; }
.box i[data-edge=nw], .box i[data-edge=se] { cursor: nwse-resize; }
.box i[data-edge=ne], .box i[data-edge=sw] { cursor: nesw-resize; }
.places > div { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: .3rem; margin-bottom: .9rem; }
.places [data-key=go] { all: unset; cursor: pointer; grid-column: 1 / -1; font-weight: 600; font-size: .84rem;
        overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.places [data-key=go]:hover { color: var(--accent); }
.places [data-key=go]:focus-visible { outline: 3px solid var(--accent); }
.places label { font-size: .74rem; color: var(--quiet); min-width: 0; }
.places label.wide { grid-column: span 2; display: grid; grid-template-columns: 1fr auto; gap: 0 .3rem; }
.places label.wide input { grid-column: 1 / -1; }
.places input[type=range] { padding: 0; accent-color: var(--accent); }
.places input { font: inherit; font-size: .84rem; width: 100%; box-sizing: border-box; padding: .2rem .3rem;
        color: var(--ink); background: var(--sheet); border: 1px solid var(--line); border-radius: 4px;
        -moz-appearance: textfield; }
.places input:disabled { color: var(--quiet); background: var(--ground); }
.places input::-webkit-inner-spin-button { display: none; }
.places p { grid-column: 1 / -1; } .places [data-key=reset] { all: unset; cursor: pointer; grid-column: 1 / -1;
        color: var(--accent); font-size: .8rem; }
.places [data-key=reset]:focus-visible { outline: 3px solid var(--accent); }
.near .room { flex: 1; min-height: 0; overflow: auto; display: grid; place-items: center; }
body.panning, body.panning * { cursor: grabbing !important; user-select: none; }
.finding { display: block; width: 100%; text-align: left; color: var(--ink); background: var(--sheet);
        border: 1px solid var(--line); border-left: 5px solid var(--warn); border-radius: var(--radius);
        padding: .7rem 1rem; margin-bottom: .6rem; }
.finding.error { border-left-color: var(--bad); }
.finding .where { font-family: ui-monospace, monospace; font-size: .8rem; color: var(--quiet); }
.finding p { margin: .15rem 0 0; }
.grid [class*=ag-theme-params] { --ag-background-color: var(--sheet); --ag-foreground-color: var(--ink); --ag-spacing: 5px;
        --ag-chrome-background-color: var(--ground); --ag-border-color: var(--line); --ag-accent-color: var(--accent);
        --ag-header-text-color: var(--quiet); --ag-font-size: 13px; --ag-font-family: inherit; }
.grid { flex: 1; min-height: 0; }
.grid .unseen .ag-header-cell-label { clip-path: inset(50%); }
.grid .thumb { height: 26px; max-width: 34px; display: block; border-radius: 2px; box-shadow: 0 0 0 1px var(--line); }
.grid .card-cell { padding: 0 5px; display: grid; place-items: center; } .grid .number { text-align: right; }
.grid .swatch { display: inline-block; width: 1em; height: 1em; margin-right: .5em; vertical-align: -2px; border-radius: 3px;
        box-shadow: 0 0 0 1px var(--line); }
.choice-cell { width: 100%; height: 100%; font: inherit; color: var(--ink); background: var(--sheet); border: 0;
        padding: 0 .6rem; } .choice-cell:focus { outline: none; }
.grid input[type=checkbox] { width: 15px; height: 15px; vertical-align: middle; accent-color: var(--accent); }
.grid .ag-cell.wrong { background: color-mix(in srgb, var(--bad) 16%, transparent); box-shadow: inset 2px 0 var(--bad); }
.file { min-width: min(20rem, 100%); } .view.table .file { min-width: min(11rem, 100%); max-width: 13rem; }
.writing { flex: 1; min-height: 0; }
.text { height: 100%; border: 1px solid var(--line); font-size: .9rem; }
body.body--dark .text .cm-editor { filter: invert(.88) hue-rotate(180deg) brightness(1.25); }
.text .wrong { background: color-mix(in srgb, var(--bad) 22%, transparent); }
.choosing { min-width: min(70rem, 92vw); max-width: 92vw !important; }
.lefts { display: grid; grid-template-columns: minmax(8rem, 1fr) minmax(12rem, 1.3fr) minmax(10rem, 1.5fr); gap: .5rem 1rem;
        align-items: center; width: 100%; max-height: 55vh; overflow: auto; } .lefts .name { overflow-wrap: anywhere; }
.choosing h2 { font-size: 1.1rem; } .view.table.over .grid { outline: 3px solid var(--accent); outline-offset: -3px; }
.both { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; width: 100%; } .both > * { min-width: 0; }
.both h2 { font-size: 1rem; }
.both pre { height: 45vh; overflow: auto; border: 1px solid var(--line); padding: .5rem; font-size: .8rem;
        margin: .4rem 0 0; }
.both mark { background: color-mix(in srgb, var(--warn) 30%, transparent); color: inherit; }
#popup { display: none; }
#ended { border: 1px solid var(--line); border-radius: var(--radius); padding: 1.5rem 2rem; max-width: 30rem;
        background: var(--sheet); color: var(--ink); }
#ended::backdrop { background: rgb(0 0 0 / .45); }
.printing { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; max-width: 52rem; }
.printing section { display: grid; gap: .7rem; align-content: start; padding: 1rem 1.2rem; background: var(--sheet);
        border: 1px solid var(--line); border-radius: var(--radius); }
.printing h2 { font-size: 1rem; } .printing p { margin: .2rem 0 0; color: var(--quiet); } .printing .heading { margin: 0; }
.printing .q-btn { justify-self: start; }
.printing .asked { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); }
.printing .asked > :first-child { grid-column: span 2; }
.printing .calibrating { min-height: 0; } .printing .bar { margin: 0; }
.made { display: grid; grid-template-columns: 1fr auto auto; align-items: center; gap: .3rem .6rem; }
.begin .named { display: grid; gap: .8rem; align-content: start; } .printing .wide { grid-column: 1 / -1; min-height: 9rem; }
.said { color: var(--quiet); }
.log { white-space: pre-wrap; font-family: ui-monospace, monospace; font-size: .85rem; }
"""

# What a page says whose studio does not answer, over all else: what would be typed now would be lost.
ENDED = """
(async () => {
  const box = document.getElementById("ended"), pause = ms => new Promise(done => setTimeout(done, ms));
  const say = text => { box.firstChild.textContent = text; if (!box.open) box.showModal(); };
  box.addEventListener("cancel", event => event.preventDefault());
  while (!window.socket) await pause(100);
  window.socket.on("connect", () => box.close());
  window.socket.on("disconnect", async () => {
    say("The studio does not answer. Looking for it …");
    let ended = false;
    for (let tries = 0; !window.socket.connected; tries++) {
      const status = await fetch("/here").then(answer => answer.status, () => 0);
      if (window.socket.connected) return;
      if (status === 204 && ended) location.reload();
      if (status === 204 && tries > 1) say("The studio is busy. This page goes on by itself.");
      if (status === 403) say("Open the last address that pnp studio has printed. What you wrote is kept there.");
      if (status === 0 && tries > 1) say("The studio of this page has ended. What you wrote is kept. Type: pnp studio");
      if (status !== 204 && tries > 1) { ended = true; window.socket.disconnect(); }
      await pause(500);
    }
  });
})();
"""

# What the game's page does by itself: its panes' sizes, keys, the wheel, and the mark on what is selected.
FRAME = r"""
const act = (kind, value) => emitEvent("act", [kind, value]);
const zoom = (how, one = 0, other = 0) => emitEvent("zoom", [how, one, other]);
const room = () => document.querySelector(".views");
const fit = () => (top => zoom("fit", ...(top ? [top.clientWidth, top.clientHeight] :
  [room().clientWidth - 40, room().clientHeight - 120])))(document.querySelector(".table-top"));
const PANES = ["left", "right", "below"];
const panes = (() => { try { return JSON.parse(localStorage.getItem("pnp-panes")) || {}; } catch { return {}; } })();
const size = (name, wanted) => {
  const most = name === "below" ? 0.7 * innerHeight : 0.4 * innerWidth;
  const px = Math.round(Math.max(120, Math.min(most, wanted)));
  if (!PANES.includes(name) || !px) return;
  document.documentElement.style.setProperty("--" + name, px + "px");
  document.querySelectorAll(`[data-pane=${name}]`).forEach(bar => bar.ariaValueNow = px);
  panes[name] = px;
};
const keep = (name, wanted) => { size(name, wanted); localStorage.setItem("pnp-panes", JSON.stringify(panes)); };
for (const name of PANES) size(name, Number(panes[name]));
addEventListener("pointerdown", event => {
  const bar = event.target.closest?.("[data-pane]"), name = bar?.dataset.pane;
  if (!bar) return;
  event.preventDefault();
  bar.focus();
  bar.setPointerCapture(event.pointerId);
  const box = document.querySelector("." + name).getBoundingClientRect();
  bar.onpointermove = at => keep(name,
    name === "left" ? at.clientX - box.left : name === "right" ? box.right - at.clientX : box.bottom - at.clientY);
  bar.onpointerup = () => bar.onpointermove = null;
});
// What is typed while the palette opens goes into it.
let early = null;
const soon = () => {
  early = "";
  const end = performance.now() + 3000;
  const look = () => {
    const input = document.querySelector(".palette input");
    const there = input && document.activeElement === input;
    if (!there && performance.now() < end) return requestAnimationFrame(look);
    if (there && early) {
      input.value = early;
      input.dispatchEvent(new Event("input", {bubbles: true}));
    }
    early = null;
  };
  look();
};
addEventListener("keydown", event => {
  if (early === null || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key !== "Backspace" && event.key.length !== 1) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  early = event.key === "Backspace" ? early.slice(0, -1) : early + event.key;
}, true);
addEventListener("keydown", event => {
  const key = event.key.toLowerCase(), ctrl = event.ctrlKey || event.metaKey, inside = what => event.target.closest?.(what);
  const done = (...said) => { event.preventDefault(); act(...said); };
  if (ctrl && key === "k") { soon(); return done("do", "Find"); }
  if (ctrl && key === "j") return done("do", "Table");
  if (inside(".q-dialog, .cm-editor, .q-menu")) return;
  if (ctrl && key === "s") { if (inside(".right")) event.target.blur(); return done("do", "Save"); }
  const typing = inside("input, textarea") && !(key === "escape" && inside("[role=combobox][aria-expanded=false]"));
  if (ctrl && !typing && "zy".includes(key)) return done("do", key === "y" || event.shiftKey ? "Redo" : "Undo");
  if (ctrl || event.altKey || typing || inside(".ag-root")) return;
  const bar = inside("[data-pane]"), face = inside(".face"), moves = inside("[role=tab], [role=slider]");
  const pieces = !moves && document.querySelector(".views .face, .stage");
  if (bar && key.startsWith("arrow")) {
    const name = bar.dataset.pane, more = {arrowleft: -16, arrowright: 16, arrowup: 16, arrowdown: -16}[key];
    event.preventDefault();
    const box = document.querySelector("." + name).getBoundingClientRect();
    keep(name, name === "below" ? box.height + more : box.width + (name === "right" ? -more : more));
  } else if (key === "enter" && face) done("near", face.dataset.key);
  else if (pieces && key === "arrowright") done("do", "Next piece");
  else if (pieces && key === "arrowleft") done("do", "Previous piece");
  else if (key === "escape" && document.querySelector(".stage")) done("view", "Pieces");
  else if (key === "0") fit();
  else if (key === "1") zoom("real");
  else if ("+=".includes(key)) zoom("by", 1.25);
  else if (key === "-") zoom("by", 0.8);
});
// What scrolls around a place, and what lies there, by which it is known when it is drawn anew.
const scrolls = element => /auto|scroll/.test(getComputedStyle(element).overflow) &&
  (element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth);
const scroller = element => !element || scrolls(element) ? element : scroller(element.parentElement);
const LYING = ".face, .stage, figure, .felt";
const nearest = (x, y) => {
  const away = box => Math.max(box.left - x, 0, x - box.right) + Math.max(box.top - y, 0, y - box.bottom);
  const all = [...room().querySelectorAll(LYING)].map((each, at) => [away(each.getBoundingClientRect()), at]);
  return all.sort((one, other) => one[0] - other[0])[0]?.[1];
};
// The point under the pointer stays there while what is drawn becomes larger or smaller, as long as the pointer rests.
let held = {};
const stay = (x, y) => {
  const fresh = held.x !== x || held.y !== y || performance.now() - held.time > 1500;
  const at = fresh ? nearest(x, y) : held.at;
  const lying = () => (each => each?.querySelector("img") ?? each)(room().querySelectorAll(LYING)[at]);
  const before = lying()?.getBoundingClientRect();
  if (!before) return;
  if (fresh) held = {x, y, at, right: (x - before.left) / before.width, down: (y - before.top) / before.height};
  held.time = performance.now();
  const {right, down} = held, watch = new MutationObserver(() => requestAnimationFrame(() => {
    const now = lying()?.getBoundingClientRect(), bars = now && scroller(lying());
    bars?.scrollBy(now.left + right * now.width - x, now.top + down * now.height - y);
  }));
  watch.observe(room(), {childList: true, subtree: true, attributeFilter: ["style"]});
  setTimeout(() => watch.disconnect(), 600);
};
let turned = 0;
addEventListener("wheel", event => {
  if (!event.ctrlKey || !event.target.closest(".views")) return;
  event.preventDefault();
  const {clientX, clientY} = event;
  if (!turned) setTimeout(() => { stay(clientX, clientY); zoom("by", Math.exp(-turned / 500)); turned = 0; }, 60);
  turned += event.deltaY;
}, {passive: false});
// Dragging moves what is larger than the canvas; it is no click on what lies under it.
addEventListener("pointerdown", event => {
  if (event.button > 1 || event.pointerType === "touch" || !event.target.closest?.(".views .q-tab-panel")) return;
  if (event.target.closest("input, textarea, .cm-editor, .ag-root, .q-field, .bar, .log, pre, select, .lump")) return;
  const bars = scroller(event.target), {clientX, clientY} = event;
  if (!bars || !bars.closest(".views")) return;
  const left = bars.scrollLeft, top = bars.scrollTop;
  let moved = false;
  const move = to => {
    if (!moved && Math.hypot(to.clientX - clientX, to.clientY - clientY) < 5) return;
    moved = true;
    document.body.classList.add("panning");
    bars.scrollTo(left - to.clientX + clientX, top - to.clientY + clientY);
  };
  const done = () => {
    removeEventListener("pointermove", move);
    document.body.classList.remove("panning");
    if (!moved) return;
    const no = click => { click.preventDefault(); click.stopPropagation(); };
    addEventListener("click", no, {capture: true, once: true});
    setTimeout(() => removeEventListener("click", no, true), 50);
  };
  addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, done, {once: true});
});
addEventListener("dragstart", event => { if (event.target.closest?.(".views")) event.preventDefault(); });
let picked = [];
const mark = () => {
  document.querySelectorAll(".face, .part").forEach(each => {
    const on = picked.includes(each.dataset.key) ? "true" : null;
    if (each.ariaCurrent !== on) each.ariaCurrent = on;
  });
  // It has no list of the browser's own, which would be another combobox.
  document.querySelector("input[role=combobox][list]")?.removeAttribute("list");
  document.querySelectorAll(".cm-content:not([aria-labelledby])").forEach(each => {
    each.tabIndex = 0;
    each.setAttribute("aria-labelledby", each.closest(".text").id);
  });
};
const pick = (keys, go) => {
  picked = keys;
  mark();
  // Twice: what comes into view may be higher than it was taken for.
  if (go) for (const wait of [60, 400]) setTimeout(() => {
    const face = document.querySelector(".face[aria-current]");
    face?.scrollIntoView({block: "nearest"});
    if (document.activeElement?.matches(".face")) face?.focus({preventScroll: true});
  }, wait);
};
new MutationObserver(mark).observe(document.body, {childList: true, subtree: true});
"""

"""The look of the studio, in light and in dark: what Quasar's own styles do not say."""

CSS = """
:root { --ink: #1d2430; --quiet: #5a6472; --ground: #f4f2ee; --sheet: #ffffff; --line: #d8d3ca; --accent: #0b5fa5;
        --bad: #b3261e; --warn: #8a5a00; --radius: 8px; }
body.body--dark { --ink: #eceff3; --quiet: #a9b3c0; --ground: #16191e; --sheet: #21262e; --line: #3a424d; --accent: #7db8ec;
        --bad: #ff9a92; --warn: #f0c36d; }
body { background: var(--ground); color: var(--ink); font-family: system-ui, sans-serif; }
a { color: var(--accent); }
@layer base { body.body--dark .text-primary { color: var(--accent) !important; } }
h1, h2 { margin: 0; font-weight: 650; line-height: 1.2; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.home { width: 100%; max-width: 62rem; margin: 1.5rem auto; padding: 0 1.5rem; }
.home h1 { font-size: 2rem; margin-bottom: 1.5rem; }
.games { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 1.25rem; }
.game { display: block; padding: 1rem; border-radius: var(--radius); background: var(--sheet); color: var(--ink);
        box-shadow: 0 0 0 1px var(--line); text-decoration: none; }
.game:hover { box-shadow: 0 0 0 2px var(--accent); }
.game h2 { font-size: 1.05rem; margin-bottom: .35rem; }
.game p { margin: 0; font-size: .85rem; color: var(--quiet); }
.game p.error { color: var(--bad); }
.game p.warning { color: var(--warn); }
.game p.error::before, .game p.warning::before { content: "▲ "; }
.shown { height: 9.5rem; display: flex; align-items: center; justify-content: center; margin-bottom: .6rem;
        position: relative; }
.game .shown { height: 13rem; }
.pick .shown img { height: 9rem; }
.shown img { display: block; background: var(--ground); max-width: 100%; max-height: 100%; border-radius: 5px;
        box-shadow: 0 0 0 1px var(--line), 0 1px 4px rgb(0 0 0 / .25); }
.home > .bar { justify-content: space-between; margin-bottom: 1.5rem; }
.home > .bar h1 { margin: 0; }
.begin { display: grid; gap: .6rem; }
.begin h1 { margin: 0 0 .5rem; }
.begin h2 { font-size: 1.05rem; margin: .8rem 0 .7rem; }
.begin .back { justify-self: start; }
.begin .q-input, .begin .q-select { max-width: 32rem; }
.begin .table .q-textarea { max-width: none; }
.begin .q-field__control { background: var(--sheet); border-radius: var(--radius); }
.picks { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 1rem; }
.picks.looks { grid-template-columns: repeat(6, minmax(0, 1fr)); }
.pick { position: relative; display: flex; flex-direction: column; gap: .2rem; padding: 1rem; cursor: pointer;
        background: var(--sheet); border-radius: var(--radius); box-shadow: 0 0 0 1px var(--line); }
.pick:hover { box-shadow: 0 0 0 1px var(--quiet); }
.pick:has(:checked) { box-shadow: 0 0 0 3px var(--accent); }
.pick:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 4px; }
.pick input { position: absolute; opacity: 0; }
.pick b { display: block; font-weight: 650; }
.pick span { color: var(--quiet); font-size: .85rem; line-height: 1.35; display: block; }
.card { height: 9rem; aspect-ratio: 63.5 / 88.9; border-radius: 5px; display: block; }
.looks .pick { padding: .6rem; text-align: center; }
.fan { position: relative; width: 100%; height: 9rem; }
.shown .fan img { position: absolute; left: 50%; top: 4%; height: 8.2rem; max-width: none;
        margin-left: -2.9rem; transform-origin: 50% 110%; }
.fan img:nth-child(1) { transform: rotate(-14deg); }
.fan img:nth-child(3) { transform: rotate(14deg); }
.card { background: var(--ground); }
.card.empty { background: none; border: 2px dashed var(--line); }
.card.under, .card.over { position: absolute; background: var(--sheet); border: 2px solid var(--line); height: 7.8rem; }
.card.under { transform: translate(-.9rem, -.6rem); }
.card.over { transform: translate(.5rem, .5rem); }
.begin .table { display: grid; grid-template-columns: minmax(0, 1fr) 15rem; gap: 1rem; }
.cells { font-family: ui-monospace, monospace; font-size: .85rem; min-height: 7rem; tab-size: 14; white-space: pre; }
.drop { border: 2px dashed var(--line); border-radius: var(--radius); display: grid; place-content: center;
        justify-items: center; gap: .6rem; padding: 1rem; text-align: center; }
.drop-input { display: none; }
.over .drop { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 12%, transparent); }
.face.over img { outline: 4px solid var(--accent); outline-offset: 2px; filter: brightness(1.1); }
.wrong { color: var(--bad); }
.begin .last { position: sticky; bottom: 0; padding: .9rem 0; background: var(--ground); z-index: 1; }
@media (max-width: 55rem) { .picks.looks { grid-template-columns: repeat(3, minmax(0, 1fr)); }
        .begin .table { grid-template-columns: minmax(0, 1fr); } }
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
.bench .drafts { margin-left: auto; color: var(--warn) !important; }
.bench .drafts:not(.hidden) ~ .status { margin-left: 0; }
.choosing { min-width: min(70rem, 92vw); max-width: 92vw !important; }
.both { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; width: 100%; }
.both > * { min-width: 0; }
.both h2 { font-size: 1rem; }
.both pre { height: 45vh; overflow: auto; border: 1px solid var(--line); padding: .5rem; font-size: .8rem;
        margin: .4rem 0 0; }
.both mark { background: color-mix(in srgb, var(--warn) 30%, transparent); color: inherit; }
#popup { display: none; }
#ended { border: 1px solid var(--line); border-radius: var(--radius); padding: 1.5rem 2rem; max-width: 30rem;
        background: var(--sheet); color: var(--ink); }
#ended::backdrop { background: rgb(0 0 0 / .45); }
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
    for (let tries = 0; !window.socket.connected; tries++) {
      const status = await fetch(location.href).then(answer => answer.status, () => 0);
      if (window.socket.connected) return;
      if (status === 200 && tries > 1) location.reload();
      if (status === 403) say("Open the address that pnp studio has printed. What you wrote is kept there.");
      if (status === 0 && tries > 1) say("The studio of this page has ended. What you wrote is kept. Type: pnp studio");
      if (status !== 200 && tries > 1) window.socket.disconnect();
      await pause(1000);
    }
  });
})();
"""

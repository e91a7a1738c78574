// What the game's page does by itself: its panes' sizes, keys, the wheel, and the mark on what is selected.
const act = (kind, value) => emitEvent("act", [kind, value]);
const zoom = (how, one = 0, other = 0) => {
  fitted[how === "fit" ? "add" : "delete"](shown());
  emitEvent("zoom", [how, one, other]);
};
// The views that fit their room, and go on to when the window has another size.
const fitted = new Set(), shown = () => document.querySelector(".switch [aria-selected=true]")?.textContent;
let resized = 0;
addEventListener("resize", () => { clearTimeout(resized); resized = setTimeout(() => fitted.has(shown()) && fit(), 150); });
const room = () => document.querySelector(".views");
const fit = () => (top => zoom("fit", ...(top ? [top.clientWidth, top.clientHeight] :
  [room().clientWidth - 40, room().clientHeight - 120])))(document.querySelector(".table-top"));
// As soon as a view that was just chosen has its size; who has gone on to another one has that one left as it is.
const fitSoon = view => setTimeout(() => shown() === view && fit(), 100);
const toText = where => room().querySelector(`[data-at="${CSS.escape(where)}"] textarea`)?.focus();
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
  const end = performance.now() + 10000;
  const look = () => {
    const input = [...document.querySelectorAll(".palette input")].at(-1);
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

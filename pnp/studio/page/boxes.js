// What the page does by itself with the boxes: they follow the pointer and the keys, and say at the end where they are.
const KEYS = ["x", "y", "w", "h"];
// Whatever comes meanwhile, it stays in the hand; and where it was put, until the studio has answered to all of it.
const waits = {};
const rest = element => { element.busy = false; element.dispatchEvent(new Event("rest", {bubbles: true})); };
const where = box => Object.fromEntries(KEYS.map(key => [key, Number(box.dataset[key])]));
const tenth = value => Math.round(value * 10) / 10;
const lay = (box, at) => {
  const {scale, around} = box.parentNode.dataset, px = value => value * scale + "px";
  Object.assign(box.dataset, at);
  box.style.left = px(at.x + Number(around)); box.style.top = px(at.y + Number(around));
  box.style.width = px(at.w); box.style.height = px(at.h);
  box.lastChild.textContent = KEYS.map(key => tenth(at[key])).join("  ");
};
const place = (of, said) => {
  const {at} = of.closest("[data-at]").dataset;
  of.held = of.timer = clearTimeout(of.timer);
  of.busy = true;
  waits[at] = (waits[at] ?? 0) + 1;
  emitEvent("place", [at, said]);
};
const placed = at => {
  if (--waits[at]) return;
  for (const each of document.querySelectorAll(".box, .places *"))
    if (each.busy && !each.held && !each.timer && each.closest("[data-at]").dataset.at === at) rest(each);
};
const left = element => { element.held = false; if (!waits[element.closest("[data-at]").dataset.at]) rest(element); };
const later = (box, at) => {
  box.busy = true;
  lay(box, at);
  clearTimeout(box.timer);
  box.timer = setTimeout(() => place(box, at), 350);
};
// To the edge of another box or of the card, where one is near, else to a whole mm.
const lines = (box, one, two) => [0, Number(box.parentNode.dataset[one === "x" ? "width" : "height"]),
  ...[...box.parentNode.children].filter(each => each !== box && !each.matches(".picture"))
    .map(where).flatMap(each => [each[one], each[one] + each[two]])];
const near = (value, all) => all.filter(line => Math.abs(line - value) < 0.8)
  .sort((one, two) => Math.abs(one - value) - Math.abs(two - value))[0];
const larger = (at, times) => ({x: at.x - at.w * (times - 1) / 2, y: at.y - at.h * (times - 1) / 2,
  w: at.w * times, h: at.h * times});
const dragged = (box, start, edge, dx, dy, exact) => {
  const at = {...start}, picture = box.matches(".picture"), free = box.dataset.free;
  if (picture && edge) return larger(start, Math.max(0.1, 1 + 2 * (edge.includes("w") ? -dx : dx) / start.w));
  for (const [one, two, by, low, high] of [["x", "w", dx, "w", "e"], ["y", "h", dy, "n", "s"]]) {
    const all = exact ? [] : lines(box, one, two), end = start[one] + start[two];
    const snap = value => picture ? start[one] + tenth(by) : exact ? tenth(value) : near(value, all) ?? Math.round(value);
    if (!edge && free.includes(one)) {
      const right = exact || picture ? undefined : near(end + by, all), left = near(start[one] + by, all);
      at[one] = left === undefined && right !== undefined ? right - start[two] : snap(start[one] + by);
    } else if (edge.includes(low)) {
      at[one] = Math.min(snap(start[one] + by), end - 1); at[two] = end - at[one];
    } else if (edge.includes(high)) at[two] = Math.max(1, snap(end + by) - start[one]);
  }
  return at;
};
addEventListener("pointerdown", event => {
  const box = event.target.closest?.(".box"), start = box && where(box), edge = event.target.dataset?.edge ?? "";
  if (!box || event.button) return;
  event.preventDefault(); event.stopImmediatePropagation();
  box.focus();
  box.setPointerCapture(event.pointerId);
  const art = box.matches(".picture") && document.querySelector(".right .art img");
  if (art) box.style.backgroundImage = `url("${art.src}")`;
  let at = start;
  clearTimeout(box.timer);
  box.busy = box.held = true;
  box.onpointermove = to => {
    const scale = Number(box.parentNode.dataset.scale);
    at = dragged(box, start, edge, (to.clientX - event.clientX) / scale, (to.clientY - event.clientY) / scale, to.altKey);
    box.classList.add("held");
    lay(box, at);
  };
  box.onpointerup = box.onpointercancel = () => {
    box.onpointermove = box.onpointerup = null;
    box.classList.remove("held");
    box.style.backgroundImage = "";
    if (box.timer || KEYS.some(key => at[key] !== start[key])) place(box, at); else left(box);
  };
}, true);
addEventListener("keydown", event => {
  const box = event.target.closest?.(".box"), key = event.key.toLowerCase().replace("arrow", "");
  if (!box || event.altKey || event.metaKey) return;
  const way = {left: ["x", -1], right: ["x", 1], up: ["y", -1], down: ["y", 1]}[key], picture = box.matches(".picture");
  const at = where(box), by = event.shiftKey ? 0.1 : 1, sized = event.ctrlKey && way ? {x: "w", y: "h"}[way[0]] : way?.[0];
  if (way && event.ctrlKey && picture) return;
  if (way && box.dataset.free.includes(sized)) at[sized] = Math.round(1000 * (at[sized] + way[1] * by)) / 1000;
  else if (picture && box.dataset.free && !event.ctrlKey && "+=-".includes(key))
    Object.assign(at, larger(at, key === "-" ? 1 / 1.05 : 1.05));
  else if (key === "escape") box.blur();
  if (!way && !"+=-".includes(key) && key !== "escape") return;
  event.preventDefault(); event.stopImmediatePropagation();
  if (key !== "escape" && Math.min(at.w, at.h) >= 1) later(box, at);
}, true);
addEventListener("wheel", event => {
  const box = event.target.closest?.(".box.picture");
  if (!box || event.ctrlKey || !box.dataset.free) return;
  event.preventDefault();
  box.focus({preventScroll: true});
  later(box, larger(where(box), Math.exp(-event.deltaY / 1500)));
}, {passive: false});
addEventListener("input", event => { if (event.target.closest?.(".places")) event.target.busy = event.target.held = true; });
addEventListener("focusout", ({target}) => {
  if (target.timer) place(target, where(target)); else if (target.held && target.matches("input")) left(target);
});
addEventListener("change", event => {
  const {key, shift} = event.target.dataset ?? {};
  if (!key || !event.target.closest(".places")) return;
  const said = event.target.value, value = Number(said);
  place(event.target, {[key]: key === "size" ? said.trim() : key === "zoom" ? 2 ** value : value + Number(shift)});
});
addEventListener("click", event => {
  const key = event.target.dataset?.key, at = event.target.closest?.(".places [data-at]")?.dataset.at;
  if (at && key === "reset") place(event.target, {reset: true});
  if (at && key === "go") [...document.querySelectorAll(".box")].find(box => box.dataset.at === at)?.focus();
});

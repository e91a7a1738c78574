const play = (what, at = "", x = 0, y = 0, more = false) => emitEvent("play", [what, at, x, y, more]);
// What was selected may have gone, and what comes of a move lies elsewhere.
const refocus = at => setTimeout(() => {
  const old = document.activeElement;
  if (old === document.body || old.matches(".lump")) document.querySelector(`.lump[data-at="${at}"]`)?.focus();
}, 50);
const lump = event => event.target.closest?.(".lump");
addEventListener("focusin", event => lump(event) && play("choose", lump(event).dataset.at));
addEventListener("keydown", event => {
  const key = event.key.toLowerCase();
  if (!lump(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  const [x, y] = {arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, -1], arrowdown: [0, 1]}[key] ?? [0, 0];
  if (!x && !y && !/^[frsdelgp]$/.test(key)) return;
  event.preventDefault();
  play(x || y ? "push" : key, lump(event).dataset.at, x, y, event.shiftKey);
});
addEventListener("pointerdown", event => {
  const piece = lump(event), {clientX, clientY} = event;
  if (!piece || event.button || piece.matches(".fixed")) return;
  const box = piece.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  let ghost;
  const move = to => {
    const across = to.clientX - clientX, down = to.clientY - clientY;
    if (!ghost && Math.hypot(across, down) < 5) return;
    if (!ghost) document.body.append(ghost = Object.assign(piece.cloneNode(true), {className: "lump ghost"}));
    Object.assign(ghost.style, {left: `${x + across}px`, top: `${y + down}px`});
  };
  const done = to => {
    removeEventListener("pointermove", move);
    const dropped = ghost && to.type === "pointerup";
    ghost?.remove();
    ghost = null;
    const over = dropped && document.elementFromPoint(to.clientX, to.clientY), felt = document.querySelector(".felt");
    if (!over || !felt) return;
    const around = felt.getBoundingClientRect();
    if (over.closest(".hand")) play("d", piece.dataset.at, 0, 0, to.shiftKey);
    const across = (x + to.clientX - clientX - around.x) / around.width;
    const down = (y + to.clientY - clientY - around.y) / around.height;
    if (over.closest(".table-top")) play("drop", piece.dataset.at, across, down, to.shiftKey);
  };
  addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, done, {once: true});
});

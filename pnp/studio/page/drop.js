// All of a folder that was dropped, each file with its place in it.
const walked = async entry => {
  if (entry.isFile) return [[entry.fullPath, await new Promise((done, no) => entry.file(done, no))]];
  const found = [], reader = entry.createReader(), some = () => new Promise((done, no) => reader.readEntries(done, no));
  for (let each; (each = await some()).length;) for (const inner of each) found.push(...await walked(inner));
  return found;
};
const sendAll = found => send(found.filter(([path]) => !/(^|\/)\./.test(path))
  .map(([path, file]) => new File([file], encodeURIComponent(path.replace(/^\//, "")))));
// The server takes what is before a stroke for a folder.
const send = (chosen, key) => {
  const files = new DataTransfer(), input = document.querySelector(".drop-input input[type=file]");
  for (const file of chosen)
    files.items.add(key ? new File([file], `${key}:${file.name.replaceAll(/[\\/]/g, "_")}`, {type: file.type}) : file);
  input.files = files.files;
  input.dispatchEvent(new Event("change", {bubbles: true}));
};
for (const kind of ["dragover", "dragleave", "drop"]) document.addEventListener(kind, event => {
  if (![...event.dataTransfer.types].includes("Files")) return;
  const places = "[data-key].face, [data-key].art, [data-key].stage, .begin .table, .view.table, .view:has(.wall)";
  // Many at once go to the rows of their names, wherever they fall: that is what lights up.
  const many = [...event.dataTransfer.items].filter(each => each.kind === "file").length > 1;
  const all = many && event.target.closest?.(".view.table, .view:has(.wall)");
  const box = all || event.target.closest?.(places);
  document.querySelectorAll(".over").forEach(each => each.classList.remove("over"));
  if (box && kind === "dragover") box.classList.add("over");
  if (kind !== "dragleave") event.preventDefault();
  const files = [...event.dataTransfer.files];
  const table = box?.matches(".views .view, .view.table") || (files.length > 1 && box?.matches(".face, .art, .stage"));
  if (["project", "pictures"].includes(box?.dataset.key) && kind === "drop") {
    const entries = [...event.dataTransfer.items].map(item => item.webkitGetAsEntry());
    Promise.all(entries.filter(Boolean).map(walked)).then(found => sendAll(found.flat()));
  } else if (box && kind === "drop" && files.length)
    send(table ? files : files.slice(0, 1), table ? "table" : box.dataset.key);
});

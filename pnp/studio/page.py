"""What every page of the studio has: its look, and that it follows what changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from pnp.studio.style import CSS, ENDED
from pnp.values.problems import Problem

# Files that are dropped go to the page's one upload; those on a piece under the piece's key. What falls beside is let fall:
# the browser would leave the page for it.
UPLOAD = "drop-input"
CHOOSE = f"() => document.querySelector('.{UPLOAD} input[type=file]').click()"
DROP = r"""
for (const kind of ["dragover", "dragleave", "drop"]) document.addEventListener(kind, event => {
  if (![...event.dataTransfer.types].includes("Files")) return;
  const box = event.target.closest && event.target.closest(".face, .begin .table");
  document.querySelectorAll(".over").forEach(each => each.classList.remove("over"));
  if (box && kind === "dragover") box.classList.add("over");
  if (kind !== "dragleave") event.preventDefault();
  const file = event.dataTransfer.files[0];
  if (!box || kind !== "drop" || !file) return;
  const files = new DataTransfer(), input = document.querySelector(".drop-input input[type=file]");
  // The server takes what is before a stroke for a folder.
  const key = box.dataset.key;
  files.items.add(key ? new File([file], `${key}:${file.name.replaceAll(/[\\/]/g, "_")}`, {type: file.type}) : file);
  input.files = files.files;
  input.dispatchEvent(new Event("change", {bubbles: true}));
});
"""


def dress(title: str) -> None:
    from nicegui import ui

    ui.page_title(title)
    ui.colors(primary="#0b5fa5")
    ui.add_css(CSS)
    ui.add_body_html(f"<dialog id='ended' role='alertdialog'><p></p></dialog><script>{ENDED}{DROP}</script>")


def follow(refresh: Callable[[], None], listeners: list[Callable[[], None]]) -> None:
    """Refresh a page whenever something has changed, in the page's own turn, until its window is closed."""
    from nicegui import ui

    loop, client = asyncio.get_running_loop(), ui.context.client

    def inside() -> None:
        with client:
            refresh()

    def heard() -> None:
        loop.call_soon_threadsafe(inside)

    listeners.append(heard)
    client.on_delete(lambda: listeners.remove(heard))


def counted(problems: Sequence[Problem]) -> str:
    """How many errors and warnings there are, in words."""
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    said = [f"{count} {word}{'s' * (count != 1)}" for count, word in ((errors, "error"), (warnings, "warning")) if count]
    return ", ".join(said) or "Nothing wrong"

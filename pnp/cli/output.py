"""Prints findings in groups, tables, or one JSON object, and chooses the exit code."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pnp import __version__
from pnp.values.problems import listed, visible
from pnp.values.walk import grouped

if TYPE_CHECKING:
    from pnp.values.outcome import Result
    from pnp.values.problems import Problem

FINDINGS, UNREADABLE, UNDECIDED = 1, 3, 5
# Findings of one rule on the terminal; beyond that they are many of one kind, and one sees what to do.
MOST_SHOWN = 12
# Columns of words in a table; the others are numbers.
WORDS = 2


def say(text: str, err: bool = False) -> None:
    """Prints a line, control characters in it as escapes."""
    click.echo(visible(text), err=err)


def asked_for_json(context: click.Context, _: click.Parameter, value: bool) -> None:
    context.meta["json"] = value


def wants_json() -> bool:
    """Whether the command was given --json."""
    return bool(click.get_current_context().meta.get("json"))


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """A progress callback: a moving line on a terminal, plain lines elsewhere, nothing with JSON."""
    if wants_json():
        yield lambda _: None
    elif sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status("starting") as status:
            yield lambda text: status.update(visible(text))
    else:
        yield lambda text: say(text, err=True)


def checked(result: Result) -> str:
    warnings = len(result.problems)
    found = f"nothing wrong, {number(warnings, 'warning')}" if warnings else "nothing wrong was found"
    if _undecided(result):
        found = f"not decided, {number(warnings, 'warning')}"
    bound = f"; {result.bound}" if result.bound else ""
    bound += "".join(f"; {language} {share}" for language, share in result.languages)
    return f"{result.game}: {found}{bound}" + (f"; {near(result.files[0])}" if result.files else "")


def finish(
    results: Sequence[Result],
    show: Callable[[Result], str],
    failed: str = "nothing was written",
    reports: bool = False,
) -> None:
    """Prints the results of all games and exits with their code."""
    if wants_json():
        click.echo(json.dumps({"games": [_as_dict(result) for result in results]}, ensure_ascii=False, indent=2))
    else:
        told: set[Problem] = set()
        for result in results:
            # What is wrong with a game is wrong for each of its files, and in each of its languages.
            show_problems(problem for problem in result.problems if problem not in told)
            told.update(result.problems)
            if result.ok:
                say(show(result))
            else:
                came = f"wrote {near(result.files[0])}" if result.files else failed
                came = f"{failed}; {near(result.files[0])}" if reports and result.files else came
                say(f"{result.game}: {number(len(result.problems.errors), 'error')}; {came}", err=True)
    code = UNDECIDED if reports and any(map(_undecided, results)) else 0
    if any(not result.ok for result in results):
        code = FINDINGS
    if any(result.problems.unreadable for result in results):
        code = UNREADABLE
    if code:
        click.get_current_context().exit(code)


def _undecided(result: Result) -> bool:
    """Whether a proof reached no verdict."""
    if not len(result.problems):
        return False
    from pnp.check import registry

    return any(problem.rule in registry.UNDECIDED for problem in result.problems)


def show_problems(problems: Iterable[Problem]) -> None:
    """Prints findings by group, in the order in which a person would mend them."""
    # To know the order is to know all checks.
    if not (found := list(problems)):
        return
    from pnp.check.registry import HEADINGS, group_of, in_order

    groups = grouped((group_of(problem.rule), problem) for problem in in_order(found))
    for group, own in groups.items():
        if len(groups) > 1:
            click.echo(click.style(f"{HEADINGS[group]}: {len(own)}", bold=True), err=True)
        shown, untold = Counter[str](), Counter[str]()
        for alike in grouped((_likeness(problem), problem) for problem in own).values():
            problem = alike[0]
            shown[problem.rule] += 1
            if shown[problem.rule] > MOST_SHOWN:
                untold[problem.rule] += len(alike)
                continue
            severity = click.style(problem.severity, fg={"error": "red", "warning": "yellow"}[problem.severity])
            click.echo(f"{severity} {problem} [{problem.rule}]", err=True)
            if len(alike) > 1:
                rows = listed(dict.fromkeys(str(each.place.row) for each in alike[1:]), 8)
                where = "there" if rows == str(problem.place.row) else f"like it, in rows {rows}"
                say(f"  and {len(alike) - 1} more {where}", err=True)
        for rule, times in untold.items():
            say(f"  and {times} more of {rule} (all of them with --json)", err=True)


def _likeness(problem: Problem) -> tuple[object, ...]:
    """Equal for findings of one cause: of other rows of a column, or of one line of a template."""
    place = problem.place
    in_template = place.file.endswith(".j2") and place.row is not None
    same = place.row if in_template else (place.column, problem.message, problem.allowed)
    return (problem.rule, problem.severity, place.file, same)


def _as_dict(result: Result) -> dict[str, Any]:
    from dataclasses import asdict

    from pnp.check.registry import in_order
    from pnp.values.findings import ClaimShown, TableShown

    return {
        "game": result.game,
        "ok": result.ok,
        "problems": [problem.as_dict() for problem in in_order(result.problems)],
        "files": [str(path) for path in result.files],
        "components": [asdict(entry) for entry in result.counts],
        **({"together": result.together} if result.together else {}),
        "claims": [asdict(shown) for _, shown in result.shown if isinstance(shown, ClaimShown)],
        "tables": [{"group": group, **asdict(shown)} for group, shown in result.shown if isinstance(shown, TableShown)],
        **({"numbers": asdict(result.bound)} if result.bound else {}),
        "allowed": [{**problem.as_dict(), "because": because} for problem, because in result.silenced],
    }


def built(result: Result) -> str:
    """Prints a build's result; its manifest, the last file, is in the folder of all others."""
    if not result.files:
        return f"{result.game}: {result.said}"
    pieces, files = sum(entry.copies for entry in result.counts), len(result.files)
    return f"{result.game}: {number(pieces, 'piece')} in {number(files, 'file')} below {near(result.files[-1].parent)}"


def table(rows: Sequence[tuple[str, ...]], words: int = WORDS) -> str:
    """Prints rows in columns, on terminals and in pipes alike: texts to the left, numbers to the right.

    Not by rich: it sets a column in which a line is broken wider than its longest line, and takes 30 ms to load.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        (
            cell.ljust(width) if at < words else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join("  ".join(line).rstrip() for line in lines)


def number(count: int, noun: str, several: str = "") -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {several or noun + 's'}"


def near(path: Path) -> str:
    """A path as short as possible from here."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except (ValueError, RuntimeError):  # of a link that leads to itself
        return str(path)


def our_fault() -> None:
    """Writes a traceback to a file for us; tells the person in a sentence."""
    import platform
    import tempfile
    import traceback

    from pnp.system.manifest import lasting

    with tempfile.NamedTemporaryFile(
        "w", prefix="pnp-fault-", suffix=".txt", dir=lasting(), delete=False, encoding="utf-8"
    ) as log:
        log.write(f"pnp-press {__version__}, Python {platform.python_version()}, {platform.platform()}\n")
        log.write(f"arguments: {sys.argv[1:]}\n\n{traceback.format_exc()}")
    say(f"Error: this is a fault of pnp itself, not of your game. Please send us {log.name}.", err=True)

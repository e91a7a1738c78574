"""Implements ``pnp watch``, ``doctor``, ``completion`` and ``schema``."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pnp.cli import options as ask
from pnp.cli.output import FINDINGS, built, near, number, our_fault, say, show_problems, wants_json
from pnp.system.cache import Cache, cache_folder
from pnp.values.game import Paper
from pnp.values.outcome import Options, Result
from pnp.values.problems import ended, listed

if TYPE_CHECKING:
    from pnp.flows.doctor import Health
    from pnp.flows.watch import Change, Watch


@click.command()
@ask.game
@ask.papers
@click.option("--build", "also_build", is_flag=True, help="Also make the printable files whenever nothing is wrong.")
@ask.out
def watch(game: str, papers: tuple[Paper, ...], also_build: bool, out: Path | None) -> None:
    """Draw and check a game whenever one of its files is saved, and keep a preview page fresh.

    The page is output/GAME/preview/index.html. Ctrl-C ends the watch.
    """
    from pnp.flows.build import build_game
    from pnp.flows.watch import Watch

    project = ask.project()
    project.folder(game)
    options = Options(out=ask.output(out), papers=papers)
    cache = Cache(cache_folder())

    def build() -> Result:
        return replace(build_game(project, game, options, lambda _: None, cache), subject=None, portraits={})

    watched = Watch(project, game, options.out, papers, build if also_build else None, cache)
    say(f"watching {' and '.join(map(near, watched.folders))}; Ctrl-C ends it")
    say(f"open {near(watched.page)} in a browser: it follows")
    while True:
        look(watched)
        time.sleep(watched.pause)


def look(watched: Watch) -> None:
    """Looks at the files once; prints errors and goes on."""
    try:
        change = watched.look()
    except OSError as error:
        say(f"Error: {error.strerror or error}: {error.filename or 'a file'}; still watching", err=True)
        return
    except Exception:
        our_fault()
        return
    if change is not None:
        _tell(change)


def _tell(change: Change) -> None:
    """Prints new and mended findings, then the state."""
    result = change.result
    show_problems(change.new)
    for problem in change.mended:
        click.echo(f"{click.style('mended', fg='green')} {problem.place}: {problem.message}")
    errors = len(result.problems.errors)
    warnings = len(result.problems) - errors
    found = [number(count, noun) for count, noun in ((errors, "error"), (warnings, "warning")) if count]
    stands = [", ".join(found) or "nothing wrong"]
    if change.drawn:
        stands.append(f"drawn: {', '.join(change.drawn)}")
    if result.counts and result.ok:
        stands.append(built(result).removeprefix(f"{result.game}: "))
    say(f"{result.game}: {'; '.join(stands)}")


@click.command()
@click.argument("game", required=False, shell_complete=ask.complete_games)
@click.option(
    "--print",
    "printing",
    is_flag=True,
    help="Also write a test print of size, margins and colours: output/doctor/a4.pdf and letter.pdf.",
)
@ask.out
@ask.as_json
def doctor(game: str | None, printing: bool, out: Path | None) -> None:
    """Tell what there is to print with: versions, add-ons, games, fonts, printers, room; and what is not well."""
    from pnp.flows.doctor import examine, print_test
    from pnp.read import presets

    health = examine(ask.here(), game, out)
    if out is None:
        ask.refuse_link(health.out)
    if printing and health.writable:
        print_test(health, (presets.paper("a4"), presets.paper("letter")))
    if wants_json():
        click.echo(json.dumps(_as_dict(health), ensure_ascii=False, indent=2))
    else:
        _show(health)
    if health.complaints:
        click.get_current_context().exit(FINDINGS)


def _show(health: Health) -> None:
    most = 100
    shared = sorted(set.intersection(*map(set, health.fonts.values()))) if health.fonts else []
    lines = [
        ("pnp", f"{health.pnp}, Python {health.python}, {health.platform}"),
        ("libraries", listed((f"{name} {version}" for name, version in health.libraries.items()), most)),
        ("add-ons", listed((name for name, lacking in health.extras.items() if not lacking), most)),
        *(
            ("", f"{name} lacks {listed(lacking)}. Type: pip install 'pnp-press[{name}]'")
            for name, lacking in health.extras.items()
            if lacking
        ),
        ("games", listed(health.games, most)),
        ("fonts", listed(shared, most)),
    ]
    for name, families in health.fonts.items():
        if own := [family for family in families if family not in shared]:
            lines.append(("", f"{name} also {listed(own, most)}"))
    measured = (f"{name} ({entry.dx:+g}, {entry.dy:+g}, {entry.angle:g}°)" for name, entry in health.printers.items())
    lines.append(("printers", listed(measured, most)))
    lines.append(("output", f"{near(health.out)}, {health.free / 1e9:.1f} GB free"))
    for name, text in lines:
        say(f"{name:<11}{text or 'none'}")
    for path in health.files:
        say(f"wrote {near(path)}")
    for complaint in health.complaints:
        click.echo(f"{click.style('problem', fg='red')} {ended(complaint['message'])} {complaint['hint']}", err=True)
    say(number(len(health.complaints), "problem") if health.complaints else "all is well")


def _as_dict(health: Health) -> dict[str, Any]:
    from dataclasses import asdict

    told = asdict(health)
    return {
        "ok": not health.complaints,
        **{key: told[key] for key in ("pnp", "python", "platform", "libraries")},
        "add-ons": health.extras,
        **{key: told[key] for key in ("games", "fonts", "printers")},
        "output": {"folder": str(health.out), "free": health.free, "writable": health.writable},
        "problems": health.complaints,
        "files": [str(path) for path in health.files],
    }


@click.command()
@click.argument("shell", type=ask.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script with which a shell completes commands, options, games and components."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None, f"click completes for {shell}"
    # Not source(), which asks the bash of this machine for its version: the script is the same on every one.
    maker = kind(context.find_root().command, {}, "pnp", "_PNP_COMPLETE")
    click.echo(maker.source_template % maker.source_vars())


@click.command()
@click.argument("file", type=ask.Choice(("game", "rules")), default="game")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write; by default standard output.")
def schema(file: str, out: Path | None) -> None:
    """Write the JSON Schema of game.toml, or of rules.toml, for editors."""
    from pnp.read.schema import GameFile, json_schema
    from pnp.system.manifest import as_json, put_anew
    from pnp.values.sections import RulesFile

    text = as_json(json_schema(RulesFile if file == "rules" else GameFile))
    if out is None:
        click.echo(text.decode(), nl=False)
    else:
        # There is no record of such a file: what is there may be anybody's.
        if not os.path.lexists(out):
            put_anew(out, text)
        elif out.is_symlink() or not out.is_file() or out.read_bytes() != text:
            raise click.UsageError(f"{out} is there already and says something else; remove it first")
        say(f"wrote {near(out)}")

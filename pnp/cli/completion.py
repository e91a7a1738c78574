"""Names that a shell completes while a command is typed: games and components, silent when there are none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

    from pnp.read.project import Project

SHELLS = ("bash", "zsh", "fish")


def games(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Games of the project that begin so and are not named yet."""
    project = _project(context)
    given = context.params.get(parameter.name or "") or ()
    names = project.games() if project else []
    return [name for name in names if name.startswith(incomplete) and name not in given]


def components(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Components, that begin so, of the game typed before."""
    from pnp.read.names import component_names

    # Of several games those typed so far are not handed to the command yet.
    project, named = _project(context), [context.params.get("game"), *context.args]
    game = next(filter(None, named), "")
    if project is None or game not in project.games():
        return []
    return [name for name in component_names(project.content / game) if name.startswith(incomplete)]


def script(command: click.Command, shell: str) -> str:
    """What a shell reads once to complete this command."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None, f"click completes for {shell}"
    # Not source(), which asks the bash of this machine for its version: the script is the same on every one.
    maker = kind(command, {}, "pnp", "_PNP_COMPLETE")
    return maker.source_template % maker.source_vars()


def _project(context: click.Context) -> Project | None:
    from pnp.read.project import NoSuchGame, find_project

    try:
        return find_project(Path(context.find_root().params.get("start") or Path.cwd()).resolve())
    except (NoSuchGame, OSError):
        return None

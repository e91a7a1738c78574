"""The command line: one face over :mod:`pnp.flows`. Knows words and exit codes, decides nothing.

Exit codes: 0 all well · 1 something is wrong with a game · 2 the command itself · 3 a file that
cannot be read or written · 4 a fault of pnp's own · 5 ``pnp check`` could not decide · 130 interrupted.
"""

from __future__ import annotations

import errno
import gc
import importlib
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from pnp import __version__
from pnp.cli.output import UNREADABLE, our_fault, say
from pnp.system import addons
from pnp.system.process import STDOUT
from pnp.values.problems import Fault, visible

FAILED, USAGE, OURS, INTERRUPTED = 1, 2, 4, 130


# Commands by what one wants: where each is, for only the one that is typed is imported, and what it does.
COMMANDS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "Start": {
        "new": ("start:new", "Make a game: a deck of your table, a sample, or a copy."),
        "template": ("start:template", "Make a template of a drawing, or write out a look."),
        "fetch": ("start:fetch", "Bring tables of a game from Google Sheets or the web."),
    },
    "Look": {
        "preview": ("proof:preview", "Make a PNG of a game's pieces."),
        "watch": ("watch:watch", "Draw and check a game whenever a file of it is saved."),
        "check": ("proof:check", "Find what is wrong before you print."),
        "list": ("proof:list_games", "List games, components and columns."),
        "count": ("proof:count", "Count the pieces of a game."),
        "simulate": ("proof:simulate", "Show sheets as colour-blind eyes see them, or in grey."),
    },
    "Print": {
        "build": ("build:build", "Make the PDFs to print."),
        "ink": ("proof:ink", "Estimate sheets, ink and money."),
        "calibrate": ("proof:calibrate", "Make backs lie behind their fronts on your printer."),
        "verify": ("proof:verify", "Count the pieces in printed files."),
        "printed": ("proof:printed", "Say what is on paper; later print only what changed."),
    },
    "More": {
        "translate": ("start:translate", "Make or update the translations of a game."),
        "doctor": ("watch:doctor", "Tell what this machine has, and what is missing."),
        "clean": ("build:clean", "Empty the cache, or take built files away."),
        "completion": ("watch:completion", "Print the script with which a shell completes names."),
        "schema": ("watch:schema", "Write the JSON Schema of game.toml, or of rules.toml, for editors."),
    },
}
_WHERE = {name: told for group in COMMANDS.values() for name, told in group.items()}


# What else one may call a command.
_MEANT = {
    **dict.fromkeys(("print", "pdf", "make", "run", "render"), "build"),
    **dict.fromkeys(("create", "init"), "new"),
    **dict.fromkeys(("test", "lint", "validate"), "check"),
    **dict.fromkeys(("edit", "open", "serve", "gui"), "studio"),
    **dict.fromkeys(("share", "publish"), "export"),
}


# These give the work to children themselves, a game each, or read no game; all others do all of it in one child.
LASTING = ("studio", "watch")
ON_THEIR_OWN = ("build", "check", "completion", "new", "schema", "studio", "watch")


class _Commands(click.Group):
    """The group of pnp's own commands and those of add-ons."""

    def invoke(self, context: click.Context) -> Any:
        from pnp.system.manifest import scratch
        from pnp.system.watchdog import guarded

        name = (context._protected_args or [""])[0]
        if name not in LASTING:
            # Little is garbage until a command ends; to look for it takes a tenth of the time.
            gc.disable()
        with scratch():
            if name in ON_THEIR_OWN:
                return super().invoke(context)
            return guarded(lambda: _exit_code(lambda: super(_Commands, self).invoke(context)))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from pnp.values.problems import closest

            near = closest(args[0], self.list_commands(ctx))
            if args[0] in _MEANT:
                near = f"pnp {_MEANT[args[0]]} does that."
            elif args[0] == "help":
                near = f"Write {' '.join(['pnp', *args[1:2], '--help'])}."
            elif Path(args[0]).is_file():
                from pnp.cli.options import deck_of

                near = deck_of(args[0])
            raise click.UsageError(f"{error.message} {near}".rstrip(), ctx) from error

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted({*_WHERE, *addons.names("pnp.commands")})

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the commands in groups, each with a whole sentence."""
        found = ((name, self.get_command(context, name)) for name in addons.names("pnp.commands"))
        added = {name: ("", command.get_short_help_str(80)) for name, command in found if command is not None}
        for title, group in {**COMMANDS, "Add-ons": added}.items():
            if group:
                with formatter.section(title):
                    formatter.write_dl([(name, said) for name, (_, said) in group.items()], col_spacing=3)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name in _WHERE:
            where, said = _WHERE[name]
            module, _, command = where.partition(":")
            found: click.Command = getattr(importlib.import_module(f"pnp.cli.{module}"), command)
            found.short_help = said
            return found
        if name not in addons.names("pnp.commands"):
            return super().get_command(context, name)
        try:
            added: click.Command = addons.load("pnp.commands", name)
        except Fault as missing:
            words = str(missing)

            def refuse() -> None:
                raise click.UsageError(words)

            # It stands in for the one that cannot be loaded, and says why.
            settings = {"ignore_unknown_options": True, "allow_extra_args": True}
            return click.Command(name, callback=refuse, help=words, context_settings=settings, add_help_option=False)
        return added


def commands() -> dict[str, click.Command]:
    context = click.Context(cli)
    found = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    return {name: command for name, command in found.items() if command is not None}


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--project",
    "start",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="The folder with content/. Default: here or above.",
)
@click.version_option(__version__, prog_name="pnp")
@click.pass_context
def cli(context: click.Context, start: Path | None) -> None:
    """The print-and-play press: content tables in, printable board games out.

    \b
    Type first:  pnp new mydeck --table cards.xlsx   a deck of your own table
            or:  pnp new mygame                      a small complete game to change

    pnp COMMAND --help says more of each.
    """
    context.obj = start


def main() -> None:
    """Runs the command line; every failure ends in a sentence and an exit code."""
    from pnp.system.process import listen, prepare

    prepare()
    listen()
    try:
        code = _exit_code(lambda: cli(standalone_mode=False))
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        code = INTERRUPTED
    sys.exit(code)


def _exit_code(work: Callable[[], Any]) -> int:
    """Runs a command; reports what goes wrong. Raises KeyboardInterrupt."""
    try:
        code = work()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as left:
        return left.exit_code
    except click.Abort as abort:
        # Click takes a file that ends too soon for somebody who wants to stop.
        if isinstance(abort.__cause__, EOFError):
            return _told(abort.__cause__)
        raise KeyboardInterrupt from None
    except MemoryError:
        from pnp.system.watchdog import limited

        if limited():
            raise
        say("Error: this machine has too little memory for it", err=True)
        return FAILED
    except Exception as error:
        return _told(error)


def _told(error: Exception) -> int:
    """Reports an error; returns its exit code."""
    from pnp.system.watchdog import Died

    cause = error.__context__
    if isinstance(error, RuntimeError) and isinstance(cause, OSError) and cause.errno == errno.ELOOP:
        error = cause  # so pathlib says it of a link that leads to itself
    if isinstance(error, click.ClickException):
        vars(error)["message"] = visible(error.message)
        error.show()
        return USAGE
    if isinstance(error, Fault):
        say(f"Error: {error}", err=True)
        return USAGE
    if isinstance(error, Died):
        say(f"Error: {error.step}: {error.why}", err=True)
        return FAILED
    if isinstance(error, BrokenPipeError):
        return 0
    if isinstance(error, OSError):
        say(f"Error: {_said(error)}", err=True)
        if advice := _advice(error):
            say(advice, err=True)
        return UNREADABLE
    if isinstance(error, EOFError) and "marshal" in str(error):
        # A disk that was full while Python compiled pnp; Python does not look at what it reads.
        home = Path(__file__).parent.parent
        say(f"Error: a compiled file of pnp is cut short. Remove the folders __pycache__ in {home}.", err=True)
        return UNREADABLE
    our_fault()
    return OURS


def _advice(error: OSError) -> str:
    """A hint for an error, if there is one."""
    name = error.filename2 or error.filename
    path = Path(str(name)) if name else None
    if name == STDOUT:
        return ""
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return "Allow more files to be open at once: type ulimit -n 1024 before the command."
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "The disk is full: make room on it, or choose another place with --out where the command has that."
    if error.errno == errno.EROFS or (error.errno in (errno.EACCES, errno.EPERM) and path is not None and path.is_dir()):
        return "Nothing may be written there: choose another place with --out."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EBUSY) and path is not None:
        return "If it is open in another program, such as a PDF viewer, close it there, and run the command again."
    return ""


def _said(error: OSError) -> str:
    """The message of an error, with its file."""
    import os
    import tempfile

    if isinstance(error, ChildProcessError):
        return str(error)
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    name = str(error.filename2 or error.filename or "")
    # Files of a build name themselves; others that can be large are temporary.
    if full and (not name or name.startswith(f"{tempfile.gettempdir()}{os.sep}pnp-")):
        name = tempfile.gettempdir()
    return f"{error.strerror or error}: {name or 'a file'}"

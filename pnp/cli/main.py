"""The command line: one face over :mod:`pnp.flows`. Knows words and exit codes, decides nothing.

Exit codes: 0 all well · 1 something is wrong with a game · 2 the command itself · 3 a file that
cannot be read or written · 4 a fault of pnp's own · 5 ``pnp check`` could not decide · 130 interrupted.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pnp import __version__
from pnp.cli.build import build, clean
from pnp.cli.check import check, count, list_games, verify
from pnp.cli.export import export
from pnp.cli.fetch import fetch
from pnp.cli.importing import bring
from pnp.cli.output import UNREADABLE, our_fault
from pnp.cli.printed import printed
from pnp.cli.printer import calibrate
from pnp.cli.proof import ink, preview, simulate
from pnp.cli.start import new
from pnp.cli.studio import studio
from pnp.cli.template import template
from pnp.cli.translate import translate
from pnp.cli.watch import completion, doctor, schema, watch

USAGE, OURS, INTERRUPTED = 2, 4, 130


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--project",
    "start",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="The folder with content/. Default: here or above.",
)
@click.version_option(__version__, prog_name="pnp")
@click.pass_context
def cli(context: click.Context, start: Path | None) -> None:
    """The print-and-play press: content tables in, printable board games out."""
    from pnp.system.stopping import scratch

    context.obj = start
    context.with_resource(scratch())


for command in (build, clean, check, verify, count, preview, list_games, calibrate, schema, simulate, ink, new, watch):
    cli.add_command(command)
cli.add_command(export)
cli.add_command(fetch)
cli.add_command(doctor)
cli.add_command(template)
cli.add_command(completion)
cli.add_command(bring)
cli.add_command(printed)
cli.add_command(studio)
cli.add_command(translate)


def main() -> None:
    """Run the command line; every failure leaves as a sentence and an exit code."""
    import io

    from pnp.system.stopping import run

    # Where a letter cannot be shown a ? is: a terminal or pipe that knows few letters is nobody's fault.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    sys.exit(run(_run, _interrupted))


def _run() -> int:
    from pnp.system import stopping

    try:
        code = cli(standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.Abort as abort:
        # Click takes a file that ends too soon for somebody who wants to stop.
        if isinstance(abort.__cause__, EOFError):
            return _told(abort.__cause__)
        raise KeyboardInterrupt from None
    except Exception as error:
        if stopping.asked():
            raise KeyboardInterrupt from None
        return _told(error)


def _interrupted() -> int:
    click.echo("interrupted", err=True)
    return INTERRUPTED


def _told(error: Exception) -> int:
    """Say what went wrong; the exit code for it."""
    from pnp.read.project import NoSuchGame

    if isinstance(error, click.ClickException):
        error.show()
        return USAGE
    if isinstance(error, NoSuchGame):
        click.echo(f"Error: {error}", err=True)
        return USAGE
    if isinstance(error, BrokenPipeError):
        return 0
    if isinstance(error, OSError):
        click.echo(f"Error: {_said(error)}", err=True)
        if advice := _advice(error):
            click.echo(advice, err=True)
        return UNREADABLE
    if isinstance(error, EOFError) and "marshal" in str(error):
        # A disk that was full while Python compiled pnp; Python does not look at what it reads.
        home = Path(__file__).parent.parent
        click.echo(f"Error: a compiled file of pnp is cut short. Remove the folders __pycache__ in {home}.", err=True)
        return UNREADABLE
    our_fault()
    return OURS


def _advice(error: OSError) -> str:
    """What to do about it, where that is known."""
    import errno

    name = error.filename2 or error.filename
    path = Path(str(name)) if name else None
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "The disk is full: make room on it, or choose another place with --out."
    if error.errno == errno.EROFS or (error.errno in (errno.EACCES, errno.EPERM) and path is not None and path.is_dir()):
        return "Nothing may be written there: choose another place with --out."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EBUSY) and path is not None:
        return "If it is open in another program, such as a PDF viewer, close it there, and run the command again."
    return ""


def _said(error: OSError) -> str:
    """What went wrong with which file."""
    import errno
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

"""``pnp`` for tests: a command run in a folder, as a shell would, and what it left."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from pnp.cli import main as cli


@dataclass(frozen=True)
class Left:
    """The exit code, and what was said on both channels."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """All of standard output as one JSON value."""
        return json.loads(self.out)

    @property
    def problems(self) -> list[dict[str, Any]]:
        """The findings of the only game of a ``--json`` answer."""
        (game,) = self.json["games"]
        return list(game["problems"])


def run(*arguments: str | Path, at: Path) -> Left:
    """Run a command; a fault of pnp's own fails any test."""
    out, err = io.StringIO(), io.StringIO()
    code: object = None
    with (
        contextlib.chdir(at),
        mock.patch.object(sys, "argv", ["pnp", *map(str, arguments)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            cli.main()
        except SystemExit as left:
            code = left.code
    assert code in (0, 1, 2, 3, 5), err.getvalue()
    assert isinstance(code, int)
    return Left(code, out.getvalue(), err.getvalue())

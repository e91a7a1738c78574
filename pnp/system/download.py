"""Downloads a file for ``pnp fetch``: bounded in size and time, over https alone."""

from __future__ import annotations

import time
from http.client import HTTPException, HTTPMessage
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from pnp.values.problems import Fault

MOST_BYTES = 32_000_000
# For the whole of it, and for each answer of the server.
MOST_SECONDS, PATIENCE = 120, 30
_UNREACHED = "Look whether the address is right, and whether this computer is connected."
_HERE = ("localhost", "127.0.0.1", "::1")


def download(address: str, most: int = MOST_BYTES) -> bytes:
    """The content at an address, at most ``most`` bytes. Raises Fault."""
    _allow(address)
    begun, parts, size = time.monotonic(), list[bytes](), 0
    try:
        request = Request(address, headers={"User-Agent": "pnp-press", "Accept": "text/csv, */*;q=0.5"})
        with build_opener(_Redirects).open(request, timeout=PATIENCE) as answer:
            while part := answer.read1(65536):
                parts.append(part)
                size += len(part)
                if size > most:
                    raise Fault(f"what lies there is larger than {most / 1_000_000:g} MB")
                if time.monotonic() - begun > MOST_SECONDS:
                    raise Fault(f"it took longer than {MOST_SECONDS} seconds", hint="Try it again later.")
    except HTTPError as error:
        hint = (
            "Share it with everybody who has the link." if error.code in (401, 403) else "Look whether the address is right."
        )
        raise Fault(f"the server says {error.code} {error.reason}", hint=hint) from None
    except URLError as error:
        raise Fault(f"the server cannot be reached: {error.reason}", hint=_UNREACHED) from None
    except (OSError, HTTPException, ValueError) as error:
        raise Fault(f"the server cannot be reached: {error or type(error).__name__}", hint=_UNREACHED) from None
    return b"".join(parts)


def _allow(address: str) -> None:
    """Raises Fault for what is not https, except on this machine."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        raise Fault("this is no address", hint="It begins with https://") from None
    if not host or not (parts.scheme == "https" or (parts.scheme == "http" and host in _HERE)):
        raise Fault(f'"{address[:200]}" is no address that pnp would fetch', hint="It begins with https://")


class _Redirects(HTTPRedirectHandler):
    """Follows few redirects, to allowed addresses only."""

    max_redirections = 5

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        _allow(newurl)
        if urlsplit(newurl).hostname in _HERE and urlsplit(req.full_url).hostname not in _HERE:
            raise Fault("the server leads on to an address of this machine")
        return super().redirect_request(req, fp, code, msg, headers, newurl)

"""Write what pnp is made of as a bill of materials (CycloneDX): ``python docs/make/sbom.py [EXTRA]… > sbom.cdx.json``.

It names each package that is installed for pnp-press and for the extras that are named, with its version, its licence and
what it needs in turn. The same packages give the same bytes: no time, no number by chance.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from importlib import metadata
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PACKAGE = "pnp-press"


def needed(extras: Iterable[str]) -> dict[str, list[str]]:
    """Each installed package that pnp needs, itself as well, and the names of those that it needs in turn."""
    found: dict[str, list[str]] = {}
    wanted: dict[str, set[str]] = {}
    open_ends = [(PACKAGE, frozenset(extras))]
    while open_ends:
        name, more = open_ends.pop()
        if name in wanted and more <= wanted[name]:
            continue
        wanted.setdefault(name, set()).update(more)
        try:
            lines = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue  # an extra that is not installed
        asked = [each for each in map(Requirement, lines) if _applies(each, wanted[name])]
        found[name] = sorted({canonicalize_name(each.name) for each in asked})
        open_ends += [(canonicalize_name(each.name), frozenset(each.extras)) for each in asked]
    return {name: [each for each in parts if each in found] for name, parts in sorted(found.items())}


def _applies(requirement: Requirement, extras: Iterable[str]) -> bool:
    return not requirement.marker or any(requirement.marker.evaluate({"extra": each}) for each in ("", *extras))


def licences(name: str) -> tuple[str, ...]:
    """What a package says of its licence: an SPDX expression, or else its classifiers, or else its own words."""
    said = metadata.metadata(name)
    if expression := said.get("License-Expression"):
        return (expression,)
    classifiers = [each for each in said.get_all("Classifier") or () if each.startswith("License :: ")]
    named = sorted(each.rpartition(" :: ")[2] for each in classifiers if each != "License :: OSI Approved")
    return tuple(named) or ((said.get("License") or "").partition("\n")[0],)


def component(name: str) -> dict[str, Any]:
    """A package as CycloneDX has it."""
    version, said = metadata.version(name), licences(name)
    spdx = "License-Expression" in metadata.metadata(name)
    return {
        "type": "application" if name == PACKAGE else "library",
        "bom-ref": reference(name),
        "name": name,
        "version": version,
        "licenses": [{"expression": said[0]}] if spdx else [{"license": {"name": each}} for each in said],
        "purl": reference(name),
    }


def reference(name: str) -> str:
    """The address of a package, as package URLs are written."""
    return f"pkg:pypi/{name}@{metadata.version(name)}"


def bill(extras: Iterable[str]) -> str:
    """The whole file."""
    parts = needed(extras)
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": component(PACKAGE)},
        "components": [component(name) for name in parts if name != PACKAGE],
        "dependencies": [
            {"ref": reference(name), "dependsOn": [reference(each) for each in inner]} for name, inner in parts.items()
        ],
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(bill(sys.argv[1:]))

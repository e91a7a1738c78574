"""What a release is made of: one version everywhere, licences that go together, a bill of materials, workflows."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from types import ModuleType
from typing import Any

import pytest
import yaml
from conftest import ROOT

from pnp import __version__

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# What people get who install pnp, and what only those need who work on it.
EXTRAS = {"those who use it": ("exports", "imports", "press", "studio", "dask"), "those who work on it": ("test", "docs")}
# By SPDX: all may be used and passed on beside code under MIT. MPL asks to pass on changes of its own files, OFL forbids
# only to sell a font alone.
FREE = {"MIT", "MIT-CMU", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "MPL-2.0", "PSF-2.0", "Zlib", "CC0-1.0"}
# The same in the words of packages that do not write SPDX.
CALLED = {
    *("Apache Software License", "Apache License 2.0", "Apache 2.0", "BSD License", "BSD", "MIT License"),
    *("Mozilla Public License 2.0 (MPL 2.0)", "Python Software Foundation License", "ISC License (ISCL)"),
    *("SIL Open Font License 1.1 (OFL-1.1)",),
}
# Read by a person, because their metadata says several things at once.
READ = {
    "axe-playwright-python": "MIT, by its file LICENSE; the axe-core in it MPL-2.0",
    "docutils": "public domain, and parts under BSD; only its mode for Emacs, which nobody here imports, is under the GPL",
    "pypdfium2": "BSD-3-Clause or Apache-2.0; the PDFium in it BSD-3-Clause, with parts under like licences",
}


@pytest.fixture
def sbom(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """``docs/make/sbom.py``."""
    monkeypatch.syspath_prepend(ROOT / "docs/make")
    import sbom  # type: ignore[import-not-found]

    return sbom  # type: ignore[no-any-return]


def is_free(said: tuple[str, ...]) -> bool:
    """Whether all that a package says of its licence is allowed."""
    words = [word for each in said for word in ([each] if each in CALLED else re.findall(r"[\w.-]+", each))]
    return bool(words) and all(word in FREE | CALLED | {"AND", "OR"} for word in words)


@pytest.mark.parametrize("who", EXTRAS)
def test_the_licences_of_all_libraries_go_together_with_ours(sbom: ModuleType, who: str) -> None:
    """Of each that is installed, those that libraries need in turn as well; which is which is in the bill of materials."""
    said = {name: sbom.licences(name) for name in sbom.needed(EXTRAS[who])}

    assert len(said) > len(PROJECT["dependencies"])
    assert {name: words for name, words in said.items() if name not in READ and not is_free(words)} == {}


def test_a_licence_that_is_not_free_is_noticed() -> None:
    """Words that are not known are not taken for allowed ones."""
    assert [is_free((each,)) for each in ("MIT", "BSD-3-Clause AND (MIT OR Zlib)", "BSD License")] == [True] * 3
    assert [is_free((each,)) for each in ("GPL-3.0-only", "MIT AND GPL-2.0", "", "Proprietary")] == [False] * 4
    assert not is_free(("MIT License", "GNU General Public License (GPL)"))


def test_the_bill_of_materials_names_each_library_once_and_is_the_same_each_time(sbom: ModuleType) -> None:
    """As CycloneDX has it: what refers to something refers to what is there."""
    command = [sys.executable, "-P", ROOT / "docs/make/sbom.py", "studio"]
    made = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=60)
    bill: dict[str, Any] = json.loads(made.stdout)
    versions = {each["name"]: each["version"] for each in bill["components"]}
    references = {each["bom-ref"] for each in [bill["metadata"]["component"], *bill["components"]]}

    assert made.stdout == sbom.bill(["studio"])
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert {"typst", "nicegui", "jinja2"} <= set(versions) and "pytest" not in versions
    assert versions == {name: metadata.version(name) for name in versions}
    assert {each["ref"] for each in bill["dependencies"]} == references
    assert {each for entry in bill["dependencies"] for each in entry["dependsOn"]} <= references
    assert all(part["licenses"] for part in bill["components"])


def test_one_version_is_told_everywhere() -> None:
    """By the package, by pnp itself and by the file that says how to cite it."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))

    assert PROJECT["version"] == __version__ == cited["version"]
    assert cited["cff-version"] == "1.2.0" and cited["license"] == PROJECT["license"]


def workflow(name: str) -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / f".github/workflows/{name}.yml").read_text(encoding="utf-8")))


def test_each_python_that_is_named_is_tried() -> None:
    """The classifiers, the least Python and the workflow say the same."""
    named = [each.rpartition(" :: ")[2] for each in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", each)]
    job = workflow("ci")["jobs"]["test"]

    assert job["strategy"]["matrix"]["python"] == named
    assert PROJECT["requires-python"] == f">={named[0]}"
    assert job["steps"][-1]["run"] == ".ci/run"


def test_only_what_was_tried_is_published() -> None:
    """Nothing is built before the tests, nothing is published that was not built and attested there; no secret is kept."""
    jobs = workflow("release")["jobs"]
    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / ".github").rglob("*.yml")}

    assert jobs["test"]["uses"] == "./.github/workflows/ci.yml"
    assert (jobs["build"]["needs"], jobs["publish"]["needs"]) == ("test", "build")
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert [path for path, text in texts.items() if "secrets." in text or "password" in text] == []


@pytest.mark.parametrize("name", ["bug", "wish"])
def test_a_form_asks_for_little_and_names_each_answer_once(name: str) -> None:
    """Each question has an id of its own and a label."""
    form = yaml.safe_load((ROOT / f".github/ISSUE_TEMPLATE/{name}.yml").read_text(encoding="utf-8"))
    asked = [part for part in form["body"] if part["type"] != "markdown"]

    assert form["name"] and form["description"] and len(asked) <= 5
    assert len({part["id"] for part in asked}) == len(asked)
    assert all(part["attributes"]["label"] for part in asked)

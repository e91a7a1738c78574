"""Many builds: games side by side on any executor, a deck for each person, going on where a build was stopped."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pypdf
import pytest

from pnp.flows.batch import Task, build_each, build_elsewhere, build_games, check_games
from pnp.read.presets import paper
from pnp.system.cache import Cache, engines
from pnp.system.watchdog import Watchdog
from pnp.values.outcome import Options
from tests.commands import run
from tests.conftest import TINY_GAME, TINY_TABLE, TinyProject, files_in

PERSONS = "id,name,wish\nanna,Anna Ärmel,Much fun!\nbob,Bob,Good luck\n"
TEMPLATE = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}
{{ s.ground(face, "#ffffff") }}
{{ s.text(row.name ~ (" for " ~ each.name if each else ""), 5, 5, 53, 10, size="14 7", name="title") }}
{{ s.text(row.text, 5, 40, 53, 40, size="10 7", name="rules") }}
{% endblock %}
"""


def silent(_: str) -> None:
    """Nobody listens."""


@pytest.fixture
def personal(tiny: TinyProject) -> TinyProject:
    """A tiny game whose cards name the person they are for, and a table of two persons."""
    tiny.write("content/tiny/templates/cards.svg.j2", TEMPLATE)
    tiny.write("persons.csv", PERSONS)
    return tiny


def words(path: Path) -> str:
    """All that a PDF says."""
    return " ".join(" ".join(page.extract_text().split()) for page in pypdf.PdfReader(path).pages)


def test_each_person_gets_a_deck(personal: TinyProject, tmp_path: Path) -> None:
    """``--each`` builds a deck for every row, with that row's cells in it, in a folder of its own."""
    root = personal.project.root
    left = run("build", "tiny", "--each", root / "persons.csv", "--out", tmp_path / "out", "--jobs", "1", at=root)

    each = tmp_path / "out" / "tiny" / "each"
    assert left.code == 0
    assert {path.name for path in each.iterdir()} == {"anna", "bob"}
    assert "Anna for Anna Ärmel" in words(each / "anna" / "a4" / "print.pdf")
    assert "for Bob" not in words(each / "anna" / "a4" / "print.pdf")
    assert "Bert for Bob" in words(each / "bob" / "a4" / "cards.pdf")


def test_a_template_that_needs_a_person_is_told_how_to_get_one(personal: TinyProject) -> None:
    """Without --each there is no name, and it is said where names come from."""
    personal.write("content/tiny/templates/cards.svg.j2", TEMPLATE.replace(' if each else ""', ""))
    (problem,) = run("check", "tiny", "--json", at=personal.project.root).problems

    assert problem["value"] == "name"
    assert "--each" in problem["message"]
    assert "{% if each %}{{ each.name }}{% endif %}" in problem["hint"]


def test_a_stopped_run_goes_on(personal: TinyProject, tmp_path: Path) -> None:
    """What was finished before is not built again; what is missing is."""
    told: list[str] = []
    options, cache = Options(tmp_path / "out"), Cache(tmp_path / "cache")
    persons = personal.project.root / "persons.csv"
    persons.write_text(PERSONS.splitlines()[0] + "\n" + PERSONS.splitlines()[1] + "\n", encoding="utf-8")
    build_each(personal.project, "tiny", options, persons, silent, cache, Watchdog())
    persons.write_text(PERSONS, encoding="utf-8")

    results = build_each(personal.project, "tiny", options, persons, told.append, cache, Watchdog(1, told.append))

    assert [result.ok for result in results] == [True, True]
    assert "tiny for anna: nothing has changed" in told
    assert not any("bob" in text and "nothing" in text for text in told)
    assert (tmp_path / "out/tiny/each/bob/a4/print.pdf").is_file()


def test_no_person_gets_a_folder_that_windows_cannot_hold(personal: TinyProject, tmp_path: Path) -> None:
    """Told with file and row, and nothing is built."""
    personal.write("persons.csv", "name,nickname\nAnn,Annie\nCon,Connie\n")

    left = run("build", "tiny", "--each", "persons.csv", "--out", tmp_path, "--json", at=personal.project.root)

    (problem,) = left.problems
    assert (left.code, problem["rule"], problem["file"], problem["row"]) == (1, "reserved-name", "persons.csv", 3)
    assert not (tmp_path / "tiny").exists()


@contextmanager
def cluster() -> Iterator[Executor]:
    """A real Dask cluster: a scheduler and two worker processes on this machine."""
    from distributed import Client, LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None, "silence_logs": 50}
    with LocalCluster(**options) as local, Client(local) as client:
        yield client.get_executor()


EXECUTORS = {"threads": lambda: ThreadPoolExecutor(2), "dask": cluster}


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("kind", ["threads", "dask"])
def test_any_executor_builds_the_same_bytes(kind: str, personal: TinyProject, tmp_path: Path) -> None:
    """Two games in threads, on a cluster of two workers: file for file what one process makes."""
    personal.write("content/other/game.toml", TINY_GAME.replace("Tiny", "Other"))
    personal.write("content/other/cards.csv", TINY_TABLE)
    personal.write("content/other/templates/cards.svg.j2", TEMPLATE)
    names, papers = ["other", "tiny"], (paper("a4"),)
    alone = build_games(personal.project, names, Options(tmp_path / "alone", papers), silent, None, Watchdog())
    with EXECUTORS[kind]() as executor:
        together = build_games(personal.project, names, Options(tmp_path / "together", papers), silent, None, executor)

    assert [result.game for result in together] == [result.game for result in alone] == names
    assert files_in(tmp_path / "together") == files_in(tmp_path / "alone")


def test_a_cluster_that_does_not_answer_is_told(personal: TinyProject) -> None:
    """A wrong address is a mistake of the command."""
    code = "from pnp.cli import main as cli; import sys; sys.argv = ['pnp', 'build', '--dask', 'nonsense://x']; cli.main()"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=personal.project.root, capture_output=True, text=True, timeout=60)

    assert done.returncode == 2
    assert "no Dask scheduler answers at nonsense://x" in done.stderr


def test_games_are_checked_side_by_side(tiny: TinyProject, tmp_path: Path) -> None:
    """Elsewhere, or one after the other: the same findings in the same order, and the same reports."""
    tiny.write("content/sound/game.toml", TINY_GAME.replace("Tiny", "Sound"))
    tiny.write("content/sound/cards.csv", TINY_TABLE)
    tiny.write("content/sound/templates/cards.svg.j2", TEMPLATE)
    tiny.write("content/tiny/cards.csv", TINY_TABLE + "Carl,:nothing:\n")
    names, cache = ["tiny", "sound"], Cache(tmp_path / "cache", 0)

    alone = check_games(tiny.project, names, Options(tmp_path / "alone"), silent, None, Watchdog())
    with ThreadPoolExecutor(2) as executor:
        beside = check_games(tiny.project, names, Options(tmp_path / "beside"), silent, cache, executor)

    assert [(result.game, result.ok) for result in alone] == [("tiny", False), ("sound", True)]
    assert [problem.rule for problem in alone[0].problems] == ["missing-art"]
    for one, other in zip(alone, beside, strict=True):
        assert (one.game, list(one.problems), one.shown) == (other.game, list(other.problems), other.shown)

    assert files_in(tmp_path / "alone") == files_in(tmp_path / "beside")
    assert set(files_in(tmp_path / "alone")) == {"tiny/report.html", "sound/report.html"}
    assert not files_in(tmp_path / "cache"), "whoever has checked elsewhere trims the cache here"


def test_what_is_changed_and_undone_meanwhile_is_not_taken_for_built(tiny: TinyProject) -> None:
    """While the first game is built the second one's file says something else: what was printed of it is not remembered."""
    shutil.copytree(tiny.game, tiny.project.content / "zoo")
    shutil.copytree(tiny.project.root / "templates/tiny", tiny.project.root / "templates/zoo")
    table = tiny.project.content / "zoo/cards.csv"
    printed = tiny.project.root / "output/zoo/a4/print.pdf"
    options, cache = Options(tiny.project.root / "output"), Cache(tiny.project.root / "cache")
    said: list[str] = []

    def meddling(line: str) -> None:
        said.append(line)
        if line.startswith("tiny: printing"):
            table.write_text(TINY_TABLE.replace("Bert", "Mallory"))
        if line.startswith("zoo: printing"):
            table.write_text(TINY_TABLE)

    first = build_games(tiny.project, ["tiny", "zoo"], options, meddling, cache, Watchdog(1, meddling))
    assert "Mallory" in words(printed), "that is what was there when it was read"
    assert [problem.rule for problem in first[1].problems] == ["changed-meanwhile"]
    said.clear()
    second = build_games(tiny.project, ["tiny", "zoo"], options, said.append, cache, Watchdog(1, said.append))

    assert "tiny: nothing has changed" in said and "zoo: nothing has changed" not in said
    assert "Mallory" not in words(printed)
    assert list(second[1].problems) == []
    said.clear()
    build_games(tiny.project, ["tiny", "zoo"], options, said.append, cache, Watchdog(1, said.append))
    assert said == ["tiny: nothing has changed", "zoo: nothing has changed"]


@pytest.mark.parametrize("file", ["content/tiny/cards.csv", "content/tiny/art/new.svg"])
def test_a_file_changed_while_it_is_built_is_told(tiny: TinyProject, file: str) -> None:
    """The pages may show the old and the new, so the person is asked to build again, and nothing is remembered."""
    options, cache = Options(tiny.project.root / "output"), Cache(tiny.project.root / "cache")

    def meddling(line: str) -> None:
        if "printing" in line:
            place = tiny.project.root / file
            tiny.write(file, (place.read_text() if place.exists() else "") + "\n")

    (result,) = build_games(tiny.project, ["tiny"], options, meddling, cache, Watchdog(1, meddling))

    (problem,) = result.problems
    assert (problem.rule, problem.place.file, problem.severity) == ("changed-meanwhile", file, "warning")
    said: list[str] = []
    (result,) = build_games(tiny.project, ["tiny"], options, said.append, cache, Watchdog(1, said.append))
    assert "tiny: nothing has changed" not in said
    assert [problem.rule for problem in result.problems if problem.place.file != "content/tiny/art"] == []


def test_what_is_remembered_is_what_was_written(tiny: TinyProject) -> None:
    """A file that somebody changes after it was put there, and before the build is remembered, is not taken for ours."""
    options, cache = Options(tiny.project.root / "output"), Cache(tiny.project.root / "cache")
    shutil.copytree(tiny.game, tiny.project.content / "zoo")
    shutil.copytree(tiny.project.root / "templates/tiny", tiny.project.root / "templates/zoo")
    printed = tiny.project.root / "output/zoo/a4/print.pdf"

    class Slow:
        """Gives back the later games first, as a pool does whose first one is still at work."""

        def submit(self, function: Callable[..., Any], *given: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_result(function(*given))
            if printed.exists():
                printed.write_bytes(printed.read_bytes() + b"% notes of a person's own")
            return future

    build_games(tiny.project, ["tiny", "zoo"], options, silent, cache, Slow())  # type: ignore[arg-type]
    said: list[str] = []
    (again,) = build_games(tiny.project, ["zoo"], options, said.append, cache, Watchdog(1, said.append))

    assert "zoo: nothing has changed" not in said
    assert [problem.rule for problem in again.problems] == ["not-ours"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a permission there")
def test_a_link_that_leads_elsewhere_now_is_a_change(tiny: TinyProject) -> None:
    """Skins of a game: the link to one of them is turned to another."""
    root = tiny.project.root
    for skin in ("a", "b"):
        tiny.write(f"templates/skin-{skin}/word.svg.j2", f"{{% macro word() %}}{skin * 3}{{% endmacro %}}")
    (root / "templates/skin").symlink_to("skin-a")
    face = (root / "templates/tiny/cards.svg.j2").read_text()
    imported = '{% import "skin/word.svg.j2" as k %}{% block face %}'
    tiny.put(cards_svg_j2=face.replace("{% block face %}", imported).replace("row.text", "k.word()"))
    options, cache = Options(root / "output"), Cache(root / "cache")
    build_games(tiny.project, ["tiny"], options, silent, cache, Watchdog())
    (root / "templates/skin").unlink()
    (root / "templates/skin").symlink_to("skin-b")
    build_games(tiny.project, ["tiny"], options, silent, cache, Watchdog())

    assert "bbb" in words(root / "output/tiny/a4/cards.pdf")


@pytest.mark.parametrize("other", ["typst 0.1", ""])
def test_a_worker_with_other_libraries_builds_nothing(tiny: TinyProject, other: str) -> None:
    """Its bytes would be others, and would be remembered as right: it says what it has, and nothing is written."""
    task = Task("tiny", Options(tiny.project.root / "output"))
    asked = (*engines()[1:], other) if other else engines()[1:]
    with pytest.raises(ChildProcessError, match="made nothing") as refused:
        build_elsewhere(tiny.project, task, None, asked)

    assert engines()[0] in str(refused.value) and other in str(refused.value)
    assert not (tiny.project.root / "output").exists()
    assert build_elsewhere(tiny.project, task, None, engines())[0].ok

"""The cache keeps what was made once: each entry whole or not there, never more than was allowed, never in anybody's way."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import run
from conftest import TinyProject
from hypothesis import given
from hypothesis import strategies as st

from pnp.system.cache import Cache, apart, cache_folder, digest, together

ONE, TWO, THREE, FOUR = (hashlib.sha256(name.encode()).hexdigest() for name in ("one", "two", "three", "four"))
CONTENT = b"ice " * 250
"""A thousand bytes; the cache may put some more beside them."""
Damage = Callable[[bytes], bytes]


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    """A cache that nobody has used."""
    return Cache(tmp_path / "cache")


def files(cache: Cache) -> list[Path]:
    """Everything below the cache's folder that is a file."""
    return sorted(path for path in cache.folder.rglob("*") if path.is_file())


def file_of(cache: Cache, key: str) -> Path:
    """The file of an entry: the only one that putting the entry alone makes."""
    alone = Cache(cache.folder.with_name(f"alone-{key[:8]}"))
    alone.put(key, CONTENT)
    (path,) = files(alone)
    return cache.folder / path.relative_to(alone.folder)


def aged(cache: Cache, key: str, hours: float) -> None:
    """Make an entry as old as if it had been used so many hours ago."""
    path = file_of(cache, key)
    then = path.stat().st_mtime - 3600 * hours
    os.utime(path, (then, then))


@pytest.mark.parametrize("content", [b"", b"ice", bytes(range(256)) * 5000])
def test_what_was_put_is_got(cache: Cache, content: bytes) -> None:
    """To the byte; under another key there is nothing."""
    cache.put(ONE, content)

    assert cache.get(ONE) == content
    assert cache.get(TWO) is None


HEAD: dict[str, Damage] = {
    "gone": lambda data: b"",
    "cut": lambda data: data[:10],
    "one bit off": lambda data: bytes([data[0] ^ 1]) + data[1:],
}
BODY: dict[str, Damage] = {
    "cut": lambda data: data[:-1],
    "grown": lambda data: data + b"\0",
    "one bit off": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
}


@pytest.mark.parametrize("damage", HEAD.values(), ids=HEAD)
def test_what_does_not_begin_as_an_entry_may_be_anybodys(cache: Cache, damage: Damage) -> None:
    """It is not read, not replaced and not removed, whatever its name."""
    cache.put(ONE, CONTENT)
    path = file_of(cache, ONE)
    before = damage(path.read_bytes())
    path.write_bytes(before)

    assert cache.get(ONE) is None
    cache.put(ONE, CONTENT)
    cache.clean()
    assert path.read_bytes() == before


def test_an_entry_is_good_under_its_own_key_only(cache: Cache) -> None:
    """Two that have changed places are damaged, both."""
    cache.put(ONE, b"one")
    cache.put(TWO, b"two")
    one, two = file_of(cache, ONE), file_of(cache, TWO)
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)

    assert (cache.get(ONE), cache.get(TWO)) == (None, None)


@pytest.mark.parametrize("damage", BODY.values(), ids=BODY)
def test_a_damaged_entry_is_none(cache: Cache, damage: Damage) -> None:
    """It is noticed, taken away, and can be made anew; the others stay."""
    cache.put(ONE, CONTENT)
    cache.put(TWO, b"whole")
    path = file_of(cache, ONE)
    path.write_bytes(damage(path.read_bytes()))

    assert cache.get(ONE) is None
    assert not path.exists()
    assert cache.get(TWO) == b"whole"
    cache.put(ONE, CONTENT)
    assert cache.get(ONE) == CONTENT


WRITER = """
import sys
from pathlib import Path
from pnp.system.cache import Cache
folder, key, letter = sys.argv[1:]
cache = Cache(Path(folder), 3_000_000)
for _ in range(30):
    cache.put(key, letter.encode() * 400_000)
    found = cache.get(key)
    assert found is None or (len(found) == 400_000 and len(set(found)) == 1), "a mixture"
    cache.trim()
"""


def test_two_processes_may_use_it_at_once(cache: Cache) -> None:
    """Both write and read the same entry all the time, and never see half of one and half of the other."""
    command = [sys.executable, "-c", WRITER, str(cache.folder), ONE]
    writers = [subprocess.Popen([*command, letter], stderr=subprocess.PIPE, text=True) for letter in "ab"]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        if (content := cache.get(ONE)) is not None:
            seen.add((len(content), len(set(content))))

    assert [writer.communicate(timeout=60)[1] for writer in writers] == ["", ""]
    assert seen == {(400_000, 1)}
    assert files(cache) == [file_of(cache, ONE)]


def test_what_is_read_is_young_again(cache: Cache) -> None:
    """The oldest entry is spared once somebody has asked for it; the next in age goes instead."""
    small = Cache(cache.folder, 2500)
    for hours, key in ((9, ONE), (6, TWO), (3, THREE)):
        small.put(key, CONTENT)
        aged(small, key, hours)
    small.get(ONE)
    small.trim()

    assert small.get(TWO) is None
    assert [small.get(key) for key in (ONE, THREE)] == [CONTENT, CONTENT]


@pytest.mark.parametrize("where", ["file", "file/below/it"])
def test_a_folder_that_cannot_be_written_is_no_cache(tmp_path: Path, where: str) -> None:
    """Putting, asking and trimming go on as if nothing were kept; the file in the way is left alone."""
    (tmp_path / "file").write_text("mine")
    blocked = Cache(tmp_path / where)
    blocked.put(ONE, CONTENT)
    blocked.trim()

    assert blocked.get(ONE) is None
    assert blocked.clean() == (0, 0)
    assert (tmp_path / "file").read_text() == "mine"


def test_what_a_killed_build_left_is_cleaned_as_well(cache: Cache) -> None:
    """A process that was killed while it wrote leaves a file that no key leads to."""
    program = """
import os, sys
from pathlib import Path
from pnp.system.cache import Cache
Path.replace = lambda self, target: os._exit(9)
Cache(Path(sys.argv[1])).put(sys.argv[2], b"half an entry")
"""
    killed = subprocess.run([sys.executable, "-c", program, str(cache.folder), ONE])
    assert killed.returncode == 9
    assert len(files(cache)) == 1

    assert cache.get(ONE) is None
    cache.clean()
    assert files(cache) == []


def test_what_is_no_entry_is_never_removed(cache: Cache) -> None:
    """Whoever puts the cache into a folder with things of their own, even in folders of two letters, finds them again."""
    shelf, rest = TWO[:2], TWO[2:]
    mine = ["notes.txt", "db/data.sqlite", "ab", f"{shelf}/notes.txt", f"{shelf}/{rest}.txt", f"{shelf}/sub/{rest}"]
    for name in mine:
        path = cache.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine")
        os.utime(path, (0, 0))
    cache.put(ONE, CONTENT)
    Cache(cache.folder, 10).trim()
    assert cache.get(ONE) is None
    cache.put(ONE, CONTENT)

    assert cache.clean()[0] == 1
    assert {path.relative_to(cache.folder).as_posix() for path in files(cache)} == set(mine)


def test_the_cache_is_where_one_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """``PNP_CACHE`` names the folder; without it, it is the system's place for what a program may lose."""
    monkeypatch.setenv("PNP_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("PNP_CACHE", "")
    if sys.platform.startswith("linux"):
        assert cache_folder() == tmp_path / "xdg/pnp"


def test_clean_says_what_it_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """``pnp clean`` counts entries, names the folder, and needs no project; a second time there is nothing left."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("PNP_CACHE", str(folder))
    Cache(folder).put(ONE, b"0" * 1_500_000)
    first, second = run("clean", at=tmp_path), run("clean", at=tmp_path)

    assert (first.code, first.out) == (0, f"removed 1 entry, 1.5 MB, from {folder}\n")
    assert (second.code, second.out) == (0, f"removed 0 entries, 0.0 MB, from {folder}\n")


@pytest.mark.parametrize("words", [("check",), ("preview", "tiny", "cards"), ("ink", "tiny")])
def test_whatever_draws_remembers_within_bounds(
    tiny: TinyProject, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What one command has drawn the next one knows; and each lets the oldest go that there is no room for."""
    monkeypatch.setenv("PNP_CACHE", str(tmp_path / "cache"))
    cache = Cache(tmp_path / "cache")
    assert run(*words, at=tiny.project.root).code == 0
    kept = {path: path.stat().st_ino for path in cache.folder.glob("??/*")}
    assert kept
    again = run(*words, at=tiny.project.root)
    assert {path: path.stat().st_ino for path in cache.folder.glob("??/*")} == kept, "nothing was made again"

    cache.clean()
    trim = Cache.trim
    monkeypatch.setattr(Cache, "trim", lambda self: trim(Cache(self.folder, 0)))
    assert run(*words, at=tiny.project.root).out == again.out
    assert not list(cache.folder.glob("??/*"))


@given(st.lists(st.binary()))
def test_what_was_put_together_comes_apart(parts: list[bytes]) -> None:
    assert apart(together(*parts)) == tuple(parts)


@given(st.lists(st.text(st.characters())), st.lists(st.text(st.characters())))
def test_equal_contents_and_only_they_have_one_name(one: list[str], other: list[str]) -> None:
    """However they are parted, and also where a file's name is no text."""
    assert (digest(*one) == digest(*other)) == (one == other)
    assert digest(*one, "\udcff") not in (digest(*one), digest(*one, "?"))

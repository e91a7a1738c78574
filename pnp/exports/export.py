"""Exports a checked game for one target; ``pnp verify`` exports it once more and compares."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pnp.dataclass import dataclass
from pnp.exports.choices import Choices
from pnp.exports.compare import ANEW, differences
from pnp.exports.target import EXPORT, GATHERS, SLOTS
from pnp.flows.batch import Stamps, recalled, recipe_of, remember, stamps_of
from pnp.flows.pipeline import write
from pnp.read.project import Project
from pnp.system.addons import load, names
from pnp.system.cache import Cache
from pnp.system.manifest import put_anew
from pnp.system.paths import digest_of, digest_on_disk, plain_bytes
from pnp.values.outcome import Options, Result
from pnp.values.problems import Place, Problems, listed
from pnp.write.printed import NotPrinted

if TYPE_CHECKING:
    from pnp.exports.kit import Kit
    from pnp.exports.target import Target

# What makes files is imported where it is needed: when nothing has changed, nothing of it is.

README, NOTE = "README.txt", "export.json"
# Folders between a file of an export and the export's own.
MOST_FOLDERS, MOST_BYTES = 5, 100_000


@dataclass(frozen=True, slots=True)
class Note:
    """The options of an export, stored beside it so that ``pnp verify`` can repeat it."""

    game: str
    choices: Choices
    language: str = ""
    beside: Mapping[str, Choices] = field(default_factory=dict)
    """Other exports whose files are part of this one, such as the rooms on a page to share: target and options."""


def export_game(
    project: Project, name: str, choices: Choices, options: Options, tell: Callable[[str], None], cache: Cache | None = None
) -> Result:
    """Writes a game for a target into ``options.out/name/export/TARGET``.

    If something is wrong nothing is written, and an earlier export is removed, so that nobody takes it for this one.
    With a cache, an export whose game has not changed is left alone. Raises NoSuchGame, OSError.
    """
    where = f"{options.where(name)}/{EXPORT}/{choices.target}"
    folder = options.out / where
    note = Note(name, choices, options.language, _beside(folder) if choices.target in GATHERS else {})
    before = _stamps(project, name)
    recipe = _recipe(project, note, options) if cache is not None else ""
    if cache is not None and (known := recalled(cache, folder, recipe, name)):
        tell(f"{name}: nothing has changed")
        return known
    result, files, kept = _exported(project, note, options, tell, cache, folder.resolve())
    if files:
        for path, data in kept.items():
            if not path.is_file() or path.read_bytes() != data:
                put_anew(path, data)
    elif (folder / NOTE).is_file():
        tell(f"{name}: the files of an earlier export for {choices.target} are taken away")
    if files or (folder / NOTE).is_file():
        write(result, options.out, where, files, "export", _target(choices).owned)
    if cache is not None and result.ok and before == _stamps(project, name):
        # Once more: an export may have put something down for the next one.
        remember(cache, folder, _recipe(project, note, options), result)
    return result


def _stamps(project: Project, name: str) -> Stamps:
    """Size and time of the files that the game is made from."""
    kept = project.folder(name).resolve() / SLOTS
    return {path: stamps for path, stamps in stamps_of(project, name).items() if path != kept}


def _beside(folder: Path) -> Mapping[str, Choices]:
    """The exports in a folder: their options by target."""
    found = filter(None, (_note_in(folder.parent / name) for name in names("pnp.exports") if name not in GATHERS))
    return {note.choices.target: note.choices for note in found}


def _recipe(project: Project, note: Note, options: Options) -> str:
    """A digest of everything that decides the files."""
    chosen = note.choices.profile
    profile = digest_on_disk(chosen.resolve()) if chosen else None
    parts = (recipe_of(project, note.game, options), repr(note), str(profile), str(options.out))
    return digest_of("\n".join(parts).encode(errors="surrogatepass"))


def _exported(
    project: Project,
    note: Note,
    options: Options,
    tell: Callable[[str], None],
    cache: Cache | None,
    folder: Path,
) -> tuple[Result, dict[str, bytes], dict[Path, bytes]]:
    """Returns the result, the export's files, and the files for the game's own folder; no files after an error."""
    from pnp.exports.kit import kit_of
    from pnp.exports.target import Job, Rasterizer
    from pnp.flows.check import prove
    from pnp.flows.pipeline import Pipeline

    name, choices = note.game, note.choices
    target = _target(choices)
    made = Pipeline(project, name, options, Problems(), tell, cache)
    result = Result(name, made.problems)
    prove(made, result, pictures=False)
    if made.book is None or made.problems.errors:
        return result, {}, {}
    kit = kit_of(made)
    if made.problems.errors:
        return result, {}, {}
    tell(f"{name}: making the files for {choices.target}")
    job = Job(kit, Rasterizer(made), choices, made.problems, folder, note.beside)
    left = [*_left(kit, choices)]
    for component, instead in left:
        made.problems.warn(
            "not-exported",
            kit.part(component).component.place,
            f'{choices.target} cannot take "{component}"',
            value=component,
            hint=instead,
        )
    files: dict[str, bytes] = {}
    claimed: dict[str, str] = {}
    for file in target.make(job):
        first = claimed.setdefault(file.name.casefold(), file.of)
        if file.name.casefold() in map(str.casefold, files):
            made.problems.error(
                "double-file",
                file.place,
                f"{file.of} and {first} would both be exported into {file.name}",
                value=file.name,
                hint="Give one of the two another name.",
            )
        files[file.name] = file.data
    if made.problems.errors:
        return result, {}, {}
    result.counts = made.counts
    files[README] = _readme(kit, choices, target.says, target.how, left)
    files[NOTE] = _noted(note)
    return result, files, {kit.game.folder / path: data for path, data in job.kept.items()}


def _target(choices: Choices) -> Target:
    target: Target = load("pnp.exports", choices.target)
    return target


def _left(kit: Kit, choices: Choices) -> Iterator[tuple[str, str]]:
    """The components that the target cannot take, each with what to do instead."""
    target = _target(choices)
    for part in kit.parts:
        if part.form not in target.forms:
            yield part.name, target.instead[part.form]


def _readme(kit: Kit, choices: Choices, says: str, how: str, left: list[tuple[str, str]]) -> bytes:
    game = kit.game
    taken = [part.title for part in kit.parts if part.name not in dict(left)]
    lines = [f"{game.title} {game.version}, for {choices.target}: {says}.", "", how, "", f"In it: {listed(taken)}."]
    lines += ["", "Not in it:"] if left else []
    lines += [f"- {kit.part(component).title}: {instead}" for component, instead in left]
    return ("\n".join(lines) + "\n").encode()


def _noted(note: Note) -> bytes:
    """The note as JSON. Of a profile only its name: its path is private."""
    from pydantic import TypeAdapter

    profile = note.choices.profile
    told = replace(note, choices=replace(note.choices, profile=Path(profile.name) if profile else None))
    return TypeAdapter(Note).dump_json(told, indent=1, exclude_defaults=True) + b"\n"


def _note_of(path: Path) -> tuple[Note, Path] | None:
    """The note that covers a file, and the export's folder."""
    for folder in path.parents[:MOST_FOLDERS]:
        if note := _note_in(folder):
            return note, folder
    return None


def _note_in(folder: Path) -> Note | None:
    """Reads the options of the export in a folder; None where there is none."""
    from pydantic import TypeAdapter, ValidationError

    try:
        note = TypeAdapter(Note).validate_json(plain_bytes(folder / NOTE, MOST_BYTES))
    except (OSError, ValidationError):
        return None
    return note if note.choices.target in names("pnp.exports") else None


def verify_export(project: Project, path: Path, data: bytes, name: str | None, cache: Cache | None) -> Result | None:
    """Compares the files of an export with the game as it is now; None for a PDF.

    Raises NoSuchGame, NotPrinted.
    """
    if path.suffix.lower() == ".pdf" or data.startswith(b"%PDF"):
        return None
    found = exported_again(project, path, name, cache)
    if found is None:
        raise NotPrinted(f"{path.name} is no PDF, and no {NOTE} beside it says how it was exported: export it anew")
    result, files, folder = found
    if result.problems.errors:
        return result
    place = Place(project.shown(path) if path.is_relative_to(project.root) else path.name)
    problems = Problems()
    file = path.relative_to(folder).as_posix()
    if file not in files and file != NOTE:
        message = f"{file} is none of the files of this export, as the game is now"
        problems.error("printed-count", place, message, value=file, hint=ANEW)
    # Each file of an export is told of all, so that all are told alike.
    whole = Place(project.shown(folder) if folder.is_relative_to(project.root) else folder.name)
    problems.extend(differences(folder, files, whole))
    return Result(result.game, problems, [path])


def exported_again(
    project: Project, path: Path, name: str | None, cache: Cache | None
) -> tuple[Result, dict[str, bytes], Path] | None:
    """Makes the export that a file is of once more: its files, and the folder it lies in. None where none is noted.

    Raises NoSuchGame, NotPrinted.
    """
    found = _note_of(path)
    if found is None:
        return None
    note, folder = found
    profile = project.root / note.choices.profile.name if note.choices.profile else None
    if profile and not profile.is_file():
        raise NotPrinted(f"{path.name} was exported with the profile {profile.name}: put that into {project.root}")
    same = replace(note, game=name or note.game, choices=replace(note.choices, profile=profile))
    result, files, _ = _exported(project, same, Options(folder, language=note.language), lambda _: None, cache, folder)
    files.pop(NOTE, None)
    return result, files, folder

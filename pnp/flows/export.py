"""The conductor of ``pnp export``: one game for one target, checked as for a build."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pnp.flows.unchanged import Stamps, recalled, recipe_of, remember, stamps_of
from pnp.flows.written import write
from pnp.read.project import Project
from pnp.system.cache import Cache
from pnp.system.files import put_anew
from pnp.system.record import digest_of, digest_on_disk
from pnp.values.exports import EXPORT, SLOTS, Choices
from pnp.values.kit import Kit
from pnp.values.outcome import Options, Result
from pnp.values.problems import Problems, listed

# What makes files is imported where it is needed: when nothing has changed, nothing of it is.

README = "README.txt"


def export_game(
    project: Project, name: str, choices: Choices, options: Options, tell: Callable[[str], None], cache: Cache | None = None
) -> Result:
    """Write a game for a target into ``options.out/name/export/TARGET``; nothing where something is wrong.

    With a cache a game is left alone that is still as it would be. Raises NoSuchGame, OSError.
    """
    where = f"{options.where(name)}/{EXPORT}/{choices.target}"
    folder = options.out.root / where
    before = _stamps(project, name)
    recipe = _recipe(project, name, choices, options) if cache is not None else ""
    if cache is not None and (known := recalled(cache, folder, options.out.key, recipe, name)):
        tell(f"{name}: nothing has changed")
        return known
    result = _exported(project, name, choices, options, tell, cache, where)
    if cache is not None and result.ok and before == _stamps(project, name):
        # Once more: an export may have put something down for the next one.
        remember(cache, folder, _recipe(project, name, choices, options), result)
    return result


def _stamps(project: Project, name: str) -> Stamps:
    """How the files stand from which the game is made."""
    kept = project.folder(name).resolve() / SLOTS
    return {path: stamps for path, stamps in stamps_of(project, name).items() if path != kept}


def _recipe(project: Project, name: str, choices: Choices, options: Options) -> str:
    """A digest of all that decides the files."""
    slots = project.folder(name) / SLOTS
    files = " ".join(str(digest_on_disk(path.resolve())) for path in (choices.profile, slots) if path is not None)
    parts = (recipe_of(project, name, options), repr(choices), files, str(options.out.root))
    return digest_of("\n".join(parts).encode(errors="surrogatepass"))


def _exported(
    project: Project,
    name: str,
    choices: Choices,
    options: Options,
    tell: Callable[[str], None],
    cache: Cache | None,
    where: str,
) -> Result:
    from pnp.flows.check import prove
    from pnp.flows.exports.darkroom import Darkroom
    from pnp.flows.exports.kit import kit_of
    from pnp.flows.exports.registry import TARGETS
    from pnp.flows.exports.target import Job
    from pnp.flows.pipeline import Pipeline

    made = Pipeline(project, name, options, Problems(), tell, cache)
    result = Result(name, made.problems)
    prove(made, result, pictures=False)
    if made.book is None or made.problems.errors:
        return result
    kit = kit_of(made)
    if made.problems.errors:
        return result
    target = TARGETS[choices.target]
    tell(f"{name}: making the files for {choices.target}")
    job = Job(kit, Darkroom(made), choices, made.problems, options.out.root / where)
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
        return result
    for file_name, data in job.kept.items():
        there = kit.game.folder / file_name
        if not there.is_file() or there.read_bytes() != data:
            put_anew(there, data)
    result.counts = made.counts
    files[README] = _readme(kit, choices, target.says, target.how, left)
    write(result, options.out, where, files, "export", owned=None)
    return result


def _left(kit: Kit, choices: Choices) -> Iterator[tuple[str, str]]:
    """The components that the target cannot take, and what to do instead."""
    from pnp.flows.exports.registry import TARGETS

    target = TARGETS[choices.target]
    for part in kit.parts:
        if part.form not in target.forms:
            yield part.name, target.instead[part.form]


def _readme(kit: Kit, choices: Choices, says: str, how: str, left: list[tuple[str, str]]) -> bytes:
    """What this is, how it is opened, and what is not in it."""
    game = kit.game
    taken = [part.title for part in kit.parts if part.name not in dict(left)]
    lines = [f"{game.title} {game.version}, for {choices.target}: {says}.", "", how, "", f"In it: {listed(taken)}."]
    lines += ["", "Not in it:"] if left else []
    lines += [f"- {kit.part(component).title}: {instead}" for component, instead in left]
    return ("\n".join(lines) + "\n").encode()

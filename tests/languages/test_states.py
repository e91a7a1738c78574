"""Which translation belongs to which text, and how far it has come, whatever has been done to the game meanwhile."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.flows.translate import updated, written
from pnp.read.languages import catalogue_file, read_catalogue
from pnp.values.languages import Catalogue, Entry, Translated, Unit, matched, state_of
from pnp.values.problems import Place, Problems

HERE = Place("cards.csv", 2, "text")


def unit(location: str, source: str) -> Unit:
    return Unit(location, source, HERE)


def states(units: list[Unit], catalogue: Catalogue) -> dict[str, str]:
    return {each.location: state_of(each, entry) for each, entry in matched(units, catalogue).pairs}


def parsed(text: str, problems: Problems) -> Catalogue | None:
    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        catalogue_file(folder, "de").parent.mkdir()
        catalogue_file(folder, "de").write_bytes(text.encode())
        return read_catalogue(folder, "languages/de.csv", "de", problems)


def again(catalogue: Catalogue) -> Catalogue:
    """The catalogue as it is read from the file that is written of it."""
    problems = Problems()
    made = parsed(written(catalogue).decode(), problems)
    assert made is not None and not len(problems)
    return made


# Texts that differ from each other and from their translations, which are in capitals.
WORDS = st.text("abcdefghij ,\"\n;'", min_size=1, max_size=12).filter(
    lambda text: text.strip() == text and text != text.upper()
)


@st.composite
def histories(draw: st.DrawFn) -> tuple[dict[str, str], dict[str, str], set[str], set[str]]:
    """Rows by id, all of them after some work; the ids that are translated; those that are the same on purpose."""
    before = draw(st.dictionaries(st.sampled_from("abcdefgh"), WORDS, min_size=1, max_size=8))
    sources = sorted(set(before.values()))
    before = dict(zip(before, draw(st.permutations(sources)), strict=False)) if len(sources) == len(before) else {}
    done = {id for id in before if draw(st.booleans())}
    same = {id for id in done if draw(st.integers(0, 3)) == 0}
    left = {id: text for id, text in before.items() if draw(st.integers(0, 3)) > 0}
    changed = {id: draw(st.just(text) | st.just(f"{text} changed")) for id, text in left.items()}
    new = {f"new-{number}": f"brand {number}" for number in range(draw(st.integers(0, 3)))}
    after = dict(draw(st.permutations([*changed.items(), *new.items()])))
    return before, after, done, same


@settings(max_examples=examples(200))
@given(histories())
def test_any_work_on_the_rows_leaves_each_in_the_state_it_must_be_in(
    history: tuple[dict[str, str], dict[str, str], set[str], set[str]],
) -> None:
    """Edited rows are stale, new ones missing, all others as they were, gone ones kept at the end; twice is as once."""
    before, after, done, same = history
    old = [unit(f"cards/{id}/text", text) for id, text in before.items()]
    now = [unit(f"cards/{id}/text", text) for id, text in after.items()]

    def target(id: str) -> str:
        return before[id] if id in same else before[id].upper() if id in done else ""

    made = updated(matched(old, Catalogue("de", "de.csv")))
    entries = tuple(replace(each, target=target(each.location.split("/")[1])) for each in made.entries)
    catalogue = again(updated(matched(now, again(replace(made, entries=entries)))))

    for id, text in after.items():
        state = states(now, catalogue)[f"cards/{id}/text"]
        if id not in done:
            assert state == "missing"
        elif text != before[id]:
            assert state == "stale"
        else:
            assert state == ("same" if id in same else "translated")
    kept = {each.location: each for each in catalogue.entries}
    for id in done & after.keys():
        assert kept[f"cards/{id}/text"].target == target(id)
        assert (kept[f"cards/{id}/text"].was == before[id]) is (after[id] != before[id])
    gone = [each for each in catalogue.entries if each.gone]
    assert catalogue.entries[len(catalogue.entries) - len(gone) :] == tuple(gone)
    assert {each.location for each in gone} == {f"cards/{id}/text" for id in done - after.keys()}
    assert [replace(each, place=HERE) for each in again(updated(matched(now, catalogue))).entries] == [
        replace(each, place=HERE) for each in catalogue.entries
    ]


@settings(max_examples=examples(100))
@given(histories())
def test_undoing_the_work_brings_every_translation_back(
    history: tuple[dict[str, str], dict[str, str], set[str], set[str]],
) -> None:
    """After a change and its undoing, with an update between, the states are those of the beginning."""
    before, after, done, _ = history
    old = [unit(f"cards/{id}/text", text) for id, text in before.items()]
    now = [unit(f"cards/{id}/text", text) for id, text in after.items()]
    entries = tuple(
        Entry(each.location, each.source, each.source.upper() if each.location[6] in done else "") for each in old
    )
    begun = Catalogue("de", "de.csv", entries)

    undone = again(updated(matched(old, again(updated(matched(now, begun))))))

    assert states(old, undone) == states(old, begun)
    assert {each.location: each.target for each in undone.entries} == {each.location: each.target for each in entries}


def test_a_text_that_moved_keeps_its_translation() -> None:
    """A row whose location is new is found by its source; so are two that have changed places."""
    begun = Catalogue("de", "de.csv", (Entry("cards/row-2/text", "One", "Eins"), Entry("cards/row-3/text", "Two", "Zwei")))

    swapped = matched([unit("cards/row-2/text", "Two"), unit("cards/row-3/text", "One")], begun)
    moved = matched([unit("texts/first", "One")], begun)

    assert [entry.target for _, entry in swapped.pairs if entry] == ["Zwei", "Eins"]
    assert [state_of(*pair) for pair in moved.pairs] == ["translated"]


def test_a_paragraph_before_another_makes_only_itself_missing() -> None:
    """Paragraphs are counted, and yet one that is put in leaves the others what they were; one that is changed is stale."""
    old = ["Draw a card from the stack.", "Then lay it down in front of you.", "Whoever has none left wins."]
    entries = tuple(Entry(f"book/rules/turn/{number}", text, text.upper()) for number, text in enumerate(old))
    new = [old[0], "Show it to nobody.", "Then lay it down beside you.", old[2]]

    made = matched(
        [unit(f"book/rules/turn/{number}", text) for number, text in enumerate(new)], Catalogue("de", "", entries)
    )

    assert [state_of(*pair) for pair in made.pairs] == ["translated", "missing", "stale", "translated"]


def test_work_of_others_on_the_file_survives() -> None:
    """The order of rows, columns that pnp does not know, notes in the context, the mark of Excel: an update keeps all."""
    text = (
        '\ufeff"source","target","location","note","context"\n'
        '"Two","Zwei","cards/b/text","ok","said at night"\n'
        '"One","Eins","cards/a/text","",""\n'
    )
    read = parsed(text, Problems())
    assert read is not None
    units = [unit("cards/a/text", "One"), unit("cards/b/text", "Two, or three"), unit("cards/c/text", "Four")]

    made = written(updated(matched(units, read))).decode()

    assert made == (
        '\ufeff"source","target","location","note","context","fuzzy"\n'
        '"Two, or three","Zwei","cards/b/text","ok","[was] Two\nsaid at night","true"\n'
        '"Four","","cards/c/text","","",""\n'
        '"One","Eins","cards/a/text","","",""\n'
    )


@pytest.mark.parametrize(
    ("text", "rule", "row"),
    [
        ('"location","target"\n', "missing-column", 1),
        ("id,de\npip,Pip\n", "missing-column", 1),
        ("location,source,target\na,One,Eins\na,One,Uno\n", "two-translations", 3),
        ("location,source,target,fuzzy\na,One,Eins,maybe\n", "bad-flag", 2),
        ('location,source,target\na,"One,Eins\n', "broken-csv", 2),
        ("location,source,target\na,One,Eins,Uno\n", "ragged-row", 2),
    ],
)
def test_a_broken_file_is_told_with_its_row(text: str, rule: str, row: int) -> None:
    """What is wrong with a file of translations is a Problem where it stands."""
    problems = Problems()

    parsed(text, problems)

    assert [(problem.rule, problem.place.file, problem.place.row) for problem in problems] == [
        (rule, "languages/de.csv", row)
    ]


def test_a_translated_name_is_also_what_its_author_wrote() -> None:
    """What compares it or looks something up by it finds it under both names; it prints as its translation."""
    said = Translated("Silber", "Silver", {"en": "Silver", "de": "Silber"})

    assert said == "Silver" and said == "Silber" and said != "Gold"
    assert {"Silver": 1}[said] == 1 and said in {"Silver"}
    assert f"{said}" == "Silber" and said.upper() == "SILBER"

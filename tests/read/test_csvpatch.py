"""A CSV file of which one record is changed: the csv module reads it as before, and all other bytes are the same."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp.read.csvfile import CsvText
from pnp.values.problems import Fault

CELLS = st.text(st.sampled_from("aB é,;\t\"'\n\r\u2028#"), max_size=6)
RECORDS = st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=5)
ENDS = st.sampled_from(["\n", "\r\n"])


def written(records: list[list[str]], end: str, tail: bool) -> bytes:
    text = io.StringIO(newline="")
    # Tabs part the cells, so that nothing must be guessed from them.
    bare = any("\r" in cell for record in records for cell in record)
    quoting = csv.QUOTE_ALL if bare else csv.QUOTE_MINIMAL  # the writer knows of its own line end only
    csv.writer(text, delimiter="\t", lineterminator=end, quoting=quoting).writerows(records)
    made = text.getvalue()
    return (made if tail else made.removesuffix(end)).encode()


def read(raw: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(raw.decode(), newline=""), delimiter="\t", strict=True))


@given(RECORDS, ENDS, st.booleans())
def test_it_is_split_as_the_csv_module_splits_it(records: list[list[str]], end: str, tail: bool) -> None:
    """Cells with line ends, quotation marks and Unicode's own line ends included."""
    raw = written(records, end, tail)
    made = CsvText.of(raw, tabbed=True)
    assert [[field.text for field in record.fields] for record in made.records] == [each or [""] for each in read(raw)]
    assert made.raw == raw


@given(RECORDS, ENDS, st.booleans(), st.data())
def test_one_cell_is_changed_and_nothing_else(records: list[list[str]], end: str, tail: bool, data: st.DataObject) -> None:
    """Whoever compares the two files sees one cell."""
    raw = written(records, end, tail)
    row = data.draw(st.integers(1, len(records)))
    column = data.draw(st.integers(0, len(records[row - 1]) + 1))
    value = data.draw(CELLS)
    made = CsvText.of(raw, tabbed=True)
    changed = made.with_cell(row, column, value).raw
    expected = [list(each) for each in records]
    expected[row - 1] += [""] * (column + 1 - len(expected[row - 1]))
    expected[row - 1][column] = value
    assert read(changed) == expected
    record = made.records[row - 1]
    start, stop = len(made.text[: record.start].encode()), len(made.text[record.end :].encode())
    assert changed.startswith(raw[:start]) and changed.endswith(raw[len(raw) - stop :])


@given(RECORDS, ENDS, st.booleans(), st.data())
def test_records_are_added_taken_out_and_moved(records: list[list[str]], end: str, tail: bool, data: st.DataObject) -> None:
    """As a list of them would be."""
    made = CsvText.of(written(records, end, tail), tabbed=True)
    row, after = data.draw(st.integers(1, len(records))), data.draw(st.integers(1, len(records)))
    values = data.draw(st.lists(CELLS, min_size=2, max_size=3))
    assert read(made.with_record(after, values).raw) == [*records[:after], values, *records[after:]]
    assert read(made.without_record(row).raw) == [*records[: row - 1], *records[row:]]
    left = [each for number, each in enumerate(records, 1) if number != row]
    place = after - (row < after)
    expected = [*left[:place], records[row - 1], *left[place:]] if row != after else records
    if row != after:
        assert read(made.with_moved(row, after).raw) == expected


def test_the_mark_of_excel_and_the_line_that_names_the_delimiter_stay() -> None:
    """And rows are counted as programs show them, which show no row for that line."""
    raw = b"\xef\xbb\xbfsep=;\r\nid;name\r\nwave;Wave, up\r\n"
    made = CsvText.of(raw)
    assert made.records[1].fields[1].text == "Wave, up"
    assert made.with_cell(2, 1, "Wave; down").raw == b'\xef\xbb\xbfsep=;\r\nid;name\r\nwave;"Wave; down"\r\n'


@pytest.mark.parametrize(
    ("raw", "said"),
    [(b"id,n\xe4me\n", "UTF-8"), (b'id,name\na,"b\n', "never closed"), (b'id\n"a"b\n', "goes on"), (b"a,\0\n", "NUL")],
)
def test_what_cannot_be_split_is_not_changed(raw: bytes, said: str) -> None:
    """It is said why."""
    with pytest.raises(Fault, match=said):
        CsvText.of(raw)

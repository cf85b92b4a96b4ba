"""Texts that anchors share are written out few at a time."""

from __future__ import annotations

import pyarrow as pa
import pytest

from anchormine.hypertext import anchor_rows
from anchormine.hypertext.anchor_rows import written_out
from anchormine.schemas.anchors import ANCHORS, Anchor

SENTENCES = ["A pier and a quay.", "Éclair.", "x" * 200]
URLS = ["http://a.example/", "http://harbour.example/" + "y" * 100]
PLACES = [(0, 0), (0, 0), (1, 0), (2, 1), (2, 1), (0, 1)]  # of each anchor: its sentence, its page


def anchor(number: int, sentence: str, url: str) -> Anchor:
    return Anchor(
        anchor_id=f"web:1#a{number}",
        anchor=sentence[0],
        sentence=sentence,
        start=0,
        end=1,
        sentence_id=f"web:1#s{number}",
        sentence_start=None,
        source_page_id="web:1",
        target="http://b.example/",
        fragment=None,
        destination_page_id=None,
        region="body",
        rel=None,
        language="en",
        gaps=0,
        source_url=url,
    )


@pytest.mark.parametrize(
    ("most", "counts"), [(1, [1] * 6), (70, [2, 1, 1, 1, 1]), (100, [3, 1, 1, 1]), (1 << 20, [6])]
)
def test_tables_of_few_bytes(most: int, counts: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anchor_rows, "_SHARED_BYTES", most)
    anchors = [anchor(n, SENTENCES[text], URLS[page]) for n, (text, page) in enumerate(PLACES)]
    whole = pa.Table.from_pylist([row._asdict() for row in anchors], schema=ANCHORS)
    rows = whole
    for name, column in (("sentence", 0), ("source_url", 1)):
        place = ANCHORS.get_field_index(name)
        rows = rows.set_column(place, name, pa.array([places[column] for places in PLACES], pa.int32()))
    shared = {"sentence": pa.array(SENTENCES), "source_url": pa.array(URLS)}
    made = list(written_out(rows, shared))
    assert [table.num_rows for table in made] == counts
    assert pa.concat_tables(made) == whole
    assert list(written_out(rows.slice(0, 0), shared)) == []

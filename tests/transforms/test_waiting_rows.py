"""Few rows wait where their texts are long."""

from __future__ import annotations

import pytest

from anchormine.transforms.waiting_rows import WaitingRows


@pytest.mark.parametrize(
    ("most_rows", "most_characters", "batches"),
    [
        (None, 100, [5]),
        (None, 9, [2, 1, 2]),  # 8 + 1, 10, 0 + 2
        (3, 100, [3, 2]),
        (2, 9, [2, 1, 2]),
        (1, 1, [1, 1, 1, 1, 1]),
    ],
)
def test_batches(most_rows: int | None, most_characters: int, batches: list[int]) -> None:
    rows = [(1, "a" * 4, ["b" * 3, "c"]), (2, "d", []), (3, None, ["e" * 10]), (4, "", []), (5, "ff", [])]
    waiting: WaitingRows[tuple] = WaitingRows(most_rows, most_characters)
    taken = []
    for row in rows:
        waiting.add(row)
        if waiting.are_enough:
            taken.append(waiting.take())
            assert len(waiting) == 0
    taken.append(waiting.take())
    taken = [batch for batch in taken if batch]
    assert [len(batch) for batch in taken] == batches
    assert [row for batch in taken for row in batch] == rows

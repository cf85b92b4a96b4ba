"""Batches of texts of like length under a number of padded pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def batches_by_length(lengths: Sequence[int], token_budget: int) -> Iterator[list[int]]:
    """Cuts texts into batches, the shortest texts first.

    Args:
        lengths: pieces of each text.
        token_budget: most pieces and padding of a batch; a longer text is a batch of its own.

    Yields:
        Indexes of texts; their number times the longest one's length is at most `token_budget`.
    """
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[index] > token_budget:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch

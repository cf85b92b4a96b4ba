"""Queries and anchors that a query classifier learns to tell apart, and those that are held out."""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from pathlib import Path
from typing import NamedTuple

from anchormine.errors import UsageError
from anchormine.filters.cleaning import as_typed, clean_anchor
from anchormine.numerals import counted
from anchormine.sampling.draws import hash64
from anchormine.training.classifier_options import MIN_TEXTS, ClassifierTraining
from anchormine.training.negative_anchors import is_list, negative_anchors
from anchormine.training.query_file import query_files, read_queries

HELD_OUT = 0.1  # part of the queries, and of the anchors


class LabelledText(NamedTuple):
    """A clean text in small letters, and whether it is a query (1) or an anchor (0)."""

    text: str
    label: int


class Examples(NamedTuple):
    """What a classifier learns from.

    Attributes:
        trained: the examples of an epoch.
        held_out: those that it never sees.
        left_out: how many texts were of no use, by reason.
        warnings: what else is odd, a sentence each.
        checksums: SHA-256, in hex, of the files that queries are from, by name.
        anchor_checksums: of those that anchors are from.
    """

    trained: list[LabelledText]
    held_out: list[LabelledText]
    left_out: dict[str, int]
    warnings: list[str]
    checksums: dict[str, str]
    anchor_checksums: dict[str, str]

    def batches(self, epoch: int, batch_size: int, seed: int) -> Iterator[Sequence[LabelledText]]:
        """Yields an epoch's batches, in an order that hangs on seed and epoch alone."""
        order = sorted(self.trained, key=lambda example: hash64(seed, f"epoch {epoch}", example.text))
        return (order[start : start + batch_size] for start in range(0, len(order), batch_size))


def classifier_examples(options: ClassifierTraining, seed: int) -> Examples:
    """Collects queries and anchors, both cleaned in the same way, so that punctuation tells nothing.

    Anchors are drawn before any rule, each distinct text with the same chance, by a hash.

    Args:
        options: where they are.
        seed: of the draws.

    Raises:
        UsageError: there are too few queries or anchors.
        CommandError: the folder has no anchors.
    """
    queries, left_out, doubts, checksums = positive_queries(options)
    negatives = negative_anchors(options.negatives_from)
    texts = (_clean(anchor, options) for anchor in negatives.texts)
    shared: set[str] = set()
    wanted = options.negatives or len(queries)
    anchors = draw_distinct(_no_queries(texts, set(queries), shared), wanted, seed)
    if len(anchors) < MIN_TEXTS:
        raise UsageError(
            f"{options.negatives_from}: {counted(len(anchors), 'distinct anchor')} to learn from"
            f"{_among_queries(len(shared))}; {MIN_TEXTS} are the least; "
            f"give a {'list' if is_list(options.negatives_from) else 'folder'} with more"
        )
    trained, held_out = [], []
    for label, found in ((1, queries), (0, anchors)):
        ordered = sorted(found, key=lambda text: hash64(seed, "held out", text))
        cut = round(HELD_OUT * len(ordered))
        held_out += [LabelledText(text, label) for text in ordered[:cut]]
        trained += [LabelledText(text, label) for text in ordered[cut:]]
    warnings = [*doubts, *_shortage(options, wanted, len(anchors))]
    return Examples(trained, held_out, dict(left_out), warnings, checksums, negatives.checksums)


def _no_queries(texts: Iterable[str], queries: Set[str], shared: set[str]) -> Iterator[str]:
    """Yields the texts of anchors that are no queries; adds the others to `shared`."""
    for text in texts:
        if text in queries:
            shared.add(text)
        elif text:
            yield text


def _among_queries(shared: int) -> str:
    return f", without {shared:,} that {'is' if shared == 1 else 'are'} among the queries" if shared else ""


def _shortage(options: ClassifierTraining, wanted: int, found: int) -> list[str]:
    if found == wanted:
        return []
    asked = "asked for" if options.negatives else "asked for, as many as queries"
    return [
        f"{options.negatives_from}: {wanted:,} anchors {asked}; "
        f"{found:,} are there, distinct, clean and no queries"
    ]


class PositiveQueries(NamedTuple):
    """Queries of files, distinct and clean; the others by reason; what is odd; SHA-256 by name of file."""

    queries: list[str]
    left_out: Counter[str]
    doubts: list[str]
    checksums: dict[str, str]


def positive_queries(options: ClassifierTraining) -> PositiveQueries:
    """Reads what a classifier is to take for queries.

    Raises:
        UsageError: there are too few.
    """
    left_out: Counter[str] = Counter()
    doubts: list[str] = []
    checksums: dict[str, str] = {}
    found: dict[str, None] = {}
    for path in query_files(options.positives, doubts):
        digest = hashlib.sha256()
        for query in read_queries(path, doubts, digest.update):
            text = _clean(query, options)
            if not text:
                left_out["nothing left of it after cleaning"] += 1
            elif text in found:
                left_out["repeated"] += 1
            found[text] = None
        name = Path(path).name
        checksums[path if name in checksums else name] = digest.hexdigest()
    found.pop("", None)
    if len(found) < MIN_TEXTS:
        queries = counted(len(found), "distinct query", "distinct queries")
        raise UsageError(
            f"--positives {options.files}: {queries}{_of_left_out(left_out)}; {MIN_TEXTS} are the least, and "
            "a few hundred are better"
        )
    return PositiveQueries(list(found), left_out, doubts, checksums)


def _of_left_out(left_out: Counter[str]) -> str:
    reasons = ", ".join(f"{count} {reason}" for reason, count in left_out.items())
    return f" (and {reasons})" if reasons else ""


def _clean(text: str, options: ClassifierTraining) -> str:
    """A text as it is scored later, in small letters."""
    return as_typed(clean_anchor(text, options.cleaning))


def draw_distinct(texts: Iterable[str], count: int, seed: int) -> list[str]:
    """Draws distinct texts out of a stream, those of the least hashes, in memory for `count` of them.

    Returns:
        At most `count` texts, in the order of their hashes: the same whatever the order of the stream.
    """
    heap: list[tuple[int, str]] = []  # of negative hashes: the largest hash is on top
    drawn: set[str] = set()
    for text in texts:
        if text in drawn:
            continue
        entry = (-hash64(seed, "negative", text), text)
        if len(heap) < count:
            heapq.heappush(heap, entry)
            drawn.add(text)
        elif entry > heap[0]:
            drawn.remove(heapq.heapreplace(heap, entry)[1])
            drawn.add(text)
    return [text for _, text in sorted(heap, reverse=True)]

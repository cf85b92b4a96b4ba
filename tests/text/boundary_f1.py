"""Boundary F1: how well the ends of predicted sentences agree with the labelled ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

Span = tuple[int, int]

# Characters by which a boundary may be off: treebanks differ in what belongs to a sentence.
TOLERANCE = 1


def read_labelled(path: Path) -> list[dict[str, Any]]:
    """Reads lines of {"text": ..., "sentences": [[start, end], ...]}."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def boundary_f1(split: Callable[[str], Iterable[Span]], rows: Iterable[dict[str, Any]]) -> float:
    """Returns the harmonic mean of precision and recall over all texts; the end of a text does not count."""
    hits = predicted = labelled = 0
    for row in rows:
        length = len(row["text"].rstrip())
        expected = {end for _, end in row["sentences"] if end < length}
        ends = [end for _, end in split(row["text"]) if end < length]
        hits += _hits(ends, expected)
        predicted += len(ends)
        labelled += len(expected)
    return 2 * hits / (predicted + labelled) if predicted + labelled else 0.0


def _hits(ends: Iterable[int], expected: set[int]) -> int:
    """Counts the ends near an expected one, each of which counts once; the nearest is taken first."""
    used: set[int] = set()
    for end in ends:
        for near in sorted(range(end - TOLERANCE, end + TOLERANCE + 1), key=lambda place: abs(place - end)):
            if near in expected and near not in used:
                used.add(near)
                break
    return len(used)

"""A line for each input file that is not complete: where, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any


def verdict_lines(inputs: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yields a line for each file whose verdict is not "complete"; `inputs` is as the manifest has it."""
    for entry in inputs:
        if entry["verdict"] != "complete":
            first = entry["places"][0]
            more = len(entry["places"]) - 1 + entry.get("places_left_out", 0)
            rest = f", and {more} more places (see manifest.json)" if more else ""
            yield f"{entry['path']}: {entry['verdict']} at byte {first['offset']}: {first['reason']}{rest}"

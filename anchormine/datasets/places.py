"""Places of input files where something is wrong, as the manifest lists them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

# Of each file and kind. A file can be wrong in more places than fit in memory; they are counted all the same.
MAX_PLACES = 1_000


class Place(NamedTuple):
    """A place of a file.

    Attributes:
        offset: byte of the file.
        bytes_skipped: how many bytes are lost there.
        reason: in words.
    """

    offset: int
    bytes_skipped: int
    reason: str


class Places:
    """Places of one file, in order; the first `MAX_PLACES` are kept.

    Attributes:
        kept: these.
        count: how many there are in all.
    """

    def __init__(self) -> None:
        self.kept: list[Place] = []
        self.count = 0

    def add(self, offset: int, bytes_skipped: int, reason: str) -> None:
        """Adds a place."""
        self.count += 1
        if len(self.kept) < MAX_PLACES:
            self.kept.append(Place(offset, bytes_skipped, reason))


def input_entry(
    path: str, size: int, sha256: str | None, verdict: str, places: Iterable[Place], left_out: int = 0
) -> dict[str, Any]:
    """Returns what the manifest says of an input file.

    Args:
        path: of the file.
        size: in bytes.
        sha256: in hex; None for a file that could not be read to its end, or that changed meanwhile.
        verdict: "complete", "damaged" or "unreadable".
        places: where something is wrong.
        left_out: how many more places there are, which are only counted; named in the entry if there are any.
    """
    entry: dict[str, Any] = {
        "path": path,
        "bytes": size,
        "sha256": sha256,
        "verdict": verdict,
        "places": [place._asdict() for place in places],
    }
    return {**entry, "places_left_out": left_out} if left_out else entry

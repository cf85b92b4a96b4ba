"""`.offset` files: where each member of a `.json.gz` file starts, in lines of ten digits.

The last line is where the file ends, in files that have one more line than members.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

_LINES = re.compile(rb"(?:[0-9]{10}\n)*[0-9]{10}\n?")


def parse_offsets(data: bytes) -> list[int] | None:
    """Returns what an `.offset` file lists; None for anything but lines of ten digits."""
    if not _LINES.fullmatch(data):
        return None
    return [int(line) for line in data.split()]


def missing_end(offsets: Sequence[int], size: int) -> int | None:
    """Returns the byte up to which a file should reach at least; None if it does.

    Args:
        offsets: of the file, ascending.
        size: of the file, in bytes.
    """
    return offsets[-1] if offsets and offsets[-1] > size else None


def is_of_file(offsets: Sequence[int], starts: Sequence[int], size: int) -> bool:
    """Tells whether a list that goes on behind a file's end is of that file, and not of one packed otherwise.

    All members that the file has are listed then, and it has most that are listed before its end; where it
    is damaged there may be some that it has not.

    Args:
        offsets: as the list has them.
        starts: as the file has them.
        size: of the file, in bytes.
    """
    listed = {offset for offset in offsets if offset < size}
    found = set(starts)
    return found <= listed and 2 * len(found) >= len(listed)


def first_difference(offsets: Sequence[int], starts: Sequence[int], size: int) -> int | None:
    """Returns the first byte at which a list and a file differ in where members start; None if they agree.

    A member without bytes is in the list, and nowhere in the file; members before the first that is listed
    are no difference.

    Args:
        offsets: as the list has them.
        starts: as the file has them, ascending.
        size: of the file, in bytes.
    """
    if not offsets:
        return starts[0] if starts else None
    listed = starts[bisect_left(starts, offsets[0]) :]
    return min({*offsets, size} ^ {*listed, size}, default=None)

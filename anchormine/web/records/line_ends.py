"""The line ends behind the records of a crawl file."""

import re

from anchormine.web.records.record_heads import LINE_END

TERMINATOR_BYTES = 6  # of the line ends behind a record, at most
LINE_ENDS = re.compile(rb"[\r\n]*")

_OF_WARC = b"\r\n\r\n"  # as nearly all programs write them
_WARC_TERMINATOR = rb"\r\n\r\n|\n\n|\r\r\n\r\r\n"
_TERMINATOR = {"warc": re.compile(_WARC_TERMINATOR), "arc": re.compile(LINE_END)}
_LAST_TERMINATOR = re.compile(rb"(?:" + _WARC_TERMINATOR + rb"|" + LINE_END + rb")\Z")


def ends_block(data: bytes, at: int, format: str) -> bool:
    """Tells whether the line ends that a block of "warc" or "arc" ends with stand at a place."""
    return _TERMINATOR[format].match(data, at) is not None


def without_terminator(data: bytes | memoryview) -> int:
    """Returns the size of data without the line ends of a record that it ends with, if it does."""
    last = _LAST_TERMINATOR.search(data, max(0, len(data) - TERMINATOR_BYTES))
    return last.start() if last else len(data)


def taken_line_ends(block: memoryview, behind: bytes) -> int:
    """Returns how many bytes of the line ends behind a record an announced length takes for its own: 0 to 4.

    Args:
        block: as long as announced.
        behind: the line ends that follow it.
    """
    found = (n for n in range(1, len(_OF_WARC) + 1) if behind == _OF_WARC[n:] and block[-n:] == _OF_WARC[:n])
    return next(found, 0)

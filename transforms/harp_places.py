"""The lines of HARP's files, and the places in them where something is wrong."""

import io
from collections.abc import Iterator
from typing import Any, NamedTuple

from anchormine.datasets.places import Places
from anchormine.harp.lines import HarpSentence
from anchormine.transforms.resumed_reads import ReadStopped, ResumedFile

MAX_LINE_BYTES = 1 << 26  # a line is a sentence and its passages; a file without lines is something else
_BUFFER_BYTES = 1 << 18


class HarpLine(NamedTuple):
    """A line that holds anything.

    Attributes:
        number: of the line, from 1.
        offset: of its first byte.
        length: in bytes, with what was too much to be kept.
        text: its bytes.
    """

    number: int
    offset: int
    length: int
    text: bytes


class HarpPlaces:
    """What is wrong in one file.

    Attributes:
        unreadable: lines that cannot be read, and where the file itself cannot be.
        wrong: places of anchors that are not where their words are; the lines are read.
    """

    def __init__(self) -> None:
        self.unreadable = Places()
        self.wrong = Places()

    def add_wrong_spans(self, line: HarpLine, sentence: HarpSentence) -> None:
        """Adds the anchors of a line whose place is wrong."""
        for link in sentence.links:
            if link.reason:
                done = "rejected" if link.span is None else "placed by its words"
                reason = f"line {line.number}: {link.reason} of {link.text!r}, which is {done}"
                self.wrong.add(line.offset, 0, reason)

    def report(self, sentences: int) -> dict[str, Any]:
        """Returns what the launcher is told, for JSON; `sentences` are those that were read."""
        return {
            "sentences": sentences,
            "unreadable": self.unreadable.count,
            "wrong": self.wrong.count,
            "places": sorted([*self.unreadable.kept, *self.wrong.kept]),
            "first": self.unreadable.kept[:1],
        }


def harp_lines(path: str, size: int, places: HarpPlaces) -> Iterator[HarpLine]:
    """Yields the lines of a file.

    Args:
        path: of the file.
        size: in bytes.
        places: are told where the file cannot be read any further.
    """
    offset = number = 0
    with io.BufferedReader(ResumedFile(path), _BUFFER_BYTES) as stream:
        while True:
            try:
                text = stream.readline(MAX_LINE_BYTES)
                length = len(text)
                while text and not text.endswith(b"\n") and (more := stream.readline(MAX_LINE_BYTES)):
                    text, length = text[:MAX_LINE_BYTES], length + len(more)
                    if more.endswith(b"\n"):
                        break
            except ReadStopped as stop:
                places.unreadable.add(offset, size - offset, f"after line {number}: {stop.reason}")
                return
            if not text:
                return
            number += 1
            if text.strip():
                yield HarpLine(number, offset, length, text)
            offset += length

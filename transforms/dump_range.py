"""A part of a dump's file, and the reading of it."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from anchormine.archives.compression import Damage, compression_of, decompress
from anchormine.transforms.resumed_reads import LEAVE_OUT, ReadStopped, ResumedFile
from anchormine.wiki.page_elements import PageElement, page_elements

_TAGS = (b"<mediawiki", b"<page>", b"</page>")  # a dump has one of them in its first bytes


class DumpRange(NamedTuple):
    """A part of a file that one worker reads.

    Attributes:
        number: place of the range in the input: what is read from it stands before that of higher ones.
        file: number of its file in the plan.
        path: of the file.
        compression: of the file.
        start: first byte.
        end: byte after the last; of an uncompressed file, pages that start before it belong to the range.
        has_start: whether the file's head is in it.
        has_end: whether the file's end is.
        max_pages: how many pages are to be read from it, None for all.
    """

    number: int
    file: int
    path: str
    compression: str
    start: int
    end: int
    has_start: bool
    has_end: bool
    max_pages: int | None


class Head(NamedTuple):
    """The beginning of a file.

    Attributes:
        compression: "bz2", "gz", "zst" or "".
        xml: its first bytes, without the compression.
        problem: why there are none, and what to do about it; None if there are.
    """

    compression: str
    xml: bytes
    problem: str | None


def is_dump(head: bytes) -> bool:
    """Tells a dump by the first bytes of its XML."""
    return any(tag in head for tag in _TAGS)


def read_head(path: str, length: int) -> Head:
    """Reads about `length` bytes of XML from the beginning of a file."""
    try:
        with ResumedFile(path) as stream:
            raw = stream.read(length)
    except ReadStopped as stop:
        return Head("", b"", f"{stop.reason}; {LEAVE_OUT}")
    kind = compression_of(raw)
    if not kind:
        return Head("", raw, None if raw else "an empty file; fetch it again")
    damages: list[Damage] = []
    xml = b""
    with ResumedFile(path) as stream:
        for chunk in _until_stopped(decompress(stream, kind, damages), damages):
            xml += chunk
            if len(xml) >= length:
                break
    if damages and not xml:
        return Head(kind, b"", f"{damages[0].reason}; nothing before that can be read, fetch it again")
    return Head(kind, xml, None)


def read_elements(
    part: DumpRange, damages: list[Damage], on_read: Callable[[int], None] | None = None
) -> Iterator[PageElement]:
    """Yields the page elements of a range.

    Args:
        part: of a file.
        damages: receives what could not be read.
        on_read: is told how many bytes of the range have been read since it was last told.
    """
    plain = not part.compression
    with ResumedFile(part.path, part.start) as stream:
        bounded = _Bounded(stream, part.end - part.start, reads_on=plain, on_read=on_read)
        elements = page_elements(
            _until_stopped(decompress(bounded, part.compression, damages, part.start), damages),
            damages,
            has_start=part.has_start,
            has_end=part.has_end and part.max_pages is None,
            base=part.start if plain else 0,
            within_page=plain,
            until=part.end if plain else None,
        )
        for element in islice(elements, part.max_pages):  # what stands behind the last is not looked at
            if plain and element.offset >= part.end:
                return
            yield element


def _until_stopped(chunks: Iterable[bytes], damages: list[Damage]) -> Iterator[bytes]:
    """Takes a file that cannot be read any further for one that ends there, and reports it."""
    try:
        yield from chunks
    except ReadStopped as stop:
        damages.append(Damage(stop.offset, stop.bytes_skipped, stop.reason, "file"))


class _Bounded:
    """The bytes of a range; of an uncompressed file also those behind it, where its last page ends."""

    def __init__(
        self, stream: ResumedFile, length: int, reads_on: bool, on_read: Callable[[int], None] | None
    ) -> None:
        self._stream = stream
        self._left = length
        self._reads_on = reads_on
        self._on_read = on_read

    def read(self, size: int = -1) -> bytes:
        if not self._reads_on:
            size = self._left if size < 0 else min(size, self._left)
        try:
            data = self._stream.read(size)
        except ReadStopped as stop:
            raise ReadStopped(stop.offset, stop.reason, self._left) from None
        if self._on_read:
            self._on_read(min(len(data), self._left))
        self._left = max(0, self._left - len(data))
        return data

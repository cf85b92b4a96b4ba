"""The index of a multistream dump: where its bzip2 streams start."""

import re
from collections.abc import Iterable, Iterator

from anchormine.archives.compression import Damage, compression_of, decompress
from anchormine.errors import UsageError
from anchormine.transforms.files import exists
from anchormine.transforms.resumed_reads import ReadStopped, ResumedFile

_NAME = re.compile(r"multistream-index\d*\.txt[^/]*$")
_LINE = re.compile(rb"^(\d{1,19})\d*:\d+:", re.MULTILINE)  # no file has a byte of a longer number


def is_index(path: str) -> bool:
    """Tells by its name whether a file is an index."""
    return _NAME.search(path) is not None


def index_beside(path: str) -> str | None:
    """The index: that of "...-multistream1.xml-p1p2.bz2" is "...-multistream-index1.txt-p1p2.bz2"."""
    folder, slash, name = path.rpartition("/")
    candidate, found = re.subn(r"multistream(\d*)\.xml", r"multistream-index\1.txt", name)
    path = f"{folder}{slash}{candidate}"
    return path if found and exists(path) else None


def index_offsets(index: str, path: str, size: int) -> list[int]:
    """Reads an index.

    Args:
        index: path of the index.
        path: of the multistream file.
        size: of that file, in bytes.

    Returns:
        Where the file's streams start, ascending; of a file that is cut off, those that it still has.

    Raises:
        UsageError: it cannot be read, is damaged, or is the index of another file.
    """
    damages: list[Damage] = []
    offsets: set[int] = set()
    try:
        with ResumedFile(index) as stream:
            kind = compression_of(stream.read(16))
        with ResumedFile(index) as stream:
            for lines in _whole_lines(decompress(stream, kind, damages)):
                offsets.update(map(int, _LINE.findall(lines)))
    except ReadStopped as stop:
        raise UsageError(f"{index}: {stop.reason}; give --index another file, or --index none") from None
    if damages:
        raise _not_the_index(index, path, damages[0].reason)
    if not offsets:
        raise _not_the_index(index, path, "no lines offset:id:title")
    within = sorted(offset for offset in offsets if offset < size)
    if not within:
        raise _not_the_index(index, path, "offsets beyond its end")
    return within


def _whole_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The index of a large wiki takes gigabytes: it is never in memory as a whole."""
    rest = b""
    for chunk in chunks:
        lines, newline, rest = (rest + chunk).rpartition(b"\n")
        yield lines + newline
    yield rest


def check_starts(index: str, path: str, starts: Iterable[int]) -> None:
    """Looks whether a bzip2 stream starts at each of some bytes of a file.

    Raises:
        UsageError: one does not.
    """
    for start in starts:
        try:
            with ResumedFile(path, start) as stream:
                is_stream = compression_of(stream.read(16)) == "bz2"
        except ReadStopped:
            continue  # whoever reads on from there says so
        if not is_stream:
            raise _not_the_index(index, path, f"no bzip2 stream starts at its byte {start}")


def _not_the_index(index: str, path: str, reason: str) -> UsageError:
    return UsageError(
        f"{index}: is not the index of {path} ({reason}); give --index the right file, or --index none"
    )

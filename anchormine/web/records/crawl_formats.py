"""Whether a file is WARC or ARC, and how it is packed, told from its first bytes and never from its name."""

import zlib
from collections.abc import Iterator
from io import BytesIO

from anchormine.archives.compression import Readable
from anchormine.web.http.content_codings import ZSTD_SIGNATURE
from anchormine.web.records.decoded_bytes import DecodedBytes
from anchormine.web.records.file_looks import look, remedy
from anchormine.web.records.gzip_members import GZIP
from anchormine.web.records.pieces import Container, Gap, Piece, decoded_pieces, find_record, plain_pieces
from anchormine.web.records.raw_bytes import RawBytes
from anchormine.web.records.record_heads import find_head, record_format
from anchormine.web.records.zstd_frames import (
    dictionary_size,
    has_broken_dictionary,
    has_long_window,
    lacks_dictionary,
    zstd_frames,
)

_ZIP = b"PK\x03\x04"
_PACKED = {
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ\0": "an xz file",
    b"\x04\x22\x4d\x18": "an lz4 file",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
}
_SIGNATURE_BYTES = 4
_FIRST_BYTES = 1 << 18
DAMAGED_START_BYTES = 1 << 24  # in which the first record is sought, where all before it is damaged
_SEARCHED_BYTES = _FIRST_BYTES


def crawl_format(head: bytes, searched: int = _SEARCHED_BYTES) -> str | None:
    """Tells from a file's first bytes whether it is a crawl file.

    Args:
        head: as many as there are; 256 KiB are enough, and allow for some damage at the start.
        searched: how many bytes of what they decode to are looked at, in front of a gap and behind it. More
            than 256 KiB are for what is known to be a crawl's: other files may hold records, too.

    Returns:
        "warc" or "arc", or None for anything else.
    """
    if is_zip(head) or _is_gzip_twice(head):
        return None  # records in it may be found, but not read in order
    if dictionary_size(head) > len(head):
        return "warc"  # no other format has such a frame
    window, _ = open_crawl(BytesIO(head))
    while True:
        window.reach(window.base + searched)
        edges = [edge - window.base for edge in window.edges]
        start = next((at for at in (*edges[:1], 0) if record_format(window.data, at)), -1)
        if start < 0:
            start = find_head(window.data, 0, "", ())
        if start >= 0:
            return record_format(window.data, start)
        if not window.gap:
            return None
        window.pass_gap()


def is_zip(head: bytes) -> bool:
    """Tells a zip archive by its first bytes, such as a WACZ file, which has the files of a crawl in it."""
    return head.startswith(_ZIP)


def unread_packing(head: bytes) -> str | None:
    """Says of a file that is no crawl file how it is packed where it may hold one, and what to do about that.

    Args:
        head: as for `crawl_format`.

    Returns:
        None for a file that holds no crawl.
    """
    for signature, name in _PACKED.items():
        if head.startswith(signature):
            return f"{name}, which is not read; unpack it, or make it .gz or .zst"
    if has_long_window(head):
        return "its zstd frames take much memory; unpack it with `zstd -d --long=31`"
    if lacks_dictionary(head):
        return "its zstd dictionary does not stand at its start; unpack it with that (zstd -d -D DICTIONARY)"
    if has_broken_dictionary(head):
        return "its zstd dictionary is damaged; fetch it again"
    window, container = open_crawl(BytesIO(head))
    window.reach(_SEARCHED_BYTES)
    if _is_gzip_twice(head) or (container and _is_packed(window.data)):
        return "compressed twice; unpack it once"
    return remedy(window.data)


def _is_gzip_twice(head: bytes) -> bool:
    """Tells whether a gzip member has packed bytes in it.

    Gzip may leave those as they are, where they look like the members that follow a broken one.
    """
    if not GZIP.signature.match(head):
        return False
    try:
        return _is_packed(zlib.decompressobj(31).decompress(head, _SIGNATURE_BYTES))
    except zlib.error:
        return False


def _is_packed(data: bytes) -> bool:
    return bool(GZIP.signature.match(data) or ZSTD_SIGNATURE.match(data))


def look_of(head: bytes) -> str | None:
    """Says what kind of file it is that holds no crawl, such as "an HTML page" or "JSON, compressed".

    Args:
        head: as for `crawl_format`.

    Returns:
        None for what is not known.
    """
    window, container = open_crawl(BytesIO(head))
    window.reach(_SEARCHED_BYTES)
    words = look(window.data) if window.data or window.gap else "an empty file"
    if not container:
        return words
    return f"{words}, compressed" if words else "compressed"


def open_crawl(stream: Readable) -> tuple[DecodedBytes, Container | None]:
    """Returns a window on the decoded bytes of a crawl file, and how it is compressed, None if it is not."""
    raw = RawBytes(stream)
    container = _container(raw)

    def pieces() -> Iterator[Piece | Gap]:
        return plain_pieces(raw) if container is None else decoded_pieces(raw, container)

    def pieces_from(position: int) -> Iterator[Piece | Gap]:
        raw.go_back(position)
        return pieces()

    def breaks_from(position: int) -> bool:
        if container is None:
            return False
        now = raw.position
        raw.go_back(position)
        is_broken = any(isinstance(piece, Gap) and piece.breaks for piece in container.decode(raw))
        raw.go_back(now)
        return is_broken

    has_members = container is not None
    if not raw.can_go_back:
        return DecodedBytes(pieces(), has_members, None), container
    return DecodedBytes(pieces(), has_members, pieces_from, breaks_from if has_members else None), container


def _container(raw: RawBytes) -> Container | None:
    head = raw.peek(_FIRST_BYTES)
    if GZIP.signature.match(head):
        return GZIP
    if ZSTD_SIGNATURE.match(head):
        return zstd_frames(raw.peek(dictionary_size(head)))
    if record_format(head, 0):
        return None
    # The start is damaged: the first record decides.
    found = _first_found(head) or _first_found(raw.peek(DAMAGED_START_BYTES))
    return found[1] if found else None


def _first_found(head: bytes) -> tuple[int, Container | None] | None:
    """Returns where the first record or member with one starts, and how it is compressed."""
    found: list[tuple[int, Container | None]] = [(find_head(head, 0, "", ()), None)]
    found += [(find_record(head, container, len(head)), container) for container in (GZIP, zstd_frames(b""))]
    return min((place for place in found if place[0] >= 0), key=lambda place: place[0], default=None)

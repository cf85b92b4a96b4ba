"""Bytes of an input file, decompressed, with every damage reported and as much as possible read behind it."""

import bz2
import re
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import zstandard

_READ_BYTES = 1 << 18
_FEED_BYTES = 1 << 15
_MAX_OUTPUT_BYTES = 1 << 22  # of bzip2 at a time: a block of 40 bytes may give 45 MB
_SIGNATURE_BYTES = 10
# Of a stream that breaks, in which the next one is looked for: a block of bzip2 takes 900 kB.
_HELD_BYTES = 1 << 20


class Damage(NamedTuple):
    """A place of a file that could not be read.

    Attributes:
        offset: byte where it starts.
        bytes_skipped: how many bytes are lost there.
        reason: in words.
        of: "file" for bytes of the file itself, "xml" for bytes of the XML in it.
    """

    offset: int
    bytes_skipped: int
    reason: str
    of: str


class _Format(NamedTuple):
    """A compressed format: a sequence of streams, each with a signature at its start.

    Attributes:
        signature: at the start of a stream.
        decompressor: of a stream.
        errors: that it raises.
        bite_bytes: that it is given at a time: what is lost at most, besides the broken block, when a stream
            breaks, and few where few bytes may give very many. They divide `_FEED_BYTES`.
        skippable: at the start of a stream that gives nothing. It is not looked for behind damage: where it
            stands by chance, what follows would be skipped.
    """

    signature: re.Pattern[bytes]
    decompressor: Callable[[], Any]
    errors: tuple[type[Exception], ...]
    bite_bytes: int
    skippable: re.Pattern[bytes] = re.compile(rb"(?!)")

    def starts(self, data: bytes) -> bool:
        """Tells whether a stream starts with these bytes."""
        return bool(self.signature.match(data) or self.skippable.match(data))


_FORMATS = {
    # "BZh", the block size, and the digits of pi that start the first block (or, of an empty one, of its end)
    "bz2": _Format(
        re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"),
        bz2.BZ2Decompressor,
        (OSError, ValueError, EOFError),
        _FEED_BYTES,
    ),
    "gz": _Format(
        re.compile(rb"\x1f\x8b\x08[\x00-\x1f]"), lambda: zlib.decompressobj(31), (zlib.error,), _FEED_BYTES
    ),
    "zst": _Format(
        re.compile(rb"\x28\xb5\x2f\xfd"),
        lambda: zstandard.ZstdDecompressor().decompressobj(),
        (zstandard.ZstdError,),
        1 << 10,  # a block of four bytes gives up to 128 KiB
        # Before each frame of pzstd; others have an index at the end. In \x5d crawls have a dictionary.
        re.compile(rb"[\x50-\x5c\x5e\x5f]\x2a\x4d\x18"),
    ),
}


def compression_of(head: bytes) -> str:
    """Returns "bz2", "gz" or "zst" by a file's first bytes, "" for none of them. Names are not looked at."""
    return next((kind for kind, form in _FORMATS.items() if form.starts(head)), "")


class Readable(Protocol):
    """What compressed bytes are read from."""

    def read(self, size: int = ..., /) -> bytes:
        """Returns up to so many bytes, none at the end."""


def decompress(stream: Readable, kind: str, damages: list[Damage], base: int = 0) -> Iterator[bytes]:
    """Yields the decompressed bytes of a file, or of a part of it that starts at a stream.

    A stream that is broken is given up, and reading goes on at the next one. That may start before the place
    where the first one breaks, as the bytes of the next are taken for the rest of one that was cut short.

    Args:
        stream: of the compressed bytes.
        kind: as `compression_of` says.
        damages: receives what could not be read.
        base: offset in the file at which `stream` starts.
    """
    if not kind:
        yield from iter(lambda: stream.read(_READ_BYTES), b"")
        return
    form = _FORMATS[kind]
    source = _Source(stream, base)
    while source.fill(_SIGNATURE_BYTES):
        if form.starts(source.data):
            yield from _one_stream(source, kind, form, damages)
        elif source.data.strip(b"\0"):
            offset = source.position
            source.skip_to(form.signature)
            _add_damage(damages, offset, source.position, f"no {kind} stream starts here")
        else:
            source.take(len(source.data))  # padding


def _one_stream(source: "_Source", kind: str, form: _Format, damages: list[Damage]) -> Iterator[bytes]:
    started = decoded = source.position
    # From the last bite that gave anything on: behind where a stream was cut short the next one may be there.
    held: deque[bytes] = deque(maxlen=_HELD_BYTES // form.bite_bytes)
    decompressor = form.decompressor()
    while not decompressor.eof:
        if not source.fill(1):
            source.go_on(b"".join(held), started, form.signature)
            if source.data:
                reason = f"damaged {kind} stream (it starts at byte {started}): it has no end"
                _add_damage(damages, decoded, source.position, reason)
            else:
                reason = f"cut off: the {kind} stream that starts at byte {started} has no end"
                damages.append(Damage(source.position, 0, reason, "file"))
            return
        piece = source.take(_FEED_BYTES)
        while piece and not decompressor.eof:
            bite, rest = piece[: form.bite_bytes], piece[form.bite_bytes :]
            has_given = False  # of a block that is broken bzip2 gives nothing
            try:
                for out in _outputs(decompressor, bite):
                    has_given = True
                    yield out
            except form.errors as error:
                source.go_on(b"".join(held) + piece, started, form.signature)
                reason = f"damaged {kind} stream (it starts at byte {started}): {error}"
                _add_damage(damages, decoded, source.position, reason)
                return
            piece = rest
            if has_given:
                decoded = source.position - len(piece)
                held.clear()
            held.append(bite)
        source.put_back(piece)
    source.put_back(decompressor.unused_data)


def _outputs(decompressor: Any, bite: bytes) -> Iterator[bytes]:
    """Yields what a few bytes of a stream give, if that is anything."""
    if not isinstance(decompressor, bz2.BZ2Decompressor):
        if out := decompressor.decompress(bite):
            yield out
        return
    while out := decompressor.decompress(bite, _MAX_OUTPUT_BYTES):
        yield out
        if decompressor.eof or decompressor.needs_input:
            return
        bite = b""


def _add_damage(damages: list[Damage], offset: int, end: int, reason: str) -> None:
    """Reports what was skipped from `offset` on, nothing where what comes next starts before that."""
    last = damages[-1] if damages else None
    offset = min(offset, end)
    if last and last.of == "file" and last.offset + last.bytes_skipped == offset:
        damages[-1] = last._replace(bytes_skipped=end - last.offset)
    else:
        damages.append(Damage(offset, end - offset, reason, "file"))


class _Source:
    """Bytes of a stream with the place where they stand in the file."""

    def __init__(self, stream: Readable, position: int) -> None:
        self._stream = stream
        self.data = b""
        self.position = position

    def fill(self, least: int) -> bool:
        """Reads until there are `least` bytes or no more. Returns whether there are any."""
        while len(self.data) < least:
            more = self._stream.read(_READ_BYTES)
            if not more:
                break
            self.data += more
        return bool(self.data)

    def take(self, count: int) -> bytes:
        taken, self.data = self.data[:count], self.data[count:]
        self.position += len(taken)
        return taken

    def put_back(self, data: bytes) -> None:
        self.data = data + self.data
        self.position -= len(data)

    def go_on(self, held: bytes, started: int, signature: re.Pattern[bytes]) -> None:
        """Goes back to the bytes of a broken stream that are held, and on to where the next one starts."""
        self.put_back(held)
        if self.position == started:
            self.take(1)
        self.skip_to(signature)

    def skip_to(self, signature: re.Pattern[bytes]) -> None:
        while self.fill(_SIGNATURE_BYTES):
            match = signature.search(self.data)
            if match:
                self.take(match.start())
                return
            kept = min(_SIGNATURE_BYTES - 1, len(self.data))
            self.take(len(self.data) - kept)
            if not self._more():
                self.take(len(self.data))
                return

    def _more(self) -> bool:
        more = self._stream.read(_READ_BYTES)
        self.data += more
        return bool(more)

"""Bytes of a file that are looked at before they are taken, with the place where they stand."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

from anchormine.archives.compression import Readable

_READ_BYTES = 1 << 18


@runtime_checkable
class Seekable(Protocol):
    """A stream that can go back, if `seekable` says so."""

    def seekable(self) -> bool: ...

    def tell(self) -> int: ...

    def seek(self, offset: int, whence: int = 0, /) -> int: ...


class RawBytes:
    """A file's bytes from its first on, of which a bounded piece is held.

    Attributes:
        position: byte of the file that is next.
        can_go_back: whether `go_back` can be called.
        in_vain: bytes that were decoded in search of a member, and belong to none.
    """

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._seekable = stream if isinstance(stream, Seekable) and stream.seekable() else None
        self._first = self._seekable.tell() if self._seekable else 0
        self.can_go_back = self._seekable is not None
        self._data = b""
        self._at = 0
        self._kept_from: int | None = None  # where bytes are held from, if others than the next
        self._ended = False
        self.position = 0
        self.in_vain = 0

    def peek(self, size: int) -> bytes:
        """Returns the next bytes, fewer only at the file's end."""
        if len(self._data) - self._at < size:
            self._fill(size)
        return self._data[self._at : self._at + size]

    def whole(self, size: int) -> bytes:
        """Returns the next bytes.

        Raises:
            EOFError: there are fewer.
        """
        data = self.peek(size)
        if len(data) < size:
            raise EOFError("the file ends within it")
        return data

    def take(self, size: int) -> None:
        """Goes on behind bytes that were looked at."""
        self._at += size
        self.position += size

    @contextmanager
    def looking_ahead(self) -> Iterator[None]:
        """Holds the bytes that are taken within; behind it they are next again. No other stands in it."""
        position, self._kept_from = self.position, self._at
        try:
            yield
        finally:
            self._at, self._kept_from = self._kept_from, None
            self.position = position

    def go_back(self, position: int) -> None:
        """Goes back to a byte of the file.

        Raises:
            ValueError: the stream cannot.
        """
        if self._seekable is None:
            raise ValueError("this stream cannot go back")
        self._seekable.seek(self._first + position)
        self._data, self._at, self._ended = b"", 0, False
        self.position = position

    def _fill(self, size: int) -> None:
        first = self._at if self._kept_from is None else self._kept_from
        parts = [self._data[first:]]
        missing = self._at - first + size - len(parts[0])
        while missing > 0 and not self._ended:
            more = self._stream.read(_READ_BYTES)
            self._ended = not more
            parts.append(more)
            missing -= len(more)
        self._data, self._at = b"".join(parts), self._at - first
        if self._kept_from is not None:
            self._kept_from = 0

"""Bytes of a file that are looked at before they are taken, with the place where they stand."""

from anchormine.archives.compression import Readable

_READ_BYTES = 1 << 18


class RawBytes:
    """A file's bytes from its first on, of which a bounded piece is held.

    Attributes:
        position: byte of the file that is next.
    """

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._data = b""
        self._at = 0
        self._ended = False
        self.position = 0

    def peek(self, size: int) -> bytes:
        """Returns the next bytes, fewer only at the file's end."""
        if len(self._data) - self._at < size:
            self._fill(size)
        return self._data[self._at : self._at + size]

    def take(self, size: int) -> None:
        """Goes on behind bytes that were looked at."""
        self._at += size
        self.position += size

    def _fill(self, size: int) -> None:
        parts = [self._data[self._at :]]
        missing = size - len(parts[0])
        while missing > 0 and not self._ended:
            more = self._stream.read(_READ_BYTES)
            self._ended = not more
            parts.append(more)
            missing -= len(more)
        self._data, self._at = b"".join(parts), 0

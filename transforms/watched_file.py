"""A file that is read forward: it is told how far, and noted where it cannot be read any further."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence

from anchormine.archives.compression import Damage
from anchormine.transforms.resumed_reads import ReadStopped, ResumedFile


class WatchedFile:
    """The bytes of a file; one that cannot be read any further ends there, and that is reported."""

    def __init__(
        self,
        file: ResumedFile,
        size: int,
        damages: MutableSequence[Damage],
        on_read: Callable[[int], None] | None,
    ) -> None:
        self._file = file
        self._size = size
        self._damages = damages
        self._on_read = on_read
        self._position = 0
        self._told = 0  # up to which byte `on_read` was told
        self._end: int | None = None  # where it cannot be read any further

    def read(self, size: int = -1) -> bytes:
        if self._end is not None:
            size = self._end - self._position if size < 0 else min(size, self._end - self._position)
        try:
            data = self._file.read(size) if size else b""
        except ReadStopped as stop:
            if self._end is None:
                lost = max(0, self._size - stop.offset)
                self._damages.append(Damage(stop.offset, lost, stop.reason, "file"))
            self._end = stop.offset
            return b""
        self._position += len(data)
        if self._on_read and self._position > self._told:
            self._on_read(self._position - self._told)
            self._told = self._position
        return data

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Goes to a byte of the file, counted from its start."""
        if whence:
            raise ValueError("only from the file's start")
        self._file.go_to(offset)
        self._position = offset
        return offset

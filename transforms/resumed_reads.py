"""Reading that outlives an error of the file system: the file is opened again where it was, a few times."""

import io
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from anchormine.transforms.files import is_local, open_once

# Between the attempts, which is one more than there are pauses. No runner retries a single read.
PAUSES_SECONDS = (0.5, 1.0, 2.0)
# How the reason starts for which nothing more is read, and the remedy where that is nothing at all.
NOT_READ = "cannot be read"
LEAVE_OUT = "see that it can be read, or leave it out"


class _NoFileError(OSError):
    """A pipe, which would be waited for without end, a socket or a device."""


_LASTING = (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError, _NoFileError)


class ReadStopped(Exception):
    """A file that a file system does not read any further.

    Attributes:
        offset: byte that could not be read.
        reason: in words.
        bytes_skipped: how many bytes from there on are lost, as far as that is known.
    """

    def __init__(self, offset: int, reason: str, bytes_skipped: int = 0) -> None:
        super().__init__(f"byte {offset}: {reason}")
        self.offset = offset
        self.reason = reason
        self.bytes_skipped = bytes_skipped


class ResumedFile(io.RawIOBase):
    """The bytes of a file from some place on.

    Raises:
        ReadStopped: by `read`, when the last attempt has failed too.
    """

    def __init__(self, path: str, start: int = 0) -> None:
        """Opens nothing before the first byte is read."""
        super().__init__()
        self._path = path
        self._position = start
        self._stream: IO[bytes] | None = None
        # Locally all errors are OSError; the clients of object stores raise errors of their own.
        self._errors = OSError if is_local(path) else Exception

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        """Returns up to `size` bytes, all that is left for -1, none at the end."""
        attempts = len(PAUSES_SECONDS) + 1
        for attempt in range(attempts):
            try:
                data = self._opened().read(size)
            except self._errors as error:
                self._let_go()
                if isinstance(error, _LASTING) or attempt + 1 == attempts:
                    tried = f", after {attempt + 1} attempts" if attempt else ""
                    raise ReadStopped(self._position, f"{NOT_READ} ({_in_words(error)}){tried}") from None
                time.sleep(PAUSES_SECONDS[attempt])
            else:
                self._position += len(data)
                return data
        raise AssertionError("no attempt")

    def go_to(self, position: int) -> None:
        """Reads on from another byte."""
        self._let_go()
        self._position = position

    def readinto(self, buffer: Any, /) -> int:
        """Fills a buffer, for `io.BufferedReader`."""
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Closes the file."""
        self._let_go()
        super().close()

    def _opened(self) -> IO[bytes]:
        if self._stream is None:
            if is_local(self._path):
                _check_file(Path(self._path))
            self._stream = open_once(self._path)
            if self._position:
                self._stream.seek(self._position)
        return self._stream

    def _let_go(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            with suppress(self._errors):  # it was broken already
                stream.close()


def _check_file(path: Path) -> None:
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # opening a folder says what it is
        raise _NoFileError("a pipe, a socket or a device")


def _in_words(error: Exception) -> str:
    """An error's own words in one line, without the path that stands before them anyway."""
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(words.split()) or type(error).__name__

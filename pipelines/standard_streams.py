"""Standard output and error, closed, full or a terminal: what is done does not hang on who reads about it."""

import codecs
import json
import os
import sys
from collections.abc import Iterator
from contextlib import (
    AbstractContextManager,
    ExitStack,
    contextmanager,
    nullcontext,
    redirect_stderr,
    redirect_stdout,
)
from io import TextIOBase
from pathlib import Path
from typing import Any, TextIO

from anchormine.control_characters import one_line, shown
from anchormine.errors import CommandError

_ESCAPES = "anchormine.escapes"


def _escape(error: UnicodeError) -> tuple[str, int]:
    """Writes characters that an encoding has not as JSON does, so that printed JSON stays the same JSON."""
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(_ESCAPES, _escape)


def tell(line: str) -> None:
    """Prints a line for a person on standard error: one, whatever the names in it.

    Of what is drawn there, as a bar, a terminal is to obey the control characters; of a line it is not.
    """
    line = one_line(line)
    print(shown(line) if sys.stderr.isatty() else line, file=sys.stderr)


class LastingStream(TextIOBase):
    """A stream that takes everything; from its first error on, what it takes is lost.

    Characters that its encoding has not are written as `\\uXXXX`.

    Args:
        stream: what it writes to.
        holds_text: whether nothing is drawn on it: a terminal is not to obey control characters then.

    Attributes:
        error: the first one, or None.
    """

    def __init__(self, stream: TextIO, holds_text: bool) -> None:
        self._stream = stream
        self._escapes_controls = holds_text and stream.isatty()
        self.error: OSError | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    def write(self, text: str) -> int:
        if self.error is None:
            try:
                return self._write(text)
            except OSError as error:
                self._lose(error)
        return len(text)

    def flush(self) -> None:
        # Python flushes it once more when it is gone, and what it writes to may be closed by then.
        if self.error is None and not self._stream.closed:
            try:
                self._stream.flush()
            except OSError as error:
                self._lose(error)

    def _write(self, text: str) -> int:
        text = shown(text) if self._escapes_controls else text
        try:
            return self._stream.write(text)
        except UnicodeEncodeError:
            encoding = self._stream.encoding
            return self._stream.write(text.encode(encoding, _ESCAPES).decode(encoding))

    def _lose(self, error: OSError) -> None:
        """Drops what is still held, or Python would complain of it when it ends."""
        self.error = error
        try:
            descriptor = self._stream.fileno()
        except OSError:  # no stream of the system
            return
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, descriptor)
        os.close(null)
        self._stream.flush()

    @contextmanager
    def complete(self) -> Iterator[None]:
        """Sees that what is printed in it has been written; that nobody wants to read on is no error.

        Raises:
            CommandError: it has not.
        """
        try:
            yield
        except SystemExit:  # of --help
            self._check()
            raise
        self._check()

    def _check(self) -> None:
        self.flush()
        if self.error is not None and not isinstance(self.error, BrokenPipeError):
            raise CommandError(
                f"standard output: cannot be written ({self.error.strerror}), and what was printed is cut "
                "off; all else is done; send it to a place with room"
            )


@contextmanager
def lasting_streams() -> Iterator[AbstractContextManager[None]]:
    """Lets a command go on to its end when standard output or error is closed or full.

    Gives the context in which the command runs: see `LastingStream.complete`. A command that another one
    runs leaves both to that one.
    """
    if isinstance(sys.stdout, LastingStream):
        yield nullcontext()
        return
    with ExitStack() as opened:
        # Python has none for one that was closed before the start, and would print errors among the output.
        nowhere = opened.enter_context(Path(os.devnull).open("w", encoding="utf-8"))
        output = LastingStream(sys.stdout or nowhere, holds_text=True)
        errors = LastingStream(sys.stderr or nowhere, holds_text=False)
        opened.enter_context(redirect_stdout(output))
        opened.enter_context(redirect_stderr(errors))
        try:
            yield output.complete()
        finally:
            output.flush()
            errors.flush()


def output_ended() -> bool:
    """Tells whether nothing more that is printed is written."""
    return isinstance(sys.stdout, LastingStream) and sys.stdout.error is not None

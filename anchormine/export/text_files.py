"""Files of lines and of JSON, written row by row."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from anchormine.export.export_folder import ExportFolder

# What one reader or another takes for the end of a line or of a column: Python's str.splitlines, and tab.
_BREAKS = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")


class TextFile:
    """A file of an export, one row a line.

    Attributes:
        rows: how many there are so far.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self.rows = 0

    def line(self, text: str) -> None:
        """Writes a row."""
        self._stream.write(text)
        self._stream.write("\n")
        self.rows += 1

    def json(self, row: dict[str, Any]) -> None:
        """Writes a row of JSON lines."""
        self.line(json_text(row))

    def columns(self, *values: object, separator: str = "\t") -> None:
        """Writes a row of columns, whose values hold no separator."""
        self.line(separator.join(map(str, values)))


@contextmanager
def text_file(
    folder: ExportFolder, name: str, head: str | None = None, if_empty: bool = True
) -> Iterator[TextFile]:
    """Opens a file for lines in UTF-8, and lists it when it is complete.

    Args:
        folder: of the export.
        name: of the file, below it.
        head: a first line that is no row.
        if_empty: whether the file is there without a row, too.
    """
    with folder.place(name).open("w", encoding="utf-8", newline="\n") as stream:
        if head is not None:
            stream.write(head + "\n")
        file = TextFile(stream)
        yield file
    if file.rows or if_empty:
        folder.add(name, file.rows)
    else:
        folder.place(name).unlink()


class JsonList(TextFile):
    """One JSON list, an entry a line: never more than one entry is in memory."""

    def json(self, row: dict[str, Any]) -> None:
        """Writes an entry."""
        self._stream.write(",\n" if self.rows else "\n")
        self._stream.write(json_text(row))
        self.rows += 1


@contextmanager
def json_list(folder: ExportFolder, name: str) -> Iterator[JsonList]:
    """Opens a file for one JSON list, and lists it when it is complete."""
    with folder.place(name).open("w", encoding="utf-8", newline="\n") as stream:
        stream.write("[")
        file = JsonList(stream)
        yield file
        stream.write("\n]\n")
    folder.add(name, file.rows)


def json_text(row: dict[str, Any]) -> str:
    """A row as JSON on one line."""
    return json.dumps(row, ensure_ascii=False)


class SingleLine:
    """Puts texts on one line, for columns of text files.

    Attributes:
        changed: how many texts had a tab or an end of line.
    """

    def __init__(self) -> None:
        self.changed = 0

    def __call__(self, text: str) -> str:
        """The text with a space for each run of tabs and ends of lines."""
        line, breaks = _BREAKS.subn(" ", text)
        self.changed += breaks > 0
        return line

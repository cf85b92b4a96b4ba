"""A file of queries, one a line, as search engines log them or TREC gives them."""

from __future__ import annotations

import re
from pathlib import Path

from anchormine.errors import UsageError

# "wt09-1:obama family tree": TREC's topics as Anchor-DR has them; an id has a digit, and no space behind it.
_NUMBERED = re.compile(r"[\w.-]*\d[\w.-]*:(?=\S)")
# Columns of a table of the Web Track's topics: id, type, query, description.
_TOPIC_COLUMNS, _TOPIC_QUERY = 4, 2


def read_queries(path: str) -> list[str]:
    """Reads queries.

    Args:
        path: of a file whose lines are all of one form: the query; "id:query"; "id", a tab, the query; or
            "id", type, query and description with tabs between them, as tables of TREC's Web Track have it.
            Empty lines are skipped.

    Returns:
        The queries, in order, repeated ones too.

    Raises:
        UsageError: the file cannot be read, is empty, or has lines of another form.
    """
    lines = _read_lines(path)
    if any("\t" in line for _, line in lines):
        return [_column(line, path, number) for number, line in lines]
    if all(_NUMBERED.match(line) for _, line in lines):
        return [line.partition(":")[2].strip() for _, line in lines]
    return [line.strip() for _, line in lines]


def _read_lines(path: str) -> list[tuple[int, str]]:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"--positives {path}: cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"--positives {path}: not UTF-8 at byte {error.start}; save it as UTF-8") from None
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        raise UsageError(f"--positives {path}: no queries in it; write one a line")
    return lines


def _column(line: str, path: str, number: int) -> str:
    columns = line.split("\t")
    if len(columns) == 2:
        return columns[1].strip()
    if len(columns) == _TOPIC_COLUMNS:
        return columns[_TOPIC_QUERY].strip()
    raise UsageError(
        f"--positives {path}, line {number}: has {len(columns)} columns; give a query a line, with its id "
        "and a tab before it if there is one"
    )

"""A file of queries, one a line, as search engines log them or TREC gives them."""

from __future__ import annotations

import re
from pathlib import Path

from anchormine.errors import UsageError

# "wt09-1:obama family tree": TREC's topics as Anchor-DR has them; an id has a digit, and no space behind it.
_NUMBERED = re.compile(r"[\w.-]*\d[\w.-]*:(?=\S)")
# Columns of a table of the Web Track's topics: id, type, query, description.
_TOPIC_COLUMNS, _TOPIC_QUERY = 4, 2
# Names of columns, in small letters without signs, as tables of queries have them in their first row.
_ID_NAMES = frozenset(("id", "qid", "queryid", "topic", "topicid", "number"))
_QUERY_NAMES = frozenset(("query", "queries", "text", "querytext", "title"))


def read_queries(path: str) -> list[str]:
    """Reads queries.

    Args:
        path: of a file whose lines are all of one form: the query; "id:query"; "id", a tab, the query; or
            "id", type, query and description with tabs between them, as tables of TREC's Web Track have it.
            Empty lines are skipped, and so is a row of tabs at the start that names the columns.

    Returns:
        The queries, in order, repeated ones too.

    Raises:
        UsageError: the file cannot be read, is empty, or has lines of another form.
    """
    lines = _read_lines(path)
    if any("\t" in line for _, line in lines):
        rows = lines[1:] if _is_header(lines[0][1]) else lines
        return [_column(line, path, number) for number, line in rows]
    if _have_ids(lines, path):
        return [line.partition(":")[2].strip() for _, line in lines]
    return [line.strip() for _, line in lines]


def _have_ids(lines: list[tuple[int, str]], path: str) -> bool:
    """Whether lines are "id:query"; a query may have a colon of its own, so a few that look so are none."""
    without = [number for number, line in lines if not _NUMBERED.match(line)]
    if without and len(without) < len(lines) / 2:
        raise UsageError(
            f"--positives {path}, line {without[0]}: has no id before the query, as most lines have; give "
            "every line one, or none"
        )
    return not without


def _is_header(line: str) -> bool:
    names = [re.sub(r"[\W_]", "", name.lower()) for name in line.split("\t")]
    query = _TOPIC_QUERY if len(names) == _TOPIC_COLUMNS else 1
    return len(names) > query and names[0] in _ID_NAMES and names[query] in _QUERY_NAMES


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

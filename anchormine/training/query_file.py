"""A file of queries, one a line, as search engines log them or TREC gives them."""

from __future__ import annotations

import io
import re
from pathlib import Path

from anchormine.errors import UsageError
from anchormine.training.query_records import are_records, record_queries
from anchormine.training.query_table import table_queries

# "wt09-1:obama family tree": TREC's topics as Anchor-DR has them; an id has a digit, and no space behind it.
_NUMBERED = re.compile(r"[\w.-]*\d[\w.-]*:(?=\S)")


def read_queries(path: str) -> list[str]:
    """Reads queries.

    Args:
        path: of a file whose lines, but for empty ones, are all of one form: the query; "id:query"; "id", a
            tab, the query; "id", type, query and description with tabs between them, as tables of TREC's Web
            Track have it; other columns, if the first line calls one `query`; or a JSON object with a `query`
            or `text`, as BEIR has it.

    Returns:
        The queries, in order, repeated ones too.

    Raises:
        UsageError: the file cannot be read, is empty, or has lines of another form.
    """
    lines = _read_lines(path)
    if are_records(lines):
        return record_queries(lines, f"--positives {path}")
    if any("\t" in line for _, line in lines):
        return table_queries(lines, f"--positives {path}")
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


def _read_lines(path: str) -> list[tuple[int, str]]:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"--positives {path}: cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"--positives {path}: not UTF-8 at byte {error.start}; save it as UTF-8") from None
    split = io.StringIO(text, newline=None)  # at the ends of lines alone: a query may have U+2028 in it
    lines = [(number, line) for number, line in enumerate(split, start=1) if line.strip()]
    if not lines:
        raise UsageError(f"--positives {path}: no queries in it; write one a line")
    return lines

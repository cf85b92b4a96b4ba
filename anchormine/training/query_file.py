"""A file of queries, one a line, as search engines log them or TREC gives them."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from anchormine.errors import UsageError
from anchormine.numerals import counted
from anchormine.training.listed_text import Asked, numbered_lines, read_listed_text
from anchormine.training.query_records import are_records, record_queries
from anchormine.training.query_table import cell_separator, table_queries
from anchormine.training.query_topics import are_topics, topic_queries

_GIVE = "give a file of queries, one a line, or of TREC's topics"
_HEAD_BYTES = 1 << 18
_TOPIC = re.compile(r"<top(?:ic)?[\s>]")
_REMARK = "# "  # as lists of keywords have them
_NAMES = ("query", "queries")  # of a column, where there is but one
# "wt09-1:obama family tree": TREC's topics as Anchor-DR has them; an id has a digit.
_NUMBERED = re.compile(r"(?=[\w.-]*\d)[\w.-]+:\s*(?=\S)")
_COUNTED = re.compile(r"\s*([0-9]{1,9})[.)]?[ \xa0]+(?=\S)")  # "1. obama family tree", or without the dot


# TREC's judgements and runs: "51 0 clueweb09-en0000-16-19379 0" of qrels, with a score and a name of runs,
# with a subtopic in the place of the 0 of ndeval's, and "1 clueweb09-en0003-55-31884 0 1 1.0" of prels.
_JUDGED = re.compile(
    r"\s*(?:\S+\s+(?:0|Q0)\s+\S+\s+-?\d+(?:\s+\S+\s+\S+)?|"
    r"\d+\s+\d+\s+(?=\S*\d)[^\s-]+-\S+\s+-?\d+|"
    r"\d+\s+(?=\S*\d)[^\s-]+-\S+(?:\s+-?[\d.]+){3})\s*"
)


def query_files(paths: Iterable[str], doubts: list[str]) -> list[str]:
    """Returns the files that are to be read of files and folders.

    Of a folder they are those of TREC's topics, in the order of their names: nothing else there can be told
    from a text. One without such is returned as it is.

    Args:
        paths: as the user gave them.
        doubts: receives what of a folder is read, a sentence each.
    """
    found: list[str] = []
    for path in paths:
        files = _files_of(Path(path))
        topics = [str(file) for file in files if _has_topics(file)]
        if topics:
            read = counted(len(topics), "file")
            doubts.append(f"{path}: is a folder, of which TREC's topics are read: {read} of {len(files):,}")
        found += topics or [path]
    return found


def _files_of(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_file())
    except OSError:  # no folder, or none that may be listed
        return []


def _has_topics(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD_BYTES).decode("utf-8-sig", "replace")
    except OSError:
        return False
    return are_topics(head) and _TOPIC.search(head) is not None


def read_queries(
    path: str, doubts: list[str] | None = None, update: Callable[[bytes], None] | None = None
) -> list[str]:
    """Reads queries.

    Args:
        path: of a file whose lines, but for empty ones, are all of one form: the query; "id:query"; "id", a
            tab, the query; "id", type, query and description with tabs between them, as tables of TREC's Web
            Track have it; any columns, or but one, if the first line calls one `query`; or a JSON object with
            a `query` or `text`, as BEIR has it. Or a file of TREC's topics in XML. It may be compressed by
            gzip, bzip2 or Zstandard, whatever its name. It is read once: it may be a pipe.
        doubts: receives what is odd about it, a sentence each.
        update: receives its bytes, as of a digest.

    Returns:
        The queries, in order, repeated ones too.

    Raises:
        UsageError: the file cannot be read, is empty, or is of another form, in a line or as a whole.
    """
    place = f"--positives {path}"
    text = read_listed_text(path, Asked(place, "file of queries", _GIVE), update)
    if are_topics(text):
        return topic_queries(text, place)
    lines = _lines(text, place)
    queries = _listed(lines, place)
    if doubts is not None and (doubt := _first_line_doubt(path, lines[0], queries)):
        doubts.append(doubt)
    return queries


def _listed(lines: list[tuple[int, str]], place: str) -> list[str]:
    if are_records(lines):
        return record_queries(lines, place)
    if all(_JUDGED.fullmatch(line) for _, line in lines):
        raise UsageError(f"{place}: holds judgements or a run, and no queries; give the file of the queries")
    if any("\t" in line for _, line in lines):
        return table_queries(lines, place)
    if separator := cell_separator(lines):
        raise UsageError(
            f"{place}: is {separator}-separated; put a tab between id and query, or give the queries alone"
        )
    if _are_counted(lines):
        raise UsageError(
            f"{place}: its lines are numbered; put a tab between number and query, or give the queries alone"
        )
    if _have_ids(lines, place):
        return [line.partition(":")[2].strip() for _, line in lines]
    queries = [line.strip() for _, line in lines]
    return queries[1:] if len(queries) > 1 and queries[0].lower() in _NAMES else queries


def _first_line_doubt(path: str, line: tuple[int, str], queries: Sequence[str]) -> str | None:
    """Tells where the first line of a list of queries looks like a remark: it counts as a query."""
    number, text = line
    if not text.startswith(_REMARK) or text.strip() != queries[0]:
        return None
    return f"{path}, line {number}: begins with `#`, and counts as a query; remove the line if it is a remark"


def _are_counted(lines: list[tuple[int, str]]) -> bool:
    """Whether lines are "id query", by numbers that grow: a list of queries with "7 wonders" is none."""
    matches = [_COUNTED.match(line) for _, line in lines]
    numbers = [int(match[1]) for match in matches if match]
    return len(numbers) == len(lines) > 1 and all(map(operator.lt, numbers, numbers[1:]))


def _have_ids(lines: list[tuple[int, str]], place: str) -> bool:
    """Whether lines are "id:query"; a query may have a colon of its own, so a few that look so are none, and
    neither are those whose ids are all the same: "12:10 train", "12:30 train".
    """
    ids = [line.partition(":")[0] for _, line in lines]
    if len(lines) > 1 and len(set(ids)) == 1:
        return False
    without = [number for number, line in lines if not _NUMBERED.match(line)]
    if without and len(without) < len(lines) / 2:
        raise UsageError(
            f"{place}, line {without[0]}: has no id before the query, as most lines have; give every line "
            "one, or none"
        )
    return not without


def _lines(text: str, place: str) -> list[tuple[int, str]]:
    lines = numbered_lines(text)
    if not lines:
        raise UsageError(f"{place}: no queries in it; write one a line")
    return lines

"""Queries in a table with tabs between its columns, as search engines and TREC's Web Track give them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anchormine.errors import UsageError
from anchormine.numerals import counted

# By the number of columns, where queries stand in tables without names: "id, query", and the Web Track's
# topics, "id, type, query, description".
_USUAL_PLACES = {2: 1, 4: 2}
_TOPIC_TYPES = frozenset(("ambiguous", "faceted", "single", "other"))  # the Web Track's DTD, 2013
# Names of columns, in small letters without signs.
_ID_NAMES = frozenset(("id", "qid", "queryid", "topic", "topicid", "number"))
_QUERY_NAMES = frozenset(("query", "queries", "querytext"))
_TEXT_NAMES = frozenset(("text", "title"))  # of queries, or of documents

_SEPARATORS = {",": "comma", ";": "semicolon", "|": "pipe"}
_AMOUNT = re.compile(r'\s*"?[\d.,]*\d%?"?\s*')  # as reports on queries have behind each
_ADDRESS = re.compile(r"\s*[a-z]+://\S+\s*", re.IGNORECASE)
_ID = re.compile(r'\s*("?)((?=[\w.-]*\d)[\w.-]+)\1')  # with a digit


def table_queries(lines: Sequence[tuple[int, str]], place: str) -> list[str]:
    """Reads the queries of a table.

    Args:
        lines: number and text of each; the first may name the columns.
        place: the file, for errors.

    Raises:
        UsageError: a row has another number of columns, or no name or type tells which has the queries.
    """
    rows = [(number, line.rstrip("\r\n").split("\t")) for number, line in lines]
    if all(len(cells) == 2 and not cells[1].strip() for _, cells in rows):  # a tab at the end of each line
        return [cells[0].strip() for _, cells in rows]
    names = rows[0][1]
    column = named_column(names)
    if column is None:
        if len(names) == 2 and (held := _other_values([cells[-1] for _, cells in rows[1:] or rows])):
            raise UsageError(
                f"{place}: has two columns, and the second holds only {held}; give ids before the queries, "
                "or name the columns in the first line, that of the queries `query`"
            )
        _refuse_stray_tabs(rows, place)
        return [_usual_query(cells, len(names), f"{place}, line {number}") for number, cells in rows]
    for number, cells in rows:
        if len(cells) != len(names):
            raise UsageError(
                f"{place}, line {number}: has {counted(len(cells), 'column')}, and {len(names)} are named in "
                "the first line; give every line as many"
            )
    return [cells[column].strip() for _, cells in rows[1:]]


def _refuse_stray_tabs(rows: Sequence[tuple[int, Sequence[str]]], place: str) -> None:
    """Tells where the tab is in a list of queries, most of which have none."""
    with_tabs = [number for number, cells in rows if len(cells) > 1]
    if len(with_tabs) < len(rows) / 2:
        raise UsageError(
            f"{place}, line {with_tabs[0]}: has a tab, and most lines have none; put a space in its place, "
            "or an id and a tab before every query"
        )


def _other_values(cells: Sequence[str]) -> str | None:
    """What cells hold that are no queries; None if they may be."""
    if all(cell.strip().isdecimal() for cell in cells):
        return "numbers"
    return "addresses" if all(map(_ADDRESS.fullmatch, cells)) else None


def cell_separator(lines: Sequence[tuple[int, str]]) -> str | None:
    """What lines of a table have between their columns: "comma" and so on, or None for a tab or nothing.

    All have it: those behind ids, before amounts, or below a row that names the queries. A number that is
    repeated is no id: "3,000 meter race".
    """
    texts = [line for _, line in lines]
    return next((name for sign, name in _SEPARATORS.items() if _is_separator(sign, texts)), None)


def _is_separator(sign: str, texts: Sequence[str]) -> bool:
    if not all(sign in text for text in texts):
        return False
    if named_column(texts[0].split(sign)) is not None:
        return True
    with_amounts = [bool(_AMOUNT.fullmatch(text.rpartition(sign)[2])) for text in texts]
    if sum(with_amounts) > 1 and all(with_amounts[1:]):
        return True
    matches = [_ID.fullmatch(text.partition(sign)[0]) for text in texts]
    rows = matches if matches[0] else matches[1:]  # the first may name the columns
    return bool(rows) and len({match[2] for match in rows if match}) == len(rows)


def named_column(cells: Sequence[str]) -> int | None:
    """Where the queries are by a row of names; None if it is none, or does not tell."""
    names = [re.sub(r"[\W_]", "", cell.lower()) for cell in cells]
    found = [column for column, name in enumerate(names) if name in _QUERY_NAMES]
    if found and not re.search(r"\d", "".join(names)):  # an id has digits: "7, query" is a row of values
        return found[0]
    column = _USUAL_PLACES.get(len(names))
    is_named = column is not None and names[0] in _ID_NAMES and names[column] in _TEXT_NAMES
    return column if is_named else None


def _usual_query(cells: Sequence[str], columns: int, place: str) -> str:
    is_topic = len(cells) == 4 and cells[1].strip().lower() in _TOPIC_TYPES
    if len(cells) != columns or (len(cells) != 2 and not is_topic):
        raise UsageError(
            f"{place}: has {counted(len(cells), 'column')}; give a query a line, with its id and a tab "
            "before it if there is one, or name the columns in the first line, that of the queries `query`"
        )
    return cells[_USUAL_PLACES[columns]].strip()

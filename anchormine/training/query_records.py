"""Queries in JSON lines, as BEIR's queries.jsonl has them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from anchormine.errors import UsageError
from anchormine.json_lines import parse_json

_FIELDS = ("query", "text")  # where a record has both, `text` is what the query is about
_REMEDY = 'give JSON lines such as {"_id": "7", "text": "family tree"}, or the queries alone, one a line'


def are_records(lines: Sequence[tuple[int, str]]) -> bool:
    """Whether a file is meant as JSON: most of its lines open an object, or it is a value as a whole."""
    opened = sum(line.lstrip().startswith("{") for _, line in lines)
    return opened > len(lines) / 2 or _is_document([line for _, line in lines])


def record_queries(lines: Sequence[tuple[int, str]], place: str) -> list[str]:
    """Reads the queries of records.

    Args:
        lines: number and text of each: a JSON object with a string `query` or `text`.
        place: the file, for errors.

    Raises:
        UsageError: a line is no JSON object, or has neither field.
    """
    return [_query(line, f"{place}, line {number}") for number, line in lines]


def _is_document(lines: Sequence[str]) -> bool:
    if not lines[0].lstrip().startswith(("{", "[")):
        return False
    try:
        json.loads("".join(lines))
    except (ValueError, RecursionError):
        return False
    return True


def _query(line: str, place: str) -> str:
    record = _object(line, place)
    for field in _FIELDS:
        if isinstance(record.get(field), str):
            return str(record[field]).strip()
    raise UsageError(f"{place}: has no string `query` or `text`; {_REMEDY}")


def _object(line: str, place: str) -> dict[str, Any]:
    try:
        record = parse_json(line)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise UsageError(f"{place}: is no JSON object; {_REMEDY}")
    return record

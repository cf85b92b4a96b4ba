"""Judgements of a collection in BEIR layout: `qrels/<split>.tsv`."""

import io
import re
from pathlib import Path
from typing import NamedTuple

from anchormine.errors import CommandError, UsageError
from anchormine.text_file import utf8_text

# More digits than any grade has would be too many for trec_eval.
_GRADE = re.compile(r"\s*-?\d{1,9}\s*")

# query_id -> doc_id -> grade
Qrels = dict[str, dict[str, int]]


class Judgements(NamedTuple):
    """A split's judgements, and what its file lacks.

    Attributes:
        qrels: grade by query_id and doc_id; above 0 is relevant.
        has_header: whether the first line names the columns. Readers that skip a line lose a judgement
            without it.
    """

    qrels: Qrels
    has_header: bool


def splits(collection: Path) -> list[str]:
    """Names of the splits that a collection has judgements for."""
    return sorted(path.stem for path in (collection / "qrels").glob("*.tsv"))


def read_judgements(collection: Path, split: str) -> Judgements:
    """Reads one split.

    Args:
        collection: the folder that holds `qrels/`.
        split: such as "test".

    Raises:
        UsageError: there is no such split, or its file is not UTF-8.
        CommandError: a line that is no judgement, by file and line; a pair judged twice with different
            grades.
    """
    path = collection / "qrels" / f"{split}.tsv"
    if not path.is_file():
        known = ", ".join(splits(collection)) or "none"
        raise UsageError(f"{collection}: no qrels/{split}.tsv, so no split {split}; splits here: {known}")
    qrels: Qrels = {}
    has_header = False
    text = utf8_text(path.read_bytes(), str(path))
    for number, line in enumerate(io.StringIO(text, newline=None), start=1):
        fields = line.rstrip("\r\n").split("\t")
        if number == 1 and _is_header(fields):
            has_header = True
        elif line.strip():
            _add(qrels, fields, f"{path}, line {number}")
    if not qrels:
        raise CommandError(f"{path}: holds no judgement; it needs lines of query-id, corpus-id and score")
    return Judgements(qrels, has_header)


def _is_header(fields: list[str]) -> bool:
    return len(fields) == 3 and not _is_grade(fields[2])


def _is_grade(text: str) -> bool:
    return _GRADE.fullmatch(text) is not None


def _add(qrels: Qrels, fields: list[str], place: str) -> None:
    if len(fields) != 3 or not _is_grade(fields[2]):
        raise CommandError(
            f"{place}: not a judgement; it must be query-id, corpus-id and a whole number, separated by tabs"
        )
    query_id, doc_id, grade = fields[0], fields[1], int(fields[2])
    if qrels.setdefault(query_id, {}).setdefault(doc_id, grade) != grade:
        raise CommandError(f"{place}: query {query_id} and document {doc_id} are judged twice, and not alike")

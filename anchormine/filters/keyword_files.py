"""Files of keywords: plain lists, and tables of suggestions that a person has ticked."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from anchormine.archives.compression import compression_of
from anchormine.errors import UsageError
from anchormine.filters.keywords import EVERY_LANGUAGE, keyword_forms, keyword_language, keyword_lines
from anchormine.numerals import counted
from anchormine.text_file import utf8_text

# The columns of a table of suggestions; a row counts as a keyword if it is ticked in the first, by anything
# but a no.
SUGGESTION_COLUMNS = ("keyword", "language", "count", "anchor")
SUGGESTIONS = "stats/keywords.tsv"  # where in a dataset folder the table is, if nothing else is said
_NEEDED = ("keyword", "language", "anchor")
_NO_TICKS = ("", "false", "0", "no", "n", "-")  # empty check boxes, and what people write to leave one empty
_CODE = re.compile(r"[a-z]{2,3}")
_DELIMITERS = "\t,;"  # with which spreadsheets save a table
_FORMULAS = ("=", "+", "-", "@")  # what a cell begins with that they compute; an apostrophe before it is none


def read_keywords(path: str, profile: str | None = None) -> dict[str, frozenset[str]]:
    """Reads a list of one's own.

    Args:
        path: of a file with one anchor a line, which count in every language ("#" begins a remark); or of a
            table as `--suggest-keywords` writes it, of which the ticked rows count, each in its language:
            "und" is that of pages which say none, and a row without one counts in all. It may have gone
            through a spreadsheet: with commas or semicolons, quoted, its columns in any order.
        profile: see `keyword_forms`.

    Returns:
        Their forms.

    Raises:
        UsageError: it cannot be read, or has no keyword.
    """
    text = _read(path)
    head = _head(text)
    texts = _ticked(text, *head, path) if head else {EVERY_LANGUAGE: _listed(text.splitlines(), path)}
    forms = {language: keyword_forms(found, profile) for language, found in texts.items()}
    if not any(forms.values()):
        raise UsageError(
            f"{path}: nothing is left of its keywords after cleaning; write words of a letter or more"
        )
    return forms


def is_suggestion_head(text: str) -> bool:
    """Whether a text begins with the head of a table of suggestions, however it was saved."""
    head = _head(text)
    return head is not None and set(SUGGESTION_COLUMNS) <= set(head[1])


def table_text(rows: Iterable[tuple[str, str, int, str]]) -> str:
    """A table of suggestions as a text, with tabs, in which no anchor is a formula to a spreadsheet.

    Args:
        rows: as `SUGGESTION_COLUMNS`.
    """
    table = io.StringIO()
    writer = csv.writer(table, delimiter="\t", lineterminator="\n")
    writer.writerow(SUGGESTION_COLUMNS)
    writer.writerows((*row, f"'{text}" if _may_be_formula(text) else text) for *row, text in rows)
    return table.getvalue()


def _may_be_formula(text: str) -> bool:
    """Tells whether a text is a formula to a spreadsheet, or would be without apostrophes before it."""
    return text.lstrip("'").startswith(_FORMULAS)


def _read(path: str) -> str:
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be read ({error.strerror or error}); give a list of keywords"
        ) from None
    if compression_of(content):
        raise UsageError(f"{path}: is compressed; unpack it, and give a list of keywords")
    return utf8_text(content, path)


def _head(text: str) -> tuple[str, list[str]] | None:
    """The delimiter of a table and the names of its columns; None of a plain list."""
    first = text.partition("\n")[0].partition("\r")[0]
    for delimiter in _DELIMITERS:
        names = [name.strip(' "').lower() for name in first.split(delimiter)]
        if len(set(names).intersection(SUGGESTION_COLUMNS)) > 1:
            return delimiter, names
    return None


def _listed(lines: list[str], path: str) -> list[str]:
    """The keywords of a plain list."""
    for number, line in enumerate(lines, start=1):
        if _head(line):
            raise UsageError(f"{path}, line {number}: is the head of a table; it must be the first line")
        if "\t" in line and not line.startswith("#"):
            raise UsageError(
                f"{path}, line {number}: has a tab; write one keyword a line, or a table with the "
                f"columns {', '.join(SUGGESTION_COLUMNS)}"
            )
    found = keyword_lines(lines)
    if not found:
        raise UsageError(f"{path}: no keywords in it; write one a line")
    return found


def _ticked(text: str, delimiter: str, names: list[str], path: str) -> dict[str, list[str]]:
    """The texts of the ticked rows, by language."""
    if not set(_NEEDED) <= set(names):
        raise UsageError(
            f"{path}, line 1: has the columns {', '.join(names)}; a table of keywords has "
            f"{', '.join(SUGGESTION_COLUMNS)}"
        )
    found: dict[str, list[str]] = {}
    for number, row in _rows(text, delimiter, path):
        if len(row) != len(names):
            raise UsageError(
                f"{path}, line {number}: has {counted(len(row), 'column')}, not {', '.join(names)}; tick "
                "rows by any letter in the column keyword, and leave the others as they are"
            )
        tick, language, anchor = (row[names.index(name)] for name in _NEEDED)
        if tick.strip().lower() not in _NO_TICKS:
            code = keyword_language(language.strip()) if language.strip() else EVERY_LANGUAGE
            if code and not _CODE.fullmatch(code):
                raise UsageError(
                    f"{path}, line {number}: {language.strip()} is no code of a language, such as en or "
                    "zh-Hant; write und for pages that say none, or nothing for a keyword of every language"
                )
            is_quoted = anchor.startswith("'") and _may_be_formula(anchor)
            found.setdefault(code, []).append(anchor[is_quoted:])
    if not found:
        raise UsageError(f"{path}: no row is ticked; write an x into the column keyword of those to drop")
    return found


def _rows(text: str, delimiter: str, path: str) -> Iterator[tuple[int, list[str]]]:
    """The rows below the head that hold anything, with the lines they end at."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # a text may be of any length
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        next(reader)
        for row in reader:
            if "\n" in "".join(row):
                raise csv.Error
            if row:
                yield reader.line_num, row
    except csv.Error:
        raise UsageError(
            f"{path}, line {reader.line_num}: has a quotation mark at the start of a cell, and none at its "
            "end; within a cell in quotation marks write it twice"
        ) from None

"""Files of keywords: plain lists, and tables of suggestions as editors and spreadsheets save them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from anchormine.errors import UsageError
from anchormine.filters.keyword_files import is_suggestion_head, read_keywords, table_text

ROWS = [
    ("x", "de", 7, "nach oben"),
    ("", "de", 5, "Berlin"),
    ("yes", "", 3, "print"),
    ("x", "und", 3, "plus"),
    ("x", "en", 2, '"Home"'),
    ("x", "en", 2, 'a "b" c'),
    ("x", "en", 1, "more, please; now"),
    ("", "en", 1, '"'),
    ("x", "fr", 1, "+1 41"),
    ("x", "fr", 1, "'=now'"),
]
FORMS = {
    "de": {"nachoben"},
    "": {"print"},
    "und": {"plus"},
    "en": {'"home"', 'a"b"c', "more,please;now"},
    "fr": {"+141", "'=now'"},
}
HEAD = "keyword\tlanguage\tcount\tanchor\n"


def saved(path: Path, order: str = "klca", **dialect) -> str:
    """The table as a spreadsheet saves it."""
    table = [
        dict(zip("klca", row, strict=True)) for row in csv.reader(table_text(ROWS).splitlines(), "excel-tab")
    ]
    with path.open("w", newline="", encoding="utf-8-sig") as stream:
        csv.writer(stream, **dialect).writerows([[row[name] for name in order] for row in table])
    return str(path)


def test_a_table_is_written_for_editors_and_spreadsheets(tmp_path: Path) -> None:
    text = table_text(ROWS)
    assert text.splitlines() == [
        "keyword\tlanguage\tcount\tanchor",
        "x\tde\t7\tnach oben",
        "\tde\t5\tBerlin",
        "yes\t\t3\tprint",
        "x\tund\t3\tplus",
        'x\ten\t2\t"""Home"""',
        'x\ten\t2\t"a ""b"" c"',
        "x\ten\t1\tmore, please; now",
        '\ten\t1\t""""',
        "x\tfr\t1\t'+1 41",
        "x\tfr\t1\t''=now'",
    ]
    (tmp_path / "table.tsv").write_text(text)
    assert read_keywords(str(tmp_path / "table.tsv")) == FORMS


@pytest.mark.parametrize("order", ["klca", "aclk"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("delimiter", ["\t", ",", ";"])
def test_a_table_as_spreadsheets_save_it(
    delimiter: str, end: str, quoting: int, order: str, tmp_path: Path
) -> None:
    path = saved(tmp_path / "table", order, delimiter=delimiter, lineterminator=end, quoting=quoting)
    assert read_keywords(path) == FORMS
    assert is_suggestion_head(Path(path).read_text(encoding="utf-8-sig"))


def test_a_head_in_capitals_without_the_count(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("Keyword, Anchor ,LANGUAGE\nx,top,en\n\n,,\n,home,en\n")
    assert read_keywords(str(path)) == {"en": {"top"}}
    assert not is_suggestion_head(path.read_text())  # not one of ours, to be replaced


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            f"{HEAD}\tde\t7\tnach oben\n",
            ": no row is ticked; write an x into the column keyword of those to drop",
        ),
        (
            f"{HEAD}x\tde\tnach oben\n",
            ", line 2: has 3 columns, not keyword, language, count, anchor; tick rows by any letter in the "
            "column keyword, and leave the others as they are",
        ),
        (f"{HEAD}x\n", ", line 2: has 1 column, not keyword, language, count, anchor; tick rows"),
        (
            "keyword;anchor\nx;home\n",
            ", line 1: has the columns keyword, anchor; a table of keywords has keyword, language, count, "
            "anchor",
        ),
        (
            f'{HEAD}x\tde\t7\t"a" b\n',
            ", line 2: has a quotation mark at the start of a cell, and none at its end; within a cell in "
            "quotation marks write it twice",
        ),
        (f'{HEAD}\tde\t7\tc\nx\tde\t7\t"a\nx\tde\t7\tb"\n', ", line 4: has a quotation mark at the"),
        (f'{HEAD}x\tde\t7\t"a\n', ", line 2: has a quotation mark at the start"),
        (
            "home\n# a\tremark\nread more\t12\n",
            ", line 3: has a tab; write one keyword a line, or a table with the columns keyword, language, "
            "count, anchor",
        ),
        (
            ",en,3,Berlin\nkeyword,language,count,anchor\nx,en,7,top\n",
            ", line 2: is the head of a table; it must be the first line",
        ),
        ("sep=;\nkeyword;language;count;anchor\nx;en;7;top\n", ", line 2: is the head of a table"),
        (b"print\n\xff\n", ": not UTF-8 at byte 6; save it as UTF-8"),
        ("print\n".encode("utf-16"), ": is UTF-16; save it as UTF-8"),
        ("print\n".encode("utf-16-le"), ": has zero bytes, as UTF-16 has; save it as UTF-8"),
        ("\n# nothing\n", ": no keywords in it; write one a line"),
        ("", ": no keywords in it; write one a line"),
        (
            f"{HEAD}x\tde-AT\t7\tnach oben\nx\tGerman\t7\tnach unten\n",
            ", line 3: German is no code of a language, such as en or zh-Hant; write und for pages that say "
            "none, or nothing for a keyword of every language",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong(text: str | bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "keywords.tsv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UsageError) as raised:
        read_keywords(str(path))
    assert str(raised.value).startswith(f"{path}{message}")


def test_check_boxes(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(
        "keyword,language,count,anchor\nTRUE,de,7,nach oben\nFALSE,de,5,Berlin\n0,de,5,Bonn\n"
        "No,de,4,Ulm\n-,de,4,Kiel\n"
    )
    assert read_keywords(str(path)) == {"de": {"nachoben"}}


def test_a_plain_list(tmp_path: Path) -> None:
    path = tmp_path / "keywords.txt"
    path.write_text("\ufeffPrint this\n\n# language\nkeyword, anchor: more\n", encoding="utf-8")
    assert read_keywords(str(path)) == {"": {"printthis", "keyword,anchor:more"}}


def test_a_ticked_text_of_any_length(tmp_path: Path) -> None:
    path = tmp_path / "keywords.tsv"
    path.write_text(f"keyword\tlanguage\tcount\tanchor\nx\ten\t1\t{'word' * 60_000}\nx\ten\t1\tdon't\n")
    assert read_keywords(str(path), "code") == {"en": {"word" * 60_000, "dont"}}


@pytest.mark.parametrize("text", ["7\n--\n", f"{HEAD}x\tde\t7\t--\n"])
def test_nothing_is_left_of_keywords(text: str, tmp_path: Path) -> None:
    path = tmp_path / "keywords"
    path.write_text(text)
    said = f"{path}: nothing is left of its keywords after cleaning; write words of a letter or more"
    with pytest.raises(UsageError) as raised:
        read_keywords(str(path), "ours")
    assert str(raised.value) == said

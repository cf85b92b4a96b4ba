"""What of a text does not count when it is compared with keywords."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from anchormine import filters
from anchormine.filters.keywords import KEYWORDS, keyword_form, keywords

LISTS = Path(filters.__file__).with_name("keyword_lists")
CODES = sorted(path.stem for path in LISTS.glob("*.txt"))


def in_capitals(text: str, code: str) -> str:
    """A text as its language writes it in capitals: Greek without accents, Turkish with a dot on its i."""
    if code == "el":
        return "".join(letter for letter in unicodedata.normalize("NFD", text.upper()) if letter != "\u0301")
    return text.replace("i", "İ").upper() if code == "tr" else text.upper()


@pytest.mark.parametrize("code", CODES)
def test_keywords_in_capitals(code: str) -> None:
    _, *lines = (LISTS / f"{code}.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if keyword_form(in_capitals(line, code)) != keyword_form(line)] == []


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Más", "más"), ("Čítať", "čítať"), ("À propos", "àpropos"), ("Ποιοι είμαστε", "ποιοιειμαστε"),
        ("Πρωτεΐνη", "πρωτεϊνη"), ("ΠΡΩΤΕΪΝΗ", "πρωτεϊνη"), ("ΣΧΕΤΙΚΑ ΜΕ ΕΜΑΣ", "σχετικαμεεμασ"),
        ("εμάς", "εμασ"), ("ı", "i"), ("Schließen", "schliessen"), ("SCHLIESSEN", "schliessen"),
        ("GRÖẞE", "grösse"),
    ],
)  # fmt: skip
def test_case_is_folded_and_accents_are_left_out_of_greek_alone(text: str, form: str) -> None:
    assert keyword_form(text) == form


@pytest.mark.parametrize(
    ("text", "form"),
    [("Contactez\u2011nous", "contactez-nous"), ("E\u2010Mail", "e-mail"), ("l\u2013r", "l\u2013r"),
     ("อ่าน\u200bต่อ", "อ่านต่อ"),
     *((f"зв{sign}язатися", "зв'язатися") for sign in "'\u2019\u2018\u02bc\u2032`")],
)  # fmt: skip
def test_signs_that_are_typed_one_for_another(text: str, form: str) -> None:
    assert keyword_form(text) == form


@pytest.mark.parametrize(
    ("text", "language", "reason"),
    [
        ("بيشتر", "fa", KEYWORDS), ("بیشتر", "fa", KEYWORDS), ("بيـــشتر", "fa", KEYWORDS),
        ("لينك", "fa", KEYWORDS), ("اينجا", None, KEYWORDS), ("المزيد", "ar", KEYWORDS),
        ("المزید", "ar", KEYWORDS),
        ("الرئيسيه كلها", "ar", None), ("\u0640", "fa", None),
    ],
)  # fmt: skip
def test_persian_in_the_letters_of_arabic(text: str, language: str | None, reason: str | None) -> None:
    assert keywords(text, language) == reason

"""What texts have in common that differ in capitals and white space alone."""

from __future__ import annotations

import pytest

from anchormine.filters.cleaning import as_typed
from anchormine.negatives.query_keys import query_key
from anchormine.tasks.qdm import anchor_string
from anchormine.text.case_folding import folded


@pytest.mark.parametrize(
    ("texts", "form"),
    [
        (("Weiße  Elster", "WEISSE ELSTER", " weisse\nelster"), "weisse elster"),
        (("İstanbul rehberi", "istanbul rehberi", "İSTANBUL REHBERİ"), "istanbul rehberi"),
        (("Işık haberi", "ışık haberi", "IŞIK HABERİ"), "işik haberi"),
        (("ΟΔΟΣ", "οδος"), "οδοσ"),
    ],
)
def test_texts_that_are_equal(texts: tuple[str, ...], form: str) -> None:
    assert {folded(text) for text in texts} == {form}
    assert {anchor_string(text) for text in texts} == {form}
    assert len({query_key(text) for text in texts}) == 1


def test_a_dotted_capital_is_typed_as_the_small_letter() -> None:
    """And "ı" stays, which a classifier of Turkish may know."""
    assert as_typed("İSTANBUL IŞIK ışık") == "istanbul işik ışık"

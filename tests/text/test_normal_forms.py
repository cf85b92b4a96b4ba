"""The normal forms of Unicode, of texts with more marks than any language has."""

from __future__ import annotations

import random
import unicodedata

import pytest

from anchormine.text.normal_forms import normal_form
from tests.growth import LINEAR, growth_of, least_seconds

FORMS = ["NFC", "NFD", "NFKC"]
VIRAMA, ACUTE = "\u094d", "\u0301"  # of which the first belongs before the second


@pytest.mark.parametrize("form", FORMS)
def test_it_is_that_of_unicode(form) -> None:
    draw = random.Random(form)
    letters = ["a", "e", " ", "\n", ".", "한", "ﾊ", "ﾞ", "ﬁ", "é", "\u0f73", VIRAMA, ACUTE, "\u0323", "\u0344"]
    for _ in range(2000):
        text = "".join(draw.choices(letters, k=draw.randrange(30)))
        assert normal_form(form, text) == unicodedata.normalize(form, text)
    text = "one, two; " * 100 + "—" * 100 + "e" + ACUTE
    assert normal_form(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", FORMS)
def test_marks_beyond_thirty_stay_in_their_order(form) -> None:
    text = "x" + 20 * (ACUTE + VIRAMA) + "y"
    assert normal_form(form, text) == "x" + 15 * VIRAMA + 15 * ACUTE + 5 * (ACUTE + VIRAMA) + "y"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("marks", [ACUTE + VIRAMA, "\u0f73", "\u0344" + VIRAMA, "ﾞ" + ACUTE, ACUTE, '"«(„'])
def test_time_is_linear_in_the_number_of_marks(form, marks: str) -> None:
    texts = {pieces: "x" + 4 * pieces * marks for pieces in (1250, 10_000, 80_000)}
    assert growth_of(lambda pieces: normal_form(form, texts[pieces])) <= LINEAR


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("signs", ['"«(„', "😀", VIRAMA, "é" + "\u0323" * 40])
def test_long_runs_in_a_normal_form_are_left_alone(form, signs: str) -> None:
    """At no more than a tenth of the time that it takes to cut them."""
    text = unicodedata.normalize(form, signs) * 50_000
    assert normal_form(form, text) == text
    enough = 0.03 * len(signs)
    assert least_seconds(lambda: normal_form(form, text), enough) < enough

"""Which words of a link its label repeats."""

import pytest

from anchormine.web.page.link_labels import MAX_LABEL_CHARACTERS, holds_words, is_repeated


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("About us", "About us", True),
        (" About\n us ", "ABOUT  US (new window)", True),
        ("Straße", "Zur STRASSE", True),
        ("art", "Start: art", False),  # it may name an icon
        ("Art", "Start: art", True),
        ("Art", "Start", False),
        ("Art", "Arts", False),
        ("About us", "About", False),
        ("search", "Search", False),
        ("arrow_forward", "arrow_forward", False),
        ("→", "→ Next", False),
        ("3:24", "3:24", False),
        ("", "About us", False),
        (" ", "About us", False),
        ("About us", "", False),
        ("商品", "内の商品数", True),
        ("About us", "About us".ljust(MAX_LABEL_CHARACTERS), True),
        ("About us", "About us".ljust(MAX_LABEL_CHARACTERS + 1), False),
    ],
)
def test_which_words_a_label_repeats(text: str, label: str, expected: bool) -> None:
    assert is_repeated(text, label) is expected


@pytest.mark.parametrize(("before", "expected"), [(19, True), (20, False)])
def test_in_how_many_places_words_are_looked_at(before: int, expected: bool) -> None:
    assert holds_words("arts " * before + "art", "art") is expected

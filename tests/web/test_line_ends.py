"""Which characters show no space where a line ends between them."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from anchormine.web.page.characters import without_line_ends

EMOJI = 0x1F300
HEXAGRAMS = range(0x4DC0, 0x4E00)  # wide since Unicode 16


def is_of_line(character: str) -> bool:
    lines = f"{character}\n字"
    return without_line_ends(lines) == lines.replace("\n", "")


def test_letters_and_digits_are_those_of_the_standard_but_for_hangul() -> None:
    letters = [c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c)[0] in "LN"]
    assert [c for c in letters if is_of_line(c)] == [
        c
        for c in letters
        if unicodedata.east_asian_width(c) in ("F", "H", "W") and "HANGUL" not in unicodedata.name(c, "")
    ]


def test_all_others_are_wide() -> None:
    signs = [chr(code) for code in range(EMOJI) if code not in HEXAGRAMS]
    found = [c for c in signs if unicodedata.category(c) != "Cn" and is_of_line(c)]
    assert {unicodedata.east_asian_width(c) for c in found} == {"F", "H", "W"}
    assert (
        "".join(filter(is_of_line, "、。「」！？，：；（）〜・｡“”…—·.,!?")) == "、。「」！？，：；（）〜・｡"
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("字 \t\r\n\n \n字\n字 字\n\n", "字字字 字\n\n"),
        ("\n字\u3000\n字\na\n字\n한\n한", "\n字\u3000\n字\na\n字\n한\n한"),
    ],
)
def test_white_space_around_line_ends(text: str, line: str) -> None:
    assert without_line_ends(text) == line

"""Terms of texts by rules: which words, without which, by which stem."""

from __future__ import annotations

import pytest

from anchormine.errors import UsageError
from anchormine.sampling.terms import find_words, letter_terms
from anchormine.text.term_rules import TermReader, TermRules
from tests.sampling.test_sampling_terms import CASES

NOTHING: frozenset[str] = frozenset()


def terms(text: str, rules: TermRules, language: str | None = None) -> list[str]:
    reader = TermReader(rules, language)
    return reader.terms(reader.words(text))


@pytest.mark.parametrize(
    "text", [*CASES, "Apollo 11's crew, 1969; 3rd ½ B2B x² H₂O", "ﬁn Ǆ ßtraße", "A.İ.H.M. T.İ"]
)
def test_letters_are_the_words_without_digits(text: str) -> None:
    words = [word.term for word in find_words(text)]
    assert letter_terms(text) == [word for word in words if not any(map(str.isdecimal, word))]


def test_each_kind_of_words() -> None:
    text = "Don't go: Brønsted's 2 acids, a 3rd_try"
    found = {
        words: terms(text, TermRules(words, stop_words=NOTHING))
        for words in ("letters", "ascii", "two_characters")
    }
    assert found == {
        "letters": ["don't", "go", "brønsted", "acids", "a", "try"],
        "ascii": ["don", "t", "go", "br", "nsted", "s", "acids", "a", "rd", "try"],
        "two_characters": ["don", "go", "brønsted", "acids", "3rd_try"],
    }


def test_stop_words_are_those_of_the_language_or_those_given() -> None:
    text = "The ships und die Schiffe"
    assert terms(text, TermRules()) == ["ships", "und", "die", "schiffe"]
    assert terms(text, TermRules(), "de") == ["the", "ships", "schiffe"]
    assert terms(text, TermRules(stop_words=frozenset({"ships"})), "de") == ["the", "und", "die", "schiffe"]
    assert terms("北京大学的学生", TermRules(), "zh") == ["北京", "京大", "大学", "学生"]


@pytest.mark.parametrize(
    ("stem", "language", "expected"),
    [
        ("none", "en", "happily dying ships schiffen"),
        ("porter", "en", "happili die ship schiffen"),
        ("porter_1980", "en", "happili dy ship schiffen"),
        ("snowball", "en", "happili die ship schiffen"),
        ("snowball", "simple", "happili die ship schiffen"),
        ("snowball", "de", "happily dying ships schiff"),
        ("snowball", "th", "happily dying ships schiffen"),
    ],
)
def test_stems_are_those_of_the_rule_and_the_language(stem: str, language: str, expected: str) -> None:
    rules = TermRules(stem=stem, stop_words=NOTHING)  # type: ignore[arg-type]
    assert " ".join(terms("Happily dying ships Schiffen", rules, language)) == expected


def test_stems_do_not_hang_on_the_words_before() -> None:
    """NLTK's Arabic stemmer keeps a mark of one word for all that follow."""
    words = ["كانوا", "كتابها", "كتاب", "المدرسة", "يكتبون"]
    alone = [TermReader(TermRules(stem="snowball"), "ar").terms([word]) for word in words]
    assert alone[:2] == [["كان"], ["كتاب"]]
    for order in (words, words[::-1], words[2:] + words[:2]):
        reader = TermReader(TermRules(stem="snowball"), "ar")
        assert [reader.terms([word]) for word in order] == [alone[words.index(word)] for word in order]


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(UsageError, match="--stem lancaster: one of none, snowball, porter, porter_1980"):
        TermRules(stem="lancaster")  # type: ignore[arg-type]

"""What is ours of Punkt: its patterns run without a clock, and what it said of a stop is remembered."""

from __future__ import annotations

import re

from anchormine.text.punkt import punkt_marks
from anchormine.text.sentences import sentence_model, split_sentences


def test_no_clock_ends_a_search() -> None:
    """NLTK's own patterns give up after five seconds, in which others may use the machine."""
    marks = punkt_marks("hi", "क।")
    assert [type(pattern) for pattern in (marks.period_context_re(), marks._word_tokenizer_re())] == (
        [re.Pattern] * 2
    )
    assert marks.word_tokenize("(क, ख.) ग।") == ["(", "क", ",", "ख.", ")", "ग", "।"]
    found = [match.span() for match in marks.period_context_re().finditer("क. ख। ग! घ.")]
    assert found == [(1, 2), (4, 5), (7, 8)]


def test_what_is_remembered_changes_nothing() -> None:
    text = "वह डॉ. शर्मा हैं। क. ख. ग। वह डॉ. शर्मा हैं। a. b. A. B"
    expected = ["वह डॉ. शर्मा हैं।", "क.", "ख.", "ग।", "वह डॉ. शर्मा हैं।", "a. b. A. B"]
    for _ in range(2):
        spans = split_sentences(text, sentence_model("hi"))
        assert [text[start:end] for start, end in spans] == expected


def test_many_short_sentences_are_read() -> None:
    text = "क. " * 100_000
    assert split_sentences(text, sentence_model("hi")) == [(at, at + 2) for at in range(0, 300_000, 3)]

"""Passages: whole sentences, at most so many words, about as many in each."""

from __future__ import annotations

from itertools import pairwise

import pytest

from anchormine.sampling.terms import find_words
from anchormine.text.passages import PHRASES_WORDS, split_passages, text_sentences
from anchormine.text.sentences import sentence_model, split_sentences

ENGLISH = sentence_model("en")


def sentence(words: int) -> str:
    return "Boats " + " ".join(["float"] * (words - 2)) + " here."


def passages(text: str, most: int = 128, language: str = "en") -> list[str]:
    return [text[slice(*span)] for span in split_passages(text, sentence_model(language), most)]


def lengths(text: str, most: int = 128, language: str = "en") -> list[int]:
    return [len(find_words(passage)) for passage in passages(text, most, language)]


@pytest.mark.parametrize(
    ("sentences", "made"),
    [
        ([], []),
        ([128], [128]),
        ([129], []),
        ([64, 64], [128]),
        ([10] * 13, [70, 60]),
        ([50] * 5, [100, 50, 100]),
        ([40] * 6, [120, 120]),
        ([100, 3, 100, 3, 100, 3], [103, 103, 103]),
        ([60, 200, 60, 60], [60, 120]),
        ([5] * 100, [125] * 4),
    ],
)
def test_words_of_passages(sentences: list[int], made: list[int]) -> None:
    for joint in (" ", "\n"):
        assert lengths(joint.join(map(sentence, sentences))) == made


def test_passages_are_spans_of_whole_sentences() -> None:
    text = "\n".join(
        " ".join(sentence(2 + (7 * line + 3 * place) % 23) for place in range(1 + line % 5))
        for line in range(60)
    )
    starts, ends, offset = set(), set(), 0
    for line in text.split("\n"):
        for start, end in split_sentences(line, ENGLISH):
            starts.add(offset + start)
            ends.add(offset + end)
        offset += len(line) + 1
    for most in (24, 50, 128, 10_000):
        spans = split_passages(text, ENGLISH, most)
        assert {start for start, _ in spans} <= starts
        assert {end for _, end in spans} <= ends
        assert all(before[1] < after[0] for before, after in pairwise(spans))
        assert " ".join(text[slice(*span)] for span in spans).split() == text.split()
        assert max(len(find_words(text[slice(*span)])) for span in spans) <= most


def test_lines_without_words_make_no_passage() -> None:
    assert passages("•\n* * *\n---") == []
    assert passages("•\nA boat.\n---") == ["•\nA boat.\n---"]
    assert passages("") == passages("\n\n") == []
    assert passages("A boat.\n. . .\nA pier.\n. . .", 2) == ["A boat.\n. . .", "A pier.\n. . ."]


def test_words_are_counted_where_no_spaces_are() -> None:
    text = "北京大学在中国北京。" * 10
    assert lengths(text, 32, "zh") == [24, 32, 24]


@pytest.mark.parametrize("word", ["กำแพงเก่า", "ກຳແພງເມືອງ"], ids=["Thai", "Lao"])
def test_scripts_without_stops_are_cut_at_spaces(word: str) -> None:
    """A paragraph of theirs is one sentence by its signs, however long."""
    words = len(find_words(word))
    text = " ".join([word] * 100)
    made = [text[start:end] for start, end, _ in text_sentences(text, ENGLISH)]
    together = PHRASES_WORDS // words
    assert made[:-1] == [" ".join([word] * together)] * (len(made) - 1)
    assert " ".join(made) == text
    assert " ".join(passages(text)) == text
    assert max(lengths(text)) <= 128
    # Words that no space parts stay together, and what is shorter than a sentence stays whole.
    long = word * 50
    assert [text_[1] - text_[0] for text_ in text_sentences(f"{word} {long} {word}", ENGLISH)] == [
        len(word),
        len(long),
        len(word),
    ]
    short = f"{word} {word}"
    assert list(text_sentences(short, ENGLISH)) == [(0, len(short), 2 * words)]
    # Other scripts end their sentences.
    assert len(list(text_sentences(f"{sentence(100)} {word}", ENGLISH))) == 2
    assert len(list(text_sentences(f"{sentence(100)[:-1]} {word}", ENGLISH))) == 1

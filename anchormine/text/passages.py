"""Passages of a text: runs of whole sentences with a bounded number of words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from anchormine.sampling.terms import count_words
from anchormine.text.model import SentenceModel
from anchormine.text.scripts import STOPLESS
from anchormine.text.sentences import split_sentences
from anchormine.text.spans import Span

PASSAGE_WORDS = 128
PHRASES_WORDS = 32  # of phrases that are taken for a sentence

_STOPLESS = re.compile(f"[{STOPLESS}]")
_LETTERS = re.compile(rf"[^\W\d_]|[{STOPLESS}]")  # and the marks of these
_PHRASE = re.compile(r"\S+")


class Sentence(NamedTuple):
    """A sentence of a text: its span, and how many words `count_words` finds in it."""

    start: int
    end: int
    words: int


def split_passages(text: str, model: SentenceModel, max_words: int = PASSAGE_WORDS) -> list[Span]:
    """Returns the spans of a text's passages, in order.

    Args:
        text: its paragraphs are lines.
        model: of the text's language.
        max_words: of a passage.
    """
    return pack_sentences(text_sentences(text, model), max_words)


def text_sentences(text: str, model: SentenceModel) -> Iterator[Sentence]:
    """Yields the sentences of a text, line by line.

    Thai and Lao end no sentence with a sign: of what is longer than `PHRASES_WORDS` these are the phrases
    that spaces part, some together.

    Args:
        text: its paragraphs are lines.
        model: of the text's language.
    """
    offset = 0
    for line in text.split("\n"):
        for start, end in split_sentences(line, model):
            words = count_words(line[start:end])
            if words > PHRASES_WORDS and _is_stopless(line[start:end]):
                yield from _phrases(line, start, end, offset)
            else:
                yield Sentence(offset + start, offset + end, words)
        offset += len(line) + 1


def _is_stopless(text: str) -> bool:
    """Tells whether a text is in Thai or Lao, most letters of it."""
    return 2 * len(_STOPLESS.findall(text)) > len(_LETTERS.findall(text))


def _phrases(line: str, start: int, end: int, offset: int) -> Iterator[Sentence]:
    """Yields what stands between spaces of a line, as much together as `PHRASES_WORDS` hold."""
    last, words = start, 0
    for phrase in _PHRASE.finditer(line, start, end):
        here = count_words(phrase[0])
        if words and words + here > PHRASES_WORDS:
            yield Sentence(offset + start, offset + last, words)
            start, words = phrase.start(), 0
        last, words = phrase.end(), words + here
    yield Sentence(offset + start, offset + last, words)


def pack_sentences(sentences: Iterable[Sentence], max_words: int = PASSAGE_WORDS) -> list[Span]:
    """Returns the spans of the passages that sentences make, in order.

    The sentences are spread over as few passages as can hold them, all about as long: of 130 words are made
    two passages of 65 and not one of 128 and one of 2. A sentence that is too long for a passage is in none.

    Args:
        sentences: of a text, in order.
        max_words: of a passage.
    """
    return [passage for run in _runs(sentences, max_words) for passage in _packed(run, max_words)]


def _runs(sentences: Iterable[Sentence], max_words: int) -> Iterator[list[Sentence]]:
    """The runs of sentences between those that are too long."""
    run: list[Sentence] = []
    for sentence in sentences:
        if sentence.words <= max_words:
            run.append(sentence)
            continue
        if run:
            yield run
        run = []
    if run:
        yield run


def _packed(run: list[Sentence], max_words: int) -> list[Span]:
    """Puts the sentences of a run together."""
    total = sum(sentence.words for sentence in run)
    if not total:
        return []  # nothing but bullets and rules
    fewest = -(-total // max_words)
    passages = list(_spread(run, total / fewest, max_words))
    if len(passages) > fewest:  # sentences did not fill them, and what was left over made a short one
        passages = list(_spread(run, total / len(passages), max_words))
    return passages


def _spread(run: list[Sentence], share: float, max_words: int) -> Iterator[Span]:
    """Puts the sentences of a run together: to about a share in each passage, never to more than it may."""
    first, last, held = run[0]
    before, goal = 0, share  # words of the passages so far, and where the next is to end
    for start, end, words in run[1:]:
        # A passage ends where the goal is nearer without the sentence than with it; a bullet ends none.
        if words and (held + words > max_words or before + held + words / 2 > goal):
            yield first, last
            first, before, held, goal = start, before + held, 0, goal + share
        last, held = end, held + words
    yield first, last

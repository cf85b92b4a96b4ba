"""Passages of a text: runs of whole sentences with a bounded number of words."""

from __future__ import annotations

from collections.abc import Iterator

from anchormine.sampling.terms import count_words
from anchormine.text.model import SentenceModel
from anchormine.text.sentences import split_sentences
from anchormine.text.spans import Span

PASSAGE_WORDS = 128


def split_passages(text: str, model: SentenceModel, most_words: int = PASSAGE_WORDS) -> list[Span]:
    """Returns the spans of a text's passages, in order.

    The sentences are spread over as few passages as can hold them, all about as long: of 130 words are made
    two passages of 65 and not one of 128 and one of 2. A sentence that is too long for a passage is in none.

    Args:
        text: its paragraphs are lines.
        model: of the text's language.
        most_words: of a passage, as `anchormine.sampling.terms.count_words` counts them.
    """
    return [
        passage for run in _runs(_sentences(text, model), most_words) for passage in _packed(run, most_words)
    ]


def _sentences(text: str, model: SentenceModel) -> Iterator[tuple[Span, int]]:
    """The sentences of a text, line by line, each with the number of its words."""
    offset = 0
    for line in text.split("\n"):
        for start, end in split_sentences(line, model):
            yield (offset + start, offset + end), count_words(line[start:end])
        offset += len(line) + 1


def _runs(sentences: Iterator[tuple[Span, int]], most_words: int) -> Iterator[list[tuple[Span, int]]]:
    """The runs of sentences between those that are too long."""
    run: list[tuple[Span, int]] = []
    for sentence in sentences:
        if sentence[1] <= most_words:
            run.append(sentence)
            continue
        if run:
            yield run
        run = []
    if run:
        yield run


def _packed(run: list[tuple[Span, int]], most_words: int) -> list[Span]:
    """Puts the sentences of a run together."""
    total = sum(words for _, words in run)
    if not total:
        return []  # nothing but bullets and rules
    fewest = -(-total // most_words)
    passages = list(_spread(run, total / fewest, most_words))
    if len(passages) > fewest:  # sentences did not fill them, and what was left over made a short one
        passages = list(_spread(run, total / len(passages), most_words))
    return passages


def _spread(run: list[tuple[Span, int]], share: float, most_words: int) -> Iterator[Span]:
    """Puts the sentences of a run together: to about a share in each passage, never to more than it may."""
    (first, last), held = run[0]
    before, goal = 0, share  # words of the passages so far, and where the next is to end
    for (start, end), words in run[1:]:
        # A passage ends where the goal is nearer without the sentence than with it; a bullet ends none.
        if words and (held + words > most_words or before + held + words / 2 > goal):
            yield first, last
            first, before, held, goal = start, before + held, 0, goal + share
        last, held = end, held + words
    yield first, last

"""Splitting takes time in proportion to the text's length, whatever the text."""

from __future__ import annotations

import time

import pytest

from anchormine.text.sentences import SentenceModel, sentence_model, split_sentences

# Characters; Punkt needs up to 20 microseconds for a sentence.
LENGTH = {"rules": 8_000, "punkt": 1_000}
TIMES_LONGER = 8
TIMES_SLOWER = 24  # at most; the square would be 64
TRIES = 5
REPEATED = [
    "a. ", ".", "? ", '"', "1", "1. ", "x", " ", "\n", "a\n\n", "(", ") ", ".) ", '. "', "' ", "a.' ",
    'A? " a ', "a! a ", "... ", "…", "A.B. ", "[", ".[1]", ". [1]", ". »", "¿a? ", "。", "。」", "।", "a।",
    "།", ":) ", "😀", "a 😀 ", "- ", "z. B. ",
]  # fmt: skip


def seconds(text: str, model: SentenceModel) -> float:
    start = time.process_time()
    split_sentences(text, model)
    return time.process_time() - start


@pytest.mark.parametrize("language", ["en", "th"])
def test_time_grows_with_the_length(language: str) -> None:
    model = sentence_model(language)
    slow = {}
    for piece in REPEATED:
        once = piece * (LENGTH[model.kind] // len(piece))
        # Other work on the machine disturbs single tries: one undisturbed pair is proof enough.
        for _ in range(TRIES):
            single, longer = seconds(once, model), seconds(once * TIMES_LONGER, model)
            if longer <= TIMES_SLOWER * single + 0.002:
                break
        else:
            slow[piece] = (single, longer)
    assert slow == {}

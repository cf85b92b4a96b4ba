"""Sentences: the rules by cases, and what holds for every text and language."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from anchormine.text.sentences import SentenceModel, needs_sample, sentence_model, split_sentences

CASES = Path(__file__).with_name("sentence_cases")
HEAD = re.compile(r"== (.*) \[(.*)\]")
# One model of every splitter and kind of rule.
MODELS = [
    sentence_model(code)
    for code in ["en", "de", "fr", "es", "ru", "zh", "ja", "th", "hi", "el", "hy", "am", "my", "und"]
]
# What hostile text is made of: stops, marks, spaces and letters of every kind.
PIECES = [
    *" \n\t.!?…\"'()[]«»“”„»aAbZ19:;,—-。！？」「』』、😀ªп।།၊။។՞։؟۔ก",
    *"\u2029\u00a0\u3000\u200b¹\x1c\x85\U00011047",
    ". ", ',"', '." ', "etc. ", "Dr. ", "No. ", "U.S. ", "[1]", "1. ", "了は",
]  # fmt: skip


def read_cases(path: Path) -> list[tuple[str, str, str, list[str]]]:
    """Reads (name, language, text, sentences); the form is explained in each file's first line."""
    cases = []
    for block in path.read_text(encoding="utf-8").split("\n== ")[1:]:
        head, text, *sentences = block.removesuffix("\n").removesuffix("\n").split("\n")
        named = HEAD.fullmatch(f"== {head}")
        assert named, head
        name, language = named.groups()
        unescaped = [line.replace("\\n", "\n") for line in (text, *sentences)]
        cases.append((name, language, unescaped[0], unescaped[1:]))
    return cases


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        pytest.param(*case[1:], id=case[0])
        for path in sorted(CASES.glob("*.txt"))
        for case in read_cases(path)
    ],
)
def test_case(language: str, text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in split_sentences(text, sentence_model(language))] == sentences


def hostile_text(draw: random.Random) -> str:
    return "".join(draw.choices(PIECES, k=draw.randrange(40)))


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.language)
def test_spans_are_stripped_and_hold_all_text(model: SentenceModel) -> None:
    draw = random.Random(0)
    for _ in range(300):
        text = hostile_text(draw)
        spans = split_sentences(text, model)
        places = [place for span in spans for place in span]
        assert places == sorted(places), text
        assert [text[start:end] for start, end in spans if text[start:end].strip() != text[start:end]] == []
        assert all(start < end for start, end in spans), text
        sentences = "".join(text[start:end] for start, end in spans)
        assert "".join(sentences.split()) == "".join(text.split())


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.language)
def test_kept_spans_are_not_cut_and_other_boundaries_stay(model: SentenceModel) -> None:
    draw = random.Random(1)
    for _ in range(300):
        text = hostile_text(draw)
        places = sorted(draw.randrange(len(text) + 1) for _ in range(draw.randrange(5) * 2))
        keep = list(zip(places[::2], places[1::2], strict=True))
        expected: list[tuple[int, int]] = []
        for start, end in split_sentences(text, model):
            if expected and any(first < expected[-1][1] and last > start for first, last in keep):
                expected[-1] = (expected[-1][0], end)
            else:
                expected.append((start, end))
        assert split_sentences(text, model, keep) == expected


def test_a_link_over_a_boundary_joins_its_sentences() -> None:
    text = "He liked it. Where Are You? It plays. Good."
    title = text.index("You? It"), text.index(" plays")
    model = sentence_model("en")
    assert [text[slice(*span)] for span in split_sentences(text, model, [(3, 8), title])] == [
        "He liked it.",
        "Where Are You? It plays.",
        "Good.",
    ]


def test_codes() -> None:
    kinds = {
        code: (model.language, model.kind, model.source, needs_sample(code))
        for code in (
            "EN",
            "simple",
            "zh_min_nan",
            "zh-hant",
            "sr-Latn",
            "als",
            "und",
            "",
            "kk-Arab",
            "th",
            "q",
        )
        for model in [sentence_model(code)]
    }
    assert kinds == {
        "EN": ("en", "rules", "shipped", False),
        "simple": ("simple", "rules", "shipped", False),
        "zh_min_nan": ("zh-min-nan", "rules", "general", True),
        "zh-hant": ("zh-hant", "rules", "shipped", False),
        "sr-Latn": ("sr-latn", "rules", "shipped", False),
        "als": ("als", "rules", "shipped", False),
        "und": ("und", "rules", "general", True),
        "": ("", "rules", "general", True),
        "kk-Arab": ("kk-arab", "punkt", "general", True),
        "th": ("th", "punkt", "general", True),
        "q": ("q", "rules", "general", True),
    }

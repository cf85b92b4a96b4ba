"""Sentences of running text, as exact spans of characters, in every language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice, repeat
from typing import Literal

from anchormine.text.abbreviations import shipped_language, shipped_words
from anchormine.text.model import SentenceModel
from anchormine.text.rules import rule_spans
from anchormine.text.scripts import mostly_other_script, writes_other_script
from anchormine.text.spans import Span, stripped

__all__ = ["SentenceModel", "needs_sample", "sentence_model", "split_sentences"]

_BLANK_LINE = re.compile(r"\n\s*\n|\u2029")
# How many texts, and characters of each, tell the script of a language whose code does not.
_SCRIPT_TEXTS, _SCRIPT_LENGTH = 200, 1000


def needs_sample(language: str) -> bool:
    """Tells whether a language has no shipped abbreviations, so that a sample of its text helps."""
    return shipped_language(_code(language)) is None


def sentence_model(language: str, sample: Iterable[str] | None = None) -> SentenceModel:
    """Returns what is known of a language for splitting its text.

    Shipped words are taken where there are any. Else they are learned from the sample, the same from the same
    sample; without one there are only those that all languages have.

    Args:
        language: Its code, as a wiki or web page gives it: ``en``, ``zh_min_nan``, ``sr-Latn``; ``und`` or
            empty if unknown.
        sample: Texts in the language, of which the first million characters are read; not read where words
            are shipped.
    """
    code = _code(language)
    shipped = shipped_language(code)
    other_script = writes_other_script(code)
    if shipped or sample is None:
        source: Literal["shipped", "general"] = "shipped" if shipped else "general"
        return SentenceModel(code, _kind(other_script), source, **shipped_words(shipped))
    from anchormine.text.learning import learned_words  # NLTK takes a second to import, and few need it

    texts = iter(sample)
    first = list(islice(texts, _SCRIPT_TEXTS))
    if not other_script:
        other_script = mostly_other_script("".join(text[:_SCRIPT_LENGTH] for text in first))
    words = shipped_words(None)
    learned = learned_words(chain(first, texts), code)
    words["ordinals"] = learned["ordinals"]
    for key in ("abbreviations", "starters"):
        words[key] |= learned[key]
    return SentenceModel(code, _kind(other_script), "learned", **words)


def _kind(other_script: bool) -> Literal["rules", "punkt"]:
    return "punkt" if other_script else "rules"


def _code(language: str) -> str:
    return language.strip().lower().replace("_", "-")


def split_sentences(text: str, model: SentenceModel, keep: Sequence[Span] = ()) -> list[Span]:
    """Returns the spans of a text's sentences, in order.

    No span is empty, overlaps another, or begins or ends with white space; together they hold all else. A
    blank line ends a sentence, a single line end is white space: where each line is a heading or paragraph,
    split line by line.

    Args:
        text: One paragraph or more, in characters. Its time is proportional to its length.
        model: The language's.
        keep: Spans that no boundary may cut, such as anchors, sorted by start: sentences they join are one.
    """
    split = _splitter(model)
    if _is_one_paragraph(text):
        spans = split(text, model)
    else:
        spans = []
        for start, end in _paragraphs(text):
            spans += [(start + first, start + last) for first, last in split(text[start:end], model)]
    return _joined(spans, keep) if keep else spans


def _splitter(model: SentenceModel) -> Callable[[str, SentenceModel], list[Span]]:
    if model.kind == "rules":
        return rule_spans
    from anchormine.text.punkt import punkt_spans

    return punkt_spans


def _is_one_paragraph(text: str) -> bool:
    """Tells whether a text is one line without white space at its ends: most are, and it saves time."""
    return not (text[:1].isspace() or text[-1:].isspace() or "\n" in text or "\u2029" in text or not text)


def _paragraphs(text: str) -> list[Span]:
    """Returns the spans between blank lines, without the white space around them."""
    starts = [0]
    ends = []
    for match in _BLANK_LINE.finditer(text):
        ends.append(match.start())
        starts.append(match.end())
    ends.append(len(text))
    return [span for span in map(stripped, repeat(text), starts, ends) if span[0] < span[1]]


def _joined(spans: list[Span], keep: Sequence[Span]) -> list[Span]:
    """Joins sentences where a kept span reaches from one into the next."""
    joined: list[Span] = []
    kept = 0
    reach = 0
    for start, end in spans:
        if reach > start:
            start = joined.pop()[0]
        joined.append((start, end))
        while kept < len(keep) and keep[kept][0] < end:
            reach = max(reach, keep[kept][1])
            kept += 1
    return joined

"""Numbers for the distinct sentences, anchors and passages of a corpus, as HARP's program gives them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from anchormine.harp.lines import HarpSentence


class HarpCorpus(NamedTuple):
    """The distinct texts of a corpus, lower-cased; the number of a text is its place here plus 1.

    Attributes:
        sentences: in order of first occurrence.
        anchors: in order of first occurrence.
        passages: in order of first occurrence.
        triples: distinct (sentence, anchor, passage) numbers in order of first occurrence, one for each link.
    """

    sentences: list[str]
    anchors: list[str]
    passages: list[str]
    triples: list[tuple[int, int, int]]


def number_corpus(sentences: Iterable[HarpSentence]) -> HarpCorpus:
    """Numbers a corpus in the order of its lines; links without a place are numbered too.

    HARP's program then leaves out sentences of fewer than 3 word pieces and passages of fewer than 5; its
    demo has none.
    """
    numbered: tuple[dict[str, int], dict[str, int], dict[str, int]] = {}, {}, {}
    triples: dict[tuple[int, int, int], None] = {}
    for sentence, links in sentences:
        for link in links:
            texts = (sentence, link.text, link.passage)
            one, two, three = (_number(seen, text) for seen, text in zip(numbered, texts, strict=True))
            triples[one, two, three] = None
        _number(numbered[0], sentence)  # a sentence without links
    first, second, third = map(list, numbered)
    return HarpCorpus(first, second, third, list(triples))


def _number(seen: dict[str, int], text: str) -> int:
    return seen.setdefault(text.lower(), len(seen) + 1)

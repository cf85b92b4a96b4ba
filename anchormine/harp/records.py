"""HARP's sentences and passages as records of a dataset folder: pages, anchors, and wrong places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import NamedTuple

from anchormine.harp.lines import HarpLink, HarpSentence
from anchormine.schemas.anchors import Anchor
from anchormine.schemas.pages import Page


class WrongPlace(NamedTuple):
    """A link whose place in the file is not the anchor's.

    Attributes:
        line: of the file, from 1.
        reason: what is wrong with the place (`anchormine.harp.lines`).
        text: the anchor.
        sentence: of the line.
        anchor_id: of the row that the link became all the same, as the sentence has its words once; else
            None.
    """

    line: int
    reason: str
    text: str
    sentence: str
    anchor_id: str | None


def harp_records(
    sentences: Iterable[HarpSentence], language: str = "en"
) -> Iterator[Page | Anchor | WrongPlace]:
    """Turns a file's sentences into records, in order; a page comes just before the first link to it.

    A destination is `harp:N`, N the number of its passage (`anchormine.harp.numbers`): its title is the first
    anchor that leads to it, its lead and its text are the passage. The page that a sentence stands on is not
    in the file: its id is `harp:lineN` and no page has it.

    Args:
        sentences: in the order of the lines; only a digest of each passage is kept.
        language: of all of them.
    """
    numbers: dict[bytes, int] = {}
    for line, (sentence, links) in enumerate(sentences, 1):
        for place, link in enumerate(links, 1):
            seen = len(numbers)
            number = numbers.setdefault(_digest(link.passage), seen + 1)
            if number > seen:
                yield _page(number, link, language)
            anchor_id = None if link.span is None else f"harp:line{line}#a{place}"
            if link.reason is not None:
                yield WrongPlace(line, link.reason, link.text, sentence, anchor_id)
            if link.span is not None:
                yield _anchor(line, place, sentence, link.span, number, language)


def _digest(passage: str) -> bytes:
    return blake2b(passage.lower().encode(), digest_size=16).digest()


def _page(number: int, link: HarpLink, language: str) -> Page:
    return Page(
        page_id=f"harp:{number}",
        source="harp",
        language=language,
        title=link.text,
        url="",
        lead=link.passage,
        text=link.passage,
        revision=None,
        timestamp=None,
        redirects_from=[],
        disambiguation=False,
        warc_file=None,
        warc_offset=None,
        licence=None,
    )


def _anchor(
    line: int, place: int, sentence: str, span: tuple[int, int], number: int, language: str
) -> Anchor:
    start, end = span
    return Anchor(
        anchor_id=f"harp:line{line}#a{place}",
        anchor=sentence[start:end],
        sentence=sentence,
        start=start,
        end=end,
        sentence_id=f"harp:line{line}#s1",
        sentence_start=None,
        source_page_id=f"harp:line{line}",
        target=str(number),
        fragment=None,
        destination_page_id=f"harp:{number}",
        region="body",
        rel=None,
        language=language,
        gaps=0,
    )

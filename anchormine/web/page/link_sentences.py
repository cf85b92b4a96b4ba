"""The sentences of a page that hold its links.

A block is running text if it ends with a stop, or has more than one sentence: its sentences are split. Any
other is a heading, a cell, a line of a menu: all of it is the sentence, and the context "block", as it is
where a link is all of its block. A block that is longer than `BLOCK_CHARACTERS`, and a sentence that is
longer than `SENTENCE_CHARACTERS`, is cut between words, never in an anchor, and the pieces are of the
context "block".
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from anchormine.hypertext.drafts import AnchorDraft, SentenceDraft
from anchormine.text.sentences import SentenceModel, split_sentences
from anchormine.text.spans import Span, stripped
from anchormine.text.stops import CLOSERS, SPACED_STOPS, TURNING_QUOTES, UNSPACED_STOPS, own_stops
from anchormine.web.page.page_blocks import Link, PageBlock

BLOCK_CHARACTERS: Final = 500
SENTENCE_CHARACTERS: Final = 2000  # of text that people read, one sentence in a hundred thousand is longer

_new: Final = tuple.__new__  # takes half the time of a NamedTuple's own constructor
_STOPS = re.escape(SPACED_STOPS + UNSPACED_STOPS)
_TAIL: Final = 10  # characters at the end of a text, in which its last stop is
_ANY_STOP: Final = re.compile(f"[{_STOPS}]")
_NOT_SPACE: Final = re.compile(r"\S")


def add_sentences(
    blocks: Iterable[tuple[PageBlock, int | None]],
    model: SentenceModel,
    sentences: list[SentenceDraft],
    anchors: list[AnchorDraft],
) -> None:
    """Adds the sentences of blocks that hold links, and the links.

    Args:
        blocks: with links, each with its offset in the page's text, or None if it is not in there.
        model: of the page's language.
        sentences: of the page so far.
        anchors: of the page so far.
    """
    for block, offset in blocks:
        text, link = block.text, block.links[0]
        end = link.end
        if link.start == 0 and end == len(text):  # an item of a menu: most blocks with links are such
            number = len(sentences)
            url, address, fragment = link.target
            region, rel, image_alt = block.region, link.rel, link.image_alt
            fields = (text, number, 0, end, url, address, fragment, region, rel, image_alt, "block")
            anchors.append(_new(AnchorDraft, fields))
            sentences.append(_new(SentenceDraft, (text, offset, 0)))
        else:
            _add_sentences(block, offset, model, sentences, anchors)


def _add_sentences(
    block: PageBlock,
    offset: int | None,
    model: SentenceModel,
    sentences: list[SentenceDraft],
    anchors: list[AnchorDraft],
) -> None:
    text, links = block.text, block.links
    done = 0
    for start, end, context in _spans(text, links, model):
        if done == len(links):
            break
        if links[done].start >= end:
            continue
        number = len(sentences)
        place = None if offset is None else offset + start
        sentences.append(_new(SentenceDraft, (text[start:end], place, 0)))
        while done < len(links) and links[done].start < end:
            anchors.append(_draft(block, links[done], number, start, context))
            done += 1


def _draft(block: PageBlock, link: Link, number: int, offset: int, context: str) -> AnchorDraft:
    start, end = link.start, link.end
    url, address, fragment = link.target
    anchor, first, past = block.text[start:end], start - offset, end - offset
    about = (block.region, link.rel, link.image_alt, context)
    return _new(AnchorDraft, (anchor, number, first, past, url, address, fragment, *about))


def _spans(text: str, links: Sequence[Link], model: SentenceModel) -> Iterable[tuple[int, int, str]]:
    """Returns the spans of a block's sentences, in order, with what they are."""
    own = own_stops(model.language)
    if _has_stop(text) or (own and any(stop in text for stop in own)):
        keep = [(link.start, link.end) for link in links]
        return _sentence_spans(text, split_sentences(text, model, keep), keep, own)
    start, end = stripped(text, 0, len(text))
    if end - start <= BLOCK_CHARACTERS:
        return ((start, end, "block"),)
    return _sentence_spans(text, [(start, end)], [(link.start, link.end) for link in links])


@cache
def _last_stop(own: str) -> re.Pattern[str]:
    """Matches the stop that a text ends with, be it one of its language's own."""
    return re.compile(f"[{_STOPS}{own}][{re.escape(CLOSERS + TURNING_QUOTES)}\\s]{{0,{_TAIL - 1}}}$")


def _has_stop(text: str) -> bool:
    if text.isascii():
        return "." in text or "?" in text or "!" in text
    return _ANY_STOP.search(text) is not None


def _sentence_spans(
    text: str, spans: list[Span], keep: list[Span], own: str = ""
) -> Iterator[tuple[int, int, str]]:
    is_running = len(spans) > 1 or _last_stop(own).search(text, max(0, len(text) - _TAIL)) is not None
    limit = SENTENCE_CHARACTERS if is_running else BLOCK_CHARACTERS
    for span in spans:
        if span[1] - span[0] <= limit:
            yield (*span, "sentence" if is_running else "block")
        else:
            for start, end in _cut(text, span, keep):
                yield start, end, "block"


def _cut(text: str, span: Span, keep: list[Span]) -> Iterator[Span]:
    """Cuts a span into pieces of `BLOCK_CHARACTERS` at most, or one anchor."""
    start, last = span
    kept = bisect_right(keep, start, key=lambda link: link[1])  # the first not before it
    while last - start > BLOCK_CHARACTERS:
        limit = start + BLOCK_CHARACTERS
        end = text.rfind(" ", start + 1, limit + 1)
        end = end if end > start else limit
        while kept < len(keep) and keep[kept][1] <= end:
            kept += 1
        if kept < len(keep) and keep[kept][0] < end:
            first, past = keep[kept]
            end = first if first > start else past
        piece = stripped(text, start, end)
        if piece[0] < piece[1]:
            yield piece
        following = _NOT_SPACE.search(text, end, last)  # found in place: the rest may be all of a page
        start = last if following is None else following.start()
    if start < last:
        yield start, last

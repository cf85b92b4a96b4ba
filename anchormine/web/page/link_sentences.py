"""The sentences of a page that hold its links.

A block is running text if it ends with a stop, or has more than one sentence: its sentences are split. Any
other is a heading, a cell, a line of a menu: all of it is the sentence, and the context "block", as it is
where a link is all of its block. A block that is longer than `PIECE_CHARACTERS`, and a sentence that is
longer than `SENTENCE_CHARACTERS`, is cut between words, never in an anchor, and the pieces are of the
context "block".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from anchormine.hypertext.drafts import AnchorDraft, SentenceDraft
from anchormine.text.pieces import PIECE_CHARACTERS, SENTENCE_CHARACTERS, cut
from anchormine.text.sentences import SentenceModel, split_sentences
from anchormine.text.spans import Span, stripped
from anchormine.text.stops import CLOSERS, SPACED_STOPS, TURNING_QUOTES, UNSPACED_STOPS, own_stops
from anchormine.web.page.page_blocks import Link, PageBlock

_new: Final = tuple.__new__  # takes half the time of a NamedTuple's own constructor
_STOPS = re.escape(SPACED_STOPS + UNSPACED_STOPS)
_TAIL: Final = 10  # characters at the end of a text, in which its last stop is
_ANY_STOP: Final = re.compile(f"[{_STOPS}]")


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
    if end - start <= PIECE_CHARACTERS:
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
    limit = SENTENCE_CHARACTERS if is_running else PIECE_CHARACTERS
    for span in spans:
        if span[1] - span[0] <= limit:
            yield (*span, "sentence" if is_running else "block")
        else:
            for start, end in cut(text, span, keep):
                yield start, end, "block"

"""From a page of a dump to what it gives: text, anchors with their sentences, and what was set aside."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from anchormine.hypertext.drafts import AnchorDraft, SentenceDraft
from anchormine.text.pieces import SENTENCE_CHARACTERS, cut
from anchormine.text.sentences import SentenceModel, split_sentences
from anchormine.wiki.article import Article, read_article
from anchormine.wiki.inline import Block
from anchormine.wiki.site import Site

_new = tuple.__new__  # takes half the time of a NamedTuple's own constructor
_OF_A_WIKI = tuple(AnchorDraft._field_defaults.values())
_OF_A_PIECE = tuple({**AnchorDraft._field_defaults, "context": "block"}.values())
_IN_TEXT = frozenset(("body", "list", "header"))


class Extraction(NamedTuple):
    """What one article gives.

    Attributes:
        lead: the blocks before the first heading, one a line.
        text: body, list items and headings, one a line.
        sentences: those with anchors.
        anchors: links to articles, in order.
        dropped: (reason, "[[target]]") of every other link.
        disambiguation: whether the page only lists pages of the same name.
    """

    lead: str
    text: str
    sentences: list[SentenceDraft]
    anchors: list[AnchorDraft]
    dropped: list[tuple[str, str]]
    disambiguation: bool


def extract(article: Article, model: SentenceModel) -> Extraction:
    """Splits an article's blocks into sentences where they hold links.

    Args:
        article: as `read_article` returns it.
        model: says where sentences end in the article's language.
    """
    sentences: list[SentenceDraft] = []
    anchors: list[AnchorDraft] = []
    lines: list[str] = []
    lead_lines = None
    length = 0
    for block in article.blocks:
        in_text = block.region in _IN_TEXT
        if block.region == "header" and lead_lines is None:
            lead_lines = len(lines)
        if block.links:
            _add_anchors(block, length if in_text else None, model, sentences, anchors)
        if in_text and block.text:
            lines.append(block.text)
            length += len(block.text) + 1
    lead = "\n".join(lines[:lead_lines])
    return Extraction(lead, "\n".join(lines), sentences, anchors, article.dropped, article.disambiguation)


def _add_anchors(
    block: Block,
    offset: int | None,
    model: SentenceModel,
    sentences: list[SentenceDraft],
    anchors: list[AnchorDraft],
) -> None:
    """Adds the block's sentences that hold links, and the links.

    Args:
        block: has links.
        offset: of the block in the page's text, None if it is not in there.
    """
    text, region = block.text, block.region
    links = iter(block.links)
    link = next(links, None)
    for start, end, others in _spans(block, model):
        if link is None:
            break
        if link.start >= end:
            continue
        gaps = bisect_right(block.gaps, end) - bisect_left(block.gaps, start) if block.gaps else 0
        number = len(sentences)
        sentence = (text[start:end], None if offset is None else offset + start, gaps)
        sentences.append(_new(SentenceDraft, sentence))
        while link is not None and link[0] < end:
            first, last, target, title, fragment = link
            place = (text[first:last], number, first - start, last - start)
            anchors.append(_new(AnchorDraft, (*place, target, title, fragment, region, *others)))
            link = next(links, None)


def _spans(block: Block, model: SentenceModel) -> Iterator[tuple[int, int, tuple]]:
    """Yields the spans of a block's sentences, in order, with what else is to be said of their links."""
    keep = [(link[0], link[1]) for link in block.links]
    for start, end in split_sentences(block.text, model, keep):
        if end - start <= SENTENCE_CHARACTERS:
            yield start, end, _OF_A_WIKI
        else:
            for first, last in cut(block.text, (start, end), keep):
                yield first, last, _OF_A_PIECE


def read_page(wikitext: str, title: str, site: Site, model: SentenceModel) -> Extraction:
    """Reads one page of a wiki: wikitext in, text and anchors out. For notebooks; see `PageReader` for dumps.

    Args:
        wikitext: of the page.
        title: of the page.
        site: the wiki, such as `Site.of_language("en")`.
        model: says where sentences end, such as `sentence_model("en")`.

    Raises:
        PageRejected: the page cannot be read within the limits.
    """
    return extract(read_article(wikitext, title, site), model)

"""The links that lead to a page, by what they have in common: what is kept of them, however many there are.

Links of equal strings are merged (their texts in anchor_document, the pages that link in wlp), and a page
keeps at most N strings, all equally likely (Anchor-DR, SIGIR 2023, where N is 5). Both hang on hashes of ids
and strings alone, so parts of a corpus can be cut down before they are put together: a string that is among
the first N of the whole is among the first N of every part that has it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from anchormine.sampling.draws import hash64
from anchormine.tasks.qdm import occurrence_rank

IN_LINKS_PER_PAGE = 5


class Link(NamedTuple):
    """An anchor that leads to a page of the input.

    Attributes:
        anchor_id: the occurrence.
        anchor: its text.
        sentence_id: its sentence.
        source: page_id of the page that links.
        destination: page_id of the page linked to.
        region: where it stands.
        text: its text, cleaned where that is known.
    """

    anchor_id: str
    anchor: str
    sentence_id: str
    source: str
    destination: str
    region: str
    text: str


class InLink(NamedTuple):
    """An occurrence of a link that may make a pair.

    Attributes:
        anchor_id: the occurrence.
        anchor: its text.
        sentence_id: its sentence.
        destination: page_id of the page it leads to.
        string: links of equal strings to a page are one.
    """

    anchor_id: str
    anchor: str
    sentence_id: str
    destination: str
    string: str


class LinkText(NamedTuple):
    """A string that links to a page, with the occurrence that stands for all that have it.

    Attributes:
        rank: the strings of lowest rank are taken.
        string: what the links have in common.
        occurrence: the occurrence of lowest number stands for all.
        anchor_id: of that occurrence.
        anchor: its text.
        sentence_id: its sentence.
        occurrences: how many links there are with this string.
    """

    rank: int
    string: str
    occurrence: int
    anchor_id: str
    anchor: str
    sentence_id: str
    occurrences: int


class InLinks(NamedTuple):
    """What is kept of the links to a page.

    Attributes:
        page_id: of the page.
        texts: of lowest rank, in its order.
        beyond: how many links there are with other strings.
    """

    page_id: str
    texts: list[LinkText]
    beyond: int


def gather_in_links(links: Iterable[InLink], most: int, seed: int) -> list[InLinks]:
    """Gathers the links of a part of a corpus by the page they lead to.

    Args:
        links: in any order.
        most: strings that are kept of a page.
        seed: of the run.
    """
    pages: dict[str, dict[str, LinkText]] = {}
    for anchor_id, anchor, sentence_id, page_id, string in links:
        texts = pages.setdefault(page_id, {})
        known = texts.get(string)
        rank = known.rank if known else hash64(seed, page_id, "text", string)
        occurrence = occurrence_rank(anchor_id, seed)
        _add(texts, LinkText(rank, string, occurrence, anchor_id, anchor, sentence_id, 1))
    return [_first(page_id, texts, most, 0) for page_id, texts in pages.items()]


def merge_in_links(parts: Iterable[InLinks], most: int) -> list[InLinks]:
    """Puts together what parts of a corpus keep of the links to the same pages, sorted by page_id."""
    pages: dict[str, dict[str, LinkText]] = {}
    beyond: dict[str, int] = {}
    for page_id, same, others in parts:
        texts = pages.setdefault(page_id, {})
        beyond[page_id] = beyond.get(page_id, 0) + others
        for text in same:
            _add(texts, text)
    return [_first(page_id, pages[page_id], most, beyond[page_id]) for page_id in sorted(pages)]


def _add(texts: dict[str, LinkText], text: LinkText) -> None:
    known = texts.get(text.string)
    if known is None:
        texts[text.string] = text
        return
    chosen = min(known, text, key=lambda one: (one.occurrence, one.anchor_id))
    texts[text.string] = chosen._replace(occurrences=known.occurrences + text.occurrences)


def _first(page_id: str, texts: dict[str, LinkText], most: int, beyond: int) -> InLinks:
    ordered = sorted(texts.values(), key=lambda text: (text.rank, text.string))
    rest = sum(text.occurrences for text in ordered[most:])
    return InLinks(page_id, ordered[:most], beyond + rest)

"""The links that lead to a page, by their texts: what is kept of them, however many there are.

Equal texts are merged, and a page keeps at most N texts, all equally likely (Anchor-DR, SIGIR 2023, where N
is 5). Both hang on hashes of ids and texts alone, so parts of a corpus can be cut down before they are put
together: a text that is among the first N of the whole is among the first N of every part that has it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from anchormine.sampling.draws import hash64
from anchormine.tasks.qdm import anchor_string, occurrence_rank

IN_LINKS_PER_PAGE = 5


class InLink(NamedTuple):
    """An occurrence of a link.

    Attributes:
        anchor_id: the occurrence.
        anchor: its text.
        sentence_id: its sentence.
        destination: page_id of the page it leads to.
    """

    anchor_id: str
    anchor: str
    sentence_id: str
    destination: str


class LinkText(NamedTuple):
    """A text that links to a page, with the occurrence that stands for all that are equal.

    Attributes:
        rank: the texts of lowest rank are taken.
        string: see `anchormine.tasks.qdm.anchor_string`: equal texts have the same.
        occurrence: the occurrence of lowest number stands for all.
        anchor_id: of that occurrence.
        anchor: its text.
        sentence_id: its sentence.
        occurrences: how many links there are with this text.
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
        beyond: how many links there are with other texts.
    """

    page_id: str
    texts: list[LinkText]
    beyond: int


def gather_in_links(links: Iterable[InLink], most: int, seed: int) -> list[InLinks]:
    """Gathers the links of a part of a corpus by the page they lead to.

    Args:
        links: in any order.
        most: texts that are kept of a page.
        seed: of the run.
    """
    pages: dict[str, dict[str, LinkText]] = {}
    for anchor_id, anchor, sentence_id, page_id in links:
        string = anchor_string(anchor)
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

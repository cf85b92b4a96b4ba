"""HARP's sentences as the rows of a dataset folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple

from anchormine.harp.lines import HarpSentence
from anchormine.schemas.anchors import Anchor
from anchormine.schemas.pages import Page
from anchormine.schemas.rejects import EXCERPT_CHARACTERS, Reject


class HarpRows(NamedTuple):
    """Rows of some lines; passages that several lines link to occur again and again among the pages."""

    pages: list[Page]
    anchors: list[Anchor]
    rejects: list[Reject]
    counts: Counter[str]


def passage_id(passage: str) -> str:
    """The page_id of a first section: HARP's files name no pages, so equal text is the same page."""
    return f"harp:{blake2b(passage.encode(), digest_size=8).hexdigest()}"


def harp_rows(lines: Iterable[tuple[int, HarpSentence]], file: str, language: str) -> HarpRows:
    """Makes the rows of some lines.

    A line's sentence stands on a page of its own, "harp:<file>:<line>": the files do not say on which.

    Args:
        lines: numbers, from 1, and sentences.
        file: name of the file, for the origin of rejects.
        language: of the text.
    """
    rows = HarpRows([], [], [], Counter())
    for number, sentence in lines:
        _add_line(number, sentence, file, language, rows)
    rows.counts["links.written"] = len(rows.anchors)
    return rows


def _add_line(number: int, sentence: HarpSentence, file: str, language: str, rows: HarpRows) -> None:
    source = f"harp:{file}:{number}"
    rows.counts["links.read"] += len(sentence.links)
    for place, link in enumerate(sentence.links):
        anchor_id = f"{source}#a{place}"
        if link.span is None:
            reason = link.reason or ""
            rows.counts[f"links.rejected.{reason}"] += 1
            excerpt = link.text[:EXCERPT_CHARACTERS]
            rows.rejects.append(Reject("harp", reason, "links", anchor_id, f"{file}@line {number}", excerpt))
            continue
        if link.reason:
            rows.counts[f"places.repaired.{link.reason}"] += 1
        page_id = passage_id(link.passage)
        start, end = link.span
        rows.pages.append(_page(page_id, link.passage, language))
        rows.anchors.append(
            Anchor(
                anchor_id=anchor_id,
                anchor=sentence.sentence[start:end],
                sentence=sentence.sentence,
                start=start,
                end=end,
                sentence_id=f"{source}#s0",
                sentence_start=None,
                source_page_id=source,
                target=link.text,
                fragment=None,
                destination_page_id=page_id,
                region="body",
                rel=None,
                language=language,
                gaps=0,
            )
        )


def _page(page_id: str, passage: str, language: str) -> Page:
    return Page(
        page_id=page_id,
        source="harp",
        language=language,
        title="",
        url="",
        lead=passage,
        text=passage,
        revision=None,
        timestamp=None,
        redirects_from=[],
        disambiguation=False,
        warc_file=None,
        warc_offset=None,
        licence=None,
    )

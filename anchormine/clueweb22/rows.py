"""ClueWeb22's records as the rows of a dataset folder.

A page's id is its ClueWeb22-ID. A page that links, says none and is not in the input is named by its URL, as
those of a crawl are. Of the pages that link nothing is known but their URLs, so an anchor's sentence is the
anchor itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from anchormine.clueweb22.link_fields import LinkFields, link_fields
from anchormine.clueweb22.records import LinkRecord, TextRecord
from anchormine.schemas.anchors import Anchor
from anchormine.schemas.pages import Page
from anchormine.web.main_text.main_text import lead_of
from anchormine.web.urls import canonical_url, fragment_of, why_no_address, without_fragment

SOURCE = "clueweb22"


class RecordPlace(NamedTuple):
    """Where a record stands: the name of its file, and the byte where its member starts."""

    file: str
    offset: int


class DroppedLink(NamedTuple):
    """A link that is no anchor.

    Attributes:
        link_id: as the anchor's id would be.
        reason: "malformed", "no_text", "bad_url" (a page of no name), "scheme" (not of the web) or "self".
        excerpt: of it.
    """

    link_id: str
    reason: str
    excerpt: str


def page_row(
    record: TextRecord, place: RecordPlace, language: str | None = None, licence: str | None = None
) -> Page | None:
    """Returns the row of a page; None for one without text.

    Args:
        record: of the page.
        place: of the record.
        language: over what the record says.
        licence: of the text.
    """
    lines = (" ".join(line.split()) for line in record.text.splitlines())
    text = "\n".join(line for line in lines if line)
    if not text:
        return None
    return Page(
        page_id=record.page_id,
        source=SOURCE,
        language=language or record.language,
        title="",
        url=record.url,
        lead=lead_of(text),
        text=text,
        revision=None,
        timestamp=None,
        redirects_from=[],
        disambiguation=False,
        warc_file=place.file,
        warc_offset=place.offset,
        licence=licence,
        encoding="utf-8",
    )


def in_link_rows(
    record: LinkRecord, is_page: bool, language: str | None = None
) -> Iterator[Anchor | DroppedLink]:
    """Yields the links to a page, in order.

    As `source_page_id` a link that says no id has the address of the page that it stands on, as `address_of`
    gives it: whether that is in the input is to be looked up.

    The n-th has the id "<id of the page it leads to>#i<n>": on the page that links, its number is not known.

    Args:
        record: of the page that they lead to.
        is_page: whether that page is in the input; if not, it is null in the rows.
        language: over what the links say of the pages they stand on.
    """
    destination = record.page_id if is_page else None
    itself = (record.page_id, address_of(record.url))
    for number, link in enumerate(record.links):
        link_id = f"{record.page_id}#i{number}"
        fields = link_fields(link)
        if fields is None:
            yield DroppedLink(link_id, "malformed", str(link))
        elif dropped := _dropped(link_id, fields, itself, needs_url=False):
            yield dropped
        else:
            yield _anchor(
                link_id,
                fields,
                sentence_id=link_id,
                source_page_id=_page_of(fields),
                target=record.url or record.page_id,
                destination_page_id=destination,
                language=language or fields.language,
                source_url=fields.url or None,
            )


def out_link_rows(record: LinkRecord, language: str | None = None) -> Iterator[Anchor | DroppedLink]:
    """Yields the links on a page, in order. Whether their destinations are in the input is to be looked up.

    As `destination_page_id` they have what is to be looked up: the id, or where they say none the address, as
    `address_of` gives it.

    The n-th has the id "<id of the page>#a<n>", as everywhere else.

    Args:
        record: of the page that they stand on.
        language: over what the record says.
    """
    itself = (record.page_id, address_of(record.url))
    for number, link in enumerate(record.links):
        link_id = f"{record.page_id}#a{number}"
        fields = link_fields(link)
        if fields is None:
            yield DroppedLink(link_id, "malformed", str(link))
        elif dropped := _dropped(link_id, fields, itself, needs_url=True):
            yield dropped
        else:
            yield _anchor(
                link_id,
                fields,
                sentence_id=f"{record.page_id}#s{number}",
                source_page_id=record.page_id,
                target=fields.url,
                destination_page_id=_page_of(fields),
                language=language or record.language,
                source_url=record.url or None,
            )


def address_of(url: str) -> str:
    """The canonical form of a URL, or the URL itself if it is none of the web's."""
    return canonical_url(url) or url


def _page_of(fields: LinkFields) -> str:
    """The page at the other end of a link: its id, or where the link says none its address."""
    return fields.page_id or address_of(fields.url)


def _dropped(
    link_id: str, fields: LinkFields, itself: tuple[str, str], needs_url: bool
) -> DroppedLink | None:
    """A link that is no row, with the reason; None for one that is.

    Args:
        link_id: of the link.
        fields: of it.
        itself: id and address of the page whose record has it.
        needs_url: whether it must say a URL even if it says an id.
    """
    if not fields.anchor:
        return DroppedLink(link_id, "no_text", fields.url)
    if not fields.url and (needs_url or fields.page_id is None):
        return DroppedLink(link_id, "bad_url", fields.anchor)
    if fields.page_id is None and canonical_url(fields.url) is None:
        return DroppedLink(link_id, why_no_address(fields.url), fields.url)
    return DroppedLink(link_id, "self", fields.url) if _page_of(fields) in itself else None


def _anchor(
    link_id: str,
    fields: LinkFields,
    *,
    sentence_id: str,
    source_page_id: str,
    target: str,
    destination_page_id: str | None,
    language: str | None,
    source_url: str | None,
) -> Anchor:
    return Anchor(
        anchor_id=link_id,
        anchor=fields.anchor,
        sentence=fields.anchor,
        start=0,
        end=len(fields.anchor),
        sentence_id=sentence_id,
        sentence_start=None,
        source_page_id=source_page_id,
        target=without_fragment(target),
        fragment=fragment_of(target),
        destination_page_id=destination_page_id,
        region=fields.region,
        rel=None,
        language=language,
        gaps=0,
        image_alt=False,
        context="anchor",
        source_url=source_url,
    )

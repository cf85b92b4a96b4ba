"""A page of a dump on its way from XML to rows: as cut out of the file, and as read."""

from typing import NamedTuple

from anchormine.text.sentences import SentenceModel
from anchormine.wiki.errors import PageRejected
from anchormine.wiki.extraction import Extraction
from anchormine.wiki.page_reader import PageReader
from anchormine.wiki.revisions import WikiPage
from anchormine.wiki.site import Site
from anchormine.wiki.titles import normalise_title


class DumpPage(NamedTuple):
    """A page of a dump, or what is left of one that is broken.

    Attributes:
        file: number of the file in the plan.
        range: number of the range.
        ordinal: place of the page in the range.
        origin: the file's name, "@" and the byte of the XML where the page starts.
        page: None if it is broken.
        problem: why it is broken.
        excerpt: of a broken one.
    """

    file: int
    range: int
    ordinal: int
    origin: str
    page: WikiPage | None
    problem: str | None
    excerpt: str


class Redirect(NamedTuple):
    """Where a redirect points to.

    Attributes:
        title: in normal form; "" where it points nowhere.
        fragment: the section, or None.
    """

    title: str
    fragment: str | None


class PageRead(NamedTuple):
    """A page after reading: an article, a redirect, or a reject.

    Attributes:
        range: number of the range it was read from.
        ordinal: its place in there.
        file: number of the file.
        origin: where it stands.
        title: in normal form.
        number: its id on the wiki.
        revision: id of the revision.
        timestamp: of the revision.
        superseded: how many older revisions its element held.
        reason: why it is set aside; "" for an article or a redirect.
        excerpt: of what is set aside.
        redirect: of a redirect page.
        extraction: of an article.
    """

    range: int
    ordinal: int
    file: int
    origin: str
    title: str
    number: int
    revision: int | None
    timestamp: str | None
    superseded: int
    reason: str
    excerpt: str
    redirect: Redirect | None
    extraction: Extraction | None


def read_dump_page(element: DumpPage, site: Site, model: SentenceModel, reader: PageReader) -> PageRead:
    """Reads one page of a dump.

    Args:
        element: as read.
        site: its wiki.
        model: where sentences end in its language.
        reader: keeps the limits.
    """
    page = element.page
    if page is None:
        return PageRead(
            *element[1:3],
            element.file,
            element.origin,
            "",
            0,
            None,
            None,
            0,
            "unreadable",
            element.excerpt,
            None,
            None,
        )
    title = normalise_title(page.title)
    reason, redirect, extraction = "", None, None
    excerpt = title
    namespace = site.namespace_of(title) if page.namespace is None else page.namespace
    if namespace != 0:
        reason = "namespace"
    elif (redirect := redirect_of(page, site)) is not None:
        pass
    elif page.model != "wikitext":
        reason = "content_model"
    elif not page.wikitext.strip():
        reason = "empty"
    else:
        try:
            extraction = reader.read(page.wikitext, title, site, model)
        except PageRejected as error:
            reason, excerpt = error.reason, f"{title}: {error}"
    return PageRead(
        element.range, element.ordinal, element.file, element.origin, title, page.number, page.revision,
        page.timestamp, page.superseded, reason, excerpt, redirect, extraction,
    )  # fmt: skip


def redirect_of(page: WikiPage, site: Site) -> Redirect | None:
    """Returns where a page redirects to, or None. The text knows the section, the dump may not."""
    match = site.redirect.match(page.wikitext)
    if match:
        target = site.target(match[1])
        return Redirect(target.title if target.kind == "article" else "", target.fragment)
    if page.redirect is None:
        return None
    return Redirect(normalise_title(page.redirect), None)

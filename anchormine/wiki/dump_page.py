"""A page of a dump on its way from XML to rows: as cut out of the file, and as read."""

from typing import NamedTuple

from anchormine.hypertext.drafts import PageContent, PageRead, Redirect
from anchormine.hypertext.page_rejected import PageRejected
from anchormine.text.sentences import SentenceModel
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
            element.range, element.ordinal, element.file, element.origin, None, "", None, None, 0,
            "unreadable", element.excerpt, False, None, None,
        )  # fmt: skip
    title = normalise_title(page.title)
    reason, redirect, content = "", None, None
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
            content = _content(title, site, reader.read(page.wikitext, title, site, model))
        except PageRejected as error:
            reason, excerpt = error.reason, f"{title}: {error}"
    return PageRead(
        element.range, element.ordinal, element.file, element.origin, f"{site.wiki}:{page.number}", title,
        page.timestamp, page.revision, page.superseded, reason, excerpt,
        reason not in ("", "namespace"), redirect, content,
    )  # fmt: skip


def _content(title: str, site: Site, found: Extraction) -> PageContent:
    return PageContent(
        title, site.url(title), site.language, found.lead, found.text, found.sentences, found.anchors,
        found.dropped, found.disambiguation,
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

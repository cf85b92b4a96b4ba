"""What a page gives before its links are resolved: text, sentences that hold links, and the links."""

from typing import NamedTuple

REVISIT = "revisit"  # the reason of a capture that only says which other one it repeats


class AnchorDraft(NamedTuple):
    """An anchor of a page whose destination is not looked up yet.

    Attributes:
        anchor: the text as shown.
        sentence: number of its sentence among the page's.
        start: first character of the anchor in the sentence.
        end: character after its last.
        target: as `Anchor.target`.
        address: under which its destination is looked up: on a wiki a title in normal form, on the web a
            canonical URL.
        fragment: the section, or None.
        region: one of `REGIONS`.
        rel: of a link on the web.
        image_alt: whether the anchor is the text that stands for an image.
        context: one of `CONTEXTS`.
    """

    anchor: str
    sentence: int
    start: int
    end: int
    target: str
    address: str
    fragment: str | None
    region: str
    rel: str | None = None
    image_alt: bool = False
    context: str = "sentence"


class SentenceDraft(NamedTuple):
    """A sentence that holds at least one anchor.

    Attributes:
        text: of the sentence.
        start: of the sentence in the page's text; None where the text does not hold it.
        gaps: how many templates, formulas or pieces of code were left out of it.
    """

    text: str
    start: int | None
    gaps: int


class PageContent(NamedTuple):
    """What one page gives.

    Attributes:
        title: as shown.
        url: where it is read.
        language: code, such as "en".
        lead: as `Page.lead`.
        text: as `Page.text`.
        sentences: those with anchors.
        anchors: links that may lead to a page, in order.
        dropped: (reason, excerpt) of every other link.
        disambiguation: whether the page only lists pages of the same name.
        encoding: of a page of a crawl.
        robots: of a page of a crawl.
        warc_file: of a page of a crawl.
        warc_offset: of a page of a crawl.
    """

    title: str
    url: str
    language: str | None
    lead: str
    text: str
    sentences: list[SentenceDraft]
    anchors: list[AnchorDraft]
    dropped: list[tuple[str, str]]
    disambiguation: bool = False
    encoding: str | None = None
    robots: str | None = None
    warc_file: str | None = None
    warc_offset: int | None = None


class Redirect(NamedTuple):
    """Where a redirect points to, or a page that names another as its canonical form.

    Attributes:
        address: see `AnchorDraft`; "" where it points nowhere.
        fragment: the section, or None.
    """

    address: str
    fragment: str | None


class PageRead(NamedTuple):
    """A page after reading: one with content, a redirect, or a reject.

    Attributes:
        range: number of the range it was read from.
        ordinal: its place in there.
        file: number of the file.
        origin: where it stands.
        page_id: None where nothing is known of it.
        address: see `AnchorDraft`.
        timestamp: of the revision or capture.
        revision: its id.
        superseded: how many older revisions its element held.
        reason: why it is set aside; "" for content or a redirect.
        excerpt: of what is set aside.
        blank: whether it supersedes an older page of its id though it is set aside.
        redirect: of a redirect; with `content`, the canonical form of the page; with the reason `REVISIT`,
            the page that is repeated, if that is another.
        content: of a page.
        unit: what it is, if it is set aside before it is known to be a page: "records" of a crawl file.
        records: how many of them share it.
        proper_address: under which a page on the web says that it belongs, if that is of its own site and not
            `address`; None for others.
        renews: of a revisit of its own address, the timestamp of the capture that it repeats, "" if it does
            not say; None for others.
        nanoseconds: of a capture, behind its timestamp.
        digest: of the payload of a capture, or of that which it repeats, as `digest_number` gives it; None
            where it does not say.
    """

    range: int
    ordinal: int
    file: int
    origin: str
    page_id: str | None
    address: str
    timestamp: str | None
    revision: int | None
    superseded: int
    reason: str
    excerpt: str
    blank: bool
    redirect: Redirect | None
    content: PageContent | None
    unit: str = "pages"
    records: int = 1
    proper_address: str | None = None
    renews: str | None = None
    nanoseconds: int = 0
    digest: int | None = None

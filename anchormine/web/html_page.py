"""From the HTML of one page to what it gives: main text, anchors with their sentences, what was set aside."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from anchormine.hypertext.drafts import AnchorDraft, SentenceDraft
from anchormine.text.sentences import SentenceModel
from anchormine.web.main_text.main_text import main_text
from anchormine.web.markup.markup_tags import UnclearMarkup
from anchormine.web.markup.nesting import check_nesting
from anchormine.web.page.answer_facts import UNTOLD, AnswerFacts
from anchormine.web.page.link_sentences import add_sentences
from anchormine.web.page.link_targets import LinkTargets
from anchormine.web.page.page_facts import declared_language, page_facts
from anchormine.web.page.page_tokens import page_tokens
from anchormine.web.page.page_walk import PageWalk
from anchormine.web.page.paused_collector import collector_paused
from anchormine.web.page.stretches import read_stretches
from anchormine.web.tracking import TRACKING


class WebExtraction(NamedTuple):
    """What one page gives.

    Attributes:
        title: of the page, "" without.
        language: primary code, such as "en"; None if the page does not say.
        lead: the first lines of its main text, with the first paragraph where headings alone come before it.
        text: its main text, paragraphs separated by a line feed.
        robots: what it says to robots, such as "noindex,nofollow"; None if nothing.
        canonical: absolute URL of the page it says it is a copy of, or None.
        refresh: absolute URL that a browser soon goes on to, or None.
        sentences: those with anchors.
        anchors: links to other pages, in order.
        dropped: (reason, href) of every other link: "hidden", "no_text", "self", "empty_href", "scheme",
            "bad_url".
    """

    title: str
    language: str | None
    lead: str
    text: str
    robots: str | None
    canonical: str | None
    refresh: str | None
    sentences: list[SentenceDraft]
    anchors: list[AnchorDraft]
    dropped: list[tuple[str, str]]


def read_html(
    html: str,
    url: str,
    models: Callable[[str | None], SentenceModel],
    tracking: Sequence[str] = TRACKING,
    is_watched: bool = False,
    answer: AnswerFacts = UNTOLD,
) -> WebExtraction:
    """Reads one page of a crawl. Every `a` and `area` with an href is in `anchors` or `dropped`, once.

    Args:
        html: of the page, decoded.
        url: it was fetched from, absolute.
        models: returns what is known of a language, by its code or None, for splitting its text.
        tracking: parameters that canonical URLs leave out.
        is_watched: whether the caller limits what this may take: what cannot be told beforehand is tried.
        answer: what was said of the page where it was fetched; counts where the page says nothing.

    Raises:
        PageRejected: the page is "too_large" or "too_deep".
        UnclearMarkup: it may be, and that nothing but parsing it can tell.
    """
    try:
        check_nesting(html)
    except UnclearMarkup:
        if not is_watched:
            raise
    with collector_paused():
        return _read(html, url, models, tracking, answer)


def _read(
    html: str,
    url: str,
    models: Callable[[str | None], SentenceModel],
    tracking: Sequence[str],
    answer: AnswerFacts,
) -> WebExtraction:
    tokens = page_tokens(html)
    targets = LinkTargets(url, tokens.base, tracking, answer.encoding)
    walk = PageWalk(targets)
    read_stretches(walk, targets, tokens.stretches)
    facts = page_facts(walk.facts, targets.base, answer.encoding)
    language = declared_language(tokens.body_language) or facts.language or answer.language or facts.described
    main = main_text(walk.blocks, tokens.title)
    sentences: list[SentenceDraft] = []
    anchors: list[AnchorDraft] = []
    linking = [pair for pair in zip(walk.blocks, main.places, strict=True) if pair[0].links]
    if linking:
        add_sentences(linking, models(language), sentences, anchors)
    dropped = walk.dropped + [("hidden", href) for href in tokens.unread]
    return WebExtraction(
        title=tokens.title,
        language=language,
        lead=main.lead,
        text=main.text,
        robots=facts.robots,
        canonical=facts.canonical or answer.canonical,
        refresh=facts.refresh or answer.refresh,
        sentences=sentences,
        anchors=anchors,
        dropped=dropped,
    )

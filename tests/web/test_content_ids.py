"""Ids that name the content of a page, as far as its paragraphs bear them out."""

import pytest

from tests.web.page_texts import CUPS, NOTE, TEA, links, text_of

MENU = f"<ul>{''.join(links(40, '<li>{}</li>'))}</ul>"
ENTRIES = "\n".join(f"Entry {number}" for number in range(40))
TEXT = f"<h1>Tea</h1><p>{TEA}<p>{CUPS}<ul><li>Pots</ul>"
READ = f"Tea\n{TEA}\n{CUPS}\nPots"


@pytest.mark.parametrize(
    "tags",
    [
        "div id=content",
        "div id=main",
        "td id=primary",
        "div id=article",
        "div id=story",
        "div id=Main-Content",
        "div id=mainContent",
        "div id=page_content",
        "div id=bodyText",
        "div id=content-area",
        "div id=contentMain",
        "div id='pier maincolumn'",
        "div id=main class=section",  # of Blogger
    ],
)
def test_the_main_text_is_in_what_is_named_the_content(tags: str) -> None:
    """A list that is longer is left out, too; else it would be taken for what the page is there for."""
    name = tags.partition(" ")[0]
    start, end = ("<table>", "</table>") if name == "td" else ("", "")
    page = f"<p>News</p>{start}<{tags}>{TEXT}</{name}>{end}<div>{MENU}</div><p>Harbours</p>"
    assert text_of(page) == READ


@pytest.mark.parametrize(
    "tags",
    [
        "div class=content",
        "div id=contents",
        "div id=content-2",
        "div id=side-content",
        "section id=content",
        "span id=content",
    ],
)
def test_what_is_not_named_so(tags: str) -> None:
    """Ids of sections are made of their headings."""
    name = tags.partition(" ")[0]
    page = f"<p>News</p><{tags}>{TEXT}</{name}><div>{MENU}</div><p>Harbours</p>"
    assert text_of(page) == f"News\n{READ}\n{ENTRIES}\nHarbours"


def test_the_content_has_more_than_eight_tenths_of_the_paragraphs() -> None:
    content = f"<div id=content>{('<p>' + 'tea ' * 24 + 'brew') * 4}</div>"
    assert text_of(f"{content}<p>{'cups' * 25}").count("cups") == 25
    assert text_of(f"{content}<p>{'cups' * 24}cup").count("cups") == 0


def test_comments_beside_the_content_do_not_count() -> None:
    comments = f"<div id=comments>{f'<p>{NOTE}' * 4}</div>"
    assert text_of(f"<p>News</p><div id=content>{TEXT}</div>{comments}") == READ


def test_a_main_comes_before_such_ids() -> None:
    inside = f"<p>News</p><div id=content>{TEXT}</div><p>Harbours</p>"
    assert text_of(f"<main>{inside}</main><div>{MENU}</div>") == f"News\n{READ}\nHarbours"


def test_the_content_within_articles() -> None:
    article = f"<article><p>News</p><div id=content>{TEXT}</div></article>"
    assert text_of(f"{article}<p>Harbours</p>") == READ

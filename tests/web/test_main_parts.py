"""Which parts of a page its main text is picked from, as elements, roles and classes name them."""

import pytest

from tests.web.page_texts import CUPS, NOTE, TEA, page_of, text_of


@pytest.mark.parametrize("tags", ["main", "div role=main", "article", "section role=article"])
def test_the_main_text_is_in_the_main_part(tags: str) -> None:
    name = tags.partition(" ")[0]
    inside = f"<{tags}><h2>Tea</h2><p>{TEA}<p>{CUPS}<ul><li>Pots</ul></{name}>"
    assert text_of(f"<p>News</p>{inside}<p>{NOTE}") == f"Tea\n{TEA}\n{CUPS}\nPots"
    # Half of the paragraphs are not most of them.
    assert text_of(f"{inside}<p>{TEA}<p>{CUPS}") == f"Tea\n{TEA}\n{CUPS}\nPots\n{TEA}\n{CUPS}"
    assert text_of(f"<p>News</p><{tags}>Tea</{name}>") == "News\nTea"


def test_all_articles_are_the_text_and_main_comes_before_them() -> None:
    articles = f"<article><p>{TEA}</article><p>News</p><article><p>{CUPS}</article>"
    assert text_of(articles) == f"{TEA}\n{CUPS}"
    assert text_of(f"<article><p>News</article><main>{articles}</main>") == f"{TEA}\nNews\n{CUPS}"


@pytest.mark.parametrize("between", ["", "<h3>Exports</h3>"])
@pytest.mark.parametrize("heading", ["<h4>A cup</h4>", ""])
@pytest.mark.parametrize("title", ["h1", "h2"])
def test_several_articles_may_be_no_more_than_entries_of_a_page(
    between: str, heading: str, title: str
) -> None:
    """Of Erlang's pages each function is one. Without a heading in them, two that touch are like one.

    What stands under the page's title stays, but of a page with what is like one article.
    """

    def shown(outside: int) -> list[str]:
        entries = between.join(f"<article>{heading}<p>{'e' * 100}</article>" for _ in range(4))
        return text_of(f"<{title}>Cups</{title}><p>{'t' * outside}{entries}").split("\n")

    are_several = bool(between or heading)
    most = 99 if are_several else 399
    for outside in (most, most + 1):
        lines = shown(outside)
        is_shown = outside > most or (are_several and title == "h1")
        assert (lines[:2] == ["Cups", "t" * outside]) == is_shown, (outside, lines)
        assert lines.count("e" * 100) == 4


_ENTRIES = "".join(f"<article><h4>Cup {number}</h4><p>{CUPS}</article>" for number in range(12))
_ENTRY_LINES = [line for number in range(12) for line in (f"Cup {number}", CUPS)]


def test_what_a_page_of_entries_says_first_under_its_title() -> None:
    """Of Erlang's pages each function is an article, and so each type; their titles stand twice."""
    page = f"<h1>Cups</h1><p>News</p><h1>Cups</h1><h3>Summary</h3><p>{TEA}<h3>Exports</h3>{_ENTRIES}<p>End"
    assert text_of(page).split("\n") == ["Cups", "Summary", TEA, "Exports", *_ENTRY_LINES]


def test_a_section_below_the_entries() -> None:
    """Of Erlang's pages, what holds for all functions."""
    page = f"<h1>Cups</h1><p>{TEA}{_ENTRIES}"
    lines = ["Cups", TEA, *_ENTRY_LINES]
    assert text_of(f"{page}<h3>Clay</h3><p>{TEA}<p>End").split("\n") == [*lines, "Clay", TEA, "End"]
    for below in (
        f"<p>{TEA}<h3>Clay</h3><p>{TEA}",  # no heading above its first paragraph
        "<h3>Clay</h3><p>End",  # no paragraph
        f"<div class=promo><h3>Clay</h3><p>{TEA}</div>",
    ):
        assert text_of(page + below).split("\n") == lines
    # Without an introduction of the page there is none at its end.
    assert text_of(f"{_ENTRIES}<h3>Clay</h3><p>{TEA}").split("\n") == _ENTRY_LINES


@pytest.mark.parametrize(
    "before",
    [
        f"<p>{TEA}</p>",  # no title
        "<h1>Cups</h1><p>News</p>",  # no paragraph
        f"<p>{TEA}</p><h1>Cups</h1>",  # none under it
        f"<h1>Cups</h1><aside><p>{TEA}</aside>",
    ],
)
def test_what_is_no_introduction_to_entries(before: str) -> None:
    assert text_of(before + _ENTRIES).split("\n") == _ENTRY_LINES


def test_entries_that_have_titles_of_their_own_are_introduced_by_nothing() -> None:
    posts = _ENTRIES.replace("h4>", "h1>")
    assert text_of(f"<h1>Blog</h1><p>{TEA}</p>{posts}").split("\n") == _ENTRY_LINES
    assert text_of(f"<h1>Blog</h1><p>{TEA}</p>{_ENTRIES}<h1>More</h1>").split("\n") == _ENTRY_LINES


def test_articles_in_boilerplate_do_not_stand_for_the_page() -> None:
    post = f"<div><h1>Tea</h1><p>{TEA}</div>"
    comments = f"<div id=comments>{f'<article><p>{CUPS}</article>' * 2}</div>"
    assert text_of(f"{post}<p>{NOTE}</p>{comments}") == f"Tea\n{TEA}\n{NOTE}\n{CUPS}\n{CUPS}"


@pytest.mark.parametrize("before", ["", "<p>News</p>"])
def test_a_class_of_the_whole_page_says_nothing_of_its_articles(before: str) -> None:
    """What more boilerplate is around, such as comments, does not count for its paragraphs."""
    assert text_of(f"{before}<div class=has-sidebar><p>Pier</p><article><p>{TEA}</article></div>") == TEA
    comments = f"<div id=comments>{f'<article><p>{CUPS}</article>' * 2}</div>"
    page = f"{before}<div class=has-sidebar><h1>Tea</h1><p>{TEA}</p>{comments}</div>"
    assert text_of(page) == f"{'News' if before else ''}\nTea\n{TEA}\n{CUPS}\n{CUPS}".lstrip()


def test_an_article_with_less_than_a_quarter_of_the_page_is_not_its_text() -> None:
    rest = f"<div class=widget><h1>Cups</h1>{f'<p>{CUPS}' * 4}</div>"
    page = f"<div class=has-sidebar><article><p>{TEA}</article>{rest}</div>"
    assert text_of(page) == f"{TEA}\nCups\n" + "\n".join([CUPS] * 4)
    less = page.replace(f"<p>{CUPS}" * 4, f"<p>{CUPS}" * 2)
    assert text_of(less) == TEA


def test_the_header_of_an_article_belongs_to_it() -> None:
    header = "<header><h1>Tea</h1><nav>Pier</nav><div role=navigation>News</div></header>"
    for name in ("article", "main"):
        inside = f"<{name}>{header}<p>{TEA}<nav>Pots</nav><footer>Cups</footer></{name}>"
        assert text_of(f"<header>Pier</header>{inside}") == f"Tea\n{TEA}"
    assert text_of(f"{header}<p>{TEA}") == TEA


@pytest.mark.parametrize(
    "tags",
    [
        "div class='hfeed entry-content'",
        "div class=e-content",
        "div itemprop=articleBody",
        "div itemprop='text articleBody'",
        "section class=c-Article__Body",
        "div class=td-post-content",
        "div id=storyText",
        "div id=news_text_1",
        "div class=blog-body",
    ],
)
def test_what_follows_the_body_of_an_article_is_none_of_it(tags: str) -> None:
    name = tags.partition(" ")[0]
    body = f"<{tags}><p>{TEA}<p>{CUPS}</{name}>"
    assert text_of(f"<h1>Tea</h1>{body}<h3>More</h3><p>{NOTE}") == f"Tea\n{TEA}\n{CUPS}"
    assert text_of(f"<p>{NOTE}{body}") == f"{NOTE}\n{TEA}\n{CUPS}"


@pytest.mark.parametrize(
    "tags",
    [
        "div class=entry-title",
        "div class=article",
        "div class=content",
        "div class=some-contents",
        "div class=articletexts",
        "div class=repost-text",
        "div itemprop=articleBodyText",
        "span class=entry-content",
        "h2 id=post-text",
        "div class='widget post-text'",
    ],
)
def test_what_is_no_body_of_an_article(tags: str) -> None:
    inside = f"<{tags}>{TEA} {CUPS}</{tags.partition(' ')[0]}>"
    assert text_of(f"{inside}<p>{NOTE}") == f"{TEA} {CUPS}\n{NOTE}"


def test_up_to_the_last_body_if_most_of_the_paragraphs_are_in_such() -> None:
    def shown(inside: int, behind: int) -> list[int]:
        bodies = f"<div class=post-text>{'t' * inside}</div><p>News</p><div class=post-text>Pots</div>"
        comments = f"<div class=comments>{NOTE}</div>"
        return [len(line) for line in text_of(f"{bodies}{comments}<p>{'b' * behind}<p>Pier").split("\n")]

    assert shown(151, 100) == [151, 4, 4]
    assert shown(150, 100) == [150, 4, 4, 100, 4]


@pytest.mark.parametrize(
    "row", ["<tr><td>Pier {0}", "<dd>Pot {0}", "<h3>Who?</h3><p>We do {0}.", "<li>Cup {0}"]
)
def test_a_paragraph_is_no_body_of_all_that_follows(row: str) -> None:
    """Which may have no paragraph, but is in no link, either."""
    body, rows = f"<div class=article-text><p>{TEA}</div>", "".join(map(row.format, range(100)))
    assert text_of(f"{body}<table>{rows}</table>") == text_of(f"<p>{TEA}</p><table>{rows}</table>")
    assert text_of(f"{body}{rows}") == text_of(f"<p>{TEA}</p>{rows}")
    links = "".join(f"<p>By <a href=/{number}>Pier of the number {number}</a>" for number in range(4))
    assert text_of(f"{body}{links}") == TEA


def test_what_is_in_no_link_up_to_the_last_body_is_most_of_it() -> None:
    def shown(behind: int) -> int:
        return len(
            text_of(f"<div class=article-text>{'t' * 90}</div>{'<p>' + 'b' * 10}{'<p>c' * (behind - 10)}")
        )

    assert [shown(60) - 90, shown(61) - 90] == [0, 10 + 51 + 52]


def test_a_header_that_is_never_closed_takes_no_text_away() -> None:
    assert text_of(f"<header><p>Pier<p>{TEA}<ul><li>Pots</ul>") == f"Pier\n{TEA}\nPots"
    assert text_of(f"<header><p>Pier<main><p>{TEA}</main><nav>Pots</nav>") == TEA
    assert text_of("<header><p>Pier<nav>Pots</nav></header>") == ""
    page = page_of(f"<header><a href=/pier>Pier</a><main><a href=/tea>Tea</a> <p>{TEA}</main>")
    assert [anchor.region for anchor in page.anchors] == ["header", "body"]

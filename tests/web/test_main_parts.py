"""Which parts of a page its main text is picked from, as elements, roles and classes name them."""

import pytest

from anchormine.text.sentences import sentence_model
from anchormine.web.page.html_page import WebExtraction, read_html

# Of two pages' main texts; each is a paragraph.
TEA = "Tea is made of the leaves of a bush that grows on hills where it rains often."
CUPS = "Cups are made of clay, which is dug out of river banks and fired in a kiln for a day."
NOTE = "This note is as long as a paragraph is, and stands beside the text of its page."


def page_of(body: str) -> WebExtraction:
    return read_html(f"<body>{body}", "http://pier.example/", lambda _: sentence_model("en"))


def text_of(body: str) -> str:
    return page_of(body).text


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


@pytest.mark.parametrize(
    "boilerplate",
    [
        f'<div class="box comments">{NOTE}</div>',
        f"<section class=related-posts><h3>More</h3><p>{NOTE}</section>",
        f"<div class=pageSidebar>{NOTE}</div>",
        f"<div class=ADS_left>{NOTE}</div>",
        f"<table class=navheader><tr><td><p>{NOTE}</table>",
        f"<amp-consent>{NOTE}</amp-consent>",
        f"<form class=newsletter><h3>Letters</h3><p>{NOTE}</form>",
        f"<article class=teasers><p>{NOTE}</article>",
        f'<span class=share style="display: block">{NOTE}</span>',
        f"<div class=post-tags>{NOTE}</div>",
        f"<div class=comment-list>{NOTE}</div>",
        f"<div role=dialog>{NOTE}</div>",
        "<button>Close</button>",
        "<fieldset><legend>Which tea?</legend></fieldset>",
        f'<div class=cookie-bar><div class="widget">{NOTE}</div></div>',
    ],
)
def test_boilerplate_is_left_out(boilerplate: str) -> None:
    assert text_of(f"<p>{TEA}</p>{boilerplate}<p>{CUPS}</p>") == f"{TEA}\n{CUPS}"
    # Also in what is boilerplate by its name, and holds most of the page.
    assert text_of(f"<div class=has-sidebar><p>{TEA}</p>{boilerplate}<p>{CUPS}</p></div>") == f"{TEA}\n{CUPS}"


@pytest.mark.parametrize(
    "text",
    [
        f"<div class=commentary>{NOTE}</div>",
        f'<div class="elementor-widget box"><div class=elementor-widget-wrap>{NOTE}</div></div>',
        f"<p><span class=share>{NOTE}</span></p>",
        f"<div class=box title=comments>{NOTE}</div>",
        f'<div id=comment class=fullcommenttop><div class="comment cmt"><p>{NOTE}</div></div>',  # Scaladoc
        f'<section class=tsd-panel><div class="tsd-comment tsd-typography"><p>{NOTE}</div></section>',
        f"<div class=docstring><div class=tags><p class=tag_title>Returns:</p><p>{NOTE}</div></div>",  # YARD
        f"<dl class=tags><dt>Errors<dd>{NOTE}</dl>",  # PlDoc
        f"<div class=side-by-side>{NOTE}</div>",
        f"<div class=menu-of-the-day>{NOTE}</div>",
        f"<div class=comments><main><p>{TEA}<p>{CUPS}<p>{NOTE}</main></div>",
    ],
)
def test_what_is_no_boilerplate(text: str) -> None:
    assert text_of(f"<p>{TEA}</p>{text}").endswith(NOTE)


@pytest.mark.parametrize(
    "tags",
    [
        "h2", "h6", "section", 'div class="section level2"',
        "div class=sect1", "div class=refsect2", "div class=table",  # DocBook
        "div class=method-detail", 'dt class="sig py"', "div class=viewcode-block",  # RDoc, Sphinx
    ],
)  # fmt: skip
def test_ids_made_from_headings_name_no_boilerplate(tags: str) -> None:
    name = tags.partition(" ")[0]
    part = f"<p>{TEA}</p><{tags} id=side-effects>Side effects</{name}><p>{CUPS}<p>{NOTE}"
    assert text_of(part) == f"{TEA}\nSide effects\n{CUPS}\n{NOTE}"


@pytest.mark.parametrize("tags", ["h2 class=side", "section class=side", "p id=side"])
def test_other_names_of_headings_and_sections_do(tags: str) -> None:
    page = f"<p>{TEA}</p><{tags}>Side effects</{tags.partition(' ')[0]}><p>{CUPS}<p>{NOTE}"
    assert text_of(page) == f"{TEA}\n{CUPS}\n{NOTE}"


@pytest.mark.parametrize(
    "start",
    [
        'article class="post-3 type-post hentry category-cookies"',  # WordPress
        'div class="hentry tag-social category-skip"',
        'article class="post-card tag-newsletter"',  # Ghost
        'li class="post tag-newsletter"',
    ],
)
def test_topics_of_posts_name_no_boilerplate(start: str) -> None:
    post = f"<{start}><h2>Post</h2><div>{NOTE}</div></{start.partition(' ')[0]}>"
    assert text_of(f"<p>{TEA}</p>{post}<p>{CUPS}</p>") == f"{TEA}\nPost\n{NOTE}\n{CUPS}"


@pytest.mark.parametrize("start", ["div class=category-menu", 'article class="post share"'])
def test_other_names_of_posts_and_parts_do(start: str) -> None:
    part = f"<{start}>{NOTE}</{start.partition(' ')[0]}>"
    assert text_of(f"<p>{TEA}</p>{part}<p>{CUPS}</p>") == f"{TEA}\n{CUPS}"


def test_boilerplate_stays_where_little_else_would() -> None:
    assert text_of(f"<div class=widget>{TEA}</div><p>Tea</p>") == f"{TEA}\nTea"
    assert text_of("<div class=widget>Pots and teas</div><p>Tea</p>") == "Pots and teas\nTea"
    assert text_of("<div class=widget>Pots</div><p>Cups and teas</p>") == "Cups and teas"
    assert text_of("<div class=widget>Pots</div>") == "Pots"
    # None has most of the paragraphs, and together they have more than three quarters.
    parts = "".join(f"<div class=widget>{text}</div><p>Tea</p>" for text in (TEA, CUPS, NOTE))
    assert text_of(parts) == f"{TEA}\nTea\n{CUPS}\nTea\n{NOTE}\nTea"
    assert text_of(f"{parts}<p>{CUPS}") == f"Tea\nTea\nTea\n{CUPS}"


def test_a_page_of_lists_is_weighed_by_all_its_text() -> None:
    items = "Green tea\nBlack tea\nCups\nPots"
    listed = "".join(f"<li>{item}" for item in items.split("\n"))
    for footer in ("", f"<footer><p>{NOTE}</footer>"):
        assert (
            text_of(f"<h1>Shop</h1><div class=has-sidebar><ul>{listed}</ul></div>{footer}")
            == f"Shop\n{items}"
        )
        assert text_of(f"<p>News</p><main><ul>{listed}</ul></main>{footer}") == items


def test_body_has_no_class_that_counts() -> None:
    """Else all but what is in `main` would be boilerplate."""
    body = f"<body class=sidebar><p>{TEA}<p>{NOTE}<main><p>{CUPS}</main>"
    page = read_html(body, "http://pier.example/", lambda _: sentence_model("en"))
    assert page.text == f"{TEA}\n{NOTE}\n{CUPS}"


def test_links_of_boilerplate_are_links() -> None:
    page = page_of(f"<p>{TEA}</p><div class=related><p>More of <a href=/cups>cups</a></div>")
    assert [(sentence.text, sentence.start) for sentence in page.sentences] == [("More of cups", None)]
    assert [anchor.region for anchor in page.anchors] == ["body"]


def test_boilerplate_stays_where_less_than_a_quarter_would_be_left() -> None:
    def shown(left: int, *others: int) -> list[int]:
        widgets = "".join(f"<div class=widget>{'b' * length}</div><p>Tea" for length in others)
        return [len(line) for line in text_of(f"<p>{'t' * left}</p>{widgets}").split("\n")]

    assert shown(75, 113, 112) == [75, 3, 3]
    assert shown(74, 113, 113) == [74, 113, 3, 113, 3]
    assert shown(66, 117, 117) == [66, 117, 3, 117, 3]


def test_boilerplate_is_told_up_to_seven_deep() -> None:
    def shown(depth: int) -> str:
        inside = f"<p>{TEA}</p><div class=share>{NOTE}</div><p>{CUPS}</p>"
        return text_of(f"{'<div class=widget>' * depth}{inside}{'</div>' * depth}")

    assert [shown(depth) for depth in range(7)] == [f"{TEA}\n{CUPS}"] * 7
    assert shown(7) == f"{TEA}\n{NOTE}\n{CUPS}"

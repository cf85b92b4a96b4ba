"""What of a page is boilerplate, as elements, roles, classes and ids name it, and what is not."""

import pytest

from anchormine.text.sentences import sentence_model
from anchormine.web.html_page import read_html
from tests.web.page_texts import CUPS, NOTE, TEA, page_of, text_of


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
        f"<div class=prev-next-area>{NOTE}</div>",
        f"<div class=post-nav-prevNext>{NOTE}</div>",
        f"<table><tr><td id=projectalign><div id=projectname>{NOTE}</div></table>",  # Doxygen
        f"<div id=projectbrief>{NOTE}</div>",
        f"<div id=mbrsel><div id=order>{NOTE}</div></div>",  # Scaladoc
        "<button>Close</button>",
        "<div role=button aria-expanded=false>Close</div>",
        f"<div class=navigationbar>{NOTE}</div>",
        f"<div class=sidebar><div class=title>Pier</div><p>{NOTE}</div>",
        f"<div class=titlepage><div class=author><p>{NOTE}</div><p class=copyright>Pier</div>",
        "<fieldset><legend>Which tea?</legend></fieldset>",
        f'<div class=cookie-bar><div class="widget">{NOTE}</div></div>',
        f"<div class=admonition-share>{NOTE}</div>",  # not docutils
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
        f"<div class=deprecation-block><div class=deprecation-comment>{NOTE}</div></div>",  # Javadoc
        f"<div class=preview-comment>{NOTE}</div>",
        f'<div class="admonition-you-can-t-share-pots admonition">{NOTE}</div>',  # docutils
        f"<div class=projectname>{NOTE}</div>",
        f"<aside class=topic><p>{NOTE}</aside>",
        f'<div class="method-source-code" id="skip_blank_lines-source"><p>{NOTE}</div>',  # RDoc
        f"<dl class=item><div id=skipWhile,string,int><dt>skipWhile<dd>{NOTE}</div></dl>",  # Nim
        f"<div class=prev-page>{NOTE}</div>",
        f"<div class=side-by-side>{NOTE}</div>",
        f"<div class=sidebar><div class=titlepage><p class=title>Pots</div><p>{NOTE}</div>",  # DocBook
        f'<div class="so-panel widget"><div class=so-widget-editor><p>{NOTE}</div></div>',  # SiteOrigin
        f"<div class=siteorigin-widget-tinymce>{NOTE}</div>",
        f"<h3 class=accordion-header><button class=share>{NOTE}</button></h3>",
        f'<h3><div role="tab button">{NOTE}</div></h3>',
        f"<div class=elementor-tab-title role=button>{NOTE}</div>",
        f"<div class=menu-of-the-day>{NOTE}</div>",
        f"<div class=comments><main><p>{TEA}<p>{CUPS}<p>{NOTE}</main></div>",
        f"<details id=i:MetaExpr><summary>Instances</summary>{NOTE}</details>",  # Haddock
    ],
)
def test_what_is_no_boilerplate(text: str) -> None:
    assert text_of(f"<p>{TEA}<p>{CUPS}</p>{text}").endswith(NOTE)


@pytest.mark.parametrize(
    "tags",
    [
        "h2", "h6", "section", 'div class="section level2"',
        "div class=sect1", "div class=refsect2", "div class=table",  # DocBook
        "div class=method-detail", 'dt class="sig py"', "div class=viewcode-block",  # RDoc, Sphinx
        "div class=subsection", "div class=appendixsubsec", "div class=chapter-level-extent",  # Texinfo
        "div class=unnumberedsec-level-extent",
        "div class=outline-2", 'div class="spec anchored"',  # Org, odoc
        "div class=refentry", "div class=footnote",  # DocBook
        "div class=rst-section", 'dl class="docutils simple"',  # pydoctor, docutils
        "div class=paragraph", 'div class="dlist"', 'div class="admonitionblock note"',  # AsciiDoc
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
        'article class="post hentry article_tags-trade topic-social-media author-mary"',
    ],
)
def test_topics_of_posts_name_no_boilerplate(start: str) -> None:
    post = f"<{start}><h2>Post</h2><div>{NOTE}</div></{start.partition(' ')[0]}>"
    assert text_of(f"<p>{TEA}</p>{post}<p>{CUPS}</p>") == f"{TEA}\nPost\n{NOTE}\n{CUPS}"


@pytest.mark.parametrize(
    "start",
    [
        "div class=category-menu",
        'article class="post share"',
        'article class="related hentry tag-tea"',
        'div class="hentry" id=share',
        'div class="hentry comments-area"',
    ],
)
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


@pytest.mark.parametrize(
    "start",
    [
        'class="callout note"', "class=notice",  # MyST, Slate
        'class="admonition warning"', 'class="footnote-list brackets"',  # docutils
        'class="starlight-aside starlight-aside--tip" aria-label="Tip"',  # Starlight
        "role=note", "role=doc-footnote",
    ],
)  # fmt: skip
def test_asides_that_are_notes_are_main_text(start: str) -> None:
    note = f"<aside {start}><header>Pots</header><p>{NOTE} See <a href=/pots>pots</a>.</p></aside>"
    page = page_of(f"<p>{TEA}</p>{note}<p>{CUPS}</p>")
    assert page.text == f"{TEA}\nPots\n{NOTE} See pots.\n{CUPS}"
    assert [(anchor.anchor, anchor.region) for anchor in page.anchors] == [("pots", "aside")]


@pytest.mark.parametrize(
    "note",
    [
        f"<aside><p>{NOTE}</aside>",
        f"<aside class=footnoted role=doc-toc><p>{NOTE}</aside>",
        f'<aside class="cookie notice"><p>{NOTE}</aside>',
        f'<aside class="sidebar tip"><p>{NOTE}</aside>',
        f"<aside><aside class=note><p>{NOTE}</aside></aside>",
        f"<nav><aside class=note><p>{NOTE}</aside></nav>",
        f"<footer><aside role=note><p>{NOTE}</aside></footer>",
        f"<aside class=note><nav><p>{NOTE}</nav></aside>",
    ],
)
def test_other_asides_and_those_in_boilerplate_are_not(note: str) -> None:
    assert text_of(f"<p>{TEA}</p>{note}<p>{CUPS}</p>") == f"{TEA}\n{CUPS}"


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

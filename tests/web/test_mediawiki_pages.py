"""Pages of MediaWiki: what it writes around its content, and beside headings, is no main text."""

from __future__ import annotations

import pytest

from tests.web.page_texts import CUPS, NOTE, TEA, page_of, text_of

EDIT = '<a href="/w/index.php?title=Tea&amp;action=edit&amp;section=1">edit</a>'
BRACKET = '<span class="mw-editsection-bracket">{}</span>'
BEHIND = f'<span class="mw-editsection">{BRACKET.format("[")}{EDIT}{BRACKET.format("]")}</span>'
BEFORE = f'<span class="editsection">[{EDIT}]</span>'


@pytest.mark.parametrize(
    "around",
    [
        f"<div id=siteNotice>{NOTE}</div>",
        f"<div id=siteSub>{NOTE}</div>",
        f"<h3 id=siteSub>{NOTE}</h3>",
        f"<div id=contentSub lang=en>{NOTE}</div>",
        f"<div id=mw-head><div id=p-personal>{NOTE}</div></div>",
        f'<table class="navbox collapsible"><tr><th>v • d • e<tr><td><p>{NOTE}</table>',
        f'<table class="metadata plainlinks ambox"><tr><td><p>{NOTE}</table>',
        f"<div id=mw-panel><div class=portal>{NOTE}</div></div>",
        f"<div id=jump-to-nav>{NOTE}</div>",
        "<div class=printfooter>Retrieved from &quot;<a href=/Tea>http://pier.example/Tea</a>&quot;</div>",
        "<div id=catlinks><a href=/Categories>Categories</a>: <ul><li><a href=/Drinks>Drinks</a></ul></div>",
    ],
)
def test_what_stands_around_the_content_is_left_out(around: str) -> None:
    assert text_of(f"<h1>Tea</h1>{around}<p>{TEA}<p>{CUPS}") == f"Tea\n{TEA}\n{CUPS}"
    assert text_of(f"<h1>Tea</h1><p>{TEA}<p>{CUPS}</p>{around}") == f"Tea\n{TEA}\n{CUPS}"


@pytest.mark.parametrize(
    "heading",
    [
        f"<h2><span class=mw-headline id=Cups>Cups</span>{BEHIND}</h2>",
        f"<h2>{BEFORE} <span class=mw-headline id=Cups>Cups</span></h2>",
        f'<div class="mw-heading mw-heading2"><h2 id=Cups>Cups</h2>{BEHIND}</div>',
    ],
)
def test_links_to_edit_a_section_are_no_heading(heading: str) -> None:
    page = page_of(f"<h1>Tea</h1><p>{TEA}</p>{heading}<p>{CUPS}")
    assert page.text == f"Tea\n{TEA}\nCups\n{CUPS}"
    assert [(sentence.text, sentence.start) for sentence in page.sentences] == [("[edit]", None)]
    assert [(anchor.anchor, anchor.start, anchor.end, anchor.region) for anchor in page.anchors] == [
        ("edit", 1, 5, "body")
    ]
    assert page.anchors[0].address == "http://pier.example/w/index.php?title=Tea&action=edit&section=1"


@pytest.mark.parametrize(
    "section",
    [
        "<h2>Map{}</h2><p><img src=m></p>",
        "<h2>Map{}</h2><p><img src=m alt=Map></p>",
        "<h2>Map{}</h2><figure><img src=m><figcaption>The harbour</figcaption></figure>",
        "<div class=mw-heading><h2>Map</h2>{}</div><figure><img src=m></figure>",
        "<h2>Map{}</h2>",
    ],
)
def test_a_heading_of_images_stays_with_and_without_its_link(section: str) -> None:
    for edit in ("", BEHIND):
        page = f"<h1>Tea</h1><p>{TEA}</p>{section.format(edit)}<h2>Cups{edit}</h2><p>{CUPS}"
        assert text_of(page) == f"Tea\n{TEA}\nMap\nCups\n{CUPS}"


def test_a_heading_of_images_stays_above_one_that_begins_with_its_link() -> None:
    page = f"<h1>Tea</h1><p>{TEA}</p><h2>{BEFORE} Map</h2><p><img src=m></p><h2>{BEFORE} Cups</h2><p>{CUPS}"
    assert text_of(page) == f"Tea\n{TEA}\nMap\nCups\n{CUPS}"


def test_a_heading_on_both_sides_of_its_link_stays() -> None:
    assert text_of(f"<p>{TEA}</p><h2>Cups {BEHIND} of clay</h2><p>{CUPS}") == f"{TEA}\nCups\nof clay\n{CUPS}"


def test_what_else_is_called_after_boilerplate_in_a_heading_is_a_heading() -> None:
    page = f"<main><h1><div class=hero-banner__heading>Tea</div></h1><p>{TEA}<p>{CUPS}</main>"
    assert text_of(f"<title>Tea | Pier</title>{page}") == f"Tea\n{TEA}\n{CUPS}"


def test_a_heading_goes_with_its_link() -> None:
    related = f"<h2>Related{BEHIND}</h2><nav>Old pier</nav>"
    assert text_of(f"<h1>Tea</h1><p>{TEA}</p>{related}<h2>Cups{BEHIND}</h2><p>{CUPS}") == (
        f"Tea\n{TEA}\nCups\n{CUPS}"
    )


def test_other_names_within_a_line_say_nothing() -> None:
    assert text_of(f"<h1>Tea</h1><p>{TEA}</p><h2>Cups <span class=share>[x]</span></h2><p>{CUPS}") == (
        f"Tea\n{TEA}\nCups [x]\n{CUPS}"
    )
    assert text_of(f"<p>{TEA}<h2 id=catlinks>Catlinks</h2><p>{CUPS}") == f"{TEA}\nCatlinks\n{CUPS}"

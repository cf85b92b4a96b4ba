"""Pages whose stretches were met before give what they give on their own."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from anchormine.hypertext.page_rejected import PageRejected
from anchormine.web.html_page import WebExtraction, read_html
from anchormine.web.page import stretches
from anchormine.web.page.element_walk import End
from anchormine.web.page.page_tokens import page_tokens
from anchormine.web.page.page_walk import PageWalk
from anchormine.web.tracking import TRACKING
from tests.web.case_files import model_of
from tests.web.memories import forget
from tests.web.open_tags import SOUP
from tests.web.real_pages import needs_crawls, pages

_SITE = "http://a.test/"
_MENU = (
    "<nav><ul><li><a href=/>Home</a><li><a href=/news>News</a> and <a href='?print'>print</a>"
    "<li><a href=more.html>More</a><li><a href=#top>Top</a></ul></nav>"
)
# Tags that change what holds in a stretch, or reach over its end.
_PIECES = [
    *(
        "<div>",
        "</div>",
        "<p>",
        "</p>",
        "<li>",
        "</li>",
        "<ul>",
        "</ul>",
        "<table>",
        "<tr>",
        "<td>",
        "</table>",
    ),
    *(
        "<nav>",
        "</nav>",
        "<pre>",
        "</pre>",
        "<div hidden>",
        "<div aria-hidden=true>",
        "<div style='display:inline'>",
        "<div style='display:initial'>",
        "<div style='display:flex'>",
        "<a href=/w style='display:inline-flex'>",
        "<span hidden>",
        "</span>",
        "<aside>",
        "</aside>",
    ),
    *("<a href=/x>", "<a href=y>", "<a href='?z'>", "<a href='#f'>", "<a href=/u0>", "</a>", "<a href=../v>"),
    *(
        "<main>",
        "<article>",
        "<header>",
        "</header>",
        "<form>",
        "</form>",
        "<div class=ad>",
        "<div role=menu>",
    ),
    *("<div><span></span><span class=c></span></div>", "<span>two</span>", "<span class=c>Two</span>"),
    *("<a href='javascript:x'>", "<a href>", "<button>", "</button>", "</div></a>"),
    *("<a href=/x aria-label='One. Two'>", "<a href=y aria-label=Two>", "<b aria-hidden=true>", "Two"),
    *(
        "One. ",
        "two",
        " ",
        "\n",
        "<br>",
        "<hr>",
        "<b>",
        "</b>",
        "<img alt=i>",
        "<meta name=robots content=noai>",
    ),
]


@pytest.fixture(autouse=True)
def _no_memory() -> None:
    forget()


def read(html: str, url: str, tracking: tuple[str, ...] = TRACKING) -> WebExtraction:
    return read_html(html, url, model_of, tracking, is_watched=True)


def read_alone(html: str, url: str, tracking: tuple[str, ...] = TRACKING) -> WebExtraction:
    """Reads a page by its tags alone: nothing is remembered of others, and of this page no stretch."""
    forget()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stretches, "LONGEST", -1)
        return read(html, url, tracking)


def assert_read_as_alone(crawl: list[tuple[str, str]]) -> None:
    """Reads pages one behind the other, twice, and each on its own."""
    together = [read(html, url) for html, url in crawl * 2]
    for (html, url), found in zip(crawl * 2, together, strict=True):
        assert found == read_alone(html, url), (url, html)


def test_a_menu_on_pages_that_it_links_to() -> None:
    """On every page another link of the menu is to the page itself, or relative to another folder."""
    paths = ("", "news", "more.html", "b/more.html", "news?print", "b/", "other")
    crawl = [(f"<p>Page {path}</p>{_MENU}<p>Text {path}</p>", f"{_SITE}{path}") for path in paths]
    assert_read_as_alone(crawl)
    found = {
        url: [draft.target.removeprefix(_SITE) for draft in read(html, url).anchors] for html, url in crawl
    }
    assert found[f"{_SITE}news"] == ["", "news?print", "more.html"]
    assert found[f"{_SITE}more.html"] == ["", "news", "more.html?print"]
    assert found[f"{_SITE}b/more.html"] == ["", "news", "b/more.html?print"]
    assert found[f"{_SITE}news?print"] == ["", "news", "more.html"]


@pytest.mark.parametrize(
    ("met", "then"),
    [
        ("<nav><p>x</p></nav><p>y <a href=/z>z</a>", "<nav><nav><p>x</p></nav><p>y <a href=/z>z</a></nav>"),
        ("<p>one</p><p>two</p><p>z", "<a href=/y>h<p>one</p><p>two</p><p>z</a>"),
        (
            "<h1>H</h1><p>one</p><p>two</p><p>thr</p><p>z",
            "<h1>H</h1><div><a href=#y><p>one</p><p>two</p><p>thr</p></a></div><p>end",
        ),
        (
            "<h1>H</h1><div><a href=#y>z<p>one</p><p>two</p><p>thr</p></a></div><p>end",
            "<h1>H</h1><div><a href=#y>z<p>one</p><p>two</p><p>thr</p></a></div><p>end",
        ),
        (
            "<pre>   <a href=#x>\n</a><p><a href=#y>text</a></p><p>z",
            f"<h1>H</h1><pre>{'<p><a href=#y>text</a></p>' * 4}</pre><p>end",
        ),
    ],
)
def test_pages_that_look_alike(met: str, then: str) -> None:
    assert_read_as_alone([(met, f"{_SITE}1"), (met, f"{_SITE}2"), (then, f"{_SITE}3")])


def test_tracking_parameters_are_of_the_site() -> None:
    html = "<p><a href=/x?r=1>a</a></p><p>"
    for _ in range(3):
        assert read(html, _SITE, ("r",)).anchors[0].address == f"{_SITE}x"
    assert read(html, _SITE, ()).anchors[0].address == f"{_SITE}x?r=1"


def test_what_is_known_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    read_stretches = []
    by_tags = PageWalk.read

    def count(walk: PageWalk, stretch: str) -> list[End]:
        read_stretches.append(stretch)
        return by_tags(walk, stretch)

    monkeypatch.setattr(PageWalk, "read", count)
    for number in range(5):
        links = (
            "<p><a href=/x>One</a><p><a href=?y>Two</a><p><a href=/v hidden>Three</a><p><a href=z>Four</a>"
        )
        read(f"<p>Page {number}{links}<p>", f"{_SITE}{number}")
    counts = Counter(read_stretches)
    assert counts["p>Page 0|/p>".replace("|", "<")] == 1
    assert counts['p><a href="/x">One</a></p>'] == 2
    assert counts['p><a href="?y">Two</a></p>'] == 5  # it leads elsewhere from each page
    assert counts['p><a href="/v" hidden="">Three</a></p>'] == counts['p><a href="z">Four</a></p>'] == 2


def test_addresses_take_room() -> None:
    """What links lead to may be longer than the stretches that they stand in."""
    html = f"<base href=/{'y' * 900}/>{'<p><a href=r>x</a>' * 2}<p>"
    for number in range(2):
        read(html, f"{_SITE}{number}")
    assert stretches._MEMORY.characters > 900


def test_long_addresses_are_not_remembered() -> None:
    for number in range(4):
        read(f"<base href=/{'y' * 2000}/>{'<p><a href=r>x</a>' * 4}<p>", f"{_SITE}{number}")
    known = [known for scopes in stretches._MEMORY._sites.values() for known in scopes.values()]
    assert not any(found.addresses for stretches_ in known for found in stretches_.values())


def test_what_addresses_leave_out_takes_room_too() -> None:
    """The name of a user, which is in the URL that a link leads to and not in its canonical form."""
    html = f"<base href=http://{'u' * 900}@a.test/>{('<p>' + '<a href=/r>x</a>' * 100) * 2}<p>"
    for number in range(2):
        read(html, f"{_SITE}{number}")
    assert stretches._MEMORY.characters > 90_000


def test_a_base_is_its_own_site() -> None:
    crawl = [
        (f"{base}{_MENU}", url)
        for base in ("", "<base href=http://b.test/c/>", "<base href=/c/>")
        for url in (_SITE, "http://b.test/c/", "https://a.test/")
    ]
    assert_read_as_alone(crawl)


def test_what_is_around_a_stretch_is_part_of_it() -> None:
    item = "<li><a href=/x>One</a> two."
    around = (
        "{}",
        "<nav>{}</nav>",
        "<pre>{}</pre>",
        "<div hidden>{}</div>",
        "<a href=/y>z{}</a>",
        "<a href=#y>z{}</a>",
    )
    crawl = [
        (f"<ul>{frame.format(item * 3)}</ul><p>z", f"{_SITE}{number}") for number, frame in enumerate(around)
    ]
    assert_read_as_alone(crawl)


def test_images_beside_text_in_lines_of_their_own() -> None:
    """An image is a line there each time it is met, and elsewhere none."""
    row = "<div style='display:flex'>One<img src=/i.png>Two</div>"
    crawl = [
        (f"<p>A<img src=/i.png>B</p>{row}{row}<p>Page {number}", f"{_SITE}{number}") for number in (1, 2)
    ]
    assert_read_as_alone(crawl)
    texts = [read(*page).text for page in crawl]
    assert texts == [f"AB\nOne\nTwo\nOne\nTwo\nPage {number}" for number in (1, 2)]


def test_words_that_are_held_are_those_of_their_own_link() -> None:
    """A long link ends with its block, and what `aria-hidden` hides behind that is held for nothing."""
    long = "word " * 70
    crawl = [
        (
            f"<a href=/big aria-label=Big><div>{long}</div><div aria-hidden=true><div>{text}</div><div>T2"
            f"</div></div></a><p><a href=/{number} aria-label='Foo {number}'><span aria-hidden=true>"
            f"Foo {number}</span></a></p>",
            f"{_SITE}x{number}",
        )
        for number, text in enumerate("yzx")
    ]
    assert_read_as_alone(crawl)
    for number, page in enumerate(crawl):
        assert [draft.anchor for draft in read(*page).anchors] == [long.strip(), f"Foo {number}"]


def test_urls_of_stretches_that_are_known_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anchormine.web.page.link_targets.MAX_TARGET_CHARACTERS", 400)
    link = "<p><a href=/long-address>One</a>"  # 26 characters of a URL
    for number in range(3):
        assert len(read(f"{link * 15}<p>", f"{_SITE}{number}").anchors) == 15
        with pytest.raises(PageRejected) as caught:
            read(f"{link * 16}<p>", f"{_SITE}{number}")
        assert caught.value.reason == "too_large"


@pytest.mark.parametrize("seed", range(10))
def test_soup_of_tags(seed: int) -> None:
    rng = random.Random(seed)
    crawl = []
    for _ in range(60):
        pieces = rng.choices(SOUP if rng.random() < 0.3 else _PIECES, k=rng.randint(1, 40))
        crawl.append(("".join(pieces), f"{_SITE}{rng.choice(['', 'f/'])}u{rng.randint(0, 2)}"))
    assert_read_as_alone(crawl)


def test_memory_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stretches, "MAX_CHARACTERS", 1000)
    for number in range(100):
        read(f"<p>{number}" * 20, f"{_SITE}{number}")
        assert stretches._MEMORY.characters <= 1000 + 20 * len("p>99</p>")
    monkeypatch.setattr(stretches, "LONGEST", 10)
    stretches._MEMORY.clear()
    read("<p>" + "long " * 10, _SITE)
    assert stretches._MEMORY.characters == 0


@pytest.mark.data
@needs_crawls
@pytest.mark.parametrize("names", ["contextwiki-00000*", "blackbook.warc*", "commoncrawl-*", "iana*"])
def test_real_pages(names: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of pages of one site, many stretches are not read again, and nothing is different."""
    crawl = [(page.html, page.url) for page in pages(names)[:60]]
    read_in_all = sum(len(page_tokens(html).stretches) for html, _ in crawl)
    read_by_tags = 0

    def count(walk: PageWalk, stretch: str) -> list[End]:
        nonlocal read_by_tags
        read_by_tags += 1
        return by_tags(walk, stretch)

    by_tags = PageWalk.read
    monkeypatch.setattr(PageWalk, "read", count)
    together = [read(*page) for page in crawl]
    monkeypatch.undo()
    assert read_by_tags < read_in_all * 0.8
    for page, found in zip(crawl, together, strict=True):
        assert found == read_alone(*page), page[1]

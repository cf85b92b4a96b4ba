"""Pages that would hang, crash or bloat a reader: each is read in linear time or rejected with its reason."""

from __future__ import annotations

import random
import time
from functools import partial
from itertools import islice, product
from string import ascii_lowercase

import pytest

from anchormine.hypertext.page_limits import PageLimits
from anchormine.hypertext.page_rejected import PageRejected
from anchormine.web.html_page import WebExtraction
from anchormine.web.html_reader import HtmlReader
from anchormine.web.markup.markup_tags import UnclearMarkup
from anchormine.web.markup.nesting import check_nesting
from tests.growth import LINEAR, growth_of
from tests.web.case_files import link_count, read_case
from tests.web.open_tags import LINK_SOUP, OPEN, SOUP, read_open

# Of 40,000 names, five characters each.
ATTRIBUTES = "".join(" " + "".join(name) for name in islice(product(ascii_lowercase, repeat=4), 40_000))


def balanced(html: str) -> WebExtraction:
    """Reads a page and checks that every link is there once, and its place exact."""
    page = read_case(html)
    assert len(page.anchors) + len(page.dropped) == link_count(html)
    for anchor in page.anchors:
        assert anchor.anchor == anchor.anchor.strip() != ""
        assert page.sentences[anchor.sentence].text[anchor.start : anchor.end] == anchor.anchor
    for text, start, _ in page.sentences:
        assert "\n" not in text
        assert start is None or page.text[start : start + len(text)] == text
    assert page.text.startswith(page.lead)
    assert not page.text or all(line.rstrip() == line != "" for line in page.text.split("\n"))
    return page


@pytest.mark.parametrize("name", OPEN)
def test_time_is_linear_in_size(name: str) -> None:
    assert growth_of(partial(read_open, name)) <= LINEAR


@pytest.mark.parametrize(
    "link",
    [
        *("<a href=/{}>word</a>", "<a href=#{}>word</a>", "<a href=#{}>¶</a>", "<a href=mailto:{}>word</a>"),
        "<a href=/{} aria-label=Word><b aria-hidden=true>Word</b></a>",
    ],
)
def test_time_is_linear_in_links_side_by_side(link: str) -> None:
    assert growth_of(lambda count: read_case("<p>😀" + "".join(map(link.format, range(count))))) <= LINEAR


def test_time_is_linear_in_tables_of_contents() -> None:
    table = "<h6>Part</h6>" + "<p><a href=#a>b</a></p>" * 3
    assert growth_of(lambda count: read_case(table * count)) <= LINEAR


@pytest.mark.parametrize("words", ["x<b aria-hidden=true>A word</b>", "<b aria-hidden=true>Aa</b>"])
@pytest.mark.parametrize("href", ["/", "#"])
def test_time_is_linear_in_what_is_hidden_in_a_link(words: str, href: str) -> None:
    start = f"<p><a href={href} aria-label='A word {'a' * 900}'>"
    assert growth_of(lambda count: read_case(start + words * count)) <= LINEAR


@pytest.mark.parametrize("name", ["comments{}x", "comment-list-{}-a", "all-{}", "articleentry{}"])
def test_time_is_linear_in_the_name_of_a_class(name: str) -> None:
    for piece in ("1", "-", "area", "all-"):

        def read(count: int, piece: str = piece) -> None:
            read_case(f'<div class="{name.format(piece * count)}">One</div>')

        assert growth_of(read) <= LINEAR


def is_clear(html: str) -> bool:
    """Whether a page that is not too deep can be told to be so without the parser."""
    try:
        check_nesting(html)
    except UnclearMarkup:
        return False
    return True


@pytest.mark.parametrize(
    ("end", "clear"),
    [
        ("</body></html><p>", True),
        ("</html><p>", True),
        ("</html></html></p>", True),
        ("</html></math><p>", False),
    ],
)
def test_what_follows_the_end_of_a_page(end: str, clear: bool) -> None:
    html = "<html><body><ul>" + "<li>x" * 1500 + "</ul><p>y" + end + "<div>" * 100
    assert is_clear(html) is clear
    with pytest.raises(PageRejected, match="more than 1000 open elements"):
        check_nesting(end + "<div>" * 2500)


@pytest.mark.parametrize("seed", range(10))
def test_soup_of_tags(seed: int) -> None:
    rng = random.Random(seed)
    found = 0
    for _ in range(100):
        found += len(balanced("".join(rng.choices(SOUP, k=rng.randint(1, 120)))).anchors)
    assert found > 50


@pytest.mark.parametrize("seed", range(5))
def test_soup_of_links(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(200):
        balanced("".join(rng.choices(LINK_SOUP, k=rng.randint(1, 60))))


@pytest.mark.parametrize("seed", range(5))
def test_random_bytes(seed: int) -> None:
    rng = random.Random(seed)
    for encoding in ("latin-1", "utf-8", "utf-16"):
        for size in (1, 50, 5000):
            errors = "surrogateescape" if encoding == "utf-8" else "replace"
            balanced(rng.randbytes(size).decode(encoding, errors))
    balanced("".join(rng.choices("<>/!-=\"' a&;hrefp\n", k=20_000)))


@pytest.mark.parametrize(
    ("html", "reason", "detail"),
    [
        ("<div>" * 100_000, "too_deep", "more than 1000 open elements"),
        ("<div>" * 100_000 + "</div>" * 100_000, "too_deep", "more than 1000 open elements"),
        ("<ul><li>" * 50_000, "too_deep", "more than 1000 open elements"),
        ("<b>x</i>" * 50_000, "too_deep", "more than 1000 open elements"),
        ("<svg><g>" + "<div>" * 50_000, "too_deep", "more than 1000 open elements"),
        ("<!--><!---><!-- --!>" + "<div>" * 50_000, "too_deep", "more than 1000 open elements"),
        ("<DIV>" * 50_000, "too_deep", "more than 1000 open elements"),
        (
            "<div>" * 900 + "<li></li>" * 30_000,
            "too_deep",
            "more than 5000000 steps through open elements",
        ),
        ("<html a=1>" * 5000, "too_deep", "5000 tags of html and body, the limit is 1000"),
        ("<" * 400_001, "too_large", "400001 tags, the limit is 400000"),
        (
            "<p b='<c>' " + " ".join(f"a{n}=1" for n in range(50_000)),
            "too_large",
            "a tag of 50002 attributes, the limit is 20000",
        ),
        (
            f"<p>{'x' * 100_000}<p " + " ".join(f"a{n}=123456789" for n in range(25_000)) + ">",
            "too_large",
            "a tag of 25001 attributes, the limit is 20000",
        ),
        (
            f"<p{ATTRIBUTES[:100_000]}>" * 6,
            "too_large",
            "a tag of 20001 attributes, the limit is 20000",
        ),
        (f"<p{ATTRIBUTES[:99_990]}>" * 11, "too_large", "several tags of up to 20000 attributes"),
        *(
            (
                "".join(f"<{name}{ATTRIBUTES[place : place + 2_000]}>" for place in range(0, 200_000, 2_000)),
                "too_large",
                "tags of html and body of 40100 attributes, the limit is 20000",
            )
            for name in ("html", "BODY")
        ),
    ],
)
def test_pages_that_are_rejected(html: str, reason: str, detail: str) -> None:
    started = time.process_time()
    with pytest.raises(PageRejected) as found:
        read_case(html)
    assert (found.value.reason, str(found.value)) == (reason, detail)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "html",
    [f"<p{ATTRIBUTES[:99_990]}>" * 10, f"<html{ATTRIBUTES[:49_000]}><body{ATTRIBUTES[50_000:99_000]}>"],
)
def test_as_many_attributes_as_are_allowed(html: str) -> None:
    assert read_case(html + "<a href=/x>y</a>").anchors[0].anchor == "y"


def test_pages_of_too_many_characters() -> None:
    reader = HtmlReader(PageLimits())
    with pytest.raises(PageRejected) as found:
        reader.read("x" * 16_000_001, "http://harbour.example/")
    assert (found.value.reason, str(found.value)) == (
        "too_large",
        "16000001 characters, the limit is 16000000",
    )


@pytest.mark.parametrize(
    "name", ["div", "ul><li", "table><tr><td", "b", "dl><dd", "svg", "details", "blockquote"]
)
def test_pages_of_few_tags_that_are_deep(name: str) -> None:
    """In fewer than 4,000 tags, elements that are closed may be nested as deep as that allows."""
    opening, count = f"<{name}>", 1990 // (1 + name.count("<"))
    closing = "".join(f"</{part}>" for part in reversed(name.split("><")))
    started = time.process_time()
    page = balanced(opening * count + "<a href=/x>x</a>" + closing * count)
    assert [anchor.anchor for anchor in page.anchors] == ["x"]
    with pytest.raises(PageRejected, match="more than 1000 open elements"):
        read_case(opening * (3900 // (1 + name.count("<"))))
    assert time.process_time() - started < 5


def test_a_few_fonts_that_are_opened_again_and_again() -> None:
    """80 kB of 3,950 tags that would be a gigabyte."""
    fonts = "".join(f"<font size={n} class=abcdefghijklmnop>" for n in range(990))
    with pytest.raises(PageRejected, match="990 formatting elements are never closed"):
        read_case(f"<p>{fonts}</p>" + "<p>x</p>" * 1480)


@pytest.mark.parametrize("name", "b big code em font i nobr s small strike strong tt u".split())
def test_formatting_that_is_never_closed(name: str) -> None:
    html = "".join(f"<{name} size={n}>" for n in range(900)) + "<p>x" * 20_000
    with pytest.raises(PageRejected, match="900 formatting elements are never closed"):
        read_case(html)


@pytest.mark.parametrize(
    ("html", "clear"),
    [
        ("<p>One" * 50_000, False),
        ("<ul>" + "<li><b>One</b>" * 50_000, False),
        ("<table>" + "<tr><td>One<td><span>two" * 20_000, False),
        ("<p><font color=red>One</p>" * 20_000, False),
        ("<div><span></div>" * 20_000, False),
        ("<p>One<br><a href=x>two</a></p>" * 20_000, True),
        ("<script>" + "document.write('<div>');" * 5000 + "</script>", True),
        ("<!-- " + "<div>" * 5000 + " -->" + "<p>" * 2001, True),
        ("<DIV>One</DIV>" * 20_000, True),
        ("<select>" + "<option>One" * 20_000, False),
        ("<dl>" + "<dt><i>One<dd>two" * 20_000, False),
        (f"<a href={'x' * 200}>One" * 20_000, False),
        ("<p " + " ".join(f"a{n}='a value of thirty characters'" for n in range(15_000)) + ">One", True),
    ],
)
def test_long_pages_that_are_not_deep(html: str, clear: bool) -> None:
    assert is_clear(html) is clear


@pytest.mark.parametrize("sought", ["<hr>", "<p></p>", "<li></li>", "<optgroup></optgroup>", "<x></x>"])
def test_elements_that_are_open_for_all_others(sought: str) -> None:
    """As many as a page may leave open, all of which the parser looks through at every other tag."""
    html = "<ul><li>" * 495 + sought * (19_000 // sought.count("<")) + "<a href=/x>x</a>"
    started = time.process_time()
    page = read_case(html, is_watched=False)
    assert [anchor.anchor for anchor in page.anchors] == ["x"]
    assert time.process_time() - started < 5
    with pytest.raises(UnclearMarkup):
        check_nesting(html + "<hr>" * 2000)


def test_a_base_that_each_link_would_repeat() -> None:
    """One kilobyte, packed, that would be gigabytes."""
    links = "<a href=y>z</a> " * 6000 + "<a href=http://b.test/>z</a>"
    page = read_case(f'<base href="http://a.test/{"x/" * 400_000}">{links}')
    assert page.dropped == [("bad_url", "y")] * 6000
    assert [anchor.target for anchor in page.anchors] == ["http://b.test/"]
    base = f'<base href="http://a.test/{"x" * 7900}/">'
    page = read_case(base + "<a href=y>z</a> " * 4000)
    assert len(page.anchors) == 4000
    with pytest.raises(PageRejected, match="links to more than 32000000 characters of URLs") as error:
        read_case(base + "<a href=y>z</a> " * 4100)
    assert error.value.reason == "too_large"


@pytest.mark.parametrize("piece", ["<meta <!-->", "<p <!-- a>", "<!-- a --><p <!-->"])
def test_what_looks_like_comments_keeps_to_the_time_limit(piece: str) -> None:
    """Of no more characters than are read without a process that can be ended."""
    reader = HtmlReader(PageLimits(seconds=2))
    started = time.process_time()
    page = reader.read("<p>" + piece * (190_000 // len(piece)) + "<a href=/x>y</a>", "http://a.test/")
    assert [anchor.anchor for anchor in page.anchors] == ["y"]
    assert time.process_time() - started < 2


def test_scripts_in_scripts_of_a_drawing() -> None:
    started = time.process_time()
    page = read_case("<svg>" + "<script><a href=x>" * 5000)
    assert page.dropped == [("hidden", "x")] * 5000
    assert time.process_time() - started < 3


def test_a_page_of_many_links() -> None:
    html = "".join(f'<li><a href="/wiki/{n}">Page {n}</a>' for n in range(10_000))
    page = balanced(f"<ul>{html}</ul>")
    assert [anchor.anchor for anchor in page.anchors] == [f"Page {n}" for n in range(10_000)]
    assert page.anchors[-1].address == "http://a.test/wiki/9999"

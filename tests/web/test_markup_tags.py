"""Which tags a page has, as it is written: what only looks like one ends no element and opens none."""

from __future__ import annotations

import random
import time

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from anchormine.hypertext.page_limits import PageLimits
from anchormine.hypertext.page_rejected import PageRejected
from anchormine.hypertext.reading_process import ReadingProcess
from anchormine.web.html_page import WebExtraction
from anchormine.web.html_reader import HtmlReader, read_any_html
from anchormine.web.markup.markup_tags import UnclearMarkup, written_tags
from anchormine.web.markup.nesting import check_nesting
from anchormine.web.page.answer_facts import UNTOLD
from anchormine.web.tracking import TRACKING

URL = "http://a.test/"

# Each leaves a `<div>` open, and has something that looks like its end.
DISGUISED = [
    '<div title="></div>">',
    "<div title='></div>'>",
    '<div a=b" c="></div>">',
    '<div a =\n"></div>">',
    '<div =="></div>">',
    '<div/a="></div>"/>',
    "<div><!-- </div> -->",
    "<div><!-- </div> --!>",
    "<div><!x </div>",
    "<div><?x </div>",
    "<div></ x </div>",
    "<div><![CDATA[</div>",
    "<div><title></div></title>",
    "<div><TEXTAREA a='>'></div></TEXTAREA\n>",
    "<div><xmp></div></xmp>",
    "<div><iframe></div></iframe>",
    "<div><noembed></div></noembed>",
    "<div><noscript><!-- </div></noscript>",
    "<div><script></style></div></script>",
    "<div><style></script></div></scripts></style>",
    "<div\x0b></div>",
    "<div\u00a0></div>",
    "<div></d\u0130v>",
]
# Here only the parser can tell.
UNCLEAR = [
    "<div><script><!--<script></script></div></script>",
    "<div><svg><![CDATA[</div>]]></svg>",
    "<div><select><title></select></title>",
    "<div><svg><style></div></style></svg>",
    "<div><math><mtext><title></div></title></math>",
    '<div><title></title a="</div>">',
    "<div><noscript></noscript <noscript></div>",
    "<template><col><title></template><div></title></template>",
    "<svg></math><style><div></style></svg>",
    "<math><annotation-xml encoding=text/html><div></math></div></annotation-xml><style><div></style></math>",
    "<svg><link></x>",
    "<svg><svg></svg><style><div></style></svg>",
    "<p><font a=1><object></font></object></p>",
]


def depth_of(node: LexborNode | None) -> int:
    depth = 0
    while node is not None:
        depth, node = depth + 1, node.parent
    return depth


@pytest.mark.parametrize("piece", DISGUISED)
def test_what_looks_like_an_end_is_none(piece: str) -> None:
    """Lexbor finds as many elements in one another as there are pieces, and they are counted beforehand."""
    html = piece * 300
    tree = LexborHTMLParser(html, scripting=True)
    assert depth_of((tree.css("div") or tree.css("body *"))[-1]) > 300
    with pytest.raises(PageRejected, match="more than 1000 open elements"):
        check_nesting(piece * 3000)


@pytest.mark.parametrize("piece", UNCLEAR)
def test_unclear_markup_is_told(piece: str) -> None:
    with pytest.raises(UnclearMarkup):
        check_nesting(piece * 3000)


def test_formatting_that_is_opened_again_where_all_ends_as_it_should() -> None:
    heavy = f"<p><b a={'x' * 100_000}>{'<div>x</div>' * 500}</b></p>"
    with pytest.raises(PageRejected, match="formatting elements are never closed"):
        check_nesting(heavy * 34)
    few = f"<p><b a={'x' * 200_000}>{'<div>x</div>' * 1900}</b></p>"
    with pytest.raises(PageRejected, match="formatting elements are never closed"):
        check_nesting(few)


def test_comments_in_scripts_are_looked_at_once() -> None:
    started = time.process_time()
    check_nesting("<script>" + "<!--" * 300_000 + "</script>")
    assert time.process_time() - started < 2


def test_what_hides_nothing_is_clear() -> None:
    html = "<svg><title>One</title></svg><script>if (a<b) c()</script><p title='a > b'>x</p><title>y</title>"
    html += "<p><b>One <span>two</span></b> <i><u>three</u></i></p>"
    html += "<svg><g><svg></svg></g></svg><br><select><option>z</option></select><!-- <script> -->"
    check_nesting(html * 1000)


def test_unclear_pages_are_read_in_a_process_of_their_own() -> None:
    html = "<p><svg><style><b>x</b></style></svg><a href=/y>y</a>" * 1000
    reader = HtmlReader(PageLimits())
    try:
        found = reader.read(html, URL)
    finally:
        reader.close()
    assert found == read_any_html(html, URL, None, TRACKING, UNTOLD, is_watched=True)
    assert len(found.anchors) == 1000
    with pytest.raises(UnclearMarkup):
        read_any_html(html, URL, None, TRACKING, UNTOLD)


@pytest.mark.parametrize(("characters", "is_apart"), [(200_000, False), (200_001, True)])
def test_long_pages_are_read_in_a_process_of_their_own(characters: int, is_apart: bool, monkeypatch) -> None:
    """Those of more than 100,000 characters for each second that they may take: a process can be ended."""
    asked: list[float] = []

    def ask(_: ReadingProcess, question: tuple, seconds: float) -> WebExtraction:
        asked.append(seconds)
        return read_any_html(*question)

    monkeypatch.setattr(ReadingProcess, "ask", ask)
    reader = HtmlReader(PageLimits(seconds=2))
    assert len(reader.read("<p>".ljust(characters, "x"), URL).text) == characters - 3
    assert asked == [2] * is_apart


def test_unclear_pages_that_take_too_long_cost_their_time() -> None:
    reader = HtmlReader(PageLimits(seconds=1))
    started = time.monotonic()
    try:
        with pytest.raises(PageRejected) as error:
            reader.read("<div><svg><style><div><div></style></svg>" * 40_000, URL)
        assert error.value.reason == "timeout"
        assert reader.read("<a href=/x>x</a>", URL).anchors[0].anchor == "x"
    finally:
        reader.close()
    assert time.monotonic() - started < 15


def test_tags_of_a_page() -> None:
    html = "<p>a<b c='d'>e</B><br/><!-- <i> --><script src=x>1<2</script><A\nhref=x>f</a >g</p"
    assert [tag if ">" not in tag else "" for tag in written_tags(html)] == [
        *("p", "b c='d'", "/B", "br/", "", "", "A\nhref=x", "/a ", "/p")
    ]


@pytest.mark.parametrize("seed", range(5))
def test_values_are_passed_over_as_the_parser_does(seed: int) -> None:
    """Of tags of random attributes, as many start elements as Lexbor finds."""
    rng = random.Random(seed)
    characters = ["a", "=", '"', "'", " ", "/", ">", "<q>", '="', "='", "\t"]
    for _ in range(500):
        html = "".join(f"<q {''.join(rng.choices(characters, k=rng.randint(0, 12)))}>x" for _ in range(5))
        tags = written_tags(html + "\"'>")
        assert len(tags) == len(LexborHTMLParser(html + "\"'>", scripting=True).css("q")), html

"""Markup that is opened and never closed, or repeated, and how the time to read it grows with its length."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from anchormine.hypertext.page_rejected import PageRejected
from anchormine.web.markup.markup_tags import UnclearMarkup
from tests.web.case_files import read_case

_PIECES = [
    *(
        "<div>",
        "<a>",
        "<a href=x>",
        "<a href=x>y",
        "<b><i>",
        "<b>x</i>",
        "<table><td>",
        "<!--",
        "<p a='",
    ),
    *("&amp;", "&#x", "<", "<b><p>", "<ul><li>", "<li>x", "<ul><li>x</ul>", "<svg>", "<select><option>"),
    *(
        "<option>x",
        "<template>",
        "</p>",
        "</x>",
        "<button>",
        "<a href=x><p>y",
        "<span></p>",
        "<pre>\n",
        "<br>",
    ),
    *(
        "<svg><a href=x>",
        "<svg><script><a href=x>",
        "<object><div></object>",
        "<div><object></div>",
        "<i><div>x</i>",
    ),
    *(
        "<a href=x><img alt='y z'>",
        "<area href=x alt=y>",
        "<p><a href=y>x</a> foo. ",
        "<td>x",
        "<title>",
        "a. B ",
    ),
    *(
        "<b title='></b>'>",
        "<p a",
        "<p a ",
        "<p a='>' b",
        "<p a=='",
        "<svg><![CDATA[",
        "<script><!--<script>",
    ),
    *("<meta <!-->", "<p <!-- a>x", "<x<!-->", "<!-- a --><p <!-->", "<p --=b <!-->", "<!doctype <!-- "),
    *("<meta name=robots content=a>", "<link rel=canonical href=x>", "<a href=x>a b</a> | ", "<p>%41%"),
]
# By name: what a text of so many pieces is.
OPEN: dict[str, Callable[[int], str]] = {
    **{piece: piece.__mul__ for piece in _PIECES},
    "different fonts": lambda count: "".join(f"<font size={n}><p>" for n in range(count)),
    "different attributes": lambda count: "<p " + " ".join(f"a{n}=1" for n in range(count)),
    "attributes of html": lambda count: "".join(f"<html a{n}=1>" for n in range(count)),
    "different links": lambda count: "".join(f"<a href=/{n}>{n}</a> " for n in range(count)),
    "a link over blocks": lambda count: "<a href=x>" + "<p>y z" * count,
    "a link over lines": lambda count: "<pre><a href=x>" + "y\n" * count,
    "what looks like comments, and one": lambda count: (
        "<meta <!-->" * count + "<!-- a -->" + "<p <!-->" * count
    ),
    "text of the end": lambda count: "--&gt;" + "&lt;p " * count + "&gt;" * (count - 1) + "<!",
    "options": lambda count: "<select>" + "<option>x" * count,
}

# What pages of random markup are made of; links are frequent.
SOUP = [
    *(
        "<a href=x>",
        '<a href="/y#z">',
        "<a rel=nofollow href='?q'>",
        "<area href=q alt=w>",
        "<a href=#>",
        "</a>",
    )
    * 3,
    *(
        "<a>",
        "<p>",
        "</p>",
        "<div>",
        "</div>",
        "<table>",
        "<td>",
        "<tr>",
        "</table>",
        "<b>",
        "</b>",
        "<i hidden>",
    ),
    *("</i>", "<svg>", "</svg>", "<math>", "<mi>", "<title>", "</title>", "<style>", "</style>", "<script>"),
    *(
        "</script>",
        "<template>",
        "</template>",
        "<!--",
        "-->",
        "--!>",
        "<![CDATA[",
        "]]>",
        "<!-- <a href=x> -->",
    ),
    *(
        "<br>",
        "<hr>",
        "<img alt=z>",
        "<pre>",
        "</pre>",
        "<select>",
        "<option>",
        "<button>",
        "<nav>",
        "</nav>",
        "<ul>",
    ),
    *(
        "<li>",
        "<h1>",
        "<noscript>",
        "</noscript>",
        "<xmp>",
        "</xmp>",
        "<iframe>",
        "</iframe>",
        "<base href=/b/>",
    ),
    *("<body>", "<html lang=fr>", "<head>", "<frameset>", "<form>", "<textarea>", "</textarea>", "<object>"),
    *(
        "<caption>",
        "<font color=a>",
        "</font>",
        "<a\tb\"c=d href='e\"f'>",
        "<p style='display:none'>",
        "<?x",
        "<?x a='>' b='<a href=x>'?>",
        "<!x",
    ),
    *(
        "&amp;",
        "&lt;a href=x&gt;",
        "&nbsp;",
        "&#0;",
        "&#xd800;",
        "<",
        ">",
        '"',
        "'",
        "=",
        "\0",
        "\f",
        "\u2028",
    ),
    *("word", "one. Two", "中文。", "\ud800", " ", "\n", "  ", "text"),
]


def read_open(name: str, pieces: int) -> None:
    """Reads so many pieces of `OPEN`, or rejects the page."""
    with contextlib.suppress(PageRejected, UnclearMarkup):
        read_case(OPEN[name](pieces), is_watched=False)


# Links side by side, one in another, dropped ones, and marks.
LINK_SOUP = [
    *("<a href=/x>", "<a href=/y>", "<a href=#o>", "<a href=mailto:m>", "</a>", "</a>", "</a>"),
    *(
        "<br>",
        "<div>",
        "</div>",
        "<pre>",
        "</pre>",
        "<table><tr><td>",
        "</table>",
        "<li>",
        "<object>",
        "</object>",
    ),
    *("<a href=/x aria-label='Word¶'>", "<b aria-hidden=true>", "<div aria-hidden=true>", "</b>", "Word"),
    *("word", "word ", " word", "¶", "#", " ", "\n", "e\u0301", "สวัสดี", "😀"),
    *("<img alt=logo>", "<img alt='#'>", "<img>"),
    *("<map><area href=/a alt='#'></map>", "<map><area href=#b alt=¶></map>"),
]

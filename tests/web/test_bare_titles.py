"""Headings and labels of what is left out of the main text, and those that stay without any."""

from __future__ import annotations

import pytest

from tests.web.page_texts import SHORT, text_of

ABOVE = f"<h1>Piers</h1><p>{SHORT}"
LEFT_OUT = "<nav>Old pier</nav>"


@pytest.mark.parametrize(
    ("below", "text"),
    [
        (f"<h2>Related</h2>{LEFT_OUT}", ""),
        ("<h2>Related</h2><div class=related-posts>Old pier</div>", ""),
        (f"<h2>Related</h2>{LEFT_OUT}<h2>Tea</h2><p>{SHORT}", f"\nTea\n{SHORT}"),
        # With the headings below it that go.
        (f"<h2>Related</h2><h3>Piers</h3>{LEFT_OUT}<h3>Tides</h3>{LEFT_OUT}", ""),
        (f"<h2>Related</h2><h3>Piers</h3>{LEFT_OUT}<h3>Tides</h3><p>Low.", "\nRelated\nTides\nLow."),
        # Something is left.
        (f"<h2>Related</h2>{LEFT_OUT}<p>Cups", "\nRelated\nCups"),
        # Nothing was there, or only an image and its caption.
        ("<h2>Tea</h2><h2>Cups</h2>", "\nTea\nCups"),
        ("<h2>Tea</h2><figure><img src=a alt=Pot><figcaption>A pot</figcaption></figure>", "\nTea"),
        ("<h2>Tea</h2><img src=a><footer><p>Harbour News</footer>", "\nTea"),
        # It is a link, or as high as the page's own.
        (f"<h2><a href=/tea>Tea</a></h2>{LEFT_OUT}<h2>Cups</h2><p>{SHORT}", f"\nTea\nCups\n{SHORT}"),
        (f"<h1>Tea</h1>{LEFT_OUT}", "\nTea"),
    ],
)
def test_headings_go_with_their_text(below: str, text: str) -> None:
    assert text_of(ABOVE + below) == f"Piers\n{SHORT}{text}"


def test_a_page_keeps_its_own_title() -> None:
    assert text_of(f"<h2>Piers</h2>{LEFT_OUT}<h2>Tea</h2>{LEFT_OUT}") == "Piers\nTea"


def test_a_title_below_a_slogan_is_the_pages() -> None:
    above = f"<p>{SHORT}</p><h2>Piers</h2><div class=meta>By <a href=/j>J</a></div>"
    assert text_of(f"{above}<h2>Tea</h2><p>{SHORT}") == f"{SHORT}\nPiers\nTea\n{SHORT}"


def test_below_the_last_paragraph_no_title_is_of_the_page() -> None:
    below = f"<p>{SHORT}<h2>Related</h2>{LEFT_OUT}<h2>Tea</h2><p>Cups"
    assert text_of(f"<h2>Piers</h2>{LEFT_OUT}{below}") == f"Piers\n{SHORT}\nTea\nCups"
    assert text_of(f"{LEFT_OUT}{below}") == f"{SHORT}\nTea\nCups"


LINKS = "<p><a href=/a>Old pier</a><p><a href=/b>New pier</a>"


@pytest.mark.parametrize(
    ("below", "text"),
    [
        (f"<p>See also:{LINKS}", ""),
        (f"<p>参阅：{LINKS}", ""),
        (f"<p>Tea at noon.<p>See also:{LINKS}", "\nTea at noon."),
        ("<ul><li>Berths:<li><a href=/a>Post</a><li><a href=/b>Mail</a></ul>", "\nBerths:\nPost\nMail"),
        # It may be more than a label, or is one of what stays, or of none.
        (f"<p>A. Baker{LINKS}", "\nA. Baker"),
        ("<p>See also:<p>Old pier", "\nSee also:\nOld pier"),
        ("<p>See also:<nav>Old pier</nav>", "\nSee also:"),
        ("<p>See also:", "\nSee also:"),
        (f"<p><a href=/c>Piers</a> we know:{LINKS}", "\nPiers we know:"),
        ("<p>See also:<p><a href=/a><img src=a alt=Pier></a>", "\nSee also:"),
        ("<p>It looks so:<p><img src=a><footer><a href=/a>Home</a></footer>", "\nIt looks so:"),
    ],
)
def test_labels_go_with_their_links(below: str, text: str) -> None:
    assert text_of(f"<h1>Piers</h1><p>{SHORT}{below}") == f"Piers\n{SHORT}{text}"


SHARE = "<div class=share><a href=/print>Print</a></div>"


@pytest.mark.parametrize(
    ("below", "text"),
    [
        (
            f"<p>Ingredients:</p>{SHARE}<ul><li>2 cups flour<li>1 egg</ul>",
            "Ingredients:\n2 cups flour\n1 egg",
        ),
        (f"<p>原料：</p>{SHARE}<p>鸡蛋</p>", "原料：\n鸡蛋"),
        (f"<p>And then she said:</p>{SHARE}<p>O sea, o sea", "And then she said:\nO sea, o sea"),
        (f"<p>Share:</p>{SHARE}<p>Tags:{LINKS}<h2>Cups</h2><p>Clay", "Cups\nClay"),
    ],
)
def test_labels_stay_where_what_they_introduce_does(below: str, text: str) -> None:
    assert text_of(f"<h1>Piers</h1><p>{SHORT}{below}") == f"Piers\n{SHORT}\n{text}"


def test_labels_above_a_paragraph_stay() -> None:
    text = f"<h1>Piers</h1><p>{SHORT}<p>See also:{LINKS}<p>{SHORT}"
    assert text_of(text) == f"Piers\n{SHORT}\nSee also:\nOld pier\nNew pier\n{SHORT}"


ENTRIES = "".join(f"<dt><a href=#s{number}>{number}. Tea</a>" for number in range(1, 4))
OTHER_PAGES = "".join(f"<dt><a href=tea{number}.html>{number}. Tea</a>" for number in range(1, 7))


@pytest.mark.parametrize(
    ("contents", "title"),
    [
        (f"<div class=toc><p><b>目次</b></p><dl class=toc>{ENTRIES}</dl></div>", ""),
        (f"<div class=toc><p><b>目次</b></p><dl class=toc>{OTHER_PAGES}</dl></div>", ""),
        (f"<div id=toc class=toc><div id=toctitle>Contents</div><dl>{ENTRIES}</dl></div>", ""),
        (f"<div class=Table-of-contents><h2>Contents</h2><dl>{ENTRIES}</dl></div>", ""),
        (f"<div class=toc><h2>Contents</h2><dl>{OTHER_PAGES}</dl></div>", ""),
        (f"<div class=toc><p>Tea</p>{ENTRIES}</div><div class=list-of-tables><p>Cups{ENTRIES}</div>", ""),
        # It is not said what it is the title of, or something is left.
        (f"<div class=table-contents><p>Contents</p><dl>{ENTRIES}</dl></div>", "\nContents"),
        (f"<div class=toc><p>Two ways</p><p>By sea</p><dl>{ENTRIES}</dl></div>", "\nTwo ways\nBy sea"),
        (f"<div class=toc><p>{SHORT}</p><dl>{ENTRIES}</dl></div>", f"\n{SHORT}"),
        ("<div class=toc><p>Contents</p><a href=#s1>1. Tea</a></div>", "\nContents\n1. Tea"),
        (f"<div id=list-of-members><p>Board</p><dl>{OTHER_PAGES}</dl></div>", "\nBoard"),
    ],
)
def test_titles_of_tables_of_contents(contents: str, title: str) -> None:
    assert text_of(f"<h1>Piers</h1>{contents}<p>{SHORT}") == f"Piers{title}\n{SHORT}"


def test_a_page_is_no_table_of_contents() -> None:
    """Though its class may say that it has one."""
    assert (
        text_of(f"<div class=toc><h1>Piers</h1><dl>{OTHER_PAGES}</dl></div><p>{SHORT}") == f"Piers\n{SHORT}"
    )
    page = (
        f"<div class='content toc'><h1>Piers</h1><p>{SHORT}</p><pre>make tea</pre><p><a href=/2>Tea</a></div>"
    )
    assert text_of(page) == f"Piers\n{SHORT}\nmake tea"

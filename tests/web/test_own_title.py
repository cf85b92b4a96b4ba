"""The title of a page stands above its main text, wherever on the page it is."""

import pytest

from tests.web.page_texts import CUPS, TEA, text_of

PIER = "<title>Tea at the pier</title>"


@pytest.mark.parametrize(
    "page",
    [
        f"{PIER}<h1>Tea at the pier</h1><article><p>{TEA}<p>{CUPS}</article>",
        f"{PIER}<h1>Tea at the pier</h1><main><p>{TEA}<p>{CUPS}</main>",
        f"{PIER}<div><h1>Tea at the pier</h1></div><div id=content><p>{TEA}<p>{CUPS}</div>",  # AsciiDoc
        f"{PIER}<header><h1>Tea at the pier</h1></header><div><p>{TEA}<p>{CUPS}</div>",  # gi-docgen, odoc
        f"{PIER}<article><header><h1>Tea at the pier</h1></header>"
        f"<div role=main><p>{TEA}<p>{CUPS}</div></article>",
        f"{PIER}<article><div class=post_meta><h1>Tea at the pier</h1></div><p>{TEA}<p>{CUPS}</article>",
        f"{PIER}<h1 class=has-side-spacing>Tea at\n the <b>pier</b></h1><p>{TEA}<p>{CUPS}",
        f"{PIER}<nav><ol><li><a href=/>Pier</a><li><h1>Tea at the pier</h1></ol></nav><p>{TEA}<p>{CUPS}",
        f"{PIER}<table class=info><tr><td>Safe</table><p class=caption>Tea at the pier</p><p>{TEA}<p>{CUPS}",
        # The name of a site is in the header, too.
        f"<title>Tea at the pier | Pier</title><header><h1>Tea at the pier</h1><h1>Pier</h1></header>"
        f"<p>{TEA}<p>{CUPS}",
        f"<title>Tea at the pier - A long name of a site of the pier</title><header>"
        f"<h1>A long name</h1><h1>Tea at the pier</h1></header><p>{TEA}<p>{CUPS}",
        # Other text says it, too, or the breadcrumbs.
        f"{PIER}<header><h1>Tea at the pier</h1><div class=meta>Tea at the pier</div></header>"
        f"<p>{TEA}<p>{CUPS}",
        f"{PIER}<nav>Tea at the pier</nav><header><h1>Tea at the pier</h1></header><p>{TEA}<p>{CUPS}",
        # A heading says a part of it, or of what stands before it.
        "<title>Tea - Safe - Tea at the pier</title><h1>Tea at the pier</h1>"
        f"<main><h2>Safe</h2><p>{TEA}<p>{CUPS}",
        # It says more than the `title` does.
        f"<title>Tea at the</title><header><h1>Tea at the pier</h1></header><p>{TEA}<p>{CUPS}",
    ],
)
def test_the_title_is_in_the_text(page: str) -> None:
    lines = text_of(page).split("\n")
    assert [line for line in lines if line != "Safe"] == ["Tea at the pier", TEA, CUPS]


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Tea at the pier’s end", "Tea at the pier's end"),
        ("Tea at the pier's end", "Tea at the pier’s end"),
        ('The "tea" of the pier', "The “tea” of the pier"),
        ("Afternoon tea", "After\xadnoon\u200b tea"),
        ("Thé à la jetée", "The\u0301 a\u0300 la jete\u0301e"),
        ("The\u0301 a\u0300 la jete\u0301e", "Thé à la jetée"),
    ],
)
@pytest.mark.parametrize("tag", ["h1", "div"])
def test_a_title_that_the_page_writes_otherwise(title: str, said: str, tag: str) -> None:
    """With other quotation marks, hyphens that are not seen, or accents by themselves."""
    page = f"<title>{title}</title><header><{tag}>{said}</{tag}></header><main>{{}}<p>{TEA}<p>{CUPS}</main>"
    assert text_of(page.format("")).split("\n") == [said, TEA, CUPS]
    assert text_of(page.format(f"<h2>{title}</h2>")).split("\n") == [title, TEA, CUPS]


@pytest.mark.parametrize(
    ("title", "said", "above", "below"),
    [
        ("Tea - Cups | Pots", "Tea - Cups", "", "<h2>Cups</h2>"),
        ("Tea - Cups | Pots", "Tea", "", "<h2>Cups</h2>"),
        ("Tea prices soar - Cups - The Pier", "Tea prices soar", "<p>Cups</p>", ""),
        ("Tea prices soar - Cups - The Pier", "Tea prices soar", "<h2>Cups</h2>", ""),
        ("Tea prices soar | Cups", "Tea prices soar", "<div>Cups</div>", ""),
        ("Tea: cups of clay - Pier", "Tea: cups of clay", "", "<h2>Tea</h2>"),
        ("أسعار الشاي - اقتصاد - الميناء", "أسعار الشاي", "<div>اقتصاد</div>", ""),
        ("茶叶涨价-财经频道-码头新闻网", "茶叶涨价", "", ""),
        ("茶叶涨价_财经频道_码头新闻网", "茶叶涨价", "<div>财经频道</div>", ""),
        ("2024年_码头新闻网", "2024年", "", ""),
        ("歼-20首次亮相 - 中华人民共和国国防部官方网站新闻", "歼-20首次亮相", "", ""),
        ("北京-上海高铁时刻表", "北京-上海高铁时刻表", "<div>北京</div>", ""),
        ("e-ラーニング入門 | とても長い会社名の公式サイトのページです", "e-ラーニング入門", "", ""),
        ("Tea: We win - Pier News Network of the World", "Tea: We win", "", ""),
        ("Tea prices soar - Cups", "Tea prices soar", "<h2>Cups</h2>", ""),
        ("Teapot 3000 | Cups", "Teapot 3000", "<h3>Cups</h3>", ""),
    ],
)
def test_a_part_of_the_title_elsewhere(title: str, said: str, above: str, below: str) -> None:
    page = f"<title>{title}</title><h1>{said}</h1><main>{above}<p>{TEA}{below}<p>{CUPS}"
    without = text_of(f"<main>{above}<p>{TEA}{below}<p>{CUPS}")
    assert text_of(page) == f"{said}\n{without}"


def test_capitals_are_compared_by_folding() -> None:
    page = f"<title>İZMİR</title><header><h1>İzmir</h1><p>Smyrna</p></header><p>{TEA}"
    assert text_of(page) == f"İzmir\n{TEA}"
    assert text_of(page.replace("h1", "p")) == f"İzmir\n{TEA}"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        # The text says it.
        (
            f"{PIER}<header><h1>Tea at the pier</h1></header><h2>Tea at the Pier</h2><p>{TEA}",
            f"Tea at the Pier\n{TEA}",
        ),
        (
            f"{PIER}<header><h1>Tea at the pier</h1></header><p>Tea at the pier</p><p>{TEA}",
            f"Tea at the pier\n{TEA}",
        ),
        # It says what stands behind the name of the site.
        (f"<title>BBC - Pier</title><header><h1>BBC</h1></header><h2>Pier</h2><p>{TEA}", f"Pier\n{TEA}"),
        (
            "<title>The BBC - Tea</title><header><h1><a href=/>The BBC</a></h1></header>"
            f"<h2>Tea</h2><p>{TEA}",
            f"Tea\n{TEA}",
        ),
        (
            f"<title>Tea - The Pier at the river</title><header><h1>The Pier at the river</h1></header>"
            f"<p>Tea</p><p>{TEA}",
            f"Tea\n{TEA}",
        ),
        # Another page's, or a site's.
        (f"{PIER}<header><h1>Cups</h1></header><p>{TEA}", TEA),
        (f"<title>Tea at the pier | Pier</title><header><h1>Pier</h1></header><p>{TEA}", TEA),
        (f"<header><h1>Tea at the pier</h1></header><p>{TEA}", TEA),
        (f"<title>T</title><header><h1>Tea at the pier</h1></header><p>{TEA}", TEA),
        (f"<title> </title><header><h1>Tea at the pier</h1></header><p>{TEA}", TEA),
        # It is no heading of that level, a link, an image, or stands below.
        (f"{PIER}<header><h2>Tea at the</h2></header><p>{TEA}", TEA),
        (f"{PIER}<header><p><a href=/>Tea at the pier</a></header><p>{TEA}", TEA),
        (f"{PIER}<header><h1><img src=/t alt='Tea at the pier'></h1></header><p>{TEA}", TEA),
        (f"{PIER}<p>{TEA}</p><footer><h1>Tea at the pier</h1></footer>", TEA),
    ],
)
def test_what_is_not_put_above(page: str, text: str) -> None:
    assert text_of(page) == text

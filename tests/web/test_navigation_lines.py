"""Lines that lead from page to page: which are no main text, and which are."""

import pytest

from tests.web.page_texts import TEA, text_of

NEXT, UP = "<a href=/2 rel=next>Cups</a>", '<a href=/ rel="up author">Pots</a>'
ROOT = "<a href=http://quay.example/>Pier</a>"
OWN = "<a href=#cups rel=next>Cups</a>"
HERE = '<a href=#top rel="contents">Contents</a>'


def ways(*words: str, between: str = " ") -> str:
    return between.join(f"<a href=/{n}>{word}</a>" for n, word in enumerate(words))


@pytest.mark.parametrize(
    "line",
    [
        f"<p>Next: {NEXT}, Up: {UP} [{HERE}]",  # Texinfo
        f"<p>Next: {OWN}, Up: {HERE}",  # of a manual on one page
        f"<p>Next: {OWN}, Up: {UP}",
        f"<p>{OWN}",
        f"<p>Next post: {NEXT}",
        f"<td>{NEXT}",
        f"<p>{ways('Next', 'Previous', 'Contents')}",  # LinuxDoc
        f"<p>{ways('&lt;-previous', 'next->')}",
        f"<p>{ways('top', 'contents')} ← {ways('prev', 'UP')} →",  # Scribble
        f"<p>Next: {ways('Cups')}, Previous: {ways('Tea')}, Up: {ways('Pots')} [{HERE}]",  # Texinfo, below
        f"<p>Prev: {ways('Tea')} | Next: {ways('Cups')}",
        f"<table><tr><td>[{ways(' &lt; ')}]<td>[{ways('Up')}]<td>[{ways(' ? ')}]</table>",  # texi2html
        f"<p>Goto Chapter: {ways('Top', *map(str, range(1, 80)), 'Ind')}",  # GAPDoc
        f"<p>{ways('1', '2', '3', '4', '5', '>', between=' | ')}",
        f"<p>1 | {ways('2', '3', '4', '5', '6', '>', between=' | ')}",
        f"<p>Pages: {ways('3', '4')} <b>5</b> {ways('6', '7', '8')} … {ways('40', '&gt;')}",
        f"<p>{ways('1', '2', '3', '4', '5')} ... {ways('4000', 'Last (4000)')}",
        f"<p>{ways('1', '10', '20', '48', '49', '50', '60', '100')}",  # WP-PageNavi
        f"<p>Page 3 of 12: {ways('1', '2')} 3 {ways('4', '5', '12', 'Next')}",
        f"<p>Goto page: <b>1</b>, {ways('2', '3', '4', between=', ')} … {ways('11', '12', 'Next')}",  # phpBB
        f"<p>{ways('۱', '۲')} <b>۳</b> {ways('۴', '۵', '۶', '۷', '۸')}",
    ],
)
def test_lines_that_lead_on_are_left_out(line: str) -> None:
    """Wherever they stand."""
    assert text_of(f"<p>Pier</p>{line}</p><p>{TEA}</p>{line}</p><p>Pots</p>") == f"Pier\n{TEA}\nPots"


@pytest.mark.parametrize(
    "line",
    [
        f"<p>{ways('Pier', 'Pots', 'Cups', between=' > ')}",
        f"<p>{ways('Pier', 'Pots', between=' &gt;&gt; ')} &gt;&gt; Cups",
        f"<p>{ways('Pier')} » Cups of tea",
        f"<li>{ways('Pier', 'Pots', between='›')} ›",
        f"<p>You are here: {ways('Pier', 'Pots', between=' » ')}",
        f"<div>当前位置：{ways('主页', '新闻', between=' &gt; ')} &gt; 国内",
        f"<div>{ways('主页', '新闻', between='＞')}＞国内",
        f"<p>Path: {ways('Pier')} ≫ Cups",
        f"<p>{ROOT} / {ways('Pots')} / Cups",
        f"<p><a href=/index.php>Pier</a> / {ways('Pots')} / Cups",
        f"<p><a href=/de-at/>Pier</a> / {ways('Pots')} / Cups",
        f"<p><a href=/de/home>Pier</a> / {ways('Pots')} / Cups",
        f"<p>Вы здесь: {ROOT} → {ways('Pots')}",
        f"<p>{ways('חוף', 'כוסות', between=' &lt; ')} « תה",
        f"<p>أنت هنا: {ways('الرئيسية', 'أخبار', between=' › ')}",
    ],
)
def test_the_way_to_a_page_is_left_out_above_its_text(line: str) -> None:
    assert text_of(f"<p>Pier</p>{line}</p><p>{TEA}</p>") == f"Pier\n{TEA}"
    below = text_of(f"<p>{TEA}</p>{line}</p><p>{TEA}</p>")
    assert len(below.split("\n")) == 3


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (f"<h2>Next: {NEXT}</h2>", "Next: Cups"),
        (f"<p>{TEA} Next: {NEXT}", f"{TEA} Next: Cups"),
        (f"<p>{NEXT} and <a href=/3>pots</a>", "Cups and pots"),
        ("<p><a href=/3 rel=nofollow>Pots</a>", "Pots"),
        ("<p><a href=#3 rel=nofollow>Pots</a>", "Pots"),
        (f"<p>Next: {OWN} and <a href=#3>pots</a>", "Next: Cups and pots"),
        (f"<p>Next: {OWN} and <a href=/3>pots</a>", "Next: Cups and pots"),
        (f"<p>Next: <a href=#3>pots</a> and {NEXT}", "Next: pots and Cups"),
        (f"<p>{ways('Home')}", "Home"),
        (f"<p>{ways('Next', 'Up')}!", "Next Up!"),
        (f"<p>Next: {ways('Cups', 'Pots', between=', ')}", "Next: Cups, Pots"),
        (f"<p>Next: {ways('Cups')}, Author: {ways('Baker')}", "Next: Cups, Author: Baker"),
        (f"<p>Next {ways('Cups')}, up {ways('Pots')}", "Next Cups, up Pots"),
        (f"<p>Home: {ways('Cups')}, Forward: {ways('Pots')}", "Home: Cups, Forward: Pots"),
        (f"<p>{ways('Next', 'Pier')}", "Next Pier"),
        (f"<p>{ways('1', '2')} <a href=#3>3</a>", "1 2 3"),
        (f"<p>{ways('1', '2', '3', '4', '5')}", "1 2 3 4 5"),
        (f"<p>{ways('1', '2', '3', '4', 'tea', 'cups')}", "1 2 3 4 tea cups"),
        (f"<p>{ways('1', '3', '5', '6', '8', '10')}", "1 3 5 6 8 10"),
        (f"<p>{ways('1', '2', '3', '4', '5', '5')}", "1 2 3 4 5 5"),
        (f"<p>{ways('1', '2', '3', '4', '5', '1000000000')}", "1 2 3 4 5 1000000000"),
        (f"<p>{ways('۱۳۹۸', '۱۳۹۹', '۱۴۰۰', '۱۴۰۱', '۱۴۰۲', '۱۴۰۳')}", "۱۳۹۸ ۱۳۹۹ ۱۴۰۰ ۱۴۰۱ ۱۴۰۲ ۱۴۰۳"),
        (f"<p>{ways('6', '5', '4', '3', '2', '1')}", "6 5 4 3 2 1"),
        (f"<p>1{ways('1', '2', '3', '4', '5', '6')}", "11 2 3 4 5 6"),
        (f"<p>{ways('1999', '2000', '2001', '2002', '2003', '2004')}", "1999 2000 2001 2002 2003 2004"),
        (f"<p>{ways('1', '2', '3', '4', '5', '6', between=', ')}", "1, 2, 3, 4, 5, 6"),
        (f"<p>Tides of {ways('1', '2', '3', '4', '5', '6')}", "Tides of 1 2 3 4 5 6"),
        (f"<p>{ways('1', '2', '3', '4', '5', '6')} tides", "1 2 3 4 5 6 tides"),
        (f"<p>[{ways('Tea')}]", "[Tea]"),
        (f"<p>[{ways('1')}]", "[1]"),
        (f"<p>[{ways('...')}]", "[...]"),
        (f"<p>{ways('[Up]')}", "[Up]"),
        (f"<p>See {ways('Pier', 'Pots', between=' > ')}", "See Pier > Pots"),
        (f"<p>See: {ways('Pier', 'Pots', between=' and ')}", "See: Pier and Pots"),
        (f"<p>See: {ways('Pier')}", "See: Pier"),
        (f"<p>See: {ways('Pier')} of tea", "See: Pier of tea"),
        (
            f"<p>Of the piers of these: {ways('Pier', 'Pots', between=' > ')}",
            "Of the piers of these: Pier > Pots",
        ),
        (f"<p>By: {ways('Ann', 'Bob', between=' / ')}", "By: Ann / Bob"),
        (f"<p>{ways('Ann', 'Bob', between=' → ')}", "Ann → Bob"),
        (f"<p><a href=/home/ann>Ann</a> / {ways('Bob')}", "Ann / Bob"),
        (f"<p><a href=/index.html?of=ann>Ann</a> / {ways('Bob')}", "Ann / Bob"),
        (f"<p><a href=#a>Ann</a> {ROOT} / {ways('Bob')}", "Ann Pier / Bob"),
        (f"<p><a href=#a>Ann</a> / {ROOT}", "Ann / Pier"),
        (f"<p>{ROOT} / {ways('Pots')} and cups", "Pier / Pots and cups"),
        (f"<p>{ways('Pier', 'Pots', between=' &lt; ')}", "Pier < Pots"),
        (f"<p>{ways('Pier', 'Pots', between=' - ')}:", "Pier - Pots:"),
        (f"<p>{ways('Pier', 'Pots', 'Cups', between=' > ').replace(' > ', ' ', 1)}", "Pier Pots > Cups"),
        (f"<p>{ways('Pier')}", "Pier"),
        (f"<p>{ways('Pier')} of tea", "Pier of tea"),
        (f"<p>{ways('More')} >", "More >"),
        (f"<p>{ways('Pier')} > {'Pots ' * 39}", f"Pier > {'Pots ' * 39}".rstrip()),
    ],
)
def test_what_is_no_such_line(line: str, text: str) -> None:
    assert text_of(f"<p>Pier</p>{line}<p>{TEA}</p>") == f"Pier\n{text}\n{TEA}"


def test_a_page_of_such_lines_alone_has_them() -> None:
    assert text_of(f"<p>Next: {NEXT}, Up: {UP}") == "Next: Cups, Up: Pots"

"""Menus and tables of contents are left out of the main text."""

import pytest

from anchormine.web.main_text.menus import INTRODUCTION_CHARACTERS
from tests.web.page_texts import SHORT, links, text_above, text_of

HEADING = "Solar power"


def numbered(*numbers: str, of: str = "/", behind: str = "") -> str:
    """A table of entries with these in cells before them."""
    rows = zip(numbers, links(len(numbers), of=of), strict=True)
    return f"<table>{''.join(f'<tr><td>{number}&nbsp;<td>{link}{behind}' for number, link in rows)}</table>"


def lines_of(*numbers: str, behind: str = "") -> str:
    """What such a table shows."""
    return "\n".join(f"{number}\nEntry {n}{behind}" for n, number in enumerate(numbers))


@pytest.mark.parametrize(
    "menu",
    [
        f"<p>{' | '.join(links(6))}",
        f"<div>{'·'.join(links(6))}</div>",
        f"<p>| {' | '.join(links(3))} |<p>{' / '.join(links(3))}",
        f"<table><tr>{''.join(links(6, '<td>[{}]'))}</table>",
        f"<ul>{''.join(links(6, '<li>{}'))}</ul>",
        f"<p>{' | '.join(links(4))}<ul>{''.join(links(2, '<li>» {}'))}</ul>",
        f"<ul>{''.join(links(3, '<li>3.1. {}', '#'))}</ul>",
        f"<ul>{''.join(links(3, '<li>3.01 {}', '#'))}</ul>",
        f"<ul>{''.join(links(3, '<li>{}', '#'))}</ul>",
        numbered("14.1", "14.2", "14.2.1", "14.2.2", "14.3", "15", "15.1"),  # Scribble
        numbered("1.", "1.1.", "1.2.", "2.", "2.1.", "3."),
        numbered("9", "9.1", "1", "1.1", "1.1.1", "2"),
        numbered("1", "2", "3", "1", "1.1", "1.2", "2", "2.1", "3"),
        numbered("1.0", "1.1", "1.2", "2.0", "2.1", "3.0"),
        f"<p>{links(1)[0]}{numbered('14', '14.1', '14.2', '14.3', '14.4')}",
        f"<ul>{''.join(links(3, '<li>{}'))}</ul>{numbered('2.1', '2.2', '2.3')}<p>{' | '.join(links(3))}",
        numbered("1", "2", "3", "4", "5", "6", of="#"),
        # Pages, of which this is one.
        "<table><tr><td>1" + "".join(f"<td><a href=/{n}>{n}</a>" for n in range(2, 9)) + "</table>",
        f"<ul>{''.join(links(3, '<li>{}'))}<li><a href=/2>2</a><li>3{''.join(links(3, '<li>{}'))}</ul>",
        "<p>7<p>".join("".join(f"<p><a href=/{n}>{n}</a>" for n in range(k, k + 3)) for k in (4, 8)),
        # An entry leads to a place of the page itself.
        f"<table><tr>{''.join(links(5, '<td>[{}]'))}<td>[<a href=#next>&gt;</a>]</table>",
        f"<ul>{''.join(links(5, '<li>{}'))}<li><a href=#top>Top</a></ul>",
        f"<p>{' | '.join(links(5))} | <a href=#top>Top</a>",
        f"<p>| {' | '.join(links(5))} | <a href=#top>Top</a> |",
        f"<p>{' | '.join(links(3))} | <a href=#top>To the top of this page</a> / {' / '.join(links(2))}",
        # It opens something on the page.
        f"<ul><li><a href='javascript:open()'>Menu</a>{''.join(links(4, '<li>{}'))}<li><a href>Find</a></ul>",
        f"<p>{' | '.join(links(5))} | <a href=' JavaScript:open()'>Menu</a>",
    ],
)
def test_menus_above_the_first_paragraph_and_contents_are_left_out(menu: str) -> None:
    assert text_above(menu) == SHORT
    assert text_above(f"<h1>{HEADING}</h1>{menu}<h2>Panels</h2>") == f"{HEADING}\nPanels\n{SHORT}"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        # Terms of a text, parted by spaces alone, in one block.
        (f"<p>{' '.join(links(6))}", "Entry 0 Entry 1 Entry 2 Entry 3 Entry 4 Entry 5"),
        (f"<p>{' '.join(links(6))}.", "Entry 0 Entry 1 Entry 2 Entry 3 Entry 4 Entry 5."),
        (f"<p>{' '.join(links(5))} | <a href=/5>x</a>", "Entry 0 Entry 1 Entry 2 Entry 3 Entry 4 | x"),
        (f"<p>By {', '.join(links(6))}", "By Entry 0, Entry 1, Entry 2, Entry 3, Entry 4, Entry 5"),
        (f"<p>{'; '.join(links(6))}", "Entry 0; Entry 1; Entry 2; Entry 3; Entry 4; Entry 5"),
        (f"<p>{'、'.join(links(6))}。", "Entry 0、Entry 1、Entry 2、Entry 3、Entry 4、Entry 5。"),
        (
            "".join(f"<p><a href=/{n}>A title</a> (199{n})." for n in range(6)),
            "\n".join(f"A title (199{n})." for n in range(6)),
        ),
        (f"<p>{', '.join(links(4))} and many others", "Entry 0, Entry 1, Entry 2, Entry 3 and many others"),
        (f"<ul>{''.join(links(3, '<li>{}, p. 3', '#'))}</ul>", "Entry 0, p. 3\nEntry 1, p. 3\nEntry 2, p. 3"),
        (f"<ul>{''.join(links(2, '<li>1.{}', '#'))}</ul>", "1.Entry 0\n1.Entry 1"),
        (f"<ul>{''.join(links(6, '<li>{}'))}<li>Tea</ul>", "Tea"),
        (
            f"<table>{''.join(links(6, '<tr><td>{}<td>2 cups'))}</table>",
            "\n".join(f"Entry {n}\n2 cups" for n in range(6)),
        ),
        # Ranks, times, dates and marks.
        (numbered(*map(str, range(1, 9))), lines_of(*map(str, range(1, 9)))),
        (numbered("1.", "2.", "3.", "4.", "5.", "6."), lines_of("1.", "2.", "3.", "4.", "5.", "6.")),
        (
            numbered("20.15", "21.00", "21.45", "22.15", "22.45", "23.00"),
            lines_of("20.15", "21.00", "21.45", "22.15", "22.45", "23.00"),
        ),
        (numbered("1", "2", "3", "4", "5", "6.5"), lines_of("1", "2", "3", "4", "5", "6.5")),
        (numbered("1", "2", "1", "2", "1", "2"), lines_of("1", "2", "1", "2", "1", "2")),
        (
            numbered("20.00", "21.00", "22.00", "23.00", "24.00", "25.00"),
            lines_of("20.00", "21.00", "22.00", "23.00", "24.00", "25.00"),
        ),
        (numbered("1", "1.2", "1.3", "1.4", "1.5", "2"), lines_of("1", "1.2", "1.3", "1.4", "1.5", "2")),
        (
            numbered("7.1", "7.1", "7.1", "7.1", "7.1", "7.1"),
            lines_of("7.1", "7.1", "7.1", "7.1", "7.1", "7.1"),
        ),
        # Of these the last has its entry, before a menu.
        (f"{numbered('1', '2')}<ul>{''.join(links(6, '<li>{}'))}</ul>", lines_of("1", "2")),
        (
            numbered("2.1", "2.2", "2.3", "2.4", "2.5", "2.4"),
            lines_of("2.1", "2.2", "2.3", "2.4", "2.5", "2.4"),
        ),
        (
            f"<table>{''.join(links(20, '<tr><td>{}<td>7.1'))}</table>",
            "\n".join(f"Entry {n}\n7.1" for n in range(20)),
        ),
        (
            numbered("1", "1.1", "1.2", "1.3", "2", "2.1", behind="<td>3 cups"),
            lines_of("1", "1.1", "1.2", "1.3", "2", "2.1", behind="\n3 cups"),
        ),
        (f"<table>{''.join(links(6, '<tr><td>{}'))}<tr><td>7.1</table>", "7.1"),
        # What is counted beside a menu is none of it.
        (f"<div>0</div><ul>{''.join(links(8, '<li>{}'))}</ul>", "0"),
        (f"<p>{' | '.join(links(6))}<p>12{''.join(links(7, '<li>{}'))}", "12"),
        # Images alone are no text, however many.
        ("<p><a href=/1><img alt=Home></a> <a href=/2><img alt=Up></a><a href=/3><img alt=On></a>", ""),
        ("<p><a href=/1><img alt=Home></a> <a href=/2><img alt=Up></a>!", "Home Up!"),
    ],
)  # fmt: skip
def test_what_is_no_menu(body: str, text: str) -> None:
    lines = f"{text}\n{SHORT}" if text else SHORT
    assert text_above(body) == lines
    assert text_above(f"<h1>{HEADING}</h1>{body}") == f"{HEADING}\n{lines}"


@pytest.mark.parametrize("colon", [":", "："])
@pytest.mark.parametrize(
    "menu", [f"<ul>{''.join(links(6, '<li>{}'))}</ul>", f"<p>{' | '.join(links(6))}"], ids=["list", "line"]
)
def test_a_list_that_a_sentence_introduces_is_no_menu(menu: str, colon: str) -> None:
    told = "The following pages are there" + colon
    assert len(told) == INTRODUCTION_CHARACTERS
    listed = text_of(f"<h1>{HEADING}</h1>{menu}").removeprefix(f"{HEADING}\n")
    assert listed.count("Entry") == 6
    assert text_above(f"<p>{told}{menu}") == f"{told}\n{listed}\n{SHORT}"
    title = told[1:]  # it is too short for a sentence
    assert text_above(f"<p>{title}{menu}") == f"{title}\n{SHORT}"
    assert text_above(f"<p>{told[:-1]}{menu}") == f"{told[:-1]}\n{SHORT}"
    assert text_above(f"<p>{told}<p>Tea{menu}") == f"{told}\nTea\n{SHORT}"
    parts = ("1", "1.1", "1.2", "2", "2.1", "2.2")
    assert text_above(f"<p>{told}{numbered(*parts)}") == f"{told}\n{lines_of(*parts)}\n{SHORT}"
    assert text_above(f"<p>{title}{numbered(*parts)}") == f"{title}\n{SHORT}"


def test_nine_tenths_of_an_entry_are_links() -> None:
    def shown(item: str) -> str:
        return text_of(f"<h1>{HEADING}</h1><ul>{6 * item}</ul><p>{SHORT}")

    assert shown("<li><a href=/1>Black tea and cups</a> 3") == f"{HEADING}\n{SHORT}"
    assert shown("<li><a href=/1>Green tea or cups</a>, 3") == (
        f"{HEADING}\n" + 6 * "Green tea or cups, 3\n" + SHORT
    )
    # In tables of contents, too, but for the numbers of sections.
    assert text_of(f"<p>{SHORT}{6 * '<li>2.1. <a href=#1>Black tea and cups</a> 3'}") == SHORT
    assert text_of(f"<p>{SHORT}{6 * '<li>2.1. <a href=#1>Green tea or cups</a>, 3'}") == (
        SHORT + 6 * "\n2.1. Green tea or cups, 3"
    )
    assert text_of(f"<p>{SHORT}{6 * '<li><a href=#1>Black tea and cups</a> 3'}") == SHORT
    assert text_of(f"<p>{SHORT}{6 * '<li><a href=#1>Green tea or cups</a>, 3'}") == (
        SHORT + 6 * "\nGreen tea or cups, 3"
    )


@pytest.mark.parametrize(
    ("body", "text", "at_the_top"),
    [
        (f"<p>{' | '.join(links(5))}", "Entry 0 | Entry 1 | Entry 2 | Entry 3 | Entry 4", ""),
        (f"<p>{' | '.join(links(2))}", "Entry 0 | Entry 1", ""),
        (f"<p>{''.join(links(2, '<p>{}'))}", "Entry 0\nEntry 1", ""),
        (f"<ul>{''.join(links(5, '<li>{}'))}</ul>", "Entry 0\nEntry 1\nEntry 2\nEntry 3\nEntry 4", ""),
        (
            f"<p>{'</p><p>'.join(links(5))}</p><p><a href=#top>To the top of this page</a> or not",
            "Entry 0\nEntry 1\nEntry 2\nEntry 3\nEntry 4\nTo the top of this page or not",
            "To the top of this page or not",
        ),
        # An entry of an index is no link.
        (
            f"<ul>{''.join(links(3, '<li>{}'))}<li>Tea{''.join(links(3, '<li>{}'))}</ul>",
            "Entry 0\nEntry 1\nEntry 2\nTea\nEntry 0\nEntry 1\nEntry 2",
            "Tea\nEntry 0\nEntry 1\nEntry 2",
        ),
        (
            f"{''.join(links(3, '<p>{}'))}<h2>Tea</h2>{''.join(links(2, '<p>{}'))}",
            "Entry 0\nEntry 1\nEntry 2\nTea\nEntry 0\nEntry 1",
            "Tea\nEntry 0\nEntry 1",
        ),
        # As few entries after a number are none.
        ("<p>2<p><a href=/1>Tea</a><p><a href=/2>Pots</a>", "2\nTea\nPots", "2\nTea\nPots"),
        (
            "<p><a href=/1>Tea</a><p><a href=/2>Pots</a><p>2<p><a href=/3>Cups</a>",
            "Tea\nPots\n2\nCups",
            "2\nCups",
        ),
        ("<p>2<p><a href=#top>Skip to the text</a>", "2\nSkip to the text", ""),
        # One link may be a title, unless it leads nowhere else.
        ("<p><a href=/0>Entry 0</a>", "Entry 0", "Entry 0"),
        ("<p>» <a href=#top>Skip to the text</a>", "» Skip to the text", ""),
        ("<h2><a href=/0>Entry 0</a></h2><p><a href=/1>Tea</a>", "Entry 0\nTea", "Entry 0\nTea"),
        ("<h2><a href=#0>Entry 0</a></h2>", "Entry 0", "Entry 0"),
        (f"{''.join(links(2, '<p>{}'))}<h2><a href=/2>Tea</a></h2>", "Entry 0\nEntry 1\nTea", "Tea"),
    ],
)
def test_a_page_begins_with_smaller_menus(body: str, text: str, at_the_top: str) -> None:
    assert text_above(f"<h1>{HEADING}</h1>{body}") == f"{HEADING}\n{text}\n{SHORT}"
    assert text_above(body) == (f"{at_the_top}\n{SHORT}" if at_the_top else SHORT)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (f"<p>{' | '.join(links(6))}<p>Tea", "Tea"),
        (f"<p>{' | '.join(links(3))}<p>{links(1)[0]}<p>{' · '.join(links(3))}<p>Tea", "Tea"),
        # A list of links, if not the letters above it.
        (f"<p>{' | '.join(links(6))}<ul>{''.join(links(2, '<li>{}'))}</ul>", "Entry 0\nEntry 1"),
        (f"<ul>{''.join(links(6, '<li>{}'))}</ul>", "\n".join(f"Entry {n}" for n in range(6))),
        (f"<p>{' | '.join(links(5))}<p>Tea", "Entry 0 | Entry 1 | Entry 2 | Entry 3 | Entry 4\nTea"),
        (f"<p>Tea<p>{' | '.join(links(6))}", f"Tea\n{' | '.join(f'Entry {n}' for n in range(6))}"),
        # Nothing else is there.
        (f"<p>{' | '.join(links(6))}", " | ".join(f"Entry {n}" for n in range(6))),
        ("<p><a href=#top>Skip to the text</a><p>Tea", "Skip to the text\nTea"),
    ],
)
def test_menus_of_a_page_without_a_paragraph(body: str, text: str) -> None:
    assert text_of(body) == text


def test_menus_below_the_first_paragraph_stay() -> None:
    menu = " | ".join(links(6))
    assert text_above(f"<p>{SHORT}<p>{menu}") == (
        f"{SHORT}\nEntry 0 | Entry 1 | Entry 2 | Entry 3 | Entry 4 | Entry 5\n{SHORT}"
    )


TABLE = f"<ul>{''.join(links(3, '<li>{}', '#'))}</ul>"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        # As MediaWiki has it, and in another language.
        (
            f"<h1>Sun</h1><p>{SHORT}<div id=toc><h2>Contents</h2>{TABLE}</div><h2>Tea</h2>",
            f"Sun\n{SHORT}\nTea\n{SHORT}",
        ),
        (f"<h1>Sun</h1><div><div><h2>目次</h2></div>{TABLE}</div><h2>Tea</h2>", f"Sun\nTea\n{SHORT}"),
        (f"<h1>Sun</h1><h3>On this <b>page</b></h3>{TABLE}<h2>Tea</h2>", f"Sun\nTea\n{SHORT}"),
        # More is under the heading.
        (f"<h1>Sun</h1><h2>Tea</h2>{TABLE}", f"Sun\nTea\n{SHORT}"),
        (f"<h1>Sun</h1><h2>Tea</h2>{TABLE}<h3>Cups</h3>", f"Sun\nTea\nCups\n{SHORT}"),
        (f"<h1>Sun</h1><h2>Tea</h2><p>Cups{TABLE}<h2>Pots</h2>", f"Sun\nTea\nCups\nPots\n{SHORT}"),
        # Its entries lead nowhere: they may be questions, whose answers a script shows.
        (
            f"<h1>Sun</h1>{''.join(f'<h3><a href=javascript:>Which {n}?</a></h3>' for n in range(3))}",
            f"Sun\nWhich 0?\nWhich 1?\nWhich 2?\n{SHORT}",
        ),
        # It is no heading, or the page's own, or a link.
        (f"<h1>Sun</h1><p>Contents{TABLE}<h2>Tea</h2>", f"Sun\nContents\nTea\n{SHORT}"),
        (f"<h1>Sun</h1>{TABLE}<h1>Tea</h1>", f"Sun\nTea\n{SHORT}"),
        (f"<h2>Sun</h2>{TABLE}<h2>Tea</h2>", f"Sun\nTea\n{SHORT}"),
        (f"<h1>Sun</h1><h2><a href=/tea>Tea</a></h2>{TABLE}<h2>Pots</h2>", f"Sun\nTea\nPots\n{SHORT}"),
        # The table is too short.
        (
            f"<h1>Sun</h1><h2>Contents</h2><ul>{''.join(links(2, '<li>{}', '#'))}</ul><h2>Tea</h2>",
            f"Sun\nContents\nEntry 0\nEntry 1\nTea\n{SHORT}",
        ),
    ],
)
def test_titles_of_tables_of_contents(body: str, text: str) -> None:
    assert text_above(body) == text


def test_a_table_of_contents_at_the_end() -> None:
    assert text_of(f"<h1>Sun</h1><p>Tea<h2>Contents</h2>{TABLE}") == "Sun\nTea"


def test_entries_that_lead_nowhere_say_nothing_of_the_paragraphs_behind_them() -> None:
    entry = "<li><a href='javascript:show()'>Show the part of the manual that is about tea and cups</a>"
    body = f"<ul>{entry * 2}</ul><p>{SHORT}<p>{SHORT}<ul>{''.join(links(2, '<li>{}'))}</ul>"
    assert text_of(body) == f"{SHORT}\n{SHORT}"

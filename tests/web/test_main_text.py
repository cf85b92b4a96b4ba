"""The main text of a page and its lead: what forms, menus and tables of contents leave of it."""

import pytest

from anchormine.text.sentences import sentence_model
from anchormine.web.page.block_links import PARAGRAPH_CHARACTERS
from anchormine.web.page.html_page import read_html
from anchormine.web.page.main_parts import FORM_CHARACTERS
from anchormine.web.page.main_text import LEAD_CHARACTERS, lead_of

HEADING = "Solar power"
MENU = "\n".join(["Home", "News", "About us"] * 50)
LONG = "It is " + "very " * LEAD_CHARACTERS + "long."
SHORT = "A paragraph of a hundred characters or so, which is about as long as a sentence of a page."


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("", ""),
        (HEADING, HEADING),
        (LONG, LONG),
        (f"{LONG}\n{SHORT}", LONG),
        (f"{SHORT}\n{LONG}", SHORT),
        (f"{LONG[:299]}\n{LONG[:300]}\n{SHORT}", f"{LONG[:299]}\n{LONG[:300]}"),
        (f"{LONG[:300]}\n{LONG[:300]}\n{SHORT}", LONG[:300]),
        (f"{HEADING}\n{SHORT}\n{LONG}", f"{HEADING}\n{SHORT}"),
        (f"{HEADING}\n{LONG}\n{SHORT}", f"{HEADING}\n{LONG}"),
        (f"Home > Energy\n{HEADING}\n{LONG}\n{SHORT}", f"Home > Energy\n{HEADING}\n{LONG}"),
        (f"{MENU[:569]}\n{LONG}\n{SHORT}", f"{MENU[:569]}\n{LONG}"),
        (f"{MENU}\n{LONG}", MENU[: MENU.rfind("\n", 0, LEAD_CHARACTERS + 1)]),
    ],
)
def test_lead(text: str, lead: str) -> None:
    """It holds the first paragraph, if nothing but headings and the like that fit are before it."""
    assert lead_of(text) == lead


def links(count: int, form: str = "{}", of: str = "/") -> list[str]:
    return [form.format(f"<a href={of}{n}>Entry {n}</a>") for n in range(count)]


def text_of(body: str) -> str:
    return shown_by(f"{body}<p>{SHORT}</p>")


def shown_by(body: str) -> str:
    return read_html(f"<body>{body}", "http://pier.example/", lambda _: sentence_model("en")).text


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
        f"<ul>{''.join(links(3, '<li>{}', '#'))}</ul>",
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
    assert text_of(menu) == SHORT
    assert text_of(f"<h1>{HEADING}</h1>{menu}<h2>Panels</h2>") == f"{HEADING}\nPanels\n{SHORT}"


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
        # Images alone are no text, however many.
        ("<p><a href=/1><img alt=Home></a> <a href=/2><img alt=Up></a><a href=/3><img alt=On></a>", ""),
        ("<p><a href=/1><img alt=Home></a> <a href=/2><img alt=Up></a>!", "Home Up!"),
    ],
)  # fmt: skip
def test_what_is_no_menu(body: str, text: str) -> None:
    lines = f"{text}\n{SHORT}" if text else SHORT
    assert text_of(body) == lines
    assert text_of(f"<h1>{HEADING}</h1>{body}") == f"{HEADING}\n{lines}"


def test_nine_tenths_of_an_entry_are_links() -> None:
    def shown(item: str) -> str:
        return shown_by(f"<h1>{HEADING}</h1><ul>{6 * item}</ul><p>{SHORT}")

    assert shown("<li><a href=/1>Black tea and cups</a> 3") == f"{HEADING}\n{SHORT}"
    assert shown("<li><a href=/1>Green tea or cups</a>, 3") == (
        f"{HEADING}\n" + 6 * "Green tea or cups, 3\n" + SHORT
    )
    # In tables of contents, too, but for the numbers of sections.
    assert shown_by(f"<p>{SHORT}{6 * '<li>2.1. <a href=#1>Black tea and cups</a> 3'}") == SHORT
    assert shown_by(f"<p>{SHORT}{6 * '<li>2.1. <a href=#1>Green tea or cups</a>, 3'}") == (
        SHORT + 6 * "\n2.1. Green tea or cups, 3"
    )
    assert shown_by(f"<p>{SHORT}{6 * '<li><a href=#1>Black tea and cups</a> 3'}") == SHORT
    assert shown_by(f"<p>{SHORT}{6 * '<li><a href=#1>Green tea or cups</a>, 3'}") == (
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
        # One link may be a title, unless it leads nowhere else.
        ("<p><a href=/0>Entry 0</a>", "Entry 0", "Entry 0"),
        ("<p>» <a href=#top>Skip to the text</a>", "» Skip to the text", ""),
        ("<h2><a href=/0>Entry 0</a></h2><p><a href=/1>Tea</a>", "Entry 0\nTea", "Entry 0\nTea"),
        ("<h2><a href=#0>Entry 0</a></h2>", "Entry 0", "Entry 0"),
        (f"{''.join(links(2, '<p>{}'))}<h2><a href=/2>Tea</a></h2>", "Entry 0\nEntry 1\nTea", "Tea"),
    ],
)
def test_a_page_begins_with_smaller_menus(body: str, text: str, at_the_top: str) -> None:
    assert text_of(f"<h1>{HEADING}</h1>{body}") == f"{HEADING}\n{text}\n{SHORT}"
    assert text_of(body) == (f"{at_the_top}\n{SHORT}" if at_the_top else SHORT)


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
    assert shown_by(body) == text


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
    assert text_of(body) == text


def test_a_table_of_contents_at_the_end() -> None:
    assert shown_by(f"<h1>Sun</h1><p>Tea<h2>Contents</h2>{TABLE}") == "Sun\nTea"


@pytest.mark.parametrize(
    ("below", "left"),
    [
        (f"<p>{links(1)[0]}", ""),
        (f"<p>{' | '.join(links(2))}", ""),
        (f"<h2>More</h2><h3>To read</h3><ul>{''.join(links(3, '<li>{}'))}</ul>", ""),
        (f"<h2><a href=/tea>Tea</a></h2><p>{links(1)[0]}", ""),
        (f"<p>Tea</p>{''.join(links(2, '<p>{}'))}<p>Cups", "\nTea\nCups"),
        # Lists and tables go as a whole, or stay.
        (f"<ul>{links(1, '<li>{}')[0]}<li>Cups</ul><p>{links(1)[0]}", "\nEntry 0\nCups"),
        (f"<table><tr>{links(1, '<td>{}')[0]}<td>1992</table>", "\nEntry 0\n1992"),
        (f"<ul>{links(1, '<li>{}')[0]}</ul><h2>Tea</h2><ul><li>Cups</ul>", "\nTea\nCups"),
        # A heading belongs to what is under it.
        (f"<h2>Tea</h2>{links(1)[0]}<h2>Pots</h2><p>Cups", "\nPots\nCups"),
        (f"<h2>Tea</h2>{links(1)[0]}<h3>Pots</h3><p>Cups", "\nTea\nPots\nCups"),
        (f"<h2>Tea</h2>{links(1)[0]}<p>Cups", "\nTea\nCups"),
        (f"<h2>Tea</h2><h3>Pots</h3><p>{links(1)[0]}<h3>Cups</h3><p>{links(1)[0]}", ""),
        ("<h2>Tea</h2><h3>Pots</h3>", "\nTea\nPots"),
        ("<h2><a href=/tea>Tea</a></h2><p>By me<h2><a href=/pots>Pots</a></h2>", "\nTea\nBy me"),
        ("<h2>Tea</h2>", "\nTea"),
        (f"<h2>Tea</h2><p>By {links(1)[0]}", "\nTea\nBy Entry 0"),
        (f"<p>{' '.join(links(2))}, and others", "\nEntry 0 Entry 1, and others"),
        # Where they are more than two fifths of the text they may be what the page is there for.
        (f"<ul>{''.join(links(8, '<li>{}'))}</ul>", ""),
        (f"<ul>{''.join(links(9, '<li>{}'))}</ul>", "".join(f"\nEntry {n}" for n in range(9))),
    ],
)
def test_links_below_the_last_paragraph_are_left_out(below: str, left: str) -> None:
    assert shown_by(f"<p>{SHORT}</p>{below}") == f"{SHORT}{left}"
    # They stay where a paragraph follows.
    assert text_of(f"<h1>Sun</h1><p>{SHORT}</p>{below}") == f"Sun\n{SHORT}\n{shown_by(below)}\n{SHORT}"


def teasers(count: int, characters: int, heading: str = "<a href=/{0}>Title {0}</a>") -> str:
    """Headings with two blocks each under them, of so many characters in all."""
    lines = f"<p>Today<p>{'x' * (characters - len('Today'))}"
    return "".join(f"<h3>{heading.format(number)}</h3>{lines}" for number in range(count))


@pytest.mark.parametrize(
    ("below", "left"),
    [
        (teasers(2, 100), ""),
        (f"<h2>More</h2>{teasers(3, 400)}", ""),
        (f"<h2>More</h2><ul><li>{teasers(3, 400)}</ul>", ""),
        (f"<p>Tea{teasers(2, 100)}<h2>Cups</h2><p>Pots", "\nTea\nCups\nPots"),
        # The last goes on to the end of the page.
        (f"{teasers(2, 100)}<h3><a href=/end>End</a></h3>{'<p>Cups' * 101}", "\nEnd" + "\nCups" * 101),
        # One alone, one of its level that is longer, and places of the page itself.
        (teasers(1, 100), "\nTitle 0\nToday\n" + "x" * 95),
        (teasers(1, 400) + teasers(1, 401), f"\nTitle 0\nToday\n{'x' * 395}\nTitle 0\nToday\n{'x' * 396}"),
        (
            teasers(1, 401) + teasers(2, 9),
            f"\nTitle 0\nToday\n{'x' * 396}\nTitle 0\nToday\nxxxx\nTitle 1\nToday\nxxxx",
        ),
        (
            teasers(2, 100, "<a href=#{0}>Title {0}</a>"),
            f"\nTitle 0\nToday\n{'x' * 95}\nTitle 1\nToday\n{'x' * 95}",
        ),
        (
            teasers(2, 100, "<a href=/{0}>Title {0}</a> by me"),
            f"\nTitle 0 by me\nToday\n{'x' * 95}\nTitle 1 by me\nToday\n{'x' * 95}",
        ),
    ],
)
def test_teasers_below_the_last_paragraph_are_left_out(below: str, left: str) -> None:
    text = "y" * 4000
    assert shown_by(f"<p>{text}</p>{below}") == f"{text}{left}"
    # They stay where a paragraph follows that is none of theirs, and where the page is there for them.
    assert shown_by(f"<p>{text}</p>{below}<h2>End</h2><p>{text}") == f"{text}\n{shown_by(below)}\nEnd\n{text}"
    assert shown_by(f"<p>{SHORT}</p>{teasers(2, 100)}").count("Title") == 2


def test_a_longer_section_says_nothing_of_teasers_of_another_level() -> None:
    longer = teasers(1, 401).replace("h3", "h2")
    assert shown_by(longer + teasers(2, 9)) == f"Title 0\nToday\n{'x' * 396}"


def test_menus_below_the_first_paragraph_stay() -> None:
    menu = " | ".join(links(6))
    assert text_of(f"<p>{SHORT}<p>{menu}") == (
        f"{SHORT}\nEntry 0 | Entry 1 | Entry 2 | Entry 3 | Entry 4 | Entry 5\n{SHORT}"
    )


def rows(length: int) -> str:
    """Rows of a form of so many characters, none of which is a paragraph."""
    return "".join(f"<p>{'x' * min(50, length - start)}" for start in range(0, length, 50))


@pytest.mark.parametrize(
    "form",
    [
        "<form>Search: <input name=q> <a href=/advanced>Advanced search</a></form>",
        "<form><table><tr><td>Name<td><input><tr><td>Password<td><input type=password></table></form>",
        "<form><ul><li>Tea<li>Coffee</ul></form><search>Find <input></search>",
        "<div role=Search>Find <input></div>",
        f"<form>{rows(89)}</form>",
        f"<form>{'x' * (PARAGRAPH_CHARACTERS - 1)}</form>",
    ],
)
def test_forms_are_left_out(form: str) -> None:
    for body in (form, f"<p>{SHORT}</p>{form}", f"<p>{SHORT}</p><div>{form}</div><ul><li>Tea</ul>"):
        assert text_of(body) == text_of(body.replace(form, ""))
    # A menu that only a form stands before is what the page begins with.
    assert text_of(f"{form}{''.join(links(2, '<p>{}'))}") == SHORT


@pytest.mark.parametrize(
    "form",
    [
        "<form><h2>Tea</h2>Which? <input></form>",
        f"<form><p>{'x' * PARAGRAPH_CHARACTERS}<p>Tea <input></form>",
        f"<form>{rows(FORM_CHARACTERS + 1)}</form>",
        f"<form>{rows(200)}</form><form>{rows(FORM_CHARACTERS + 1 - 200)}</form>",
        "<div role=form>Tea</div>",
    ],
)
def test_forms_that_stay(form: str) -> None:
    lines = text_of(form.replace("form", "div"))
    assert lines.endswith(f"\n{SHORT}")
    assert text_of(form) == lines
    assert text_of(f"<p>{SHORT}{form}") == f"{SHORT}\n{lines}"


def test_a_form_up_to_its_length_is_left_out() -> None:
    assert text_of(f"<p>{LONG}<form>{rows(FORM_CHARACTERS)}</form>") == f"{LONG}\n{SHORT}"


def test_forms_stay_where_they_have_most_of_a_page() -> None:
    assert shown_by("<form><p>Green tea<p>Black tea</form>Tea is free.") == (
        "Green tea\nBlack tea\nTea is free."
    )
    assert shown_by("<form><p>Green tea</form><p>Tea is here.") == "Tea is here."
    assert shown_by("<form><p>Green tea</form>") == "Green tea"

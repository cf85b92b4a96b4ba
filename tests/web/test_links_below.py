"""Links and teasers below the last paragraph are left out of the main text."""

import pytest

from tests.web.page_texts import SHORT, links, text_above, text_of


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
    assert text_of(f"<p>{SHORT}</p>{below}") == f"{SHORT}{left}"
    # They stay where a paragraph follows.
    assert text_above(f"<h1>Sun</h1><p>{SHORT}</p>{below}") == f"Sun\n{SHORT}\n{text_of(below)}\n{SHORT}"


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
    assert text_of(f"<p>{text}</p>{below}") == f"{text}{left}"
    # They stay where a paragraph follows that is none of theirs, and where the page is there for them.
    assert text_of(f"<p>{text}</p>{below}<h2>End</h2><p>{text}") == f"{text}\n{text_of(below)}\nEnd\n{text}"
    assert text_of(f"<p>{SHORT}</p>{teasers(2, 100)}").count("Title") == 2


def test_a_longer_section_says_nothing_of_teasers_of_another_level() -> None:
    longer = teasers(1, 401).replace("h3", "h2")
    assert text_of(longer + teasers(2, 9)) == f"Title 0\nToday\n{'x' * 396}"

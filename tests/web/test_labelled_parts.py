"""What sites put around a text under labels of their own is left out of the main text."""

import pytest

from tests.web.page_texts import CUPS, NOTE, SHORT, TEA, links, text_of

TEXT = f"<h1>Tea</h1><p>{SHORT}</p><p>{TEA}</p>{f'<p>{CUPS}</p>' * 4}"
SAID = f"Tea\n{SHORT}\n{TEA}" + f"\n{CUPS}" * 4
TEASER = f"<p><a href=/pots>Pots</a></p><p>The Pier, Monday</p><p>{NOTE}</p>"


@pytest.mark.parametrize(
    "below",
    [
        # A title goes with all behind it, paragraphs too that stand below lines of their own.
        f"<h2>Related articles</h2>{TEASER}",
        f"<p>Das könnte Sie auch interessieren:</p>{TEASER}",
        f"<div>More on this topic</div>{TEASER}<h2>The Pier</h2><p>All of the shop",
        f"<p>3 comments</p><p>No comments yet</p>{TEASER}",
        # Words that may be titles, and lines that may stand anywhere, go with what is no paragraph.
        "<h2>Tags</h2><p>tea, cups</p>",
        "<p>Tags: tea, cups</p>",
        "<p>Filed under Tea</p><p>The Pier</p>",
        "<p>Advertisement</p><p>The Pier</p>",
        # Other labels, and links, may stand between.
        f"<p>Share this</p><p>Follow us</p>{''.join(links(2, '<p>{}'))}<p>Latest news</p><p>Pots",
    ],
)
def test_what_stands_below_a_text(below: str) -> None:
    assert text_of(TEXT + below) == SAID


@pytest.mark.parametrize(
    "line",
    [
        "<p>Advertisement</p>",
        "<p>Anzeige:</p>",
        "<p>Read also: <a href=/pots>How pots are made</a></p>",
        "<p><a href=/pots>Read also: How pots are made</a></p>",
        f"<p>Lesen Sie auch:</p>{links(1, '<p>{}')[0]}",
    ],
)
def test_lines_within_a_text(line: str) -> None:
    left = "" if "Entry" not in line else "\nEntry 0"
    assert text_of(f"<h1>Tea</h1><p>{SHORT}</p>{line}<p>{TEA}") == f"Tea\n{SHORT}{left}\n{TEA}"


@pytest.mark.parametrize(
    ("below", "left"),
    [
        # The text goes on right below the label, or the links under it.
        (f"<p>Read also:<p><a href=/pots>Pots</a><p>{TEA}", f"\nPots\n{TEA}"),
        (f"<h2>Comments</h2><p>{TEA}", f"\nComments\n{TEA}"),
        (f"<h2>Related topics</h2><p>{TEA}", f"\nRelated topics\n{TEA}"),
        # Words that may be titles stand above a paragraph, in a table, or above much text.
        (f"<h2>Tags</h2><p>Of tea<p>{TEA}", f"\nTags\nOf tea\n{TEA}"),
        ("<table><tr><td>Comments<td>None", "\nComments\nNone"),
        (f"<h2>Tags</h2>{'<p>Of tea' * 9}", "\nTags" + 9 * "\nOf tea"),
        # More than a quarter of the text is behind the label.
        (
            f"<h2>Related articles</h2><p>Of tea<p>{TEA}<p>{CUPS}",
            f"\nRelated articles\nOf tea\n{TEA}\n{CUPS}",
        ),
        # They are no label, or a title of the text.
        ("<p>See also:<p>Pots", "\nSee also:\nPots"),
        ("<h2>Follow us through the day</h2><p>Pots", "\nFollow us through the day\nPots"),
        (
            f"<p>Read also: pots, of which {'more ' * 12}",
            f"\nRead also: pots, of which {'more ' * 12}".rstrip(),
        ),
    ],
)
def test_what_stays(below: str, left: str) -> None:
    assert text_of(f"<p>{SHORT}<p>{CUPS}</p>{below}") == f"{SHORT}\n{CUPS}{left}"


def test_without_a_paragraph_nothing_is_below() -> None:
    assert text_of("<h1>Tea</h1><p>Cups<p>Related articles<p>Pots") == "Tea\nCups\nPots"
    assert text_of("<p>Advertisement") == "Advertisement"

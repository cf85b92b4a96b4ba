"""What sites put around a text under labels of their own is left out of the main text."""

import pytest

from tests.web.page_texts import CUPS, NOTE, SHORT, TEA, links, text_of

TEXT = f"<h1>Tea</h1><p>{SHORT}</p><p>{TEA}</p>{f'<p>{CUPS}</p>' * 4}"
SAID = f"Tea\n{SHORT}\n{TEA}" + f"\n{CUPS}" * 4
LINKS = "".join(links(2, "<p>{}"))
LINKED_ITEMS = "".join(links(9, "<li>{}"))
TEASER = f"<p><a href=/pots>Pots</a></p><p>The Pier, Monday</p><p>{NOTE}</p>"


@pytest.mark.parametrize(
    "below",
    [
        # A title goes with all behind it, paragraphs too that stand below lines of their own.
        f"<h2>Related articles</h2>{TEASER}",
        f"<p>Das könnte Sie auch interessieren:</p>{TEASER}",
        f"<div>More on this topic</div>{TEASER}<h2>The Pier</h2><p>All of the shop",
        f"<p>3 comments</p><p>Leave a comment</p>{TEASER}",
        # Words that may be titles go with what is no paragraph.
        "<h2>Tags</h2><p>tea, cups</p>",
        "<p>Tags: tea, cups</p>",
        "<p>Filed under Tea</p><p>The Pier</p>",
        # So do lines, and titles among others and in lists, with links.
        f"<p>Most popular</p>{LINKS}<p>The Pier</p>",
        f"<h2>Comments</h2>{LINKS}<h3>The Pier</h3>",
        f"<ul><li>Related articles</li>{LINKED_ITEMS}<li>The Pier</ul>",
        # Other labels, and links, may stand between.
        f"<p>Share this</p><p>Follow us</p>{LINKS}<p>Latest news</p><p>Pots",
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
    ],
)
def test_lines_within_a_text(line: str) -> None:
    assert text_of(f"<h1>Tea</h1><p>{SHORT}</p>{line}<p>{TEA}") == f"Tea\n{SHORT}\n{TEA}"
    # Nor do they end it where something else follows.
    assert text_of(f"{TEXT}{line}<h2>Pots</h2><p>1 pot<p>2 cups") == f"{SAID}\nPots\n1 pot\n2 cups"


@pytest.mark.parametrize(
    ("below", "left"),
    [
        # The text goes on right below the label, or the links under it.
        (f"<p>Read also:<p><a href=/pots>Pots</a><p>{TEA}", f"\nPots\n{TEA}"),
        (f"<h2>Comments</h2><p>{TEA}", f"\nComments\n{TEA}"),
        (f"<h2>Related topics</h2><p>{TEA}", f"\nRelated topics\n{TEA}"),
        # They stand in a list or table, and what is there is no link.
        (
            "<table><tr><td>Editor's choice<td>Pot A<tr><td>Best cup<td>Cup B",
            "\nEditor's choice\nPot A\nBest cup\nCup B",
        ),
        ("<ul><li>Drucken<li>Kopieren</ul>", "\nDrucken\nKopieren"),
        ("<ul><li>Anzeige: LCD<li>Gewicht: 9 g</ul>", "\nAnzeige: LCD\nGewicht: 9 g"),
        # What may be in a text stands above a paragraph, above much text, or several times.
        (f"<h2>Tags</h2><p>Of tea<p>{TEA}", f"\nTags\nOf tea\n{TEA}"),
        (f"<h2>Tags</h2>{'<p>Of tea' * 9}", "\nTags" + 9 * "\nOf tea"),
        ("<p>Pots<p>Share<p>Cups<p>Share", "\nPots\nShare\nCups"),
        ("<p>Categories: hot<p>Servings: 4", "\nCategories: hot\nServings: 4"),
        # It is the title of a section above others.
        ("<h2>Comments</h2><pre># so</pre><h2>Tags of git</h2><p>v1", "\nComments\n# so\nTags of git\nv1"),
        ("<h2>Related topics</h2><p>Pots<h2>Ports</h2><p>80", "\nRelated topics\nPots\nPorts\n80"),
        # More than a quarter of the text is behind the label.
        (f"<p>Related articles<p>Of tea<p>{TEA * 4}", f"\nOf tea\n{TEA * 4}"),
        # They are no label, or a title of the text.
        ("<p>See also:<p>Pots", "\nSee also:\nPots"),
        ("<h2>Follow us through the day</h2><p>Pots", "\nFollow us through the day\nPots"),
        (f"<p>Read also: pots, {'more ' * 13}of tea", f"\nRead also: pots, {'more ' * 13}of tea"),
    ],
)
def test_what_stays(below: str, left: str) -> None:
    assert text_of(f"{TEXT}{below}") == f"{SAID}{left}"


def test_without_a_paragraph_nothing_is_below() -> None:
    assert text_of("<h1>Tea</h1><p>Cups<p>Related articles<p>Pots") == "Tea\nCups\nPots"
    assert text_of("<p>Advertisement") == "Advertisement"

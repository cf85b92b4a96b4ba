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
        # It is a link, or as high as the page's own.
        (f"<h2><a href=/tea>Tea</a></h2>{LEFT_OUT}<h2>Cups</h2><p>{SHORT}", f"\nTea\nCups\n{SHORT}"),
        (f"<h1>Tea</h1>{LEFT_OUT}", "\nTea"),
    ],
)
def test_headings_go_with_their_text(below: str, text: str) -> None:
    assert text_of(ABOVE + below) == f"Piers\n{SHORT}{text}"


def test_a_page_keeps_its_own_title() -> None:
    assert text_of(f"<h2>Piers</h2>{LEFT_OUT}<h2>Tea</h2>{LEFT_OUT}") == "Piers\nTea"


def test_below_a_paragraph_no_title_is_of_the_page() -> None:
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
        ("<ul><li>Share:<li><a href=/a>Post</a><li><a href=/b>Mail</a></ul>", "\nShare:\nPost\nMail"),
        # It may be more than a label, or is one of what stays, or of none.
        (f"<p>A. Baker{LINKS}", "\nA. Baker"),
        ("<p>See also:<p>Old pier", "\nSee also:\nOld pier"),
        ("<p>See also:<nav>Old pier</nav>", "\nSee also:"),
        ("<p>See also:", "\nSee also:"),
        (f"<p><a href=/c>Piers</a> we know:{LINKS}", "\nPiers we know:"),
    ],
)
def test_labels_go_with_their_links(below: str, text: str) -> None:
    assert text_of(f"<h1>Piers</h1><p>{SHORT}{below}") == f"Piers\n{SHORT}{text}"


def test_labels_above_a_paragraph_stay() -> None:
    text = f"<h1>Piers</h1><p>{SHORT}<p>See also:{LINKS}<p>{SHORT}"
    assert text_of(text) == f"Piers\n{SHORT}\nSee also:\nOld pier\nNew pier\n{SHORT}"

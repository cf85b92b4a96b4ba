"""Headings whose text is left out of the main text, and those that stay without any."""

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

"""The lead of a page's main text."""

import pytest

from anchormine.web.main_text import LEAD_CHARACTERS, lead_of

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

"""The lead of a main text, and what forms leave of it."""

import pytest

from anchormine.web.main_text.main_parts import FORM_CHARACTERS
from anchormine.web.main_text.main_text import LEAD_CHARACTERS, lead_of
from anchormine.web.page.block_links import PARAGRAPH_CHARACTERS
from tests.web.page_texts import SHORT, links, text_above, text_of

HEADING = "Solar power"
MENU = "\n".join(["Home", "News", "About us"] * 50)
LONG = "It is " + "very " * LEAD_CHARACTERS + "long."


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
        assert text_above(body) == text_above(body.replace(form, ""))
    # A menu that only a form stands before is what the page begins with.
    assert text_above(f"{form}{''.join(links(2, '<p>{}'))}") == SHORT


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
    lines = text_above(form.replace("form", "div"))
    assert lines.endswith(f"\n{SHORT}")
    assert text_above(form) == lines
    assert text_above(f"<p>{SHORT}{form}") == f"{SHORT}\n{lines}"


def test_a_form_up_to_its_length_is_left_out() -> None:
    assert text_above(f"<p>{LONG}<form>{rows(FORM_CHARACTERS)}</form>") == f"{LONG}\n{SHORT}"


def test_forms_stay_where_they_have_most_of_a_page() -> None:
    assert text_of("<form><p>Green tea<p>Black tea</form>Tea is free.") == (
        "Green tea\nBlack tea\nTea is free."
    )
    assert text_of("<form><p>Green tea</form><p>Tea is here.") == "Tea is here."
    assert text_of("<form><p>Green tea</form>") == "Green tea"

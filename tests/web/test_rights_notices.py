"""Notices of rights below the last paragraph are left out of the main text."""

import pytest

from tests.web.page_texts import SHORT, links, text_of

RIGHTS = "All rights reserved. What is here may be copied by nobody without being asked, be it whole or not."


@pytest.mark.parametrize(
    "notice",
    [
        "© 2014 The Pier",
        "&copy; The Pier, 1994-2020",
        "2021 © The Pier | <a href=/legal>Legal notice</a>",
        "(c) 2014 The Pier",
        "Copyright 2023 The Pier",
        "COPYRIGHT © 2023, the pier",
        f"The Pier. {RIGHTS}",
        "版权所有：码头新闻网",
        f"© 2014 The Pier. {'x' * 283}",
    ],
)
def test_notices_below_the_last_paragraph(notice: str) -> None:
    menu = "".join(links(3, "<p>{}"))
    assert text_of(f"<h1>Tea</h1><p>{SHORT}</p><p>{notice}") == f"Tea\n{SHORT}"
    # They are no paragraphs to which links above them would belong.
    assert text_of(f"<h1>Tea</h1><p>{SHORT}</p>{menu}<p>{notice}<p>{notice}") == f"Tea\n{SHORT}"
    assert text_of(f"<p>{SHORT}</p><p>Cups</p><p>{notice}<p>Pots") == f"{SHORT}\nCups\nPots"


@pytest.mark.parametrize(
    ("below", "left"),
    [
        # Credits and what is said about rights are of the page.
        ("<p>© The Pier", "\n© The Pier"),
        ("<p>On copyright in 1994", "\nOn copyright in 1994"),
        ("<p>Point (c) of the law", "\nPoint (c) of the law"),
        ("<h2>Copyright 2023</h2>", "\nCopyright 2023"),
        (f"<p>© 2014 The Pier. {'x' * 284}", f"\n© 2014 The Pier. {'x' * 284}"),
        (f"<p>© 2014 The Pier<p>{SHORT}", f"\n© 2014 The Pier\n{SHORT}"),
    ],
)
def test_what_stays(below: str, left: str) -> None:
    assert text_of(f"<p>{SHORT}</p>{below}") == f"{SHORT}{left}"


def test_notices_stay_where_there_is_no_other_paragraph() -> None:
    notice = f"© 2014 The Pier. {RIGHTS}"
    assert text_of(f"<p>Tea<p>{notice}") == f"Tea\n{notice}"
    assert text_of(f"<p>{notice}") == notice

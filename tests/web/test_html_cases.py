"""HTML by cases: text, sentences, links with their places, what becomes of every other link, facts."""

from __future__ import annotations

import pytest

from tests.web.case_files import Case, described, link_count, read_case, read_cases
from tests.web.memories import forget

ALL = list(read_cases())


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in ALL])
def test_case(case: Case) -> None:
    forget()
    page = read_case(case.html)
    assert described(page) == case.expected
    assert read_case(case.html) == page  # what is remembered of it changes nothing
    for anchor in page.anchors:
        assert page.sentences[anchor.sentence].text[anchor.start : anchor.end] == anchor.anchor
    for text, start, _ in page.sentences:
        assert start is None or page.text[start : start + len(text)] == text
    assert page.text.startswith(page.lead)
    assert len(page.anchors) + len(page.dropped) == link_count(case.html)


def test_names_are_unique_and_many() -> None:
    assert len({case.name for case in ALL}) == len(ALL) >= 80

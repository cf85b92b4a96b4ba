"""The main text of real wikis' pages is the content that their markup says they have."""

from __future__ import annotations

from statistics import fmean

import pytest

from anchormine.web.html_page import read_html
from tests.bench.content_texts import f1, truth, words
from tests.web.case_files import model_of
from tests.web.real_pages import RealPage, needs_crawls, pages

pytestmark = [pytest.mark.data, needs_crawls]


def measured(page: RealPage) -> tuple[float, float, float]:
    """Precision, recall and F1 of the words of the main text."""
    found = words(read_html(page.html, page.url, model_of, is_watched=True).text)
    right = words(truth(page) or "")
    both = (found & right).total()
    return both / max(1, found.total()), both / max(1, right.total()), f1(found, right)


@pytest.mark.parametrize(
    ("names", "count", "figures"),
    [("contextwiki-*", 90, [0.999, 0.996, 0.997]), ("mtawiki-*", 150, [0.952, 0.995, 0.957])],
)
def test_words_of_the_content(names: str, count: int, figures: list[float]) -> None:
    """Means over every twentieth page; `tests/bench/web_main_text.py` has those of other programs."""
    sample = [page for page in pages(names) if page.status == "200"][::20]
    assert len(sample) == count
    columns = zip(*map(measured, sample), strict=True)
    assert [round(fmean(column), 3) for column in columns] == figures

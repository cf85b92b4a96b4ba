"""Pages that only list pages of the same name: by which of their words they are known."""

from __future__ import annotations

import pytest

from anchormine.wiki.article import read_article
from anchormine.wiki.site import Site


@pytest.mark.parametrize(
    ("title", "mark", "known"),
    [
        ("Mercury", "{{Disambiguation}}", True),
        ("Mercury", "{{ disambig\n|geo}}", True),
        ("Mercury", "__DISAMBIG__", True),
        ("Mercury (disambiguation)", "", True),
        ("Mercury", "[[Category:Disambiguation pages]]", True),
        ("Mercury", "[[Category: Disambiguation_pages |M]]", True),
        ("Mercury", "[[category:disambiguation pages]]", True),
        ("Mercury", "[[:Category:Disambiguation pages]]", False),
        ("Mercury", "[[Category:Planets]] beside all disambiguation pages", False),
        ("Mercury (planet)", "{{Infobox}}", False),
    ],
)
def test_a_disambiguation_page_is_known(title: str, mark: str, known: bool) -> None:
    article = read_article(f"* [[Mercury Records]]\n{mark}", title, Site.of_language("en"))
    assert article.disambiguation is known

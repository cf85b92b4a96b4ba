"""Which texts of the links to a page are kept, and the pairs that they make."""

from __future__ import annotations

from collections import Counter

import pytest

from anchormine.errors import UsageError
from anchormine.schemas.pairs import Pair
from anchormine.tasks.anchor_document import AnchorDocumentOptions, anchor_document_pairs, link_by_text
from anchormine.tasks.documents import Document
from anchormine.tasks.drafts import Refusal
from anchormine.tasks.in_links import InLink, InLinks, Link, LinkText, gather_in_links, merge_in_links
from anchormine.tasks.qdm import anchor_string

PAGES, TEXTS, LINKS = 7, 9, 600


def link(number: int) -> InLink:
    """One of `LINKS` links to `PAGES` pages by `TEXTS` texts, in capitals now and then."""
    text = f"text  {number % TEXTS}" if number % 4 else f"Text {number % TEXTS}"
    return InLink(f"w:1#a{number}", text, f"w:1#s{number}", f"w:{number % PAGES}", anchor_string(text))


ALL = [link(number) for number in range(LINKS)]


@pytest.mark.parametrize("most", [1, 5, TEXTS, 50])
@pytest.mark.parametrize("parts", [1, 2, 13, LINKS])
def test_parts_put_together_are_the_whole(most: int, parts: int) -> None:
    whole = sorted(gather_in_links(ALL, most, 42))
    cut = [part for start in range(parts) for part in gather_in_links(ALL[start::parts], most, 42)]
    assert merge_in_links(cut, most) == whole
    assert merge_in_links(reversed(cut), most) == whole


def test_every_link_is_counted_once() -> None:
    for page_id, texts, beyond in gather_in_links(ALL, 5, 42):
        leading = [one for one in ALL if one.destination == page_id]
        counted = Counter(" ".join(one.anchor.casefold().split()) for one in leading)
        assert {text.string: text.occurrences for text in texts}.items() <= counted.items()
        assert len(texts) == 5
        assert sum(text.occurrences for text in texts) + beyond == len(leading)
        for text in texts:
            (found,) = [one for one in leading if one.anchor_id == text.anchor_id]
            assert (text.anchor, text.sentence_id) == (found.anchor, found.sentence_id)


def test_texts_are_equally_likely_however_often_they_link() -> None:
    links = [
        InLink(f"w:1#a{n}", "", "w:1#s1", "w:2", "often" if n % 20 else f"rare {n // 20}") for n in range(200)
    ]
    kept = Counter(
        text.string for seed in range(400) for page in gather_in_links(links, 1, seed) for text in page.texts
    )
    assert len(kept) == 11
    assert max(kept.values()) < 2 * 400 / 11
    (page,) = gather_in_links([InLink("w:1#a1", "one", "w:1#s1", "w:2", "one")] * 3, 5, 1)
    assert [text.occurrences for text in page.texts] == [3]


def test_every_link_is_equally_likely_to_stand_for_those_of_its_text() -> None:
    links = [InLink(f"w:1#a{n}", "Pier", f"w:1#s{n}", "w:2", "pier") for n in range(10)]

    def chosen(seed: int) -> str:
        (whole,) = gather_in_links(links, 5, seed)
        parts = [part for start in range(3) for part in gather_in_links(links[start::3], 5, seed)]
        assert merge_in_links(parts, 5) == [whole]
        return whole.texts[0].anchor_id.removeprefix("w:1#")

    assert [chosen(seed) for seed in range(42, 48)] == ["a1", "a1", "a0", "a6", "a1", "a3"]
    counts = Counter(map(chosen, range(1_000)))
    assert sorted(counts) == [f"a{n}" for n in range(10)]
    assert 70 < min(counts.values()) <= max(counts.values()) < 130


def test_every_page_draws_for_itself() -> None:
    """Where many have the same texts, they do not keep the same ones."""
    links = [InLink(f"w:1#a{n}", "", "w:1#s1", f"w:{n % 400}", f"text {n // 400}") for n in range(4_400)]
    kept = Counter(text.string for page in gather_in_links(links, 1, 42) for text in page.texts)
    assert (len(kept), kept.total()) == (11, 400)
    assert max(kept.values()) < 2 * 400 / 11


def text(string: str, occurrences: int) -> LinkText:
    return LinkText(1, string, 2, f"w:1#{string}", string.title(), f"w:1#s-{string}", occurrences)


LEADING = InLinks("w:2", [text("pier", 3), text("jetty", 1)], 4)
DUPLICATES = [
    Refusal("anchor_document", "duplicate", "anchor_document:w:1#pier", "w:2", "Pier", 2),
    Refusal("anchor_document", "capped", None, "w:2", "", 4),
]


def test_pairs_and_what_stands_for_the_other_links() -> None:
    def pair(string: str, occurrences: int) -> Pair:
        return Pair(
            f"anchor_document:w:1#{string}", "anchor_document", string.title(), "A pier.", None, None, "w:2",
            None, f"w:1#s-{string}", f"w:1#{string}", [], None, occurrences,
        )  # fmt: skip

    made = list(anchor_document_pairs(LEADING, Document("w:2", "A pier.", "")))
    assert made == [pair("pier", 3), DUPLICATES[0], pair("jetty", 1), DUPLICATES[1]]


@pytest.mark.parametrize("links", [1, 2, 3])
def test_one_link_of_a_text_stands_for_the_others(links: int) -> None:
    made = list(
        anchor_document_pairs(InLinks("w:2", [text("pier", links)], 0), Document("w:2", "A pier.", ""))
    )
    assert made[1:] == [DUPLICATES[0]._replace(records=links - 1)][: links - 1]


@pytest.mark.parametrize(
    ("document", "reason"), [(None, "no_page"), (Document("w:2", "", "empty_document"), "empty_document")]
)
def test_a_page_that_is_no_document(document: Document | None, reason: str) -> None:
    made = list(anchor_document_pairs(LEADING, document))
    assert made == [
        Refusal("anchor_document", reason, "anchor_document:w:1#pier", "w:1#s-pier", "Pier"),
        DUPLICATES[0],
        Refusal("anchor_document", reason, "anchor_document:w:1#jetty", "w:1#s-jetty", "Jetty"),
        DUPLICATES[1],
    ]


def test_links_that_make_no_pair() -> None:
    body, anywhere = AnchorDocumentOptions(regions=("body", "list")), AnchorDocumentOptions()
    link = Link("w:1#a1", "Text!", "w:1#s1", "w:1", "w:2", "nav", "Text")
    assert link_by_text(link, anywhere) == InLink("w:1#a1", "Text", "w:1#s1", "w:2", "text")
    assert link_by_text(link, body) == "region"
    assert isinstance(link_by_text(link._replace(region="list"), body), InLink)
    assert link_by_text(link._replace(destination="w:1"), body) == "self"
    assert link_by_text(link._replace(text=" \n"), anywhere) == "empty_query"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"document": "title"}, "--document title: one of text, lead"),
        ({"in_links": 0}, "--in-links 0: give 1 or more"),
        ({"regions": ("body", "margin")}, "--regions margin: of body, list"),
    ],
)
def test_wrong_options(options: dict, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        AnchorDocumentOptions(**options)

"""WLP: sentences of pages, and passages of the pages that link to them."""

from __future__ import annotations

from collections import Counter

from anchormine.schemas.pairs import Pair, positive_pair
from anchormine.tasks.drafts import Refusal
from anchormine.tasks.in_links import InLink, InLinks, Link, LinkText
from anchormine.tasks.page_passages import PagePassages, PassageOptions
from anchormine.tasks.wlp import (
    LeadQueries,
    LinkedQuery,
    LinkingPassages,
    ask_linking_pages,
    lead_queries,
    link_by_source,
    linking_passages,
    wlp_pairs,
)
from anchormine.text.sentences import sentence_model
from tests.growth import LINEAR, growth_of

TEXT = "A pier is long.\nPeople walk on it.\nIts lamps are red."
LINES = TEXT.split("\n")


def page(lead: str = LINES[0], page_id: str = "w:2", most: int = 1) -> PagePassages:
    return PagePassages(page_id, TEXT, lead, sentence_model("en"), PassageOptions(4, most))


def from_page(number: int, occurrences: int = 1) -> LinkText:
    return LinkText(number, f"w:{number}", 7, f"w:{number}#a1", "pier", f"w:{number}#s1", occurrences)


def asked(number: int, source: int = 9) -> LinkedQuery:
    return LinkedQuery(
        f"w:{source}", f"w:{source}#a{number}", f"w:{source}#s{number}", f"w:{number}", 0, "It."
    )


def test_links_by_the_page_that_links() -> None:
    link = Link("w:1#a1", "A Pier", "w:1#s1", "w:1", "w:2", "nav", "pier")
    assert link_by_source(link) == InLink("w:1#a1", "pier", "w:1#s1", "w:2", "w:1")
    assert link_by_source(link._replace(destination="w:1")) == "self"


def test_the_queries_of_a_page() -> None:
    assert lead_queries(page(), 42) == LeadQueries("w:2", "", [(0, LINES[0])])
    assert lead_queries(page(""), 42) == LeadQueries("w:2", "no_lead", [])
    assert lead_queries(page("*"), 42) == LeadQueries("w:2", "no_sentence", [])
    found = lead_queries(page(TEXT, most=2), 42)
    assert len(found.queries) == 2
    assert found.queries[:1] == lead_queries(page(TEXT), 42).queries
    first = Counter(lead_queries(page(TEXT, f"w:{n}"), 42).queries[0] for n in range(600))
    assert {*first} == {*enumerate(LINES)}
    assert min(first.values()) > 140


def test_the_passages_of_a_page() -> None:
    found = linking_passages(page(), "", 42)
    assert sorted(found.passages) == [*enumerate(LINES)]
    assert linking_passages(page(), "empty_document", 42) == LinkingPassages("w:2", "empty_document", [])
    first = Counter(linking_passages(page(page_id=f"w:{n}"), "", 42).passages[0] for n in range(600))
    assert min(first.values()) > 140


def test_what_becomes_of_the_links_to_a_page() -> None:
    links = InLinks("w:2", [from_page(5, 3), from_page(6)], 4)
    rest = [
        Refusal("wlp", "duplicate", "wlp:w:5#a1", "w:2", "pier", 2),
        Refusal("wlp", "few_sentences", "wlp:w:6#a1", "w:6#s1", "pier"),
        Refusal("wlp", "capped", None, "w:2", "", 4),
    ]
    lead = LeadQueries("w:2", "", [(3, "A pier.")])
    assert list(ask_linking_pages(links, lead)) == [
        LinkedQuery("w:5", "w:5#a1", "w:5#s1", "w:2", 3, "A pier."), *rest,
    ]  # fmt: skip
    for known, reason in ((None, "no_page"), (LeadQueries("w:2", "no_lead", []), "no_lead")):
        refused = Refusal("wlp", reason, "wlp:w:5#a1", "w:5#s1", "pier")
        assert list(ask_linking_pages(links, known)) == [
            refused, rest[0], rest[1]._replace(reason=reason), rest[2],
        ]  # fmt: skip


def test_passages_go_in_turn_to_the_pages_linked_to() -> None:
    linking = LinkingPassages("w:9", "", [(4, "Five."), (0, "One.")])
    made = list(wlp_pairs([asked(1), asked(2), asked(3)], linking, 1, 42))
    assert made == list(wlp_pairs([asked(3), asked(1), asked(2)], linking, 1, 42))
    numbers = [one.anchor_id[-1] for one in made[:2] if isinstance(one, Pair) and one.anchor_id]
    assert made[:2] == [
        positive_pair("wlp", f"wlp:w:{number}#l0:w:9#p{passage}", "It.", document, "w:9",
                      anchor_id=f"w:9#a{number}")
        for number, (passage, document) in zip(numbers, linking.passages, strict=True)
    ]  # fmt: skip
    (last,) = {"1", "2", "3"} - {*numbers}
    assert made[2] == Refusal("wlp", "capped", f"wlp:w:9#a{last}", f"w:9#s{last}", "It.")
    (*first, third) = wlp_pairs([asked(1), asked(2), asked(3)], linking, 2, 42)
    assert first == made[:2]
    assert third == positive_pair(
        "wlp", f"wlp:w:{last}#l0:w:9#p4", "It.", "Five.", "w:9", anchor_id=f"w:9#a{last}"
    )


def test_pages_that_give_no_passage() -> None:
    refused = Refusal("wlp", "no_page", "wlp:w:9#a1", "w:9#s1", "It.")
    assert list(wlp_pairs([asked(1)], None, 5, 42)) == [refused]
    short = LinkingPassages("w:9", "short_document", [])
    assert list(wlp_pairs([asked(1)], short, 5, 42)) == [refused._replace(reason="short_document")]
    bullets = LinkingPassages("w:9", "", [])
    assert list(wlp_pairs([asked(1)], bullets, 5, 42)) == [refused._replace(reason="few_passages")]
    same = LinkingPassages("w:9", "", [(2, "It.")])
    assert list(wlp_pairs([asked(1)], same, 5, 42)) == [refused._replace(reason="equal_texts")]


def test_a_page_of_many_links_is_divided_in_linear_time() -> None:
    """A list of many links: its passages are not put in order anew for each of them."""

    def divide(links: int) -> None:
        linking = LinkingPassages("w:9", "", [(n, f"Pier {n} is long.") for n in range(links // 8)])
        made = Counter(type(one) for one in wlp_pairs(map(asked, range(links)), linking, 5, 42))
        assert made == {Pair: 5 * (links // 8), Refusal: links - 5 * (links // 8)}

    assert growth_of(divide, max_runs=3) <= LINEAR


def test_a_passage_with_the_query_goes_to_another() -> None:
    holding = LinkingPassages("w:9", "", [(0, "Yes. It. No."), (1, "Two."), (2, "Three.")])
    made = wlp_pairs([asked(number) for number in range(1, 6)], holding, 2, 42)
    assert [one.document if isinstance(one, Pair) else one.reason for one in made] == [
        "Two.", "Three.", "Two.", "Three.", "equal_texts",
    ]  # fmt: skip

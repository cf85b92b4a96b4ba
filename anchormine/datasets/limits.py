"""What a dataset cannot be used for, and what is missing from it: the last section of its card."""

from __future__ import annotations

from collections.abc import Iterator

from anchormine.datasets.facts import FolderFacts
from anchormine.datasets.manifest import EXTRACTIONS
from anchormine.schemas.pairs import PREFERENCE_TASKS, TASKS

_WIKI = (
    "Templates, parser functions and Lua modules are not expanded: what they would show (much of infoboxes, "
    "units, quotations, dates) is missing from the text. `gaps` counts the places in a sentence where "
    "something was left out.",
    "Tables, captions, references, galleries and formulas are not in `text`; links in tables and captions "
    "are in `anchors`, with their region.",
    "A link whose page is not in the input (a red link, or a page of a part of the wiki that was not read) "
    "has no `destination_page_id`.",
    "Where sentences end is decided by rules, or where there are none for a language by a statistical "
    "splitter; both err at abbreviations and in lists. One of more than 2,000 characters, as a list without "
    "a stop may be, is cut between words into pieces of 500, whose `context` is `block`.",
)
_WEB = (
    "What scripts would add to a page is missing: pages are read as they were fetched.",
    "`text` is the main text of a page as rules find it; menus, headers and the like are not in it, links in "
    "them are in `anchors`, with their region. Where `context` is `block`, the sentence is a whole "
    "block, or a piece of a long one.",
    "A link whose page is not in the input has no `destination_page_id`. Nothing was left out of "
    "`pages` and `anchors` for what it says: duplicates, spam and pages that ask not to be used (`robots`) "
    "are there.",
)
_CLUEWEB22 = (
    "ClueWeb22 is given out under an agreement that keeps its text with those who have signed it: pass on no "
    "more than ids (`page_id`, `source_page_id`, `destination_page_id`) and places (`warc_file`, "
    "`warc_offset`).",
    "Nothing is known of where a link stands but whether that is a header or footer: `sentence` is the "
    "anchor itself, and `context` says so. The files of texts have no titles, and are known to cut `url` at "
    "its first comma.",
    "An in-link has a `source_page_id` whether or not that page is in the input; without a ClueWeb22-ID it "
    "is made of `source_url`. A link whose page is not in the input has no `destination_page_id`.",
)
_WEIGHTS = {
    "attention": "words drawn by an encoder's attention",
    "tfidf": "words drawn by tf-idf weights",
    "uniform": "words drawn uniformly",
}


def limits(facts: FolderFacts) -> list[str]:
    """Returns one line for each limit that the steps which were run bring with them."""
    of_source = {"wiki": _WIKI, "web": _WEB, "clueweb22": _CLUEWEB22}.get(facts.extraction, ())
    return [*_of_input(facts), *of_source, *_of_pairs(facts), *_of_negatives(facts), *_of_text(facts)]


def _of_input(facts: FolderFacts) -> Iterator[str]:
    for step in EXTRACTIONS:
        if step not in facts.steps:
            continue
        section = facts.steps[step]
        limit = section["options"].get("limit")
        if limit is not None:
            yield f"Only the first {limit:,} records of the input were read."
        bad = [file for file in section["inputs"] if file["verdict"] != "complete"]
        if bad:
            yield (
                f"{len(bad)} of {len(section['inputs'])} input files were damaged or unreadable; what could "
                "be read of them is here, and manifest.json says where they broke."
            )


def _of_pairs(facts: FolderFacts) -> Iterator[str]:
    if "pairs" not in facts.steps:
        return
    weights = facts.steps["pairs"]["options"].get("weights")
    if {"rqp", "qdm", "acm"}.intersection(facts.tasks):
        drawn = (
            _WEIGHTS.get(weights, "words drawn from the text") if isinstance(weights, str) else "drawn words"
        )
        yield f"The queries are synthetic: {drawn} and the anchor's text, not what anyone has searched for."
    if {"rqp", "qdm", "rdp", "acm"}.intersection(facts.tasks):
        yield (
            "No one has judged the pairs: that a link leads to a page stands for relevance, and a negative "
            "document can be relevant too. They are for pre-training, not for evaluation."
        )
        yield "Pages and anchor texts with many links are in many pairs; weigh or sample if that matters."
    if {"rop", "bprop"}.intersection(facts.tasks):
        yield (
            "The queries of rop and bprop are words drawn for a page, not what anyone has searched for; that "
            "one set is ranked above another is what a formula says, and no one has judged it. They are for "
            "pre-training, not for evaluation."
        )
    yield from _of_positives(facts)


def _of_positives(facts: FolderFacts) -> Iterator[str]:
    """Of the tasks without a negative side."""
    options = facts.steps["pairs"]["options"]
    if "anchor_document" in facts.tasks:
        yield (
            f"In anchor_document a page has at most {options['in_links']} texts of links, a sample of all; "
            "that a link leads to a page stands for relevance. `provenance-anchor_document` names the page "
            "that links."
        )
    if {"ict", "bfs", "wlp"}.intersection(facts.tasks):
        yield (
            "The queries of ict, bfs and wlp are sentences of the pages themselves, headings and items of "
            f"lists among them, from {options['query_words']} to {options['passage_words']} words long."
        )
    positive = [task for task in TASKS if task in facts.tasks and task not in PREFERENCE_TASKS]
    if positive:
        yield (
            f"These have no negative side, for which other documents of a batch can stand: "
            f"{', '.join(positive)}. "
            "Give a trainer only the columns `query` and `document`: it takes every column of text for a "
            "document."
        )
    if "web" in facts.steps and facts.tasks:  # of ClueWeb22's pages nothing of the kind is known
        yield (
            "Pages that ask robots not to be used (`robots` of `pages`: noindex, noai) are documents like "
            "others."
        )


def _of_negatives(facts: FolderFacts) -> Iterator[str]:
    if not any(table.folder.startswith("contrastive/") for table in facts.tables):
        return
    yield (
        "Mined negatives are what a ranker takes for relevant and what no link calls so. No one has judged "
        "them: some are relevant. `negative_scores` can be compared within a row only."
    )
    yield (
        "The splits of `contrastive` share no page, neither as positives nor as negatives; those of `pairs` "
        "and `pages` are not divided, so what is held out for validation is in them too."
    )


def _of_text(facts: FolderFacts) -> Iterator[str]:
    if facts.tables:
        yield (
            "The text is as its authors left it: it can be wrong or one-sided, and it names people. Nothing "
            "was removed for that."
        )

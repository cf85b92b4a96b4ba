"""Wikitext by cases: blocks, links with their spans, and what becomes of every other link."""

from __future__ import annotations

from functools import cache

import pytest

from anchormine.text.sentences import sentence_model
from anchormine.wiki.article import read_article, read_plain_article
from anchormine.wiki.extraction import read_page
from anchormine.wiki.site import Site
from tests.wiki.case_files import TITLE, Case, described, read_cases

ALL = list(read_cases())
DEBRIS = ("{{", "}}", "[[", "]]", "|", "135px", "<ref", "'''", "__", "  ")
# What the author of the page wrote for the reader to see.
LITERAL = {
    "nowiki",
    "nowiki over several paragraphs and indented lines",
    "a label with a pipe",
    "text with bars",
    "cells in HTML are text, whatever mark of a table they begin with or hold",
    "brackets around a link",
    "an unclosed table within a list",
    "brackets written as entities are no link",
    "&lt;ref&gt; written as entities is text",
}


@cache
def site_of(language: str) -> Site:
    return Site.of_language(language)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in ALL])
def test_case(case: Case) -> None:
    assert described(read_article(case.wikitext, TITLE, site_of(case.language))) == case.expected


def test_names_are_unique_and_many() -> None:
    assert len({case.name for case in ALL}) == len(ALL) >= 150


def test_no_debris_but_what_is_literal() -> None:
    littered = {
        case.name for case in ALL for line in case.expected["text"] for mark in DEBRIS if mark in line
    }
    assert littered == LITERAL


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in ALL])
def test_the_fast_reader_reads_the_same_or_passes(case: Case) -> None:
    if any(ord(char) < 32 and char not in "\t\n" for char in case.wikitext):
        return  # no page of a dump holds such characters
    article = read_plain_article(case.wikitext, TITLE, site_of(case.language))
    assert article is None or described(article) == case.expected


@pytest.mark.parametrize("heading", ["{{Anchor|x}}", "<!-- x -->", "<br>", "[[Category:Ships]]"])
def test_the_lead_ends_at_the_first_heading_even_if_it_shows_nothing(heading: str) -> None:
    page = read_page(f"A lead.\n== {heading} ==\nA [[boat]].", TITLE, site_of("en"), sentence_model("en"))
    assert (page.lead, page.text) == ("A lead.", "A lead.\nA boat.")
    (sentence,) = page.sentences
    assert page.text[sentence.start :] == sentence.text == "A boat."


def test_an_article_without_a_lead() -> None:
    page = read_page("=={{x}}==\nBody.", TITLE, site_of("en"), sentence_model("en"))
    assert (page.lead, page.text) == ("", "Body.")

# SPDX-License-Identifier: Apache-2.0
"""Checks of the demo wiki and its test collection, with the standard library only."""

import hashlib
import json
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise
from pathlib import Path

DEMO = Path(__file__).resolve().parents[2] / "anchormine" / "demo"
NS = "{http://www.mediawiki.org/xml/export-0.11/}"

BROKEN = "Quadrant (instrument)"
EMPTY = "Ditty bag"
INTERWIKI = {"da", "de", "es", "fr", "nl", "no", "pt", "wikt"}
LINK = re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]|]*))?\]\]([a-z]*)")
DEBRIS = re.compile(r"\[\[|\]\]|\{\{|\}\}|\{\||''|==|&\w+;|<\w|\s\s")
NOT_TEXT = re.compile(r"<!--.*?-->|<nowiki>.*?</nowiki>|<math>.*?</math>|<gallery>.*?</gallery>", re.DOTALL)


class Page:
    def __init__(self, element):
        self.title = element.findtext(NS + "title")
        self.ns = int(element.findtext(NS + "ns"))
        self.id = int(element.findtext(NS + "id"))
        redirect = element.find(NS + "redirect")
        self.redirect = None if redirect is None else redirect.get("title")
        self.revision = element.find(NS + "revision")
        self.node = self.revision.find(NS + "text")
        self.text = self.node.text or ""


@cache
def root():
    return ET.parse(DEMO / "wiki.xml").getroot()


@cache
def pages():
    return [Page(element) for element in root().findall(NS + "page")]


@cache
def by_title():
    return {page.title: page for page in pages()}


def is_disambiguation(page):
    return page.ns == 0 and "{{disambig}}" in page.text


@cache
def articles():
    """Pages of the main namespace that tell something about one subject."""
    return [
        page
        for page in pages()
        if page.ns == 0
        and page.redirect is None
        and not is_disambiguation(page)
        and page.title not in ("Main Page", EMPTY)
    ]


def normal_title(target):
    title = re.sub(r"[ _]+", " ", target.split("#")[0]).strip()
    return title[:1].upper() + title[1:]


def resolve(title):
    """The end of a chain of redirects; None for a cycle."""
    seen = set()
    while title in by_title() and by_title()[title].redirect is not None:
        if title in seen:
            return None
        seen.add(title)
        title = by_title()[title].redirect
    return title


def links(text):
    """(title after redirects, anchor folded) of each link to an article."""
    for target, label, trail in LINK.findall(NOT_TEXT.sub("", text)):
        if target.startswith((":", "#")):
            continue
        prefix = target.split(":")[0].strip().lower() if ":" in target else ""
        if prefix in INTERWIKI or prefix in ("category", "file", "help", "user", "template"):
            continue
        if prefix == "the navigator's wiki":
            continue
        full = re.search(re.escape(f"[[{target}|]]"), text)
        if label == "" and full:  # the pipe trick
            label = re.sub(r" \([^()]*\)$", "", target)
        anchor = (label or target) + trail
        anchor = anchor.replace("_", " ").replace("''", "").strip()
        yield resolve(normal_title(target)), unicodedata.normalize("NFC", anchor).casefold()


def all_links():
    for page in articles():
        if page.title != BROKEN:
            for target, anchor in links(page.text):
                yield page.title, target, anchor


def jsonl(name):
    with (DEMO / "collection" / name).open(encoding="utf-8") as handle:
        return [json.loads(line) for line in handle]


def split_qrels(split):
    with (DEMO / "collection" / "qrels" / f"{split}.tsv").open(encoding="utf-8") as handle:
        lines = handle.read().split("\n")
    assert lines[-1] == ""
    return lines[0], [line.split("\t") for line in lines[1:-1]]


def qrels():
    """The judgements of both splits; every query is in one of them."""
    (header, train), (other, test) = split_qrels("train"), split_qrels("test")
    assert header == other
    assert len({query for query, _, _ in train}) == len({query for query, _, _ in test}) == 45
    return header, train + test


# --- the dump ---------------------------------------------------------------


def test_root_and_siteinfo():
    assert root().tag == NS + "mediawiki"
    assert root().get("version") == "0.11"
    info = root().find(NS + "siteinfo")
    assert info.findtext(NS + "sitename") == "The Navigator's Wiki"
    assert info.findtext(NS + "dbname") == "navigatorwiki"
    assert info.findtext(NS + "base") == "https://navigator.example/wiki/Main_Page"
    assert info.findtext(NS + "case") == "first-letter"
    keys = [int(n.get("key")) for n in info.find(NS + "namespaces")]
    assert keys == [*range(-2, 16), 828]


def test_counts_per_namespace():
    count = Counter(page.ns for page in pages())
    assert len(articles()) >= 150
    assert sum(map(is_disambiguation, pages())) >= 8
    assert 30 <= sum(page.redirect is not None for page in pages()) <= 45
    assert sum(number for ns, number in count.items() if ns != 0) >= 15
    assert {0, 1, 2, 4, 6, 8, 10, 12, 14} <= set(count)
    assert pages()[0].title == "Main Page"


def test_titles_and_ids_are_unique_and_ids_ascend():
    assert len(by_title()) == len(pages())
    ids = [page.id for page in pages()]
    assert all(low < high for low, high in pairwise(ids))
    revisions = [int(page.revision.findtext(NS + "id")) for page in pages()]
    assert len(set(revisions)) == len(revisions)


def test_titles_carry_their_namespace():
    names = {int(n.get("key")): n.text or "" for n in root().find(NS + "siteinfo").find(NS + "namespaces")}
    for page in pages():
        if page.ns:
            assert page.title.startswith(names[page.ns] + ":"), page.title


def test_each_revision_is_complete():
    for page in pages():
        tags = [child.tag.replace(NS, "") for child in page.revision]
        for tag in ("id", "timestamp", "contributor", "model", "format", "text", "sha1"):
            assert tag in tags, (page.title, tag)
        assert page.revision.findtext(NS + "model") == "wikitext"
        raw = page.text.encode("utf-8")
        assert int(page.node.get("bytes")) == len(raw), page.title
        digest = int(page.revision.findtext(NS + "sha1"), 36)
        assert digest == int(hashlib.sha1(raw).hexdigest(), 16), page.title


def test_redirects():
    redirects = {page.title: page for page in pages() if page.redirect is not None}
    for page in redirects.values():
        match = re.fullmatch(r"#REDIRECT \[\[([^\]#]+)(#[^\]]+)?\]\]", page.text)
        assert match, page.title
        assert match.group(1) == page.redirect, page.title
    double = [t for t, page in redirects.items() if page.redirect in redirects]
    cycle = sorted(title for title in redirects if resolve(title) is None)
    missing = [t for t in redirects if resolve(t) and resolve(t) not in by_title()]
    assert len(cycle) == 2
    assert set(double) - set(cycle)
    assert len(missing) == 1
    assert redirects["Chip log"].text == "#REDIRECT [[Log (navigation)#Chip log]]"


def test_one_empty_and_one_broken_page():
    assert [page.title for page in pages() if page.node.get("bytes") == "0"] == [EMPTY]
    unbalanced = [page.title for page in articles() if page.text.count("[[") != page.text.count("]]")]
    assert unbalanced == [BROKEN]
    broken = by_title()[BROKEN].text
    assert broken.count("{{") > broken.count("}}")
    assert broken.count("<ref") > broken.count("</ref>")


def test_kinds_of_wikitext():
    text = "\n".join(page.text for page in articles())
    for mark in (
        "{|",
        "|+",
        "<gallery>",
        "<math>",
        "<blockquote>",
        "<nowiki>",
        "<!--",
        "&nbsp;",
        "&ndash;",
        "{{convert|",
        "{{lang|",
        "{{Infobox ship",
        "{{Infobox person",
        "[[File:",
        "[[Category:",
        "[[de:",
        "wikt:",
        "<ref>",
        "<ref name=",
        "<references />",
        "[https://",
        "\n# ",
        "\n* ",
        "\n; ",
        "'''",
        "[[Log (navigation)|]]",
        "_projection",
    ):
        assert mark in text, mark
    assert "__NOTOC__" in by_title()["Main Page"].text
    assert re.search(r"<!--[^>]*\[\[", text)
    assert re.search(r"<ref[^>/]*>[^<]*\[\[", text)


# --- its links --------------------------------------------------------------


def test_links_are_dense_and_few_are_red():
    found = list(all_links())
    assert 8 <= len(found) / len(articles()) <= 15
    red = [target for _, target, _ in found if target not in by_title()]
    assert 0 < len(red) <= 0.05 * len(found)


def test_no_article_links_to_a_disambiguation_page():
    for title, target, _ in all_links():
        assert target not in by_title() or not is_disambiguation(by_title()[target]), title


def test_each_article_is_linked_at_least_twice():
    count = Counter(target for title, target, _ in all_links() if title != target)
    poor = [p.title for p in articles() if p.title != BROKEN and count[p.title] < 2]
    assert not poor


def test_ambiguous_anchors():
    count: defaultdict[str, Counter] = defaultdict(Counter)
    for title, target, anchor in all_links():
        if target in by_title() and target != title:
            count[anchor][target] += 1
    ambiguous = {
        anchor for anchor, targets in count.items() if sum(number >= 2 for number in targets.values()) >= 2
    }
    assert len(ambiguous) >= 40
    assert {
        "log",
        "knot",
        "port",
        "bow",
        "lead",
        "light",
        "watch",
        "chart",
        "fix",
        "bearing",
        "mercury",
        "longitude",
        "victory",
        "discovery",
        "endeavour",
        "cook",
        "harrison",
        "beaufort",
        "mercator",
        "polaris",
        "anchor",
        "current",
        "line",
        "sheet",
        "ship",
        "pilot",
        "eddystone",
        "the sound",
        "gale",
    } <= ambiguous


def test_one_page_has_several_names():
    names = defaultdict(set)
    for _, target, anchor in all_links():
        names[target].add(anchor)
    assert sum(len(found) >= 3 for found in names.values()) >= 40


def test_sentences_with_two_links():
    many = 0
    for page in articles():
        text = NOT_TEXT.sub("", page.text)
        text = re.sub(r"\{\|.*?\n\|\}|<ref.*?(?:/>|</ref>)", "", text, flags=re.DOTALL)
        for line in text.split("\n"):
            if line.startswith(("|", "!", "=", "{", "[[File:", "[[Category:")):
                continue
            for sentence in re.split(r"(?<=[.!?:;])\s+", line):
                if len({target for target, _ in links(sentence)}) >= 2:
                    many += 1
    assert many >= 200


def test_length_of_leads_and_articles():
    def words(text):
        text = re.sub(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]", r"\1", text)
        return len(re.findall(r"\w+", text))

    short = 0
    for page in articles():
        if page.title == BROKEN:
            continue
        lead = page.text.split("\n==")[0]
        lead = re.sub(r"^\{\{Infobox.*?\n\}\}\n", "", lead, flags=re.DOTALL)
        lead = re.sub(r"^(?:\{\{about|\[\[File:)[^\n]*", "", lead, flags=re.MULTILINE)
        assert 50 <= words(lead) <= 120, (page.title, words(lead))
        short += words(page.text) < 150
    assert short < 0.5 * len(articles())


# --- the collection ---------------------------------------------------------


def test_corpus_has_one_document_per_article():
    corpus = jsonl("corpus.jsonl")
    expected = {f"navigatorwiki:{page.id}": page.title for page in articles()}
    assert {doc["_id"]: doc["title"] for doc in corpus} == expected
    assert len(corpus) == len(expected)
    for doc in corpus:
        assert list(doc) == ["_id", "title", "text"]
        assert len(doc["text"].split()) >= 40, doc["title"]
        assert not DEBRIS.search(doc["text"]), doc["title"]


def test_queries_and_qrels():
    corpus = {doc["_id"] for doc in jsonl("corpus.jsonl")}
    queries = jsonl("queries.jsonl")
    names = [query["_id"] for query in queries]
    header, rows = qrels()
    assert header == "query-id\tcorpus-id\tscore"
    assert len(queries) >= 60
    assert len(set(names)) == len(names)
    assert len({query["text"] for query in queries}) == len(queries)
    assert len(rows) >= 150
    assert len({(query, doc) for query, doc, _ in rows}) == len(rows)
    assert {doc for _, doc, _ in rows} <= corpus
    assert {query for query, _, _ in rows} == set(names)
    assert {score for _, _, score in rows} == {"1", "2"}
    per_query = Counter(query for query, _, _ in rows)
    assert all(1 <= number <= 4 for number in per_query.values())
    best = {query for query, _, score in rows if score == "2"}
    assert best == set(names)


def test_a_third_of_the_queries_use_other_words_than_the_titles():
    titles = {doc["_id"]: doc["title"] for doc in jsonl("corpus.jsonl")}
    _, rows = qrels()
    best: defaultdict[str, set[str]] = defaultdict(set)
    for query, doc, score in rows:
        if score == "2":
            best[query] |= set(re.findall(r"\w+", titles[doc].lower()))
    queries = jsonl("queries.jsonl")
    other = 0
    for query in queries:
        words = set(re.findall(r"\w+", query["text"].lower())) - {"the", "of", "s"}
        other += not words & best[query["_id"]]
    assert 3 * other >= len(queries)


def test_half_keywords_half_questions():
    queries = jsonl("queries.jsonl")
    short = sum(len(query["text"].split()) <= 4 for query in queries)
    assert 0.4 <= short / len(queries) <= 0.6

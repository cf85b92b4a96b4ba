"""The main text of web pages, by what picks it: how fast, and how near to what the site's own markup says it
is.

    python tests/bench/web_main_text.py [--json] [--every N] [--listed FOLDER] [--expected FOLDER]

Candidates: ours (`anchormine.web.main_text.main_text`, with all that reading the page takes), resiliparse,
trafilatura, and all that the page shows. Token F1, averaged over pages: against the text of the elements
that a wiki marks as the title and content of its page, where there are such; and of each pair of candidates.
Pages per CPU second.

With the source of go-trafilatura (`listed_texts.py` says where it is) also precision and recall, by texts
that people chose as of a page or not. By half of these pages the words in the class or id of
boilerplate, and of the bodies of articles, were chosen, by all of them the ids that name the content
(`page_parts.py`), and some of the labels of sites (`site_labels.py`).

With the source of go-readability (`expected_texts.py`) also precision, recall and F1 of the words, averaged
over its pages, by the article that each is to give. By these pages no rule was chosen, though one of them is
among the listed ones too.

The crawls are found in the folder `warc` of the one that ANCHORMINE_DATA names; without it they are not
measured.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean

import trafilatura
from resiliparse.extract.html2text import extract_plain_text
from selectolax.lexbor import LexborHTMLParser

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from anchormine.text.sentences import sentence_model
from anchormine.web.html_page import read_html
from tests.bench.content_texts import f1, truth, words
from tests.bench.expected_texts import expected_texts
from tests.bench.listed_texts import listed_pages, precision_and_recall
from tests.web.real_pages import FOLDER, RealPage, pages

_ENGLISH = sentence_model("en")
CRAWLS = ("contextwiki-*", "mtawiki-*", "blackbook.warc*", "commoncrawl-*", "clueweb09-ja*", "iana*")


def ours(page: RealPage) -> str:
    """Our main text."""
    return read_html(page.html, page.url, lambda _: _ENGLISH, is_watched=True).text


def by_resiliparse(page: RealPage) -> str:
    """Resiliparse's main content."""
    return extract_plain_text(page.html, main_content=True, list_bullets=False) or ""


def by_trafilatura(page: RealPage) -> str:
    """Trafilatura's main text, its fallbacks included."""
    return trafilatura.extract(page.html, include_comments=False) or ""


def shown(page: RealPage) -> str:
    """All that the page shows."""
    tree = LexborHTMLParser(page.html)
    tree.strip_tags(["script", "style", "noscript"])
    return tree.body.text(separator=" ") if tree.body else ""


CANDIDATES: tuple[Callable[[RealPage], str], ...] = (ours, by_resiliparse, by_trafilatura, shown)


def measure(sample: Sequence[RealPage]) -> dict[str, dict[str, float]]:
    """Pages per CPU second of each candidate, F1 of each with the truth and with each other."""
    bags: dict[str, list[Counter]] = {}
    speed = {}
    for candidate in CANDIDATES:
        started = time.process_time()
        texts = [candidate(page) for page in sample]
        speed[candidate.__name__] = len(sample) / (time.process_time() - started)
        bags[candidate.__name__] = [words(text) for text in texts]
    known = [(row, words(text)) for row, text in enumerate(map(truth, sample)) if text is not None]
    against = {
        name: sum(f1(bag[row], right) for row, right in known) / len(known)
        for name, bag in bags.items()
        if known
    }
    between = {
        f"{one} {other}": sum(map(f1, bags[one], bags[other])) / len(sample)
        for one, other in combinations(bags, 2)
    }
    return {"pages per CPU second": speed, "F1 with the content": against, "F1 between": between}


def against_lists(source: Path) -> dict[str, dict[str, float]]:
    """Precision, recall and F1 of each candidate on the listed texts."""
    sample = list(listed_pages(source))
    found = {}
    for candidate in CANDIDATES:
        precision, recall = precision_and_recall(sample, candidate)
        f1_of_both = 2 * precision * recall / (precision + recall)
        found[candidate.__name__] = {"precision": precision, "recall": recall, "F1": f1_of_both}
    return found


def against_articles(source: Path) -> dict[str, dict[str, float]]:
    """Mean precision, recall and F1 of each candidate's words on the expected articles."""
    sample = [(page, words(article)) for page, article in expected_texts(source)]
    found = {}
    for candidate in CANDIDATES:
        bags = [(words(candidate(page)), article) for page, article in sample]
        found[candidate.__name__] = {
            "precision": fmean((bag & article).total() / max(1, bag.total()) for bag, article in bags),
            "recall": fmean((bag & article).total() / max(1, article.total()) for bag, article in bags),
            "F1": fmean(f1(bag, article) for bag, article in bags),
        }
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--every", type=int, default=20, help="of the pages of a crawl, every so many")
    parser.add_argument("--listed", type=Path, metavar="FOLDER", help="the source of go-trafilatura")
    parser.add_argument("--expected", type=Path, metavar="FOLDER", help="the source of go-readability")
    options = parser.parse_args(arguments)
    found: dict[str, dict[str, dict[str, float]]] = {}
    for names in CRAWLS:
        crawl = [page for page in pages(names) if page.status == "200"]
        sample = crawl[:: options.every if len(crawl) > 500 else 1]
        if sample:
            found[names] = measure(sample)
            if not options.json:
                print(f"{names}: {len(sample)} pages")
                for title, figures in found[names].items():
                    print("  ", title, {name: round(figure, 3) for name, figure in figures.items()})
    for name, folder, measured in (
        ("listed texts", options.listed, against_lists),
        ("expected articles", options.expected, against_articles),
    ):
        if folder:
            found[name] = measured(folder)
            if not options.json:
                print(name, json.dumps(found[name], indent=2))
    if options.json:
        print(json.dumps(found))
    elif not found:
        print(f"no crawls in {FOLDER}: set ANCHORMINE_DATA")
    return 0


if __name__ == "__main__":
    sys.exit(main())

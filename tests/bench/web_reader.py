"""Reading the pages of a crawl, beside a plain loop: pages and MB of HTML per CPU second.

    python tests/bench/web_reader.py [--json] [--every N]

The plain loop is what one would write: selectolax parses, `css("a[href]")` finds the links, urllib joins
them, and Punkt splits the text of the body; it has no spans, regions, hidden elements or main text. The
candidates alternate in one run, and the best of their rounds counts.

The crawls are found in the folder `warc` of the one that ANCHORMINE_DATA names; without it nothing is
measured.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urljoin

from nltk.tokenize.punkt import PunktSentenceTokenizer
from selectolax.lexbor import LexborHTMLParser

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from anchormine.text.sentences import sentence_model
from anchormine.web.html_page import read_html
from tests.web.real_pages import FOLDER, RealPage, pages

CRAWLS = ("contextwiki-*", "mtawiki-*", "blackbook.warc*", "commoncrawl-*")
_ROUNDS = 3
_MODEL = sentence_model("en")
_PUNKT = PunktSentenceTokenizer()


def ours(page: RealPage) -> None:
    """Text, anchors, sentences, regions, facts."""
    read_html(page.html, page.url, lambda _: _MODEL)


def plain(page: RealPage) -> str:
    """Links and text."""
    tree = LexborHTMLParser(page.html)
    for link in tree.css("a[href]"):
        link.text()
        with suppress(ValueError):
            urljoin(page.url, link.attributes["href"] or "")
    return tree.body.text(separator=" ") if tree.body else ""


def plain_with_sentences(page: RealPage) -> list[tuple[int, int]]:
    """Links, text and the spans of its sentences."""
    return list(_PUNKT.span_tokenize(plain(page)))


CANDIDATES: tuple[Callable[[RealPage], object], ...] = (ours, plain, plain_with_sentences)


def measure(sample: Sequence[RealPage]) -> dict[str, dict[str, float]]:
    """Pages and MB per CPU second of each candidate."""
    best = dict.fromkeys((candidate.__name__ for candidate in CANDIDATES), float("inf"))
    for _ in range(_ROUNDS):
        for candidate in CANDIDATES:
            started = time.process_time()
            for page in sample:
                candidate(page)
            best[candidate.__name__] = min(best[candidate.__name__], time.process_time() - started)
    size = sum(len(page.html.encode("utf-8", "replace")) for page in sample) / 1e6
    return {name: {"pages": len(sample) / seconds, "MB": size / seconds} for name, seconds in best.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--every", type=int, default=10, help="of the pages of a crawl, every so many")
    options = parser.parse_args(arguments)
    found = {}
    for names in CRAWLS:
        crawl = [page for page in pages(names) if page.status == "200"]
        sample = crawl[:: options.every if len(crawl) > 500 else 1]
        if sample:
            found[names] = measure(sample)
    if options.json:
        print(json.dumps(found))
    for names, figures in {} if options.json else found.items():
        for name, speed in figures.items():
            print(f"{names} {name}: {speed['pages']:.0f} pages, {speed['MB']:.1f} MB per CPU second")
    if not found:
        print(f"no crawls in {FOLDER}: set ANCHORMINE_DATA")
    return 0


if __name__ == "__main__":
    sys.exit(main())

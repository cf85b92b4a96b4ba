"""Wikitext to text and links, in process: ours against WikiExtractor and mwparserfromhell, side by side.

    python tests/bench/wiki_reader.py [--rounds N] [--json]

All get the same articles of a real dump, in memory, and take turns in one thread; the ratios are those of the
medians of CPU seconds. WikiExtractor does what `--links --json` does, and beside it what it does with
`--no-templates`, which is its fastest; mwparserfromhell parses, and gives the text by `strip_code` and the
links by `filter_wikilinks`, and beside it, with `skip_style_tags` and one walk over its tree for both. Ours
gives blocks of text and every link with its exact span, kind and region.

The dumps are found in the folder `wiki` of the one that ANCHORMINE_DATA names; without it the articles are
the demo wiki's. The exit status is 1 where a ratio misses its target on a real dump.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import logging
import pickle
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import mwparserfromhell
from mwparserfromhell import nodes

import anchormine
from anchormine.wiki.article import read_article, read_plain_article
from anchormine.wiki.site import Site
from tests.wiki.real_dumps import FOLDER, RealArticle, read_dump

DEMO = Path(anchormine.__file__).with_name("demo") / "wiki.xml"
TARGETS = {
    "enwiki-samples": {"WikiExtractor": 2.3, "mwparserfromhell": 8.5},
    "indiewebwiki": {"WikiExtractor": 1.2},
}


class Sample(NamedTuple):
    """Articles of one dump."""

    name: str
    site: Site
    articles: list[RealArticle]
    targets: dict[str, float]


def samples(count: int) -> list[Sample]:
    """The real dumps' articles, at most so many of each; the demo wiki's where there are none."""
    found: list[Sample] = []
    for name, targets in TARGETS.items():
        for path in sorted(FOLDER.glob(f"{name}*-multistream.xml.bz2")):
            site, articles = read_dump(path)
            found.append(Sample(name, site, list(articles)[:count], targets))
    if not found:
        site, articles = read_dump(DEMO)
        found.append(Sample("demo", site, list(articles), {}))
    return found


def ours(sample: Sample) -> int:
    """Text and links of all articles, read as those of a dump are; returns how many links."""
    site = pickle.loads(pickle.dumps(sample.site))  # that has seen no link yet
    links = 0
    for title, wikitext in sample.articles:
        article = read_plain_article(wikitext, title, site) or read_article(wikitext, title, site)
        links += sum(len(block.links) for block in article.blocks)
    return links


def wikiextractor(sample: Sample, templates: bool = True) -> int:
    """The same by WikiExtractor, to its lines of JSON."""
    from wikiextractor.extract import Extractor

    out = io.StringIO()
    for number, (title, wikitext) in enumerate(sample.articles):
        extractor = Extractor(str(number), "1", "", title, [wikitext], keepLinks=True, to_json=True)
        text = extractor.clean_text(wikitext, expand_templates=templates)
        out.write(json.dumps({"id": number, "title": title, "text": "\n".join(text)}) + "\n")
    return out.getvalue().count("&lt;a href")


def parse_and_filter(sample: Sample) -> int:
    """The same by mwparserfromhell, in its own words."""
    links = 0
    for _, wikitext in sample.articles:
        code = mwparserfromhell.parse(wikitext)
        code.strip_code()
        links += len(code.filter_wikilinks())
    return links


def tree_walk(sample: Sample) -> int:
    """The same by one walk over mwparserfromhell's tree, without what stands in templates and references."""
    links = 0
    for _, wikitext in sample.articles:
        out: list[str] = []
        code = mwparserfromhell.parse(wikitext, skip_style_tags=True)
        links += _walk(code, out, [])
        "".join(out)
    return links


def _walk(code: mwparserfromhell.wikicode.Wikicode, out: list[str], found: list[tuple[int, int, str]]) -> int:
    for node in code.nodes:
        if isinstance(node, nodes.Text):
            out.append(node.value)
        elif isinstance(node, nodes.Wikilink):
            start = len(out)
            if node.text is None:
                out.append(str(node.title))
            else:
                _walk(node.text, out, found)
            found.append((start, len(out), str(node.title)))
        elif isinstance(node, nodes.HTMLEntity):
            out.append(node.normalize())
        elif isinstance(node, nodes.Tag):
            if str(node.tag) != "ref" and node.contents:
                _walk(node.contents, out, found)
        elif isinstance(node, nodes.Heading | nodes.ExternalLink) and node.title:
            _walk(node.title, out, found)
    return len(found)


SIDES: dict[str, Callable[[Sample], int]] = {
    "anchormine": ours,
    "WikiExtractor": wikiextractor,
    "WikiExtractor, no templates": partial(wikiextractor, templates=False),
    "mwparserfromhell": parse_and_filter,
    "mwparserfromhell, one walk": tree_walk,
}
ROUNDS = {"mwparserfromhell, one walk": 3}  # at most: it has no target, and takes most of the time


def measure(sample: Sample, rounds: int) -> dict[str, dict[str, float]]:
    """CPU seconds (median) and links of each side; they take turns."""
    seconds: dict[str, list[float]] = {name: [] for name in SIDES}
    links: dict[str, int] = {}
    gc.collect()
    gc.freeze()  # what the imports left is no side's garbage
    for _ in range(rounds):
        for name, run in SIDES.items():
            if len(seconds[name]) >= ROUNDS.get(name, rounds):
                continue
            started = time.process_time()
            links[name] = run(sample)
            seconds[name].append(time.process_time() - started)
    return {
        name: {"seconds": statistics.median(taken), "links": links[name]} for name, taken in seconds.items()
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures; exit status 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--articles", type=int, default=1500, help="of each dump at most")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    logging.disable(logging.CRITICAL)
    missed = False
    for sample in samples(options.articles):
        figures = measure(sample, options.rounds)
        size = sum(len(article.wikitext) for article in sample.articles)
        own = figures["anchormine"]["seconds"]
        for name, figure in figures.items():
            ratio, target = figure["seconds"] / own, sample.targets.get(name)
            missed |= target is not None and ratio < target
            row = {"sample": sample.name, "side": name, **figure, "ratio": ratio, "target": target}
            print(json.dumps(row) if options.json else _line(row, size))
    return int(missed)


def _line(row: dict, size: int) -> str:
    target = f" (target {row['target']})" if row["target"] else ""
    return (
        f"{row['sample']:16} {row['side']:28} {size / 1e6 / row['seconds']:7.2f} million characters/s, "
        f"{row['links']:,} links; takes {row['ratio']:.2f} times anchormine's time{target}"
    )


if __name__ == "__main__":
    sys.exit(main())

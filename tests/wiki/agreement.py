"""The reader on real pages: its fast half against mwparserfromhell, all of it against an oracle."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from zlib import crc32

from anchormine.wiki import scanner, tokens
from anchormine.wiki.article import Article, prefilter, read_article
from anchormine.wiki.blocks import split_blocks
from anchormine.wiki.marks import RESTORE
from anchormine.wiki.site import Site
from tests.wiki.oracle import article_links
from tests.wiki.real_dumps import name_of, read_dump

# Of the two largest dumps, whose pages are much alike, one page in so many is read;
# ANCHORMINE_ALL_PAGES=1 reads all.
SHARES = {"minwiki": 12, "indiewebwiki": 2}
AGREEMENT = 0.9995


def share_of(path: Path) -> int:
    return 1 if os.environ.get("ANCHORMINE_ALL_PAGES") else SHARES.get(name_of(path), 1)


def check_blocks(wikitext: str, site: Site, where: str, counts: Counter) -> None:
    """Where the fast reader reads a block, it reads what mwparserfromhell reads."""
    for _, markup in split_blocks(prefilter(wikitext, site, [])):
        parts = scanner.split_links(markup)
        counts["careful" if parts is None else "fast"] += 1
        if parts is not None and ("[" in markup or "]" in markup):
            assert restored(parts) == restored(tokens.split_links(markup)), f"{where}: {markup[:300]!r}"


def restored(parts: list[str | None]) -> list[str | None]:
    """The parts with their protected characters as they were written."""
    return [part if part is None else part.translate(RESTORE) for part in parts]


def check_spans(article: Article, where: str) -> None:
    """A link's text stands where the link says, and is bare of spaces and marks."""
    for block in article.blocks:
        assert "\n" not in block.text, where
        position = 0
        for link in block.links:
            anchor = block.text[link.start : link.end]
            assert anchor, where
            assert anchor == anchor.strip(), where
            assert link.start >= position, where
            position = link.end


def compare_links(article: Article, wikitext: str, title: str, site: Site, counts: Counter) -> None:
    """Counts the links that both find, those of them that show another text, and those that one finds."""
    ours = [
        (link.title, block.text[link.start : link.end]) for block in article.blocks for link in block.links
    ]
    own = site.fold(title)
    theirs = [found for found in article_links(wikitext, site) if site.fold(found[0]) != own]
    same = (Counter(ours) & Counter(theirs)).total()
    our_titles, their_titles = (Counter(found for found, _ in links) for links in (ours, theirs))
    both = (our_titles & their_titles).total()
    counts["both"] += both
    counts["other text"] += both - same
    counts["only ours"] += len(ours) - both
    counts["only theirs"] += len(theirs) - both


def check_dump(path: Path) -> Counter:
    counts: Counter = Counter()
    site, articles = read_dump(path)
    share = share_of(path)
    for title, wikitext in articles:
        if crc32(title.encode()) % share:
            continue
        where = f"{path.name}: {title}"
        article = read_article(wikitext, title, site)
        check_spans(article, where)
        check_blocks(wikitext, site, where, counts)
        compare_links(article, wikitext, title, site, counts)
        counts["articles"] += 1
    return counts

"""One page looked at in Python: what its wikitext says, sentence by sentence, and where its links lead.

    python examples/look_at_a_page.py FILE --title TITLE [--language CODE]

FILE holds the wikitext of one page, as "edit" shows it. Neither Beam nor torch is imported.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from anchormine.text.sentences import sentence_model
from anchormine.wiki.extraction import Extraction, read_page
from anchormine.wiki.site import Site


def read(wikitext: str, title: str, language: str = "en") -> Extraction:
    """Reads a page of the Wikipedia of a language."""
    return read_page(wikitext, title, Site.of_language(language), sentence_model(language))


def lines(page: Extraction) -> Iterator[str]:
    """Yields each sentence that has links, each link with its characters and page, and what was left out."""
    shown = -1
    for anchor in page.anchors:
        if anchor.sentence != shown:
            shown = anchor.sentence
            yield page.sentences[shown].text
        fragment = f"#{anchor.fragment}" if anchor.fragment else ""
        place = f"{anchor.start}-{anchor.end}"
        yield f"  {place} {anchor.anchor!r} ({anchor.region}) -> {anchor.address}{fragment}"
    for reason, link in page.dropped:
        yield f"no anchor: {link} ({reason})"


def main(arguments: list[str]) -> int:
    """Prints the page's lead, then its links."""
    parser = argparse.ArgumentParser(description="Shows what a page's wikitext says.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--title", required=True)
    parser.add_argument("--language", default="en")
    args = parser.parse_args(arguments)
    page = read(args.file.read_text(encoding="utf-8"), args.title, args.language)
    print(page.lead, *lines(page), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

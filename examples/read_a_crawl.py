"""A crawl file read in Python: every page's links, each with its sentence, and what is damaged in the file.

    python examples/read_a_crawl.py FILE

FILE is a WARC or ARC file, compressed or not. Neither Beam nor torch is imported.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from anchormine.archives.compression import Damage
from anchormine.hypertext.page_limits import PageLimits
from anchormine.web.captures import Capture, read_capture
from anchormine.web.html_reader import HtmlReader
from anchormine.web.records.crawl_records import read_crawl


def lines(path: Path) -> Iterator[str]:
    """Yields a line for each page, then one for each of its links, and in the end the damages of the file."""
    damages: list[Damage] = []
    with path.open("rb") as stream, closing(HtmlReader(PageLimits())) as reader:
        for number, record in enumerate(read_crawl(stream, damages)):
            content = read_capture(Capture(0, number, path.name, record), reader).content
            if content is not None:
                yield f"{content.url} {content.title!r}"
                for anchor in content.anchors:
                    sentence = content.sentences[anchor.sentence].text
                    before, after = sentence[: anchor.start], sentence[anchor.end :]
                    yield f"  {before}[{anchor.anchor}]{after} ({anchor.region}) -> {anchor.address}"
    for damage in damages:
        yield f"byte {damage.offset}: {damage.reason}"


def main(arguments: list[str]) -> int:
    """Prints the lines."""
    parser = argparse.ArgumentParser(description="Shows the links of a crawl file.")
    parser.add_argument("file", type=Path)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # where nobody reads on, as behind `| head`, it just ends
    for line in lines(parser.parse_args(arguments).file):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

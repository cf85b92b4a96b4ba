"""A dump in one go: from a MediaWiki dump to a dataset folder with training pairs, and a look at both.

    python examples/mine_a_dump.py DUMP OUT [OPTION...]

The options are those that both steps have, such as `--limit 1000` or `--workers 2`. The same on a command
line: `anchormine wiki DUMP --output OUT`, then `anchormine pairs OUT --weights tfidf`.
"""

from __future__ import annotations

import sys
from itertools import islice

from anchormine.datasets import DatasetFolder, iter_rows
from anchormine.pipelines.cli import main as anchormine


def mine(dump: str, folder: str, options: list[str]) -> int:
    """Makes pages, anchors and pairs; returns the exit status of the first step that fails, else 0.

    `--weights tfidf` needs no encoder, and so no `train` extra; leave it out for attention, as HARP does it.
    """
    return anchormine(["wiki", dump, "--output", folder, *options]) or anchormine(
        ["pairs", folder, "--weights", "tfidf", *options]
    )


def show(folder: str) -> None:
    """Prints how many rows each table has, and the first pair of each task."""
    dataset = DatasetFolder(folder)
    for config in dataset.configs():
        print(f"{config}: {dataset.rows(config)} rows")
    for config in (name for name in dataset.configs() if name.startswith("pairs-")):
        for pair in islice(iter_rows(folder, config, ["query", "document_id"]), 1):
            print(f"{config}: {pair['query']!r} is answered by {pair['document_id']}")


def main(arguments: list[str]) -> int:
    """Mines the dump, then shows what came out."""
    dump, folder, *options = arguments
    status = mine(dump, folder, options)
    if status == 0:
        show(folder)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

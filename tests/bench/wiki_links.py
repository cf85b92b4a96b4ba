"""Links of real dumps against an independent oracle, and how time grows on markup that is never closed.

    python tests/bench/wiki_links.py [--json]

Recall and precision: of the links (title) that the oracle of `tests/wiki/oracle.py` finds, how many are ours,
and the other way round; spans: how many of the links that both find show the same text where ours says.
Growth: CPU seconds for 8,000 repeats of a piece of open markup over those for 4,000.

The dump is found in the folder `wiki` of the one that ANCHORMINE_DATA names; without it only growth is
measured. The exit status is 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.wiki.agreement import AGREEMENT, check_dump
from tests.wiki.open_markup import LINEAR, OPEN, growth
from tests.wiki.real_dumps import FOLDER

_DUMPS = "enwiki-samples*-multistream.xml.bz2"


def agreement(dump: Path) -> dict[str, float]:
    """Recall and precision of titles, and the share of equal texts; the oracle stands for the truth."""
    counts = check_dump(dump)
    both = counts["both"]
    return {
        "links": both,
        "recall": both / (both + counts["only theirs"]),
        "precision": both / (both + counts["only ours"]),
        "spans": 1 - counts["other text"] / both,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures; exit status 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    found = [(dump, agreement(dump)) for dump in sorted(FOLDER.glob(_DUMPS))]
    grown = {piece: growth(piece) for piece in OPEN}
    if options.json:
        links = {dump.name: figures for dump, figures in found}
        print(json.dumps({"links": links, "growth": grown}))
    else:
        for dump, figures in found:
            print(
                f"{dump.name}: {figures['links']:,} links, recall {figures['recall']:.5f}, precision "
                f"{figures['precision']:.5f}, spans {figures['spans']:.5f} (targets {AGREEMENT})"
            )
        for piece, ratio in grown.items():
            print(f"growth of {piece!r}: {ratio:.2f} (at most {LINEAR})")
    shares = [figures[name] for _, figures in found for name in ("recall", "precision", "spans")]
    return int(any(share < AGREEMENT for share in shares) or any(ratio > LINEAR for ratio in grown.values()))


if __name__ == "__main__":
    sys.exit(main())

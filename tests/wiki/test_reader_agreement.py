"""The reader on real pages: its fast half against mwparserfromhell, all of it against an oracle."""

from __future__ import annotations

from collections import Counter

import pytest

from anchormine.wiki.site import Site
from tests.wiki.agreement import AGREEMENT, check_blocks, check_dump
from tests.wiki.case_files import read_cases
from tests.wiki.real_dumps import dumps, needs_dumps


@pytest.mark.data
@pytest.mark.slow
@needs_dumps
def test_real_dumps() -> None:
    totals: Counter = Counter()
    for path in dumps():
        counts = check_dump(path)
        totals += counts
        if counts["both"] > 1000:
            assert counts["both"] >= AGREEMENT * (counts["both"] + counts["only ours"]), (path, counts)
            assert counts["both"] >= AGREEMENT * (counts["both"] + counts["only theirs"]), (path, counts)
    assert totals["articles"] > 15_000
    assert totals["both"] > 250_000
    assert totals["only ours"] + totals["only theirs"] < 20
    assert totals["other text"] < 30  # <nowiki>, unknown tags, variants, and punctuation beside templates
    assert totals["careful"] < totals["fast"] / 500


def test_cases() -> None:
    counts: Counter = Counter()
    for case in read_cases():
        check_blocks(case.wikitext, Site.of_language(case.language), case.name, counts)
    assert counts["fast"] > counts["careful"] > 5

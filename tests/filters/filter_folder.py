"""A folder of anchors that each rule drops one of, and what is left of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.filters.anchor_folders import link
from tests.pipelines.command_runs import QUIET, read_table

RULES_ONLY = (*QUIET, "--classifier", "none")
SUGGESTED = ("--suggest-keywords", "1")
ANCHORS = [
    link(0, "Annual Report", "http://two.org/report"),
    link(1, "Annual Report", "http://two.org/report", destination_page_id="web:2", region="footer"),
    link(2, "Our shop", "http://shop.one.co.uk/"),
    link(3, "→ Menu of Tuesday", "http://three.net/menu", destination_page_id="web:3"),
    link(4, "[1]", "http://three.net/menu", destination_page_id="web:3"),
    link(5, "Read more …", "http://three.net/menu", destination_page_id="web:3"),
    link(6, "Weiterlesen", "http://two.org/de", language="de"),
    link(7, "Weiterlesen", "http://two.org/de"),
    link(8, "word " * 64 + "end", "http://two.org/long"),
    link(9, "Sponsor's page", "http://ads.com/", rel="sponsored"),
]


def kept(folder: Path) -> list[str]:
    return [row["anchor_id"].partition("#a")[2] for row in read_table(folder, "filtered")]


def refused(capsys: pytest.CaptureFixture) -> str:
    """What was printed, one line of an error."""
    printed = capsys.readouterr()
    assert (printed.err[:12], printed.err[-1], printed.err.count("\n"), printed.out) == (
        "anchormine: ", "\n", 1, "",
    )  # fmt: skip
    return printed.err[12:-1]

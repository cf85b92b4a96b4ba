"""The real dumps that tests read where ANCHORMINE_DATA names a folder with them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from anchormine.transforms.dump_plan import plan_dump
from anchormine.transforms.dump_range import read_elements
from anchormine.wiki.dump_page import redirect_of
from anchormine.wiki.revisions import parse_page
from anchormine.wiki.site import Site

FOLDER = Path(os.environ.get("ANCHORMINE_DATA") or "nowhere") / "wiki"
needs_dumps = pytest.mark.skipif(not FOLDER.is_dir(), reason="ANCHORMINE_DATA names no folder with dumps")


class RealArticle(NamedTuple):
    """An article of a dump."""

    title: str
    wikitext: str


def dumps() -> list[Path]:
    """The dumps, without their indexes; those of a few pages come last."""
    files = [path for path in sorted(FOLDER.glob("*.xml.*")) if "index" not in path.name]
    return files + sorted(FOLDER.glob("minidumps/*.xml.bz2"))


def name_of(path: Path) -> str:
    """A short name of a dump: its wiki."""
    return path.name.split("-")[0].split(".")[0]


def read_dump(path: Path) -> tuple[Site, Iterator[RealArticle]]:
    """A dump's site and articles. The small ones all claim to be English; their names say what they are."""
    plan = plan_dump([str(path)], "none")
    small = path.parent.name == "minidumps"
    site = Site(plan.files[0].info, language=name_of(path).removesuffix("wiki") if small else None)

    def articles() -> Iterator[RealArticle]:
        for part in plan.ranges:
            for element in read_elements(part, []):
                page = parse_page(element.xml)
                if page.namespace == 0 and redirect_of(page, site) is None and page.model == "wikitext":
                    yield RealArticle(page.title, page.wikitext)

    return site, articles()

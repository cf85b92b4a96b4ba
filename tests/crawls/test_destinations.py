"""Where links of real crawls lead, found by another join: in dictionaries, of what warcio and trees give."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser
from warcio.archiveiterator import ArchiveIterator

from anchormine.pipelines import web
from anchormine.pipelines.cli import main
from anchormine.web.urls import canonical_url
from tests.crawls.command_results import Result, rows
from tests.pipelines.command_runs import QUIET, checksums
from tests.transforms import memory_files
from tests.web.crawl_files import FOLDER, needs_crawls
from tests.web.test_warcio_agreement import STOPS

pytestmark = [pytest.mark.data, pytest.mark.slow, needs_crawls]

REFRESHES = "meta[http-equiv=refresh][content]"
REFRESH = re.compile(r"\s*\d\s*;\s*url=['\"]?([^'\"]*)", re.IGNORECASE)


class Answer(NamedTuple):
    """What was captured at an address."""

    url: str
    status: str
    location: str | None
    body: bytes


def address(url: str) -> str:
    return canonical_url(url) or ""


def answers() -> Iterator[Answer]:
    """All of them, file by file, up to where warcio fails: behind that is no redirect."""
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file():
            stops = path.relative_to(FOLDER).as_posix() in STOPS
            with path.open("rb") as stream, suppress(Exception) if stops else nullcontext():
                for record in ArchiveIterator(stream, arc2warc=True):
                    if record.rec_type == "response" and record.http_headers:
                        yield _answer(record)


def _answer(record: Any) -> Answer:
    url, http = record.rec_headers.get_header("WARC-Target-URI").strip("<>"), record.http_headers
    return Answer(url, http.get_statuscode(), http.get_header("Location"), record.content_stream().read())


def named_by(answer: Answer) -> list[str]:
    """The addresses that a page says it is of, or without one those that it goes on to."""
    tree = LexborHTMLParser(answer.body)
    hrefs = [node.attributes["href"] or "" for node in tree.css("head link[rel=canonical][href]")]
    if not hrefs:
        found = (REFRESH.match(node.attributes["content"] or "") for node in tree.css(REFRESHES))
        hrefs = [match[1] for match in found if match]
    return [address(urljoin(answer.url, href)) for href in hrefs]


def test_destinations_are_those_of_another_join(everything: Result) -> None:
    redirects: dict[str, str] = {}
    named_of: dict[str, str] = {}
    for answer in answers():
        if answer.status.startswith("3") and answer.location:
            redirects[address(answer.url)] = address(urljoin(answer.url, answer.location))
        elif answer.status == "200" and len(found := named_by(answer)) == 1:
            named_of[address(answer.url)] = found[0]
    pages = {row["url"]: row["page_id"] for row in rows(everything.folder, "pages", ["url", "page_id"])}
    named = {own: to for own, to in named_of.items() if own in pages and to in pages}
    others: dict[str, str] = {}  # the addresses of pages that were not captured under these
    for own, to in named_of.items():
        if own in pages and to not in pages and urlsplit(own).hostname == urlsplit(to).hostname:
            assert others.setdefault(to, own) == own
    steps = others | redirects | named

    def destination(url: str) -> str | None:
        passed = set()
        while url not in passed and (url in named or url not in pages) and url in steps:
            passed.add(url)
            url = steps[url]
        return pages.get(url)

    ends: Counter[str] = Counter()
    columns = ["target", "destination_page_id", "source_page_id"]
    for row in rows(everything.folder, "anchors", columns):
        url = address(row["target"])
        expected = destination(url)
        assert row["destination_page_id"] == expected != row["source_page_id"], row
        ends["nowhere" if expected is None else "at once" if url in pages else "by a way"] += 1
    assert (len(redirects), len(named), len(others)) == (30, 12, 1791)
    assert ends == {"nowhere": 229232, "at once": 287114, "by a way": 195}


def test_many_buckets_and_another_file_system_change_nothing(
    everything: Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {path: path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()}
    files = {f"mem://bucket/warc/{name}": path.read_bytes() for path, name in names.items()}
    monkeypatch.setattr(memory_files, "FILES", files)
    monkeypatch.setattr(web, "_BUCKET_FILE_BYTES", sum(map(len, files.values())) // 20)
    folder = tmp_path / "out"
    assert main(["web", "mem://bucket/warc", "--output", str(folder), *QUIET]) == 0
    assert checksums(folder) == checksums(everything.folder)

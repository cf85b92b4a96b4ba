"""`anchormine web` on answers of random bytes that say that they are HTML."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from anchormine.pipelines.cli import main
from tests.pipelines.command_runs import QUIET, checksums, funnel, read_table
from tests.web.small_crawls import response, warc_gz

COUNT = 200
CHARSETS = ("utf-8", "windows-1252", "shift_jis", "gb18030", "iso-2022-jp", "utf-16le", "none-such", "")
TAGS = (
    b"<a href=/", b"<a href='http://b.example/", b">", b"</a>", b"<p>", b"</p", b"<div hidden", b"<td>",
    b"<script>", b"</script>", b"<!--", b"-->", b"<base href=//", b"<meta charset=", b"&#x", b"&amp", b"\0",
    b"'", b'"', b"<table>",
)  # fmt: skip


def noise(number: int) -> bytes:
    """Random bytes, in every second page with parts of tags among them."""
    draws = Random(number)
    if number % 2:
        return draws.randbytes(draws.randrange(1, 5000))
    return b"".join(draws.choice((*TAGS, draws.randbytes(5), b"word ")) for _ in range(draws.randrange(400)))


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    answers = []
    for number in range(COUNT):
        charset = CHARSETS[number % len(CHARSETS)]
        kind = f"text/html; charset={charset}" if charset else "text/html"
        answers.append(response(f"http://a.example/{number}", noise(number), Content_Type=kind))
    folder = tmp_path_factory.mktemp("crawl")
    for part in range(3):
        (folder / f"noise-{part}.warc.gz").write_bytes(warc_gz(*answers[part::3]))
    return folder


def test_every_page_is_written_or_set_aside(crawl: Path, tmp_path: Path) -> None:
    assert main(["web", str(crawl), "--output", str(tmp_path / "out"), *QUIET]) == 0
    rows = funnel(tmp_path / "out", "web")
    assert {unit: (row["read"], row["written"], row["rejected"]) for unit, row in rows.items()} == {
        "files": (3, 3, {}),
        "records": (203, 200, {"warcinfo": 3}),
        "pages": (200, 101, {"media_type": 99}),
        "links": (476, 296, {"hidden": 5, "no_text": 175}),
    }
    pages = {page["page_id"]: page["text"] for page in read_table(tmp_path / "out", "pages")}
    for anchor in read_table(tmp_path / "out", "anchors"):
        assert anchor["sentence"][anchor["start"] : anchor["end"]] == anchor["anchor"] != ""
        at = anchor["sentence_start"]
        assert at is None or pages[anchor["source_page_id"]].startswith(anchor["sentence"], at)


def test_two_workers_write_the_same(crawl: Path, tmp_path: Path) -> None:
    for name, workers in (("one", "1"), ("two", "2")):
        options = ["--workers", workers, "--progress", "none"]
        assert main(["web", str(crawl), "--output", str(tmp_path / name), *options]) == 0
    assert checksums(tmp_path / "one") == checksums(tmp_path / "two")

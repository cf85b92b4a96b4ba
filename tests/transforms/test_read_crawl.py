"""The reading of a crawl as a step of anyone's pipeline: what it refuses, and what it gives."""

from __future__ import annotations

from pathlib import Path

import apache_beam as beam
import pytest
from apache_beam.testing.util import assert_that, equal_to

from anchormine.errors import CommandError, UsageError
from anchormine.hypertext.rows import Provenance
from anchormine.transforms.crawl_plan import plan_crawl
from anchormine.transforms.parse_captures import ParseCaptures
from anchormine.transforms.read_crawl import ReadCrawl
from anchormine.transforms.write_pages import _WriteGroup
from tests.web.crawl_files import members, pages

_RUNNER = "FnApiRunner"


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    path = tmp_path / "in.warc.gz"
    path.write_bytes(members(pages(2)))
    return path


def test_captures_and_verdicts_of_a_path(crawl: Path) -> None:
    with beam.Pipeline(runner=_RUNNER) as pipeline:
        read = pipeline | ReadCrawl(str(crawl))
        pages = read.captures | ParseCaptures() | beam.Map(lambda page: (page.range, page.ordinal))
        verdicts = read.verdicts | beam.Map(lambda verdict: (verdict.file, verdict.records, verdict.damages))
        assert_that(pages, equal_to([(0, 0), (0, 1)]), label="pages")
        assert_that(verdicts, equal_to([(0, 2, ())]), label="verdicts")


def test_a_path_that_cannot_be_read_is_refused(crawl: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.warc.gz"
    empty.touch()
    with pytest.raises(UsageError) as refused, beam.Pipeline(runner=_RUNNER) as pipeline:
        pipeline | ReadCrawl([str(crawl), str(empty)])
    assert str(refused.value) == (
        f"{empty}: an empty file; fetch it again; leave it out, or give the plan of `plan_crawl`, whose "
        "files say which cannot be read"
    )
    plan = plan_crawl([str(crawl), str(empty)])
    assert [file.unreadable for file in plan.files] == [None, "an empty file; fetch it again"]
    with beam.Pipeline(runner=_RUNNER) as pipeline:
        verdicts = (pipeline | ReadCrawl(plan)).verdicts | beam.Map(lambda verdict: verdict.file)
        assert_that(verdicts, equal_to([0]))


def test_no_path_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^no path; give the paths of files, or globs$"):
        plan_crawl([])


def test_one_path_is_no_list_of_letters(crawl: Path) -> None:
    assert plan_crawl(str(crawl)) == plan_crawl([str(crawl)]) == plan_crawl(crawl) == plan_crawl([crawl])
    assert ReadCrawl(crawl).plan() == plan_crawl(str(crawl))


def test_what_is_no_capture_is_refused_before_the_pipeline_runs() -> None:
    pipeline = beam.Pipeline(runner=_RUNNER)
    with pytest.raises(beam.typehints.TypeCheckError, match="Capture"):
        pipeline | beam.Create(["http://a.example/"]) | ParseCaptures()


def test_pages_of_two_readings_are_refused(tmp_path: Path) -> None:
    """They cannot be told apart, and links would lead to pages of the other."""
    write = _WriteGroup((Provenance("web", "web", "web", None),), str(tmp_path))
    group = [("chunk", 0, 0, "first.arrow"), ("chunk", 0, 5, "second.arrow"), ("chunk", 0, 0, "other.arrow")]
    with pytest.raises(CommandError, match=r"^page 0 of range 0 is there 2 times; pages of several readings"):
        list(write.process((0, group)))

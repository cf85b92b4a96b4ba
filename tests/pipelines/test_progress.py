"""What a person sees of a run that goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from apache_beam.io.filesystem import BeamIOError
from apache_beam.io.filesystems import FileSystems

from anchormine.pipelines.mining import Plan
from anchormine.pipelines.progress import ProgressMonitor, read_heartbeats
from anchormine.transforms.progress import Heartbeat


@pytest.mark.parametrize(
    ("read", "passes", "said"),
    [
        (300, 1, "300 of 600, 300 anchors, "),
        (300, 2, "150 of 300, 150 anchors, "),
        (600, 2, "all read, 300 anchors, 7 rejects; joining and writing"),
    ],
)
def test_an_anchor_that_is_read_twice_is_one(tmp_path: Path, read: int, passes: int, said: str) -> None:
    beat = Heartbeat(str(tmp_path))
    beat.beat(anchors=read, rejects=7)
    beat.beat(flush=True)
    plan = Plan("filter", (), (), (), 600, "anchors", "anchors", 0, passes=passes)
    monitor = ProgressMonitor(str(tmp_path), plan, "plain")
    assert monitor._line().startswith(f"anchormine filter: {said}")


def test_a_store_that_does_not_answer_ends_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_patterns: list[str]) -> None:
        raise BeamIOError("Match operation failed", {"s3://bucket/progress": OSError("slow down")})

    monkeypatch.setattr(FileSystems, "match", refuse)
    assert read_heartbeats("s3://bucket/progress") == {}

"""Two runs in one folder, of which one ends while the other still looks at its input."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from anchormine.errors import UsageError
from anchormine.pipelines import run_marks
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.transforms import files
from tests.pipelines.command_runs import checksums, run_demo_wiki


@pytest.mark.parametrize("was_there", [False, True])
def test_what_another_run_has_just_made_stays(was_there: bool, tmp_path: Path) -> None:
    out = tmp_path / "out"
    if was_there:
        run_demo_wiki(out, "--limit", "5")
    folder = OutputFolder(str(out))
    run_demo_wiki(out, "--overwrite")
    made = checksums(out)
    with pytest.raises(UsageError) as refused:
        folder.open_scratch("wiki")
    assert str(refused.value) == (
        f"{out}: another run has ended in it while this one looked at its input; give the same command again"
    )
    assert checksums(out) == made
    assert OutputFolder(str(out)).open_scratch("wiki").startswith(f"{out}/.anchormine-wiki-")


def test_only_folders_of_runs_are_looked_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of keywords may stand beside all that a person has."""
    (tmp_path / "photos" / "old").mkdir(parents=True)
    (tmp_path / "photos" / "old" / "quay.jpg").touch()
    left, empty = tmp_path / ".anchormine-filter-1", tmp_path / ".anchormine-filter-2"
    (left / "parts").mkdir(parents=True)
    (left / "parts" / "row").touch()
    empty.mkdir()  # of a run that is about to write its mark
    looked: list[str] = []

    def files_below(folder: str) -> Iterator[str]:
        looked.append(folder)
        return files.files_below(folder)

    monkeypatch.setattr(run_marks, "files_below", files_below)
    run_marks.remove_interrupted(str(tmp_path))
    assert looked == [str(left), str(empty)]
    assert sorted(tmp_path.iterdir()) == [empty, tmp_path / "photos"]

"""Two runs in one folder, of which one ends while the other still looks at its input."""

from __future__ import annotations

from pathlib import Path

import pytest

from anchormine.errors import UsageError
from anchormine.pipelines.output_folder import OutputFolder
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

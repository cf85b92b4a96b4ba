"""Models that a process holds: when one is loaded, and when it is loaded anew."""

from __future__ import annotations

import os
from pathlib import Path

from anchormine.loaded_models import LoadedModels


def test_a_model_is_loaded_anew_where_its_files_were_written_anew(tmp_path: Path) -> None:
    loaded: list[tuple[str, ...]] = []

    def load(*given: str) -> int:
        loaded.append(given)
        return len(loaded)

    models = LoadedModels(load)
    weights, folder = tmp_path / "model.safetensors", str(tmp_path)
    weights.write_text("weights")
    assert [models.get(folder, "cpu"), models.get(folder, "cpu")] == [1, 1]
    assert [models.get(folder, "cuda"), models.get("an/id", "cpu"), models.get("an/id", "cpu")] == [2, 3, 3]
    weights.write_text("others")
    os.utime(weights, ns=(0, 0))
    assert [models.get(folder, "cpu"), models.get(folder, "cpu")] == [4, 4]
    assert loaded == [(folder, "cpu"), (folder, "cuda"), ("an/id", "cpu"), (folder, "cpu")]


def test_links_to_nothing_are_passed_over(tmp_path: Path) -> None:
    """Emacs marks a file that is open by one."""
    models = LoadedModels(lambda name: object())
    (tmp_path / "config.json").write_text("{}")
    before = models.get(str(tmp_path))
    (tmp_path / ".#config.json").symlink_to("somebody@host.1:2")
    assert models.get(str(tmp_path)) is before

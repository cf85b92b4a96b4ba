"""`pairs` with an encoder by its id on the hub, out of a cache as the hub's library keeps it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

REVISION = "0123456789abcdef0123456789abcdef01234567"


def test_the_manifest_names_the_revision(demo_folder, tmp_path):
    pytest.importorskip("torch")
    from tests.sampling.tiny_encoders import save_tiny_bert

    model = tmp_path / "hub" / "models--somebody--tiny"
    (model / "refs").mkdir(parents=True)
    (model / "refs" / "main").write_text(REVISION)
    save_tiny_bert(model / "snapshots" / REVISION)
    command = [
        "pairs",
        str(demo_folder),
        "--encoder",
        "somebody/tiny",
        "--task",
        "rdp",
        "--workers",
        "1",
        "--device",
        "cpu",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "anchormine", *command, "--progress", "none"],
        env={**os.environ, "HF_HUB_CACHE": str(tmp_path / "hub"), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    options = json.loads((demo_folder / "manifest.json").read_text())["steps"]["pairs"]["options"]
    named = {name: options[name] for name in ("encoder", "encoder_sha256", "encoder_revision", "dtype")}
    assert named == {
        "encoder": "somebody/tiny",
        "encoder_sha256": None,
        "encoder_revision": REVISION,
        "dtype": "float32",
    }

"""What a run must have in common with the one that it resumes: everything that the weights depend on."""

import hashlib
from dataclasses import asdict
from pathlib import Path
from typing import Any

from anchormine.datasets import DatasetFolder
from anchormine.model_checksum import model_checksum
from anchormine.training.settings import Settings

# A resumed run may change these: where it runs, and how often it writes.
FREE = ("output", "device", "log_every", "save_every", "resume", "overwrite")


def result_options(
    settings: Settings, options: dict[str, Any], data: dict[str, str], model: str | None
) -> dict[str, Any]:
    """The options that the weights depend on, by name.

    Args:
        settings: of the training.
        options: of its kind.
        data: checksums of what it reads.
        model: that it starts from, which may have been trained anew in its place; None without.
    """
    checksum = model_checksum(model) if model else None
    return {**common_options(settings), **options, "data": data, "model_sha256": checksum}


def common_options(settings: Settings) -> dict[str, Any]:
    """The options of every training that the weights depend on, by name."""
    return {name: value for name, value in asdict(settings).items() if name not in FREE}


def table_checksums(folder: DatasetFolder, configs: list[str], split: str = "train") -> dict[str, str]:
    """Checksums of a folder's tables, as its manifest has them.

    Args:
        folder: a dataset folder.
        configs: such as "pairs-rqp".
        split: of each.
    """
    sums = {
        output["path"]: output.get("sha256", str(output["rows"]))
        for step in folder.manifest["steps"].values()
        for output in step["outputs"]
    }
    return {path: sums[path] for config in configs for path in folder.shards(config, split)}


def file_checksums(paths: list[Path]) -> dict[str, str]:
    """Checksums of files, by name."""
    return {path.name: _sha256(path) for path in paths}


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()

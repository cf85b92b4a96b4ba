"""`anchormine rejects`: prints the records that steps have set aside."""

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from anchormine.datasets.folder import DatasetFolder
from anchormine.errors import UsageError
from anchormine.pipelines.options import StepParser

_COLUMNS = ("step", "reason", "unit", "record_id", "origin", "excerpt", "records")


def add_arguments(parser: StepParser) -> None:
    """Adds the options of the command."""
    parser.add_argument("folder", metavar="DIR", help="a dataset folder")
    parser.add_argument("--step", dest="of", metavar="STEP", help="only of one step, such as wiki")
    parser.add_argument("--reason", help="only of one reason, such as namespace")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N")
    parser.add_argument(
        "--json", action="store_true", help="one JSON object a line, instead of tab-separated columns"
    )
    parser.add_argument("--config", metavar="FILE", help="a TOML file with the same names; flags win")


def run(args: argparse.Namespace) -> int:
    """Prints the rejects, one a line."""
    folder = DatasetFolder(args.folder)
    try:
        for number, row in enumerate(_rows(folder, args.of, args.reason)):
            if args.limit is not None and number >= args.limit:
                break
            print(json.dumps(row, ensure_ascii=False) if args.json else _line(row))
    except BrokenPipeError:  # somebody has seen enough of it
        sys.stderr.close()
    return 0


def _rows(folder: DatasetFolder, step: str | None, reason: str | None) -> Iterator[dict[str, Any]]:
    configs = [config for config in folder.configs() if config.startswith("rejects-")]
    steps = [config.removeprefix("rejects-") for config in configs]
    if step is not None and step not in folder.manifest["steps"]:
        known = ", ".join(folder.manifest["steps"])
        raise UsageError(f"--step {step}: {folder.path} has no such step; it has {known}")
    for name in steps:
        if step in (None, name):
            for batch in folder.iter_batches(f"rejects-{name}", _COLUMNS):
                yield from (row for row in batch.to_pylist() if reason in (None, row["reason"]))


def _line(row: dict[str, Any]) -> str:
    return "\t".join(" ".join(str("" if row[name] is None else row[name]).split()) for name in _COLUMNS)

"""`anchormine rejects`: prints the records that steps have set aside."""

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any

from anchormine.datasets.folder import DatasetFolder
from anchormine.errors import UsageError
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.standard_streams import output_ended

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
    parser.epilog = "Options of Beam's file systems may follow, such as --hdfs_host."
    parser.set_defaults(takes_file_system_options=True)


def run(args: argparse.Namespace) -> int:
    """Prints the rejects, one a line."""
    if args.limit is not None and args.limit < 1:
        raise UsageError(f"--limit {args.limit}: give 1 or more")
    folder = _open_folder(args.folder)
    tables = _tables(folder, args.of)
    if args.reason is not None:
        _check_reason(folder, tables, args)
    for number, row in enumerate(_rows(folder, tables, args.reason)):
        if output_ended() or (args.limit is not None and number >= args.limit):
            break
        print(json.dumps(row, ensure_ascii=False) if args.json else _line(row))
    return 0


def _open_folder(path: str) -> DatasetFolder:
    if "://" not in path:  # Beam takes four times as long to import as all the rest
        return DatasetFolder(path)
    from anchormine.pipelines.input_folder import input_folder

    return input_folder(path)


def _tables(folder: DatasetFolder, step: str | None) -> list[str]:
    """The tables of rejects, of one step or of all."""
    if step is not None and step not in folder.manifest["steps"]:
        known = ", ".join(folder.manifest["steps"])
        raise UsageError(f"--step {step}: {folder.path} has no such step; it has {known}")
    tables = [config for config in folder.configs() if config.startswith("rejects-")]
    return [table for table in tables if step in (None, table.removeprefix("rejects-"))]


def _check_reason(folder: DatasetFolder, tables: Sequence[str], args: argparse.Namespace) -> None:
    """Refuses a reason that no record was set aside for, with those that there are."""
    reasons: set[str] = set()
    for table in tables:
        for batch in folder.iter_batches(table, ("reason",)):
            reasons.update(batch.column("reason").to_pylist())
    if args.reason not in reasons:
        where = f"{folder.path}, step {args.of}," if args.of else folder.path
        known = ", ".join(sorted(reasons)) or "none at all"
        raise UsageError(f"--reason {args.reason}: {where} has no such reason; it has {known}")


def _rows(folder: DatasetFolder, tables: Sequence[str], reason: str | None) -> Iterator[dict[str, Any]]:
    for table in tables:
        for batch in folder.iter_batches(table, _COLUMNS):
            yield from (row for row in batch.to_pylist() if reason in (None, row["reason"]))


def _line(row: dict[str, Any]) -> str:
    return "\t".join(" ".join(str("" if row[name] is None else row[name]).split()) for name in _COLUMNS)

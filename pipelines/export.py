"""`anchormine export`: a dataset folder in the layout of a program that trains, searches or evaluates."""

import argparse
import json
import posixpath
from collections.abc import Sequence

import pyarrow as pa

from anchormine.datasets.facts import TableFacts, facts_of
from anchormine.datasets.folder import DatasetFolder, config_of
from anchormine.datasets.funnel import FunnelRow, render_funnel
from anchormine.datasets.manifest import versions_of
from anchormine.errors import UsageError
from anchormine.export.card import CLUEWEB22, export_card
from anchormine.export.croissant import export_croissant
from anchormine.export.export_folder import ExportFolder
from anchormine.export.formats import FORMATS, check_options, tables_of
from anchormine.export.job import STEP, ExportJob, ExportTable
from anchormine.export.options import CORPORA, LINK_SOURCES, TRAINING_SOURCES, TRIPLES, ExportOptions
from anchormine.export.task_tables import TaskTable
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.standard_streams import tell
from anchormine.schemas.pairs import TASKS
from anchormine.training.progress import MODES, Progress

_ATTRIBUTION = "ATTRIBUTION.md"


def add_arguments(parser: StepParser) -> None:
    """Adds the options of the command."""
    parser.add_argument("folder", metavar="DIR", help="a dataset folder")
    parser.add_argument("--to", required=True, choices=list(FORMATS), metavar="NAME", help=", ".join(FORMATS))
    parser.add_argument("--output", metavar="DIR", help="the folder to make (default DIR/exports/NAME)")
    parser.add_argument(
        "--task",
        nargs="+",
        choices=TASKS,
        default=[],
        metavar="TASK",
        help=f"which pairs, any of {', '.join(TASKS)} (default all)",
    )
    parser.add_argument(
        "--source",
        choices=[*TRAINING_SOURCES, *LINK_SOURCES],
        help="what is read: contrastive (default where it is there) or pairs; of links, filtered or anchors",
    )
    parser.add_argument(
        "--negatives",
        type=int,
        metavar="N",
        help="columns of negatives; rows with fewer are left out (default: so many that the split that keeps "
        "least keeps most)",
    )
    parser.add_argument(
        "--corpus", choices=CORPORA, help="documents that are used (default), or all pages too"
    )
    parser.add_argument("--triples", choices=TRIPLES, help="of msmarco: ids (default) or text")
    parser.add_argument(
        "--limit",
        type=int,
        metavar="N",
        help="only the first N rows of each table and split (kilt, anchors-by-destination: N pages)",
    )
    parser.add_argument("--overwrite", action="store_true", help="replace an export that is there")
    parser.add_argument("--dry-run", action="store_true", help="print what would be read and written")
    parser.add_argument("--json", action="store_true", help="print files and counts as JSON")
    parser.add_argument(
        "--progress", choices=MODES, default="auto", help="on standard error (default: %(default)s)"
    )
    parser.add_argument("--config", metavar="FILE", help="a TOML file with the same names; flags win")
    parser.epilog = "Options of Beam's file systems may follow, such as --hdfs_host."
    parser.set_defaults(takes_file_system_options=True)


def check(args: argparse.Namespace) -> None:
    """Makes sure of what can be told without the folder.

    Raises:
        UsageError: an option is out of its range, or does not go with the layout.
    """
    _options(args)


def run(args: argparse.Namespace) -> int:
    """Writes the export, and prints its files."""
    options = _options(args)
    folder = _open_folder(args.folder)
    output = ExportFolder(_output_path(args), args.overwrite)
    tasks, tables = tables_of(args.to, folder, options)
    if args.dry_run:
        _print_plan(args, tables, output)
        return 0
    progress = Progress(args.progress)
    if "clueweb22" in folder.manifest["steps"] and args.to != "ids-only":
        progress.warn(CLUEWEB22)
    with output.open():
        job, funnel = _write(args.to, folder, options, output, tasks, tables, progress)
    _print_outcome(args, job, funnel)
    return 0


def _options(args: argparse.Namespace) -> ExportOptions:
    """The options, checked."""
    options = ExportOptions(
        tuple(args.task), args.source, args.negatives, args.corpus, args.triples, args.limit
    )
    check_options(args.to, options)
    return options


def _open_folder(path: str) -> DatasetFolder:
    if "://" not in path:  # Beam takes four times as long to import as all the rest
        return DatasetFolder(path)
    from anchormine.pipelines.input_folder import input_folder

    return input_folder(path)


def _output_path(args: argparse.Namespace) -> str:
    if args.output is None and "://" in args.folder:
        raise UsageError("--output is missing: exports are written to this machine; name a folder here")
    return args.output if args.output is not None else posixpath.join(args.folder, "exports", args.to)


def _write(
    name: str,
    folder: DatasetFolder,
    options: ExportOptions,
    output: ExportFolder,
    tasks: Sequence[TaskTable],
    tables: Sequence[ExportTable],
    progress: Progress,
) -> tuple[ExportJob, list[FunnelRow]]:
    done = 0
    with progress.count(f"export to {name}", sum(table.rows for table in tables)) as counter:

        def advance(rows: int) -> None:
            nonlocal done
            done += rows
            counter.reach(done)

        job = ExportJob(folder, options, output, tasks, advance)
        FORMATS[name].write(job)
    funnel = job.funnel()
    facts = facts_of(folder.manifest, [_table_facts(folder, table.config) for table in tables])
    described = export_croissant(name, facts, job)
    output.write_text(_ATTRIBUTION, folder.read_text(_ATTRIBUTION))
    output.write_text("README.md", export_card(name, facts, job, funnel))
    output.write_text("croissant.json", described)
    output.publish(_manifest(name, folder, job, funnel))
    return job, funnel


def _table_facts(folder: DatasetFolder, config: str) -> TableFacts:
    """A table that is exported; what its columns are is told by the format."""
    files = [file for path, file in folder.outputs().items() if config_of(path) == config]
    table = posixpath.dirname(files[0]["path"])
    return TableFacts(config, table, tuple(folder.splits(config)), pa.schema([]), {}, tuple(files))


def _manifest(name: str, folder: DatasetFolder, job: ExportJob, funnel: Sequence[FunnelRow]) -> dict:
    """What `export.json` says: how it was made, and of what; the files are added to it."""
    used = {row.unit for row in funnel}
    inputs = [
        {"path": path, "rows": file["rows"], "sha256": file["sha256"]}
        for path, file in folder.outputs().items()
        if config_of(path) in used
    ]
    return {
        "format": name,
        "options": {key: value for key, value in vars(job.options).items() if value not in (None, ())},
        "versions": versions_of("anchormine", "pyarrow"),
        "inputs": inputs,
        "funnel": [row.to_json() for row in funnel],
        "notes": job.notes,
    }


def _print_plan(args: argparse.Namespace, tables: Sequence[ExportTable], output: ExportFolder) -> None:
    if args.json:
        planned = {
            "command": f"anchormine {STEP}",
            "format": args.to,
            "inputs": [{"table": table.config, "rows": table.rows} for table in tables],
            "output": str(output.path),
        }
        print(json.dumps(planned, ensure_ascii=False))
        return
    print(f"anchormine {STEP}, as planned:")
    for table in tables:
        print(f"  input   {table.config} ({table.rows:,} rows)")
    print(f"  output  {output.path} for {args.to}: {FORMATS[args.to].layout}")


def _print_outcome(args: argparse.Namespace, job: ExportJob, funnel: Sequence[FunnelRow]) -> None:
    files = sorted(job.output.files)
    if args.json:
        report = {
            "format": args.to,
            "funnel": [row.to_json() for row in funnel],
            "files": [file._asdict() for file in files],
            "notes": job.notes,
            "output": str(job.output.path),
        }
        print(json.dumps(report, ensure_ascii=False))
        return
    print(render_funnel(funnel))
    print(f"\n{'file':48}{'rows':>12}{'bytes':>16}")
    for file in files:
        print(f"{file.path:48}{'' if file.rows is None else format(file.rows, ','):>12}{file.bytes:>16,}")
    for note in job.notes:
        tell(f"anchormine: {note}")
    print(f"\n{job.output.path}")

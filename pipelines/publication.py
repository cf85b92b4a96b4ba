"""What a step made becomes visible: all is written beside its place first, and the manifest comes last.

A full disk is met before anything is touched, as far as that can be: from then on files are only moved and
deleted.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from operator import itemgetter
from typing import Any

from anchormine.datasets.manifest import MANIFEST, Section, output_paths, with_section
from anchormine.errors import CommandError
from anchormine.pipelines.earlier_steps import Kept
from anchormine.pipelines.folder_texts import folder_texts
from anchormine.pipelines.interruption import leaving
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.pipelines.run_errors import file_reason
from anchormine.pipelines.suggestion_file import set_aside
from anchormine.pipelines.table_files import delete_strays, move_in, place_shards
from anchormine.transforms.files import delete_files, join, make_folder
from anchormine.transforms.report import Report


def publish(folder: OutputFolder, step: str, section: Section, report: Report, kept: Kept) -> None:
    """Publishes a step's output; what does not stay of earlier ones goes first.

    Args:
        folder: that has the scratch folder of the run.
        step: the command.
        section: of the manifest, without its outputs.
        report: of the pipeline.
        kept: what stays of an earlier run of the step.

    Raises:
        CommandError: a file system refuses; says what is there now.
    """
    nothing = "nothing was published; see that it can be written, and has room"
    half = _half_published(folder, step, kept)
    with _told(folder, nothing):
        placed = place_shards(report.parts)
        outputs = [*folder.earlier.staying(step, kept), *(shard.entry for shard in placed)]
        section = section._replace(outputs=sorted(outputs, key=itemgetter("path")))
        manifest = with_section(folder.manifest, step, section, kept.steps)
        distributions = folder.distributions(step, kept) | report.distributions()
        unplaced = {shard.entry["path"]: shard.path for shard in placed}
        texts = folder_texts(folder.path, manifest, distributions, unplaced)
        staged = {name: folder.stage(name, text) for name, text in texts.items()}
        last, gone = folder.stage(MANIFEST, _json(manifest)), folder.earlier.retracted(step, kept)
        for place in {join(folder.path, name).rpartition("/")[0] for name in (*unplaced, *texts)}:
            make_folder(place)
        rest = folder.earlier.retraction(step, kept)
        if rest is not None:
            retraction = folder.stage(MANIFEST, _json(rest))
            with leaving(half):
                folder.put(retraction, MANIFEST)
    with leaving(half), _told(folder, half):
        delete_files(join(folder.path, name) for name in gone)
        set_aside(folder.path, step)
        move_in(folder.path, placed)
        delete_strays(folder.path, {*output_paths(manifest)})
        for name, path in staged.items():
            folder.put(path, name)
        folder.put(last, MANIFEST)
    folder.manifest = manifest


@contextmanager
def _told(folder: OutputFolder, state: str) -> Iterator[None]:
    """Ends an error with the state that the folder is in."""
    try:
        yield
    except OSError as error:
        raise CommandError(f"{folder.path}: cannot be written ({file_reason(error)}); {state}") from None
    except CommandError as error:
        raise CommandError(f"{error}; {state}") from None


def _half_published(folder: OutputFolder, step: str, kept: Kept) -> str:
    """What is said of a folder whose files were moved in part: its manifest names none of the step."""
    state = f"`anchormine {step}` is published in part, and the same command with --overwrite makes it whole"
    lost = sorted({output["path"].rpartition("/")[0] for output in folder.earlier.staying(step, kept)})
    return f"{state}; what it had kept ({', '.join(lost)}) is to be made again too" if lost else state


def _json(manifest: dict[str, Any]) -> str:
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"

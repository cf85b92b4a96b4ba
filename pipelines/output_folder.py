"""The folder that a mining step writes: what is in it, what of that stays, and what is not published yet."""

import uuid
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from apache_beam.io.filesystem import BeamIOError
from apache_beam.io.filesystems import FileSystems

from anchormine.datasets.distributions import DISTRIBUTIONS, STATS, TableDistributions, parse_distributions
from anchormine.datasets.manifest import EXTRACTIONS, MANIFEST, parse_manifest, without_step
from anchormine.errors import CommandError, UsageError
from anchormine.pipelines.earlier_steps import EarlierSteps, Kept, tables_of
from anchormine.pipelines.run_marks import remove_interrupted, remove_scratch, write_mark
from anchormine.pipelines.table_files import check_files, refuse_links
from anchormine.transforms.files import (
    PATTERN_CHARACTERS,
    SCRATCH,
    create_file,
    delete_files,
    exists,
    files_below,
    is_local,
    join,
    make_folder,
    open_file,
    plain_path,
)

_BUCKETS = ("s3://", "gs://")


class OutputFolder:
    """A dataset folder, new or with earlier steps in it.

    Attributes:
        path: on any file system of Beam.
        manifest: of the steps that are done; None in a new folder.
        scratch: a folder inside for what is not published yet; "" before `open_scratch`.
    """

    def __init__(self, path: str) -> None:
        if not path.strip():
            raise UsageError(f"--output {path!r}: names no folder; give one")
        self.path = plain_path(path).rstrip("/") or "/"
        if not is_local(self.path) and PATTERN_CHARACTERS.intersection(self.path):
            raise UsageError(
                f"{self.path}: an output folder there cannot have *, ? or [ in its name, which stand for "
                "patterns; give another folder"
            )
        if self.path.startswith(_BUCKETS) and "/" not in self.path.partition("://")[2]:
            raise UsageError(
                f"{self.path}: is a whole bucket; give a folder in it, such as {self.path}/mined"
            )
        self.scratch = ""
        self._is_new = False
        self.manifest = self._read_manifest()

    @property
    def earlier(self) -> EarlierSteps:
        """The steps that are done."""
        return EarlierSteps(self.manifest)

    def _read_manifest(self) -> dict[str, Any] | None:
        name = join(self.path, MANIFEST)
        if not exists(name):
            return None
        try:
            with open_file(name) as stream:
                return _manifest_of(stream.read(), name)
        except IsADirectoryError:
            raise UsageError(f"{name}: is a folder; put the manifest there, or give another folder") from None

    def is_done(self, step: str, overwrite: bool, resume: bool) -> bool:
        """Tells whether nothing is to be done because `--resume` finds the step's output.

        Raises:
            UsageError: the folder holds the step's output or files of something else, and no option says what
                to do, or two do.
        """
        if overwrite and resume:
            raise UsageError("--overwrite and --resume: give one of them")
        if self.manifest is None:
            self._refuse_strange_files()
            return False
        steps = self.manifest["steps"]
        if step in steps and resume:
            return True
        rivals = [name for name in EXTRACTIONS if name in steps] if step in EXTRACTIONS else []
        for name in [step] if step in steps else rivals:
            if not overwrite:
                tables = ", ".join(tables_of(steps[name]))
                keep = ", --resume to keep it," if name == step else ""
                raise UsageError(
                    f"{self.path}: holds the output of `anchormine {name}` already; give --overwrite to "
                    f"replace all of it ({tables}){keep} or another folder"
                )
        lost = [] if overwrite else self.earlier.lost_steps(step, Kept())
        if lost:  # they were made without this step, and would be made from its output
            names = " and ".join(f"`anchormine {name}`" for name in lost)
            raise UsageError(
                f"{self.path}: holds what {names} made without `anchormine {step}`, which goes with that; "
                "give --overwrite to remove it, or a copy of the folder"
            )
        return False

    def _refuse_strange_files(self) -> None:
        """An output folder is new, empty, or one of ours: nothing else is written to."""
        if exists(self.path) and _is_file(self.path):
            raise UsageError(f"{self.path}: is a file; give a folder")
        if is_local(self.path) and Path(self.path).is_symlink() and not Path(self.path).exists():
            target = Path(self.path).readlink()
            raise UsageError(f"{self.path}: is a link to {target}, which is not there; make that folder")
        for path in files_below(self.path):
            name = path.removeprefix(self.path).strip("/")
            if name and not name.startswith(SCRATCH):  # a folder may be there as an object of its own name
                raise UsageError(
                    f"{self.path}: is not empty ({name}) and holds no {MANIFEST}, so it is no dataset "
                    "folder; give another folder, or an empty one"
                )

    def open_scratch(self, step: str) -> str:
        """Makes the folder for unpublished files, and removes those that interrupted runs left.

        Raises:
            UsageError: the folder cannot be written, another run is under way in it (see `run_marks`), or one
                has ended since its manifest was read: what that made would be lost.
        """
        scratch = join(self.path, f"{SCRATCH}{step}-{uuid.uuid4().hex}")
        try:
            remove_interrupted(self.path)
            self._is_new = not exists(self.path)
            make_folder(self.path)
            self.scratch = scratch
            write_mark(scratch)
            remove_interrupted(self.path, own=scratch)  # of two that start at once, one sees the other
            if self._read_manifest() != self.manifest:
                raise UsageError(
                    f"{self.path}: another run has ended in it while this one looked at its input; give the "
                    "same command again"
                )
        except UsageError:
            self.discard()
            raise
        except CommandError as error:
            self.discard()
            raise UsageError(str(error)) from None
        except OSError as error:
            self.discard()
            raise UsageError(f"{self.path}: cannot be written ({error}); give another folder") from None
        return scratch

    def discard(self) -> None:
        """Removes what was not published, and the folder itself if it was made for that alone.

        What cannot be removed is left to the next run: why this one ends counts for more.
        """
        with suppress(OSError):
            if self.scratch:
                remove_scratch(self.scratch)
            if self._is_new and is_local(self.path):
                Path(self.path).rmdir()  # or it is not empty
        self.scratch = ""

    def check_places(self, step: str, kept: Kept, tables: Iterable[str]) -> None:
        """Looks, before the work, whether the tables that stay, and what is known of them, can be read, and
        whether what is written and removed is in the folder.

        Args:
            step: the command.
            kept: what stays of an earlier run of it.
            tables: that it writes.

        Raises:
            UsageError: one of these, or what goes, is behind a link.
            CommandError: a file of them is gone, no whole Parquet file, or another; or one is damaged that
                the step will write anew with what it says of them.
        """
        gone = (path.rpartition("/")[0] for path in self.earlier.retracted(step, kept))
        refuse_links(self.path, {*tables, *filter(None, gone), STATS})
        if self.manifest is None:
            return
        rest = without_step(self.manifest, step, kept.steps)["steps"]
        sections = [(section["command"], section["outputs"]) for section in rest.values()]
        for command, outputs in (*sections, (f"anchormine {step}", self.earlier.staying(step, kept))):
            check_files(self.path, command, outputs)
        self.distributions(step, kept)

    def check_there(self, step: str) -> None:
        """Looks whether the tables of a step that is done can be read.

        Raises:
            CommandError: a file of them is gone, no whole Parquet file, or another.
        """
        if self.manifest is not None:
            section = self.manifest["steps"][step]
            check_files(self.path, section["command"], section["outputs"])

    def distributions(self, step: str, kept: Kept) -> dict[str, TableDistributions]:
        """Distributions that earlier steps have left, of the tables that stay.

        Raises:
            CommandError: their file is damaged.
        """
        tables = {path.rpartition("/")[0] for path in self.earlier.staying_paths(step, kept)}
        name = join(self.path, DISTRIBUTIONS)
        if not tables or not exists(name):
            return {}
        with open_file(name) as stream:
            found = parse_distributions(stream.read(), name)
        return {table: columns for table, columns in found.items() if table in tables}

    def stage(self, name: str, text: str) -> str:
        """Writes a small file to the scratch folder, and returns where it is there."""
        path = join(self.scratch, "texts", uuid.uuid4().hex, name)
        with create_file(path) as stream:
            stream.write(text.encode())
        return path

    def put(self, staged: str, name: str) -> None:
        """Gives a small file its place whole: a reader sees the old one or the new one."""
        place = join(self.path, name)
        make_folder(place.rpartition("/")[0])
        try:
            FileSystems.rename([staged], [place])
        except BeamIOError:
            if is_local(place):
                raise
            delete_files([place])  # not every file system replaces a file
            FileSystems.rename([staged], [place])


def _manifest_of(data: bytes, name: str) -> dict[str, Any]:
    try:
        return parse_manifest(data, name)
    except CommandError as error:
        reason = str(error).rpartition(";")[0]
        raise UsageError(f"{reason}; put a whole copy of it there, or give another folder") from None


def _is_file(path: str) -> bool:
    if is_local(path):
        return not Path(path).is_dir()
    try:
        with open_file(path):
            return True
    except (OSError, BeamIOError, CommandError):
        return False

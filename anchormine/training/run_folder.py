"""Where a training keeps its log and checkpoints until its model is complete."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from anchormine.errors import CommandError, UsageError
from anchormine.option_change import told_change
from anchormine.training.file_modes import share_files
from anchormine.training.folder_lock import lock_folder
from anchormine.training.output_place import check_place, is_taken, make_place
from anchormine.training.run_files import LOG, OPTIONS, damaged, is_model, read_log, read_options, told_damage
from anchormine.training.write_refusal import write_refusal


class RunFolder:
    """The folder `<output>.unfinished` beside the one to be.

    It holds `train_options.json`, `checkpoint.pt` and the log, and is gone when the model is there, which has
    the options and the log.

    Attributes:
        output: the model folder to be.
        finished: whether the model is there already and `--resume` has nothing to do.
    """

    def __init__(self, output: str, resume: bool, overwrite: bool) -> None:
        """Looks whether the output is free; touches nothing.

        Args:
            output: the model folder to be.
            resume: whether to go on with an unfinished run.
            overwrite: whether to discard an unfinished run and, in the end, replace a finished model.

        Raises:
            UsageError: the output is taken, is no model folder, or cannot be written.
        """
        self.output = Path(output)
        if self.output.name in ("", ".."):  # the unfinished model stands beside it, under its name
            raise UsageError(f"{output or '.'}: is no name of a new folder; give one, such as --output model")
        self.finished = False
        self._work = self.output.with_name(self.output.name + ".unfinished")
        self._overwrite = overwrite
        try:
            self._look_around(resume, overwrite)
        except OSError as error:
            raise UsageError(f"{output}: {error.strerror}; give another --output") from None

    def _look_around(self, resume: bool, overwrite: bool) -> None:
        check_place(self.output.parent)
        if is_taken(self.output):
            self._refuse(resume, overwrite)
            self.finished = resume
        if not self.finished and self._work.exists() and not resume and not overwrite:
            raise UsageError(
                f"{self._work}: an unfinished training; --resume goes on with it, --overwrite begins anew"
            )

    def _refuse(self, resume: bool, overwrite: bool) -> None:
        if not is_model(self.output):
            raise UsageError(
                f"{self.output}: holds something else than a model; it is left alone, give another --output"
            )
        if not resume and not overwrite:
            raise UsageError(
                f"{self.output}: is not empty; give --overwrite to replace it, or another --output"
            )

    def check_finished(self, options: dict[str, Any]) -> None:
        """Makes sure that the model which is there already is what a training comes to.

        Args:
            options: what its result depends on.

        Raises:
            UsageError: it was trained with others, or elsewhere, or its files are damaged.
        """
        path = self.output / OPTIONS
        if not path.is_file():
            raise UsageError(
                f"{self.output}: is a model that does not say how it was trained; give another --output, or "
                "--overwrite to replace it"
            )
        _refuse_other_options(f"{self.output}: is complete, and was trained", read_options(path), options)

    def begin(self, options: dict[str, Any]) -> None:
        """Makes the work folder, or takes over the one that is there.

        Args:
            options: what the result depends on; a run is only resumed with the same.

        Raises:
            UsageError: the run was begun with other options, the folder cannot be made, or another process
                trains there, or has ended a training since this one looked.
            CommandError: the folder cannot be written.
        """
        with self._told_refusals():
            self._begin(options)

    def _begin(self, options: dict[str, Any]) -> None:
        if self._work.exists():
            lock_folder(self._work)
        if not self._overwrite and is_taken(self.output):
            raise UsageError(f"{self.output}: another training has ended there; give another --output")
        if self._overwrite and self._work.exists():
            shutil.rmtree(self._work)
        path = self._work / OPTIONS
        if path.is_file():
            _refuse_other_options(f"{self._work}: was begun", read_options(path), options)
            return
        make_place(self._work)
        lock_folder(self._work)
        unfinished = path.with_suffix(".tmp")
        unfinished.write_text(json.dumps(options, indent=1))
        unfinished.replace(path)

    @property
    def checkpoint_path(self) -> Path:
        """Of the last checkpoint."""
        return self._work / "checkpoint.pt"

    @property
    def log_path(self) -> Path:
        """Of train_log.jsonl while the training runs."""
        return self._work / LOG

    def append_log(self, line: dict[str, Any]) -> None:
        """Adds a line to train_log.jsonl.

        Raises:
            CommandError: it cannot be written.
        """
        with self._told_refusals(), self.log_path.open("a") as log:
            log.write(json.dumps(line) + "\n")

    def save_checkpoint(self, state: dict[str, Any]) -> None:
        """Replaces the checkpoint; a kill at any moment leaves the old or the new one.

        Raises:
            CommandError: it cannot be written.
        """
        size = self.log_path.stat().st_size if self.log_path.is_file() else 0
        unfinished = self._work / "checkpoint.tmp"
        with self._told_refusals():
            with unfinished.open("wb") as stream:  # of a path torch would not say what the system says
                torch.save({**state, "log_bytes": size}, stream)
            unfinished.replace(self.checkpoint_path)

    def load_checkpoint(self) -> dict[str, Any] | None:
        """The last checkpoint, or None; lines that were logged after it are taken out of the log.

        Raises:
            UsageError: the checkpoint or the log is damaged.
            CommandError: the log cannot be written.
        """
        if not self.checkpoint_path.is_file():
            with self._told_refusals():
                self.log_path.unlink(missing_ok=True)
            return None
        with told_damage(self.checkpoint_path):
            state = torch.load(self.checkpoint_path, map_location="cpu", weights_only=True)
            size = int(state["log_bytes"])
        if size > (self.log_path.stat().st_size if self.log_path.is_file() else 0):
            raise damaged(self.log_path)
        if self.log_path.is_file():
            with self._told_refusals():
                os.truncate(self.log_path, size)
            read_log(self._work)
        return state

    def publish(self, save: Callable[[Path], None]) -> None:
        """Makes the model visible, whole, and clears the run away.

        Args:
            save: writes the model's files into a folder.

        Raises:
            CommandError: the folder cannot be written.
        """
        with self._told_refusals():
            self._publish(save)

    def _publish(self, save: Callable[[Path], None]) -> None:
        complete = self._work / "model"
        shutil.rmtree(complete, ignore_errors=True)
        complete.mkdir()
        save(complete)
        share_files(complete)
        for kept in (LOG, OPTIONS):
            if (self._work / kept).is_file():
                shutil.copyfile(self._work / kept, complete / kept)
        if self.output.exists():
            replaced = self._work / "replaced"
            shutil.rmtree(replaced, ignore_errors=True)
            self.output.replace(replaced)
        self.output.parent.mkdir(parents=True, exist_ok=True)
        complete.replace(self.output)
        shutil.rmtree(self._work)

    @contextmanager
    def _told_refusals(self) -> Iterator[None]:
        """Gives what a file system refuses as an error of ours, which says how the run is gone on with."""
        try:
            yield
        except CommandError:
            raise
        except Exception as error:
            reason = write_refusal(error)
            if reason is None:
                raise
            # a finished model in its place would be what --resume finds
            again = "begin anew with --overwrite" if is_taken(self.output) else "go on with --resume"
            raise CommandError(
                f"{self._work}: cannot be written ({reason}); see that it can be written, and has room, "
                f"and {again}"
            ) from None


def _refuse_other_options(what: str, before: dict[str, Any], now: dict[str, Any]) -> None:
    now = json.loads(json.dumps(now))  # as they are read back
    for name in sorted({*before, *now}):
        if before.get(name) != now.get(name):
            raise UsageError(
                f"{what} with {told_change(name, before.get(name), now.get(name))}; "
                "resume with the same, or begin anew with --overwrite"
            )

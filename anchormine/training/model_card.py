"""The README.md of a model folder: a Hugging Face model card."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from anchormine import __version__
from anchormine.datasets.markdown import yaml_scalar
from anchormine.hidden_secrets import without_secrets
from anchormine.training.loop import Fitted


class ModelCard(NamedTuple):
    """What a reader of a model wants to know.

    Attributes:
        title: of the page.
        what: the model, in a sentence or two.
        data: what it was trained on.
        base: the model it started from, or None.
        licence: of the weights, as given by the user, or None.
        tags: for the hub.
    """

    title: str
    what: str
    data: str
    base: str | None
    licence: str | None
    tags: Sequence[str]

    def write(self, folder: Path, fitted: Fitted, left_out: Sequence[str] = ()) -> None:
        """Writes README.md.

        Args:
            folder: of the model.
            fitted: how the training ended.
            left_out: lines on examples that were of no use.
        """
        last = fitted.last_log
        parts = "".join(f", {name} {loss:.4f}" for name, loss in last["losses"].items())
        lines = [
            *self._head(),
            f"# {self.title}",
            "",
            self.what,
            "",
            "## Training",
            "",
            f"- data: {self.data}",
            *(f"- {line}" for line in left_out),
            f"- started from: {self.base or 'random weights'}",
            f"- steps: {fitted.steps}, {last['epoch']:.2f} epochs, {fitted.seconds:.0f} s",
            f"- learning rate: {fitted.lr:.3g} at its highest",
            f"- loss over the last logged steps: {last['loss']:.4f}{parts}",
            f"- licence: {self.licence or 'not stated; that of the data applies'}",
            f"- anchormine {__version__}, command:",
            "",
            f"      {command()}",
            "",
        ]
        (folder / "README.md").write_text("\n".join(lines), encoding="utf-8")

    def _head(self) -> list[str]:
        licence = [f"license: {yaml_scalar(self.licence)}"] if self.licence else []
        return [
            "---",
            *licence,
            "library_name: transformers",
            "tags:",
            *(f"- {tag}" for tag in self.tags),
            "---",
            "",
        ]


def command() -> str:
    """The command line that is running, as a person would type it, without credentials."""
    program = Path(sys.argv[0]).name
    program = "anchormine" if program in ("cli.py", "__main__.py") else program
    return shlex.join([program, *without_secrets(sys.argv[1:])])

"""What a dataset folder holds of earlier steps, by its manifest, and what of that goes or stays."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from anchormine.datasets.manifest import output_paths, without_step


class Kept(NamedTuple):
    """What of an earlier run of a step stays when it is run again.

    Attributes:
        tables: of the step.
        steps: those that were made from these tables alone.
    """

    tables: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


class EarlierSteps(NamedTuple):
    """The steps that a folder's manifest lists.

    Attributes:
        manifest: of the steps that are done; None in a new folder.
    """

    manifest: dict[str, Any] | None

    def retraction(self, step: str, kept: Kept) -> dict[str, Any] | None:
        """The manifest without a step's earlier output and what was made from it; None where it stays.

        Args:
            step: the command.
            kept: what stays where it is.
        """
        if self.manifest is None:  # a folder with tables is ours, also if the run dies before it is done
            return without_step(None, "")
        rest = without_step(self.manifest, step, kept.steps)
        return rest if self.staying(step, kept) or self.retracted(step, kept) else None

    def retracted(self, step: str, kept: Kept) -> list[str]:
        """The paths of the files that go with a step's earlier output."""
        if self.manifest is None:
            return []
        return sorted({*output_paths(self.manifest)} - {*self.staying_paths(step, kept)})

    def staying(self, step: str, kept: Kept) -> list[dict[str, Any]]:
        """The files of a step's earlier output that stay, as the manifest lists them."""
        steps = self.manifest["steps"] if self.manifest else {}
        outputs = steps.get(step, {"outputs": []})["outputs"]
        return [output for output in outputs if _table_of(output) in kept.tables]

    def lost_steps(self, step: str, kept: Kept) -> list[str]:
        """The steps that go with a step's earlier output, because they were made from it."""
        if self.manifest is None:
            return []
        rest = without_step(self.manifest, step, kept.steps)["steps"]
        return [name for name in self.manifest["steps"] if name not in rest and name != step]

    def has_unreadable(self, step: str) -> bool:
        """Whether some input of a step that the folder holds could not be read."""
        section = self.manifest["steps"][step] if self.manifest else {"inputs": [], "counts": {}}
        verdicts = (entry.get("verdict", "complete") for entry in section["inputs"])
        return any(verdict != "complete" for verdict in verdicts) or bool(
            section["counts"].get("pages.unreadable")
        )

    def funnel(self, step: str) -> list[dict[str, Any]]:
        """The funnel of a step that the folder holds, as in the manifest."""
        return self.manifest["steps"][step]["funnel"] if self.manifest else []

    def staying_paths(self, step: str, kept: Kept) -> list[str]:
        """The paths of all files that stay when a step is run again."""
        if self.manifest is None:
            return []
        rest = without_step(self.manifest, step, kept.steps)
        return [*output_paths(rest), *(output["path"] for output in self.staying(step, kept))]


def tables_of(section: Mapping[str, Any]) -> list[str]:
    """The tables that a step has written, by its section of the manifest."""
    return sorted({_table_of(output) for output in section["outputs"]})


def _table_of(output: Mapping[str, Any]) -> str:
    """The table that a file of the manifest belongs to, such as "pairs/rqp"."""
    return output["path"].rpartition("/")[0]

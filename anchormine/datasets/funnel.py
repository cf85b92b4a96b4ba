"""The funnel: how many of each unit a step read, and what became of every one of them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from anchormine.errors import CommandError


class FunnelRow(NamedTuple):
    """One unit of a step.

    Attributes:
        step: the command.
        unit: "files", "records", "pages", "links", "anchors", "pairs-rqp", ...
        read: how many came in.
        written: how many came out.
        rejected: how many were set aside, by reason.
        unreadable: how many could not be read.
    """

    step: str
    unit: str
    read: int
    written: int
    rejected: dict[str, int]
    unreadable: int

    def to_json(self) -> dict[str, Any]:
        """The row as `stats/funnel.json` has it."""
        return self._asdict()


def funnel_row(step: str, unit: str, counts: Mapping[str, int]) -> FunnelRow:
    """Reads a unit's row out of a step's counts.

    Args:
        step: the command.
        unit: such as "pages".
        counts: "pages.read", "pages.written", "pages.unreadable" and "pages.rejected.<reason>".
    """
    prefix = f"{unit}.rejected."
    rejected = {
        name[len(prefix) :]: count for name, count in sorted(counts.items()) if name.startswith(prefix)
    }
    return FunnelRow(
        step,
        unit,
        counts.get(f"{unit}.read", 0),
        counts.get(f"{unit}.written", 0),
        {reason: count for reason, count in rejected.items() if count},
        counts.get(f"{unit}.unreadable", 0),
    )


def check_balance(rows: Iterable[FunnelRow]) -> None:
    """Makes sure that nothing was lost: what was read is counted where it is read, the rest where it ends.

    Raises:
        CommandError: a row does not add up.
    """
    for row in rows:
        accounted = row.written + sum(row.rejected.values()) + row.unreadable
        if row.read != accounted:
            raise CommandError(
                f"{row.step}: {row.read} {row.unit} read, but {accounted} accounted for; nothing was "
                "published. This is an error of anchormine or of the runner: run again with --workers 1, and "
                "report it"
            )


def render_funnel(rows: Sequence[FunnelRow]) -> str:
    """Returns the funnel as text: a line for each unit, and one for each reason."""
    labels = [row.unit if row.unit.startswith(row.step) else f"{row.step} {row.unit}" for row in rows]
    width = max(24, *(len(label) + 1 for label in labels)) if labels else 24
    lines = [f"{'':{width}}{'read':>12}{'written':>12}{'rejected':>12}{'unreadable':>12}"]
    for label, row in zip(labels, rows, strict=True):
        numbers = (row.read, row.written, sum(row.rejected.values()), row.unreadable)
        lines.append(f"{label:{width}}" + "".join(f"{number:>12,}" for number in numbers))
        reasons = sorted(row.rejected.items(), key=lambda item: (-item[1], item[0]))
        lines += [f"{'  ' + reason:{width + 24}}{count:>12,}" for reason, count in reasons]
    return "\n".join(lines)

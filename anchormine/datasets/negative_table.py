"""The table that `negatives` ends with: what became of the candidates, and how many queries have too few."""

from collections.abc import Mapping, Sequence
from typing import Any

from anchormine.negatives.guards import GUARDS


def negative_table(
    tasks: Sequence[str], wanted: Mapping[str, int], counts: Mapping[str, int]
) -> tuple[str, list[dict[str, Any]]]:
    """Makes the table of negatives.

    Args:
        tasks: in their order.
        wanted: negatives that each query of a task was to have.
        counts: of each task "negatives-<task>.read", and "negatives.<task>." with "train", "validation",
            "candidates", "dropped.<guard>", "drawn" and "few".

    Returns:
        The table as text, and as JSON.
    """
    rows = [_row(task, wanted[task], counts) for task in tasks]
    return "\n\n".join("\n".join(_lines(row)) for row in rows), rows


def _row(task: str, wanted: int, counts: Mapping[str, int]) -> dict[str, Any]:
    def count(name: str) -> int:
        return counts.get(f"negatives.{task}.{name}", 0)

    return {
        "task": task,
        "queries": counts.get(f"negatives-{task}.read", 0),
        "train": count("train"),
        "validation": count("validation"),
        "candidates": count("candidates"),
        "dropped": {guard: count(f"dropped.{guard}") for guard in GUARDS},
        "negatives": count("drawn"),
        "wanted": wanted,
        "too_few": count("few"),
        "none": counts.get(f"negatives-{task}.read", 0) - count("train") - count("validation"),
    }


def _lines(row: Mapping[str, Any]) -> list[str]:
    return [
        _line(f"{row['task']}: queries", row["queries"]),
        _line("  written to train", row["train"]),
        _line("  written to validation", row["validation"]),
        _line("candidates", row["candidates"]),
        *(_line(f"  dropped as {guard}", count) for guard, count in row["dropped"].items() if count),
        _line("negatives drawn", row["negatives"]),
        _line(f"queries with fewer than {row['wanted']} negatives", row["too_few"] + row["none"]),
        _line("  of these with none", row["none"]),
    ]


def _line(label: str, count: int) -> str:
    return f"{label:48}{count:>12,}"

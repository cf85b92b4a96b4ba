"""Scores as a table in plain text, which pastes into Markdown."""

from collections.abc import Sequence

from anchormine.evaluation.evaluation import Evaluation


def score_table(evaluation: Evaluation) -> str:
    """A line for each system and a column for each measure, four digits.

    Args:
        evaluation: with at least one system.
    """
    measures = list(evaluation.systems[0].measures)
    rows = [["system", *measures]]
    for system in evaluation.systems:
        rows.append([system.system, *(f"{system.measures[name]:.4f}" for name in measures)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    ruler = [f"{'-' * (widths[0])}", *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(_line(row, widths) for row in [rows[0], ruler, *rows[1:]])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        row[0].ljust(widths[0]),
        *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
    ]
    return f"| {' | '.join(cells)} |"

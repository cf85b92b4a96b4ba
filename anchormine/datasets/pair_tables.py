"""The tables that `pairs` ends with: HARP's Table 1, and how well drawn words fit the pages linked to."""

from collections.abc import Mapping, Sequence
from typing import Any

from anchormine.schemas.pairs import PREFERENCE_TASKS

WAYS = ("attention", "tfidf", "uniform")


def pair_table(tasks: Sequence[str], counts: Mapping[str, int]) -> tuple[str, list[dict[str, Any]]]:
    """Makes the table of pairs in the shape of HARP's Table 1.

    Args:
        tasks: the rows.
        counts: "pairs-rqp.written", and of both sides (of the one where there is no negative side)
            "words.rqp.queries" and "words.rqp.documents".

    Returns:
        The table as text, and as JSON: pairs, tokens (words of all queries and documents of both sides), and
        the mean words of a query and of a document.
    """
    rows: list[dict[str, Any]] = []
    for task in tasks:
        pairs = counts.get(f"pairs-{task}.written", 0)
        queries, documents = counts.get(f"words.{task}.queries", 0), counts.get(f"words.{task}.documents", 0)
        texts = pairs * (2 if task in PREFERENCE_TASKS else 1)
        rows.append(
            {
                "task": task,
                "pairs": pairs,
                "tokens": queries + documents,
                "query_length": round(queries / texts, 2) if pairs else None,
                "document_length": round(documents / texts, 2) if pairs else None,
            }
        )
    width = max(8, *(len(task) + 1 for task in tasks))
    lines = [f"{'task':{width}}{'pairs':>12}{'tokens':>16}{'query words':>14}{'document words':>17}"]
    for row in rows:
        query, document = (_number(row[name]) for name in ("query_length", "document_length"))
        lines.append(f"{row['task']:{width}}{row['pairs']:>12,}{row['tokens']:>16,}{query:>14}{document:>17}")
    return "\n".join(lines), rows


def overlap_table(counts: Mapping[str, int]) -> tuple[str, dict[str, Any]] | None:
    """Makes the intrinsic figure: the share of drawn context words that the destination's lead has.

    Returns:
        It as text, and as JSON; None where nothing was compared.
    """
    occurrences = counts.get("overlap.occurrences", 0)
    ways = [way for way in WAYS if counts.get(f"overlap.{way}.drawn", 0)]
    if not occurrences or not ways:
        return None
    shares = {
        way: round(counts.get(f"overlap.{way}.found", 0) / counts[f"overlap.{way}.drawn"], 4) for way in ways
    }
    lines = [f"context words found in the destination's lead ({occurrences:,} anchors)"]
    lines += [f"  {way:12}{share:>8.4f}" for way, share in shares.items()]
    return "\n".join(lines), {"occurrences": occurrences, "shares": shares}


def term_table(task: str, counts: Mapping[str, int]) -> tuple[str, dict[str, Any]] | None:
    """Makes the figures of the corpus that a task has drawn words of.

    Returns:
        They as text, and as JSON; None where no terms were counted.
    """
    figures = {
        name: counts.get(f"terms.{task}.{name}", 0) for name in ("documents", "words", "terms", "drawable")
    }
    if not figures["documents"]:
        return None
    mean = round(figures["words"] / figures["documents"], 2)
    lines = [
        f"terms of {task} ({figures['documents']:,} documents of {mean:,.2f} words)",
        *(f"  {name:12}{figures[name]:>12,}" for name in ("words", "terms", "drawable")),
    ]
    return "\n".join(lines), {"task": task, **figures, "document_length": mean}


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"

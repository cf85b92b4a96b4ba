"""The table that `filter` ends with, in the shape of Anchor-DR's Table 1: what is left after each filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from anchormine.filters.held_out import HeldOut
from anchormine.filters.query_threshold import CLASSIFIER, TextCounts
from anchormine.filters.rule_set import ANCHOR_DR
from anchormine.numerals import counted

ALL = "all"
# SIGIR 2023, table 1, on ClueWeb22: 60.49M documents with 117.11M anchors.
RULES_SHARE = 0.176  # of all anchors
CLASSIFIER_SHARE = 0.206  # of those that the rules keep
_PAPER = "Anchor-DR on ClueWeb22: 60.49M documents with 117.11M anchors, in the end 3.97M with 4.25M"


def survival_table(
    rules: Sequence[str], classified: bool, counts: Mapping[str, int]
) -> tuple[str, list[dict[str, Any]]]:
    """Makes the table.

    Args:
        rules: in the order in which they were applied.
        classified: whether the query classifier came behind them.
        counts: "anchors.read", "anchors.rejected.<filter>" and "documents.<filter>": the pages that the
            anchors left after a filter lead to; "documents.all" before the first.

    Returns:
        The table as text, and as JSON: after which filter, documents, anchors, anchors of a document, the
        share of all anchors and of those before the filter (the rules counted as one in the classifier's
        row), and the paper's shares: behind the last of its rules, and behind the classifier, where all of
        these rules were applied, however tuned, and whatever others beside them.
    """
    anchors = counts.get("anchors.read", 0)
    rows = [_row(ALL, counts, anchors, anchors, anchors)]
    for name in (*rules, *((CLASSIFIER,) if classified else ())):
        before, anchors = anchors, anchors - counts.get(f"anchors.rejected.{name}", 0)
        rows.append(_row(name, counts, anchors, before, rows[0]["anchors"]))
    if set(ANCHOR_DR) <= set(rules):
        rows[1 + max(map(rules.index, ANCHOR_DR))]["paper_share_of_all"] = RULES_SHARE
        if classified:
            rows[-1]["paper_share_of_previous"] = CLASSIFIER_SHARE
    return _text(rows), rows


def classifier_line(found: TextCounts, held_out: HeldOut | None) -> tuple[str, dict[str, Any]]:
    """What the classifier has decided, and how well it was found to decide, as text and as JSON."""
    share = found.kept / found.texts if found.texts else None
    texts = counted(found.texts, "distinct text")
    text = f"classifier: {texts}, {found.kept:,} kept ({_percent(share)})"
    text += f", from score {found.threshold} on"
    if held_out is None:
        return text, found._asdict() | {"held_out": None}
    return f"{text}; {held_out.line()}", found._asdict() | {"held_out": held_out._asdict()}


def _row(name: str, counts: Mapping[str, int], anchors: int, before: int, total: int) -> dict[str, Any]:
    documents = counts.get(f"documents.{name}", 0)
    return {
        "after": name,
        "documents": documents,
        "anchors": anchors,
        "anchors_per_document": round(anchors / documents, 2) if documents else None,
        "share_of_all": _rounded(_share(anchors, total)),
        "share_of_previous": _rounded(_share(anchors, before)),
        "paper_share_of_all": None,
        "paper_share_of_previous": None,
    }


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 4)


def _text(rows: Sequence[Mapping[str, Any]]) -> str:
    lines = [
        f"{'after':16}{'documents':>12}{'anchors':>12}{'per document':>14}{'of all':>10}"
        f"{'of those before':>17}"
    ]
    for before, row in zip([rows[0], *rows], rows, strict=False):
        each = "-" if row["anchors_per_document"] is None else f"{row['anchors_per_document']:.2f}"
        line = f"{row['after']:16}{row['documents']:>12,}{row['anchors']:>12,}{each:>14}"
        shares = [_share(row["anchors"], whole["anchors"]) for whole in (rows[0], before)]
        line += f"{_percent(shares[0]):>10}{_percent(shares[1]):>17}"
        lines.append(line + _beside(row))
    compares = any(row["paper_share_of_all"] for row in rows)
    return "\n".join([*lines, _PAPER] if compares else lines)


def _beside(row: Mapping[str, Any]) -> str:
    """What the paper has in the place of a row."""
    if row["paper_share_of_all"]:
        return f"   (Anchor-DR: {_percent(row['paper_share_of_all'])} of all)"
    if row["paper_share_of_previous"]:
        return f"   (Anchor-DR: {_percent(row['paper_share_of_previous'])} of those before)"
    return ""


def _share(anchors: int, whole: int) -> float | None:
    return anchors / whole if whole else None


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"

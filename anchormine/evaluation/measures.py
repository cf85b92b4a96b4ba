"""Measures of a ranking, all by ir_measures."""

from collections.abc import Sequence
from typing import Any

from anchormine.errors import UsageError
from anchormine.evaluation.judgements import Qrels
from anchormine.evaluation.ranking import Rankings

DEFAULT_MEASURES = ("nDCG@10", "RR@10", "AP", "R@100")


def parse_measures(names: Sequence[str]) -> dict[str, Any]:
    """Finds measures by the names that ir_measures gives them.

    Args:
        names: such as "nDCG@10".

    Returns:
        The measure of each name as it was given.

    Raises:
        UsageError: a name that ir_measures does not know, or cannot compute with what is installed.
    """
    return {name: _parse(name) for name in names}


def _parse(name: str) -> Any:
    import ir_measures

    try:
        measure = ir_measures.parse_measure(name)
    except (NameError, ValueError, SyntaxError, TypeError) as error:
        raise UsageError(
            f"--measures {name}: not a measure ({error}); such as {', '.join(DEFAULT_MEASURES)}"
        ) from None
    if not ir_measures.DefaultPipeline.supports(measure):
        raise UsageError(f"--measures {name}: no installed package computes it (see https://ir-measur.es)")
    return measure


def measure_rankings(
    rankings: Rankings, qrels: Qrels, doc_ids: list[str], measures: dict[str, Any]
) -> dict[str, float]:
    """Means over the judged queries; a query without a ranking counts as 0.

    Args:
        rankings: by query_id.
        qrels: judgements of the queries to average over.
        doc_ids: by document number.
        measures: by name.

    Returns:
        The value of each name.
    """
    import ir_measures

    # Minus the rank in place of the score: no ties are left, which packages would break each in its own way.
    run = {
        query_id: {doc_ids[document]: float(-rank) for rank, document in enumerate(ranking.documents)}
        for query_id, ranking in rankings.items()
    }
    values = ir_measures.calc_aggregate(list(measures.values()), qrels, run)
    return {name: float(values[measure]) for name, measure in measures.items()}

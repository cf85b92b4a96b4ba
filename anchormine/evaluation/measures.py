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
        is_supported = ir_measures.DefaultPipeline.supports(measure)
        if measure.params.get("cutoff", 1) < 1:  # trec_eval ends the process then
            raise ValueError("the cutoff must be 1 or more")
    except (NameError, ValueError, SyntaxError, TypeError, AssertionError) as error:
        raise UsageError(
            f"--measures {name}: not a measure ({error}); such as {', '.join(DEFAULT_MEASURES)}"
        ) from None
    if not is_supported:
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

    # gdeval, which computes ERR, takes numbers alone for ids of queries, and of "t-7" reads the 7.
    numbers = {query_id: str(number) for number, query_id in enumerate({**qrels, **rankings}, start=1)}
    # Minus the rank in place of the score: no ties are left, which packages would break each in its own way.
    # A query that nothing was found for is left out, as in a run file: Judged divides by what was found.
    run = {
        numbers[query_id]: {
            doc_ids[document]: float(-rank) for rank, document in enumerate(ranking.documents)
        }
        for query_id, ranking in rankings.items()
        if len(ranking.documents)
    }
    judged = {numbers[query_id]: grades for query_id, grades in qrels.items()}
    values = ir_measures.calc_aggregate(list(measures.values()), judged, run)
    return {name: float(values[measure]) for name, measure in measures.items()}

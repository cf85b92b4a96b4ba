"""What the options of a set of negatives are where the command line does not say."""

import argparse
from collections.abc import Mapping
from typing import Any

from anchormine.errors import UsageError
from anchormine.evaluation.bm25 import BM25Options
from anchormine.negatives.options import BM25, MinerModel, NegativeOptions
from anchormine.pipelines.mining_options import DEFAULT_SEED

# By their names in the manifest, which are those of the flags.
DEFAULTS: Mapping[str, Any] = {
    "document": None,
    "passage_words": None,
    "language": None,
    "depth": NegativeOptions.depth,
    "keep": None,
    "negatives": NegativeOptions.negatives,
    "similarity": NegativeOptions.similarity,
    "margin": None,
    "k1": BM25Options.k1,
    "b": BM25Options.b,
    "pooling": None,
    "dtype": MinerModel.dtype,
    "batch_size": MinerModel.batch_size,
    "index": MinerModel.index,
    "limit": None,
    "seed": DEFAULT_SEED,
}
KEPT_BY_MODEL = 30  # Anchor-DR's program
# They mean something else where another kind of miner has ranked the pages.
_OF_MINERS = ("keep", "margin", "k1", "b", "pooling", "dtype", "batch_size", "index")
# What parts of the corpus are made by: the same for all sets that share them.
_OF_PARTS = ("passage_words", "language")
# And the vectors of their documents, by a model's options.
_OF_VECTORS = ("pooling", "dtype", "batch_size")


def chosen_options(
    args: argparse.Namespace, found: Mapping[str, Mapping[str, Any]]
) -> dict[str, argparse.Namespace]:
    """The options of each task: a set that is mined again keeps its own, but for those that are given.

    Args:
        args: of the command line; None for what it does not say.
        found: options of the sets that are mined again, by task, as the manifest has them.
    """
    return {task: _chosen(args, found.get(task, {})) for task in dict.fromkeys(args.task)}


def check_parts(options: Mapping[str, NegativeOptions]) -> None:
    """Refuses sets that are to share the parts of the corpus, and would have them made in different ways.

    Raises:
        UsageError: see above.
    """
    for name in (*_OF_PARTS, *_OF_VECTORS):
        values: dict[str, set[Any]] = {}
        for one in options.values():
            owner = one.model if name in _OF_VECTORS else one
            values.setdefault(one.form, set()).add(getattr(owner, name, None))  # BM25 has no vectors
        if any(len(different) > 1 for different in values.values()):
            flag = f"--{name.replace('_', '-')}"
            raise UsageError(
                f"--refresh: the sets of {', '.join(options)} were made with different {flag}; refresh one "
                f"at a time, or give {flag}"
            )


def kept_of(miner: str, negatives: int) -> int | None:
    """How many candidates are kept where the command line does not say; None for all.

    Args:
        miner: "bm25", or of another name a model.
        negatives: of a query.
    """
    return None if miner == BM25 else max(KEPT_BY_MODEL, negatives)


def _chosen(args: argparse.Namespace, found: Mapping[str, Any]) -> argparse.Namespace:
    given = {name: getattr(args, name) for name in DEFAULTS if getattr(args, name) is not None}
    same_miner = bool(found) and (found["mined_from"] == BM25) == (args.miner == BM25)
    own = {
        name: found[name]
        for name in DEFAULTS
        if found.get(name) is not None and (same_miner or name not in _OF_MINERS)
    }
    if own.get("keep") == kept_of(args.miner, found.get("negatives", 0)):
        own.pop("keep", None)  # it follows the negatives, which may be others now
    return argparse.Namespace(**{**vars(args), **DEFAULTS, **own, **given})

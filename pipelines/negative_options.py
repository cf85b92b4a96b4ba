"""What `negatives` writes into the manifest of each set: all that its rows depend on."""

import argparse
from pathlib import Path
from typing import Any

from anchormine.encoder import DEFAULT, checked_path
from anchormine.model_checksum import model_checksum
from anchormine.negatives.fingerprints import PERMUTATIONS, SHINGLE_WORDS
from anchormine.negatives.options import BM25, PASSAGES, MinerModel, NegativeOptions
from anchormine.pipelines.worker_compute import compute_facts

_CHECKSUM_DIGITS = 16


def manifest_options(options: NegativeOptions, args: argparse.Namespace) -> dict[str, Any]:
    """Collects the options of a set, and every constant.

    Args:
        options: of the task.
        args: from `chosen_options`; the seed and the limit.
    """
    ranking = _model_options(options.model) if options.model else vars(options.bm25)
    return {
        "mined_from": miner_name(options),
        **ranking,
        "document": options.form,
        "passage_words": options.passage_words if options.form == PASSAGES else None,
        "depth": options.depth,
        "keep": options.kept,
        "negatives": options.negatives,
        "similarity": options.similarity,
        "margin": options.margin,
        "language": options.language,
        "limit": args.limit,
        "seed": args.seed,
        "constants": {"permutations": PERMUTATIONS, "shingle_words": SHINGLE_WORDS},
    }


def miner_name(options: NegativeOptions) -> str:
    """What negatives are mined from, as rows have it: never a path, which says nothing to others.

    Raises:
        UsageError: there is no such model folder.
    """
    if options.model is None:
        return BM25
    name = options.model.name
    path = checked_path(name)
    checksum = model_checksum(path)
    if name == DEFAULT:
        shown = "anchormine/encoder"
    else:
        shown = Path(name).resolve().name if Path(name).is_dir() else name
    return f"{shown} sha256:{checksum[:_CHECKSUM_DIGITS]}" if checksum else f"{shown}{_revision(path)}"


def _revision(name: str) -> str:
    """The revision of a model of the hub, as far as it is known."""
    from anchormine.sampling.encoder import hub_revision

    revision = hub_revision(name)
    return f" revision:{revision[:_CHECKSUM_DIGITS]}" if revision else ""


def _model_options(model: MinerModel) -> dict[str, Any]:
    """How the model is run: scores move with all of it."""
    return {
        **compute_facts(model),
        "pooling": model.pooling,
        "batch_size": model.batch_size,
        "index": model.index,
    }

"""`train rerank`: a cross-encoder on a collection's judgements, with masked query prediction if asked for."""

from dataclasses import asdict
from pathlib import Path

import torch

from anchormine.evaluation.collection import Collection
from anchormine.training.compute import choose_compute
from anchormine.training.losses import PAIR_LOSSES
from anchormine.training.model_card import ModelCard
from anchormine.training.models import check_length, load_scorer, load_tokenizer
from anchormine.training.options import RerankOptions
from anchormine.training.pair_encoding import PairEncoder
from anchormine.training.progress import Progress
from anchormine.training.query_prediction import QueryPrediction
from anchormine.training.ranker import PairCollator, RankerRun, train_ranker
from anchormine.training.ranking_model import RankingModel
from anchormine.training.reranking_data import JudgedPairs
from anchormine.training.resumption import file_checksums, result_options
from anchormine.training.run_folder import RunFolder
from anchormine.training.settings import Settings


def train_reranker(options: RerankOptions, settings: Settings, progress: Progress) -> Path:
    """Trains, and makes the model folder.

    Args:
        options: what to learn.
        settings: for how long.
        progress: for a person.

    Returns:
        The model folder.

    Raises:
        UsageError: data, model or options are not as they must be; nothing was touched.
        CommandError: a malformed collection; or the training failed, then its checkpoint stays.
    """
    compute = choose_compute(settings.device, settings.dtype)
    run = RunFolder(settings.output, settings.resume, settings.overwrite)
    if run.finished:
        progress.note(f"{settings.output}: is complete; there is nothing to resume")
        return run.output
    ranker = _prepare(options, settings, progress)
    folder = Path(options.collection)
    files = [folder / "corpus.jsonl", folder / "queries.jsonl", folder / "qrels" / f"{options.split}.tsv"]
    chosen = result_options(settings, asdict(options), file_checksums(files))
    run.begin(chosen)
    return train_ranker(ranker, settings, compute, run, progress)


def _prepare(options: RerankOptions, settings: Settings, progress: Progress) -> RankerRun:
    collection = Collection(options.collection)
    topics = collection.topics(options.split)
    for warning in topics.warnings:
        progress.warn(warning)
    tokenizer = load_tokenizer(options.init)
    torch.manual_seed(settings.seed)  # heads that the checkpoint does not have are drawn
    scorer = load_scorer(options.init, new_head=True)
    check_length(options.length, scorer, tokenizer, options.init)
    prediction = QueryPrediction(scorer.config.hidden_size, len(tokenizer)) if options.mqp else None
    module = RankingModel(
        scorer, PAIR_LOSSES[options.loss], query_prediction=prediction, mqp_weight=options.mqp
    )
    encoder = PairEncoder(tokenizer, options.length)
    pairs = JudgedPairs(collection, topics, options.negatives, settings.seed, encoder.problem, progress)
    return RankerRun(
        module,
        tokenizer,
        PairCollator(encoder, None, tokenizer.mask_token_id if prediction else None),
        pairs.examples,
        lambda epoch: pairs.batches(epoch, settings.batch_size, options.length),
        lambda: [
            f"{options.collection}: left out {count} queries: {reason}"
            for reason, count in sorted(pairs.left_out.items())
        ],
        _card(options, pairs.examples),
    )


def _card(options: RerankOptions, examples: int) -> ModelCard:
    beside = f" and masked query prediction (SJTF, CCL 2022; weight {options.mqp})" if options.mqp else ""
    return ModelCard(
        title="A cross-encoder for re-ranking",
        what=(
            f"Scores how well a document answers a query. It was trained with the {options.loss} "
            f"loss{beside}; negatives are from BM25's top {options.negatives.top_k}."
        ),
        data=f"{examples} pairs from the {options.split} judgements of {Path(options.collection).name}",
        base=options.init,
        licence=options.licence,
        tags=("cross-encoder", "text-ranking", "anchormine"),
    )

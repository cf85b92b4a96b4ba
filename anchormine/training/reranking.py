"""`train rerank`: a cross-encoder on a collection's judgements, with masked query prediction if asked for."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from anchormine.evaluation.collection import Collection
from anchormine.training.learning_rate import chosen_rate
from anchormine.training.loop import Task
from anchormine.training.losses import PAIR_LOSSES
from anchormine.training.model_card import ModelCard
from anchormine.training.model_run import LeftOut, Preparation, train_model
from anchormine.training.options import RerankOptions
from anchormine.training.pair_encoding import PairEncoder
from anchormine.training.progress import Progress
from anchormine.training.query_prediction import QueryPrediction
from anchormine.training.ranker import PairCollator, Ranker, load_ranker
from anchormine.training.ranking_model import RankingModel
from anchormine.training.reranking_data import JudgedPairs
from anchormine.training.resumption import file_checksums, result_options
from anchormine.training.settings import Settings


def train_reranker(options: RerankOptions, settings: Settings, progress: Progress) -> Path:
    """Fine-tunes a cross-encoder, and makes the model folder.

    Args:
        options: what to learn.
        settings: for how long.
        progress: for a person.

    Returns:
        The model folder.

    Raises:
        UsageError, CommandError: as `train_model`.
    """
    return train_model(lambda: _prepare(options, settings, progress), settings, progress)


def _prepare(options: RerankOptions, settings: Settings, progress: Progress) -> Preparation:
    collection = Collection(options.collection)
    topics = collection.topics(options.split)
    for warning in topics.warnings:
        progress.warn(warning)
    scorer, tokenizer = load_ranker(options.init, options.length, settings.seed)
    encoder = PairEncoder(tokenizer, options.length)
    pairs = JudgedPairs(collection, topics, options.negatives, settings.seed, encoder.problem, progress)
    ranker = _ranker(options, scorer, tokenizer, encoder, pairs.examples)
    lr = chosen_rate(settings.lr, "rerank", scorer.config.hidden_size)
    task = Task(
        ranker.module,
        pairs.examples,
        lambda epoch: pairs.batches(epoch, settings.batch_size, options.length),
        ranker.collator,
        lr,
    )
    return Preparation(
        task,
        result_options(settings, asdict(options), file_checksums(_files(options)), options.init),
        f"{options.collection}: {pairs.examples} pairs an epoch",
        LeftOut(options.collection, ("query", "queries"), pairs.left_out),
        ranker.save,
    )


def _ranker(
    options: RerankOptions, scorer: Any, tokenizer: Any, encoder: PairEncoder, examples: int
) -> Ranker:
    prediction = QueryPrediction(scorer.config.hidden_size, len(tokenizer)) if options.mqp else None
    module = RankingModel(
        scorer, PAIR_LOSSES[options.chosen_loss], query_prediction=prediction, mqp_weight=options.mqp
    )
    collator = PairCollator(encoder, None, tokenizer.mask_token_id if prediction else None)
    return Ranker(module, tokenizer, collator, _card(options, examples))


def _files(options: RerankOptions) -> list[Path]:
    """What the weights depend on."""
    folder = Path(options.collection)
    return [folder / "corpus.jsonl", folder / "queries.jsonl", folder / "qrels" / f"{options.split}.tsv"]


def _card(options: RerankOptions, examples: int) -> ModelCard:
    beside = f" and masked query prediction (SJTF, CCL 2022; weight {options.mqp})" if options.mqp else ""
    return ModelCard(
        title="A cross-encoder for re-ranking",
        what=(
            f"Scores how well a document answers a query. It was trained with the {options.chosen_loss} "
            f"loss{beside}; negatives are from BM25's top {options.negatives.top_k}."
        ),
        data=f"{examples} pairs from the {options.split} judgements of {Path(options.collection).name}",
        base=options.init,
        licence=options.licence,
        tags=("cross-encoder", "text-ranking", "anchormine"),
    )

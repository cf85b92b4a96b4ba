"""What pre-training and fine-tuning share: from batches of pairs to a model folder."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from anchormine.training.compute import Compute
from anchormine.training.examples import Example
from anchormine.training.loop import Task, fit
from anchormine.training.masking import WordMasking
from anchormine.training.model_card import ModelCard
from anchormine.training.pair_encoding import EncodedPairs, PairEncoder
from anchormine.training.progress import Progress
from anchormine.training.query_prediction import mask_query
from anchormine.training.ranking_model import RankingModel
from anchormine.training.run_folder import RunFolder
from anchormine.training.settings import Settings

# sentence-transformers puts a sigmoid behind a model of one label unless its configuration names another
# function.
PLAIN_SCORES = {"activation_fn": "torch.nn.modules.linear.Identity"}


@dataclass(frozen=True)
class PairCollator:
    """Makes a batch of examples the arguments of a RankingModel.

    Attributes:
        encoder: of queries and documents.
        masking: hides words of the documents, or None.
        query_mask_id: of [MASK], where a piece of the query is to be predicted, or None.
    """

    encoder: PairEncoder
    masking: WordMasking | None
    query_mask_id: int | None = None

    def __call__(self, batch: Sequence[Example], rng: np.random.Generator) -> dict[str, Any]:
        """The positive sides, then the negative ones."""
        encoded = self.encoder.encode(
            [example.query for example in batch] + [example.negative_query for example in batch],
            [example.document for example in batch] + [example.negative_document for example in batch],
        )
        arguments: dict[str, Any] = {"inputs": encoded.inputs, "tasks": [example.task for example in batch]}
        if self.query_mask_id is not None:
            arguments["masked_query"] = mask_query(_first_rows(encoded, len(batch)), self.query_mask_id, rng)
        if self.masking is not None:
            masked = self.masking(encoded.inputs["input_ids"].numpy(), encoded.document_words, rng)
            arguments["inputs"] = {**encoded.inputs, "input_ids": masked.ids}
            arguments["labels"] = masked.labels
        return arguments


class RankerRun(NamedTuple):
    """A training that is ready to begin.

    Attributes:
        module: to train.
        tokenizer: that goes with it.
        collator: makes its arguments.
        examples: pairs of an epoch.
        batches: of an epoch, by its number.
        left_out: says how many examples were of no use, and why.
        card: of the model.
    """

    module: RankingModel
    tokenizer: Any
    collator: PairCollator
    examples: int
    batches: Callable[[int], Iterator[Sequence[Example]]]
    left_out: Callable[[], list[str]]
    card: ModelCard


def train_ranker(
    ranker: RankerRun, settings: Settings, compute: Compute, run: RunFolder, progress: Progress
) -> Path:
    """Trains, and makes the model folder.

    Returns:
        The model folder.

    Raises:
        CommandError: the training failed; its checkpoint stays.
    """
    task = Task(ranker.module, ranker.examples, ranker.batches, ranker.collator)
    try:
        fitted = fit(task, settings, compute, run, progress)
    finally:
        left_out = ranker.left_out()
        for line in left_out:
            progress.warn(line)

    def save(folder: Path) -> None:
        _save_scorer(folder, ranker.module.scorer, ranker.tokenizer, ranker.collator.encoder.length)
        ranker.card.write(folder, fitted, left_out)

    run.publish(save)
    return run.output


def _save_scorer(folder: Path, scorer: Any, tokenizer: Any, length: int) -> None:
    """Writes what AutoModelForSequenceClassification and CrossEncoder load."""
    scorer.config.sentence_transformers = PLAIN_SCORES
    scorer.to("cpu").save_pretrained(folder)
    tokenizer.model_max_length = length
    tokenizer.save_pretrained(folder)


def _first_rows(encoded: EncodedPairs, rows: int) -> EncodedPairs:
    inputs: dict[str, torch.Tensor] = {name: tensor[:rows] for name, tensor in encoded.inputs.items()}
    return EncodedPairs(inputs, encoded.document_words[:rows], encoded.query_pieces[:rows])

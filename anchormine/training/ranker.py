"""What pre-training and fine-tuning share: how a batch of pairs is read, and what the model folder holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from anchormine.training.examples import Example
from anchormine.training.loop import Fitted
from anchormine.training.masking import WordMasking
from anchormine.training.model_card import ModelCard
from anchormine.training.models import check_input, load_scorer, load_tokenizer
from anchormine.training.pair_encoding import EncodedPairs, PairEncoder
from anchormine.training.query_prediction import mask_query
from anchormine.training.ranking_model import RankingModel

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


@dataclass(frozen=True)
class Ranker:
    """A model in training, with what belongs into its folder.

    Attributes:
        module: that is trained.
        tokenizer: that goes with it.
        collator: makes the module's arguments.
        card: of the model.
    """

    module: RankingModel
    tokenizer: Any
    collator: PairCollator
    card: ModelCard

    def save(self, folder: Path, fitted: Fitted, left_out: Sequence[str]) -> None:
        """Writes the model folder.

        Args:
            folder: empty.
            fitted: how the training ended.
            left_out: lines on examples that were of no use.
        """
        _save_scorer(folder, self.module.scorer, self.tokenizer, self.collator.encoder.length)
        self.card.write(folder, fitted, left_out)


def load_ranker(init: str, length: int, seed: int) -> tuple[Any, Any]:
    """Loads a scorer and its tokenizer, to be trained.

    Args:
        init: a model folder, an id of the hub, or "default".
        length: tokens of a sequence.
        seed: of the head, which is drawn where the model has none.

    Raises:
        UsageError: it cannot be loaded, or does not take that length.
    """
    tokenizer = load_tokenizer(init)
    torch.manual_seed(seed)
    scorer = load_scorer(init, new_head=True)
    check_input(length, scorer, tokenizer, init)
    return scorer, tokenizer


def _save_scorer(folder: Path, scorer: Any, tokenizer: Any, length: int) -> None:
    """Writes what AutoModelForSequenceClassification and CrossEncoder load."""
    scorer.config.sentence_transformers = PLAIN_SCORES
    scorer.to("cpu").save_pretrained(folder)
    tokenizer.model_max_length = length
    tokenizer.save_pretrained(folder)


def _first_rows(encoded: EncodedPairs, rows: int) -> EncodedPairs:
    inputs: dict[str, torch.Tensor] = {name: tensor[:rows] for name, tensor in encoded.inputs.items()}
    return EncodedPairs(inputs, encoded.document_words[:rows], encoded.query_pieces[:rows])

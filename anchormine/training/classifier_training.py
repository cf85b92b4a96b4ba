"""`train classifier`: a model that tells queries from other anchors (Anchor-DR, SIGIR 2023, section 3.1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from anchormine.errors import UsageError
from anchormine.filters.held_out import HeldOut, held_out_of
from anchormine.filters.query_classifier import ABOUT, LABELS, QueryClassifier
from anchormine.filters.query_encoding import MAX_TOKENS, encode_texts, input_fault, mostly_unknown
from anchormine.filters.unknown_letters import unknown_letters
from anchormine.training.classifier_data import Examples, LabelledText, classifier_examples
from anchormine.training.classifier_options import FEW, ClassifierTraining
from anchormine.training.learning_rate import chosen_rate
from anchormine.training.loop import Fitted, Task
from anchormine.training.losses import Losses
from anchormine.training.model_card import ModelCard
from anchormine.training.model_run import LeftOut, Preparation, train_model
from anchormine.training.models import load_classifier, load_tokenizer
from anchormine.training.progress import Progress
from anchormine.training.resumption import result_options
from anchormine.training.run_files import told_damage
from anchormine.training.settings import Settings


class ClassifierModule(nn.Module):
    """A classifier with its loss."""

    def __init__(self, classifier: Any) -> None:
        super().__init__()
        self.classifier = classifier

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, labels: torch.Tensor) -> Losses:
        """Mean cross-entropy.

        Args:
            input_ids: [texts, length].
            attention_mask: 1 for pieces, 0 for padding, [texts, length].
            labels: places in `LABELS`, [texts].
        """
        logits = self.classifier(input_ids=input_ids, attention_mask=attention_mask).logits  # [texts, 2]
        losses = F.cross_entropy(logits.float(), labels, reduction="none")  # [texts]
        parts = {
            name: (losses.detach()[labels == number].sum(), int((labels == number).sum()))
            for number, name in enumerate(LABELS)
        }
        return Losses(losses.mean(), parts)


@dataclass(frozen=True)
class TextCollator:
    """Makes a batch of texts the arguments of a ClassifierModule.

    Attributes:
        tokenizer: of the model.
    """

    tokenizer: Any

    def __call__(self, batch: Sequence[LabelledText], _: np.random.Generator) -> dict[str, torch.Tensor]:
        """Cuts into pieces, and pads to the longest."""
        encodings = encode_texts(self.tokenizer, [example.text for example in batch])
        longest = max(len(encoding.ids) for encoding in encodings)
        pad = self.tokenizer.pad_token_id
        return {
            "input_ids": torch.tensor([e.ids + [pad] * (longest - len(e.ids)) for e in encodings]),
            "attention_mask": torch.tensor(
                [[1] * len(e.ids) + [0] * (longest - len(e.ids)) for e in encodings]
            ),
            "labels": torch.tensor([example.label for example in batch]),
        }


def train_classifier(options: ClassifierTraining, settings: Settings, progress: Progress) -> Path:
    """Trains a query classifier, and makes the model folder.

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


def held_out_line(folder: Path) -> str:
    """What a person is told of a classifier: how well it tells apart what it has never seen.

    Raises:
        UsageError: the file that says so is damaged.
    """
    return _held_out(folder).line()


def held_out_doubt(folder: Path) -> str | None:
    """The warning of a classifier whose AUC was measured on so few texts that it tells little; else None.

    Raises:
        UsageError: see `held_out_line`.
    """
    queries, anchors, _ = _held_out(folder)
    if min(queries, anchors) >= FEW:
        return None
    return (
        f"only {queries} queries and {anchors} anchors were held out: with fewer than {FEW} of either, the "
        "AUC says hardly more than chance"
    )


def _held_out(folder: Path) -> HeldOut:
    with told_damage(folder / ABOUT):
        return held_out_of(json.loads((folder / ABOUT).read_text(encoding="utf-8")))


def _prepare(options: ClassifierTraining, settings: Settings, progress: Progress) -> Preparation:
    tokenizer = load_tokenizer(options.init)
    torch.manual_seed(settings.seed)
    classifier = load_classifier(options.init, LABELS)
    if fault := input_fault(classifier, tokenizer):
        raise UsageError(f"{options.init}: {fault}; give --init another model")
    examples = classifier_examples(options, settings.seed)
    for warning in examples.warnings:
        progress.warn(warning)
    doubt = _unknown_doubt(options, tokenizer, examples)
    if doubt:
        progress.warn(doubt)
    lr = chosen_rate(settings.lr, "classifier", classifier.config.hidden_size)

    def save(path: Path, fitted: Fitted, left_out: Sequence[str]) -> None:
        classifier.to("cpu", getattr(torch, options.store)).save_pretrained(path)
        tokenizer.model_max_length = MAX_TOKENS
        tokenizer.save_pretrained(path)
        about = _about(path, options, examples)
        (path / ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
        measured = filter(None, (held_out_line(path), held_out_doubt(path), doubt))
        _card(options, examples).write(path, fitted, [*left_out, *measured])

    data = examples.checksums | examples.anchor_checksums
    return Preparation(
        Task(
            ClassifierModule(classifier),
            len(examples.trained),
            lambda epoch: examples.batches(epoch, settings.batch_size, settings.seed),
            TextCollator(tokenizer),
            lr,
        ),
        result_options(settings, asdict(options), data, options.init),
        f"{len(examples.trained)} texts to learn from, {len(examples.held_out)} held out",
        LeftOut(options.files, ("query", "queries"), examples.left_out),
        save,
    )


def _unknown_doubt(options: ClassifierTraining, tokenizer: Any, examples: Examples) -> str | None:
    """The warning where the model that is trained does not know the letters of the queries; else None."""
    queries = [text for text, label in (*examples.trained, *examples.held_out) if label]
    unknown = sum(map(partial(mostly_unknown, tokenizer), queries, encode_texts(tokenizer, queries)))
    doubt = unknown_letters(unknown, len(queries), ("query", "queries"))
    return doubt and (
        f"--positives {options.files}: {doubt}, and it learns of such by their digits and signs alone: "
        "give --init a model of their language"
    )


def _about(path: Path, options: ClassifierTraining, examples: Examples) -> dict[str, Any]:
    """What is known of a classifier, measured as it was stored."""
    scores = (
        QueryClassifier(str(path), "cpu", "float32").score([text for text, _ in examples.held_out]).scores
    )
    labels = np.array([label for _, label in examples.held_out])
    queries = sum(label for _, label in examples.trained)
    return {
        "cleaning": options.cleaning,
        "tokens": MAX_TOKENS,
        "trained_on": {"queries": queries, "anchors": len(examples.trained) - queries},
        "held_out": {
            "queries": int(labels.sum()),
            "anchors": int((1 - labels).sum()),
            "auc": round(area_under_curve(scores[labels == 1], scores[labels == 0]), 4),
        },
    }


def area_under_curve(positives: np.ndarray, negatives: np.ndarray) -> float:
    """The chance that a positive scores above a negative, where equal scores count half.

    Args:
        positives: scores [P].
        negatives: scores [N].
    """
    ordered = np.sort(negatives)
    below = np.searchsorted(ordered, positives, "left")  # [P]
    up_to = np.searchsorted(ordered, positives, "right")  # [P]
    return float((below + up_to).mean() / (2 * len(negatives)))


def _card(options: ClassifierTraining, examples: Examples) -> ModelCard:
    queries = sum(label for _, label in (*examples.trained, *examples.held_out))
    anchors = len(examples.trained) + len(examples.held_out) - queries
    return ModelCard(
        title="A query classifier",
        what=(
            "Scores how much the text of an anchor is like a query (Anchor-DR, SIGIR 2023): the logit of the "
            f"label `{LABELS[1]}`. For `anchormine filter --classifier`. Stored in {options.store}."
        ),
        data=(
            f"{queries} queries of {', '.join(examples.checksums)} and {anchors} distinct anchors of "
            f"{Path(options.negatives_from).name}, cleaned by {options.cleaning}; a tenth of them held out"
        ),
        base=options.init,
        licence=options.licence,
        tags=("text-classification", "anchormine"),
    )

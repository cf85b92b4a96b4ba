"""Models and tokenizers out of folders or the Hugging Face hub, and what can be wrong with them."""

import math
from collections.abc import Sequence
from typing import Any

import torch
from transformers import AutoModelForMaskedLM, AutoModelForSequenceClassification, AutoTokenizer

from anchormine.encoder import checked_path
from anchormine.errors import UsageError
from anchormine.filters.query_classifier import LABELS
from anchormine.pretrained import (
    TOKENIZER_FILES,
    lacks_tokenizer,
    length_limit,
    load_pretrained,
    vocabulary_fault,
)
from anchormine.training.learning_rate import BERT_WIDTH


def load_tokenizer(name: str) -> Any:
    """Loads a tokenizer that knows which piece belongs to which word.

    Args:
        name: a model folder, an id of the hub, or "default".

    Raises:
        UsageError: it has none, or only one written in Python, which does not know words.
    """
    tokenizer = load_any_tokenizer(name)
    if not tokenizer.is_fast or tokenizer.mask_token_id is None or tokenizer.sep_token_id is None:
        raise UsageError(f"{name}: its tokenizer has no word boundaries or no [MASK]; use a BERT-like model")
    return tokenizer


def load_any_tokenizer(name: str) -> Any:
    """Loads a tokenizer of any kind.

    Args:
        name: a model folder, an id of the hub, or "default".

    Raises:
        UsageError: there is none.
    """
    name = checked_path(name)
    if lacks_tokenizer(name):
        raise UsageError(
            f"{name}: no tokenizer here (none of {', '.join(TOKENIZER_FILES)}); save it beside the model"
        )
    return load_pretrained(AutoTokenizer, name)


def load_masked_model(name: str) -> Any:
    """Loads a model with its masked language model head, in float32.

    Raises:
        UsageError: it cannot be loaded.
    """
    name = checked_path(name)
    return load_pretrained(AutoModelForMaskedLM, name, dtype=torch.float32)


def load_scorer(name: str, new_head: bool) -> Any:
    """Loads a cross-encoder in float32: one score for a sequence.

    Args:
        name: a model folder, an id of the hub, or "default".
        new_head: whether a scoring head may be made where the model has none. It is drawn from torch's
            generator, so that its scores are spread as those of BERT-base are.

    Raises:
        UsageError: it cannot be loaded, or has no scoring head.
    """
    name = checked_path(name)
    options: dict[str, Any] = {"num_labels": 1} if new_head else {}
    model, report = load_pretrained(
        AutoModelForSequenceClassification,
        name,
        dtype=torch.float32,
        output_loading_info=True,
        ignore_mismatched_sizes=new_head,  # a head of two labels gives way to one of one
        **options,
    )
    if report["missing_keys"] and not new_head:
        raise UsageError(
            f"{name}: has no scoring head; make one with `anchormine train pretrain` or `train rerank`, or a "
            "dual encoder with `train contrastive`"
        )
    if not new_head and set(model.config.label2id) == set(LABELS):
        raise UsageError(
            f"{name}: is a query classifier, which says nothing of documents; make a ranker with `anchormine "
            "train pretrain` or `train rerank`"
        )
    _widen_head(model, set(report["missing_keys"]) | {key for key, *_ in report["mismatched_keys"]})
    if model.config.num_labels > 2:
        raise UsageError(
            f"{name}: scores {model.config.num_labels} classes; a ranker has one score, or two classes"
        )
    return model


def load_classifier(name: str, labels: Sequence[str]) -> Any:
    """Loads a classifier in float32, to be trained: its head is drawn from torch's generator.

    Args:
        name: a model folder, an id of the hub, or "default".
        labels: their names, in the order of the logits.

    Raises:
        UsageError: it cannot be loaded.
    """
    model, report = load_pretrained(
        AutoModelForSequenceClassification,
        checked_path(name),
        dtype=torch.float32,
        output_loading_info=True,
        ignore_mismatched_sizes=True,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    _widen_head(model, set(report["missing_keys"]) | {key for key, *_ in report["mismatched_keys"]})
    return model


def _widen_head(model: Any, drawn: set[str]) -> None:
    """Gives the matrices of a new head the spread that a sum over fewer inputs needs.

    BERT draws all of them with a deviation of 0.02, for 768 inputs. Scores of a narrow model would all be the
    same, and its encoder would hear nothing of them beside the masked words: from 128 inputs through two
    layers a sixth of the signal arrives. The deviation that keeps it goes like 1 / sqrt(inputs) (Yang et al.,
    Tensor Programs V, 2022, table 3).

    Args:
        model: the scorer.
        drawn: names of the parameters that were not in the checkpoint.
    """
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name in drawn and parameter.ndim == 2:
                parameter.mul_(math.sqrt(BERT_WIDTH / parameter.shape[1]))


def check_input(length: int, model: Any, tokenizer: Any, name: str, option: str = "--length") -> None:
    """Refuses a tokenizer or a length that a model cannot take.

    Args:
        length: in tokens.
        model: that takes it.
        tokenizer: of the model.
        name: of the model.
        option: that gave the length.

    Raises:
        UsageError: it names the range.
    """
    if fault := vocabulary_fault(model, tokenizer):
        raise UsageError(f"{name}: {fault}; save the right tokenizer beside it")
    limit = length_limit(model, tokenizer)
    if not 8 <= length <= limit:
        raise UsageError(f"{option} {length}: must be from 8 to {limit}, the longest input of {name}")

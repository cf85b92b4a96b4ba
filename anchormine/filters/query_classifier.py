"""The query classifier: how much an anchor's text is like a query (Anchor-DR, SIGIR 2023, section 3.1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from tokenizers import Encoding
from transformers import AutoModelForSequenceClassification

from anchormine.compute import choose_compute
from anchormine.encoder import checked_path
from anchormine.errors import CommandError, UsageError
from anchormine.filters.class_logits import ClassLogits
from anchormine.filters.classifier_options import ClassifierOptions
from anchormine.filters.held_out import HeldOut, held_out_of
from anchormine.filters.query_encoding import encode_texts, input_fault, mostly_unknown
from anchormine.filters.query_threshold import SCALE
from anchormine.loaded_models import LoadedModels
from anchormine.numerals import counted
from anchormine.pretrained import NO_TOKENIZER, load_pretrained, quiet_transformers, tokenizer_of
from anchormine.sampling.batches import batches_by_length

LABELS = ("anchor", "query")
ABOUT = "query_classifier.json"  # in the model folder: how the examples were cleaned, and the AUC
_MAX_SCORE = np.iinfo(np.int32).max  # in ten-thousandths; no model that was trained comes near
_WINDOW = 16_384  # texts that are cut into pieces and sorted together
# Padded pieces of a batch, for the reasons in `anchormine.sampling.attention`. A GPU has room for more here:
# no attention is kept.
_TOKEN_BUDGET = {"cpu": 1024, "cuda": 65_536}
_REMEDY = "make one with `anchormine train classifier`"


class TextScores(NamedTuple):
    """What a classifier says of texts.

    Attributes:
        scores: the logit of the label "query" in ten-thousandths [texts] int32, in the order of the texts.
        unknown: of how many texts half or more is in letters that are unknown, see `mostly_unknown`.
    """

    scores: np.ndarray
    unknown: int


class QueryClassifier:
    """A model of two labels and its tokenizer.

    Attributes:
        cleaning: the profile by which its examples were cleaned; None where its folder does not say.
        held_out: how well it did on what it had not seen; None where its folder does not say.
        guessed_label: the label taken to mean queries where none is called "query"; None if one is.
    """

    def __init__(self, model: str, device: str = "auto", dtype: str = "float32") -> None:
        """Loads a classifier.

        Args:
            model: a folder, or an id of the hub.
            device: see `choose_compute`.
            dtype: see there.

        Raises:
            UsageError: there is none, or it is a model of another kind.
        """
        self._compute = choose_compute(device, dtype)
        self._tokenizer, network = _load(model)
        self._label = _query_label(network.config)
        name = str(network.config.id2label[self._label])
        self.guessed_label = None if name.lower() == LABELS[1] else name
        self._logits_of = ClassLogits(network.eval().requires_grad_(False).to(self._compute.device))
        self._budget = _TOKEN_BUDGET.get(self._compute.device.type, _TOKEN_BUDGET["cpu"])
        about = _about(model)
        self.cleaning = about.get("cleaning")
        self.held_out = _held_out(about)

    def score(self, texts: Sequence[str]) -> TextScores:
        """Scores clean texts.

        The same list gives the same scores to the last digit; a text in another list, whose batches are of
        other shapes, may be rounded to a neighbouring ten-thousandth.

        Args:
            texts: any number.

        Raises:
            CommandError: a score is no number.
        """
        scores, unknown = np.empty(len(texts), np.float64), 0
        for start in range(0, len(texts), _WINDOW):
            some = texts[start : start + _WINDOW]
            encodings = encode_texts(self._tokenizer, some)
            unknown += sum(map(partial(mostly_unknown, self._tokenizer), some, encodings))
            for batch in batches_by_length([len(encoding.ids) for encoding in encodings], self._budget):
                scores[[start + at for at in batch]] = self._logits([encodings[at] for at in batch])
        if not np.isfinite(scores).all():
            raise CommandError(
                "the query classifier gives scores that are no numbers; take another --classifier"
            )
        rounded = np.rint(scores * SCALE).clip(-_MAX_SCORE, _MAX_SCORE).astype(np.int32)
        return TextScores(rounded, unknown)

    @torch.inference_mode()
    def _logits(self, encodings: list[Encoding]) -> np.ndarray:
        """The logits of a batch [batch]."""
        lengths = torch.tensor([len(encoding.ids) for encoding in encodings])  # [batch]
        longest = int(lengths.max())
        pad, device = self._tokenizer.pad_token_id, self._compute.device
        ids = torch.tensor([e.ids + [pad] * (longest - len(e.ids)) for e in encodings])  # [batch, longest]
        # Most batches are of one length; without a mask attention is faster.
        mask = None if lengths.min() == longest else (torch.arange(longest) < lengths[:, None]).to(device)
        with self._compute.autocast():
            logits = self._logits_of(ids.to(device), mask)  # [batch, 2]
        return logits[:, self._label].double().cpu().numpy()


_MODELS = LoadedModels(QueryClassifier)


def shared_classifier(options: ClassifierOptions) -> QueryClassifier:
    """The classifier of this process for some options: loaded once."""
    return _MODELS.get(options.path, options.device, options.dtype)


def _load(name: str) -> tuple[Any, Any]:
    quiet_transformers()
    name = checked_path(name)
    tokenizer = tokenizer_of(name, "classifier", _REMEDY)
    network, report = load_pretrained(
        AutoModelForSequenceClassification,
        name,
        "classifier",
        _REMEDY,
        dtype=torch.float32,
        output_loading_info=True,
    )
    if fault := _fault(tokenizer, network, report):
        raise UsageError(f"classifier {name}: {fault}; {_REMEDY}")
    return tokenizer, network


def _fault(tokenizer: Any, network: Any, report: dict[str, Any]) -> str | None:
    """Why a model is no query classifier."""
    if report["missing_keys"]:
        return "is no classifier: it has no labels"
    if network.config.num_labels != len(LABELS):
        return f"has {counted(network.config.num_labels, 'label')}, and a query classifier has two"
    if len(tokenizer) <= len(tokenizer.all_special_tokens):
        return NO_TOKENIZER
    if not tokenizer.is_fast or tokenizer.pad_token_id is None:
        return "has no fast tokenizer that can pad"
    return input_fault(network, tokenizer)


def _query_label(config: Any) -> int:
    """The place of the label that stands for a query: the one of that name, else the second."""
    names = {str(label).lower(): int(number) for number, label in (config.id2label or {}).items()}
    return names.get("query", 1)


def _held_out(about: dict[str, Any]) -> HeldOut | None:
    try:
        return held_out_of(about)
    except (KeyError, TypeError, ValueError):
        return None


def _about(name: str) -> dict[str, Any]:
    """What its training wrote beside a classifier; nothing for one that was trained elsewhere."""
    path = Path(name) / ABOUT
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        return {}
    except (ValueError, RecursionError) as error:  # the latter for thousands of brackets in brackets
        raise UsageError(f"{path}: is not JSON ({error}); {_REMEDY} anew, or remove the file") from None
    return found if isinstance(found, dict) else {}

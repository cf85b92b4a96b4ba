"""A model's own masked language model head, on hidden states that are computed elsewhere."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F
from transformers.modeling_outputs import BaseModelOutput

from anchormine.training.masking import NO_LABEL


@dataclass
class _States(BaseModelOutput):
    """What an encoder gives, with what Longformer's masked model reads of its own beside it."""

    global_attentions: tuple[torch.Tensor, ...] | None = None


class _Replay(nn.Module):
    """Stands where an encoder was and gives the states it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.states: torch.Tensor | None = None

    def forward(self, *_: Any, **__: Any) -> _States:
        return _States(last_hidden_state=self.states)


class MaskedHead(nn.Module):
    """Predicts hidden pieces, and only those, from the last layer of a forward pass that was made for more.

    A checkpoint's own head goes on from where its pre-training left it; a fresh one would first send noise
    through the encoder. Heads differ (BERT's `cls`, RoBERTa's `lm_head`, DistilBERT's three layers), so the
    whole masked model is kept and only its encoder is replaced, by one that repeats the given states. The
    output layer is tied to the input embeddings of the encoder that is trained.
    """

    def __init__(self, masked_model: Any, encoder: Any) -> None:
        """Takes the head over.

        Args:
            masked_model: what AutoModelForMaskedLM gives; it loses its encoder.
            encoder: whose states will come: that same one, or the base model of a scorer of the same
                checkpoint.
        """
        super().__init__()
        setattr(masked_model, masked_model.base_model_prefix, encoder)
        masked_model.tie_weights()
        setattr(masked_model, masked_model.base_model_prefix, _Replay())
        self.masked_model = masked_model

    def forward(self, states: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        """Losses of the hidden pieces.

        Args:
            states: last layer, [rows, length, hidden].
            labels: pieces to predict, `NO_LABEL` elsewhere, [rows, length].

        Returns:
            Cross-entropy in nats, [hidden pieces].
        """
        hidden = labels != NO_LABEL  # [rows, length] bool
        replay = getattr(self.masked_model, self.masked_model.base_model_prefix)
        replay.states = states[hidden].unsqueeze(0)  # [1, hidden pieces, hidden]
        # the ids only say how many positions there are; the stand-in does not look at them
        logits = self.masked_model(input_ids=labels[hidden].unsqueeze(0)).logits[
            0
        ]  # [hidden pieces, vocabulary]
        replay.states = None
        return F.cross_entropy(logits.float(), labels[hidden], reduction="none")  # [hidden pieces]

    def whole(self, encoder: Any) -> Any:
        """The masked model with an encoder in its place again, to be saved; this head is of no use then."""
        setattr(self.masked_model, self.masked_model.base_model_prefix, encoder)
        self.masked_model.tie_weights()
        return self.masked_model

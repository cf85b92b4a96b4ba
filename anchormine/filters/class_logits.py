"""The logits of a classifier, of whose last layer only what they are made of is computed: the row of [CLS].

A short text has about ten pieces, so that spares a small model a quarter of its work.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class ClassLogits(nn.Module):
    """A plain BERT, whose logits are of float32 in any precision; any other classifier is asked as it is."""

    def __init__(self, network: Any) -> None:
        """Takes a network apart.

        Args:
            network: as AutoModelForSequenceClassification gives it; it loses its last layer and its pooler.
        """
        super().__init__()
        self._network = network
        self._last: Any = None
        if _is_plain_bert(network.config):
            layers = network.bert.encoder.layer
            self._last, self._pooler = layers[-1], network.bert.pooler
            self._heads = network.config.num_attention_heads
            del layers[-1]  # the network now ends with the input of its last layer
            network.bert.pooler = None

    def forward(self, ids: Tensor, mask: Tensor | None) -> Tensor:
        """Computes logits [texts, labels].

        Args:
            ids: piece ids [texts, length].
            mask: true where a piece is, false at padding [texts, length]; None where there is no padding.
        """
        if self._last is None:
            whole = torch.ones_like(ids) if mask is None else mask.long()  # [texts, length]
            return self._network(input_ids=ids, attention_mask=whole).logits
        seen = None if mask is None else mask.long()  # [texts, length]
        states = self._network.bert(input_ids=ids, attention_mask=seen).last_hidden_state
        pooled = self._pooler(self._first_row(states, mask))  # [texts, width]
        with torch.autocast(pooled.device.type, enabled=False):  # a logit of bfloat16 has three digits
            return self._network.classifier(pooled.float())

    def _first_row(self, states: Tensor, mask: Tensor | None) -> Tensor:
        """The last layer's output at the first position [texts, 1, width], of its input."""
        attention = self._last.attention
        first = states[:, :1]  # [texts, 1, width]
        query, key, value = (
            self._split_heads(project(rows))
            for project, rows in (
                (attention.self.query, first),
                (attention.self.key, states),
                (attention.self.value, states),
            )
        )
        seen = None if mask is None else mask[:, None, None, :]  # [texts, 1, 1, length]
        context = F.scaled_dot_product_attention(query, key, value, seen)  # [texts, heads, 1, width / heads]
        context = context.transpose(1, 2).flatten(2)  # [texts, 1, width]
        attended = attention.output(context, first)
        return self._last.output(self._last.intermediate(attended), attended)

    def _split_heads(self, projected: Tensor) -> Tensor:
        texts, length, width = projected.shape
        return projected.view(texts, length, self._heads, width // self._heads).transpose(1, 2)


def _is_plain_bert(config: Any) -> bool:
    absolute = getattr(config, "position_embedding_type", None) in (None, "absolute")
    return config.model_type == "bert" and absolute and not getattr(config, "is_decoder", False)

"""The model that is trained: a cross-encoder, and what is predicted beside its score."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from anchormine.training.losses import Losses, PairLoss
from anchormine.training.masked_head import MaskedHead
from anchormine.training.query_prediction import MaskedQuery, QueryPrediction


class RankingModel(nn.Module):
    """L = mean of the pairs' losses + mlm_weight * mean over hidden document pieces + mqp_weight * mean over
    queries.

    HARP (CIKM 2021), equation 7, has the first two terms, where drawing pairs from all tasks stands for the
    sum over tasks; SJTF (CCL 2022) has the first and the last. One forward pass gives scores and document
    predictions; masked queries have their own.
    """

    def __init__(
        self,
        scorer: Any,
        pair_loss: PairLoss,
        masked_head: MaskedHead | None = None,
        mlm_weight: float = 0.0,
        query_prediction: QueryPrediction | None = None,
        mqp_weight: float = 0.0,
    ) -> None:
        super().__init__()
        self.scorer = scorer
        self.pair_loss = pair_loss
        self.masked_head = masked_head
        self.mlm_weight = mlm_weight
        self.query_prediction = query_prediction
        self.mqp_weight = mqp_weight

    def forward(
        self,
        inputs: dict[str, torch.Tensor],
        tasks: Sequence[str],
        labels: torch.Tensor | None = None,
        masked_query: MaskedQuery | None = None,
    ) -> Losses:
        """Losses of a batch of pairs.

        Args:
            inputs: of the scorer: positive sides, then negative sides in the same order, [2 * pairs, length]
                each.
            tasks: of each pair.
            labels: hidden pieces of the documents, [2 * pairs, length].
            masked_query: the positive sides with a piece of the query hidden.
        """
        outputs = self.scorer(**inputs, output_hidden_states=self.masked_head is not None)
        positive, negative = outputs.logits.float().squeeze(-1).chunk(2)  # [pairs] each
        pair_losses = self.pair_loss(positive, negative)  # [pairs]
        total, parts = pair_losses.mean(), _by_task(pair_losses, tasks)
        if self.masked_head is not None and labels is not None:
            pieces = self.masked_head(outputs.hidden_states[-1], labels)  # [hidden pieces]
            total = total + self.mlm_weight * pieces.sum() / max(1, len(pieces))
            parts["mlm"] = (pieces.detach().sum(), len(pieces))
        if self.query_prediction is not None and masked_query is not None:
            queries = self.query_prediction(self.scorer.base_model, masked_query)  # [pairs]
            total = total + self.mqp_weight * queries.mean()
            parts["mqp"] = (queries.detach().sum(), len(queries))
        return Losses(total, parts)


def _by_task(losses: torch.Tensor, tasks: Sequence[str]) -> dict[str, tuple[torch.Tensor, int]]:
    places: dict[str, list[int]] = {}
    for place, task in enumerate(tasks):
        places.setdefault(task, []).append(place)
    return {task: (losses.detach()[places[task]].sum(), len(places[task])) for task in sorted(places)}

"""How fast a model learns: the highest rate, by its width, and how the rate rises and falls on the way."""

from __future__ import annotations

# The width of BERT-base, for which the rates of the papers are given.
BERT_WIDTH = 768
# Highest rates for a model of that width. `pretrain` and `rerank` are HARP's (CIKM 2021, section 4).
# `encoder` is 1e-3 for a model 128 wide; the shipped one was trained with 1.5e-3 at first, then with less.
# `contrastive` is Anchor-DR's (SIGIR 2023, section 4), for T5-base.
# `classifier` is Anchor-DR's 5e-5 for a model 256 wide (its program, with bert-mini).
RATES = {"encoder": 1.7e-4, "pretrain": 1e-4, "rerank": 1e-5, "contrastive": 1e-5, "classifier": 5e-5 / 3}


def chosen_rate(given: float | None, kind: str, width: int) -> float:
    """The highest rate: the user's, or else one that suits the model.

    With Adam the best rate falls as a model gets wider, like 1 / width (Yang et al., Tensor Programs V, 2022,
    table 3): what suits BERT-base leaves a narrow model where it stood.

    Args:
        given: by the user, or None.
        kind: of training, a name in `RATES`.
        width: of the model's hidden states.
    """
    return RATES[kind] * BERT_WIDTH / width if given is None else given


def rate(step: int, total: int, warmup: float) -> float:
    """The learning rate as a part of its highest: up from 0 while warming up, then down to 0 after the last
    step.

    Args:
        step: 1 to total.
        total: number of steps.
        warmup: part of them that is warming up.
    """
    rising = round(total * warmup)
    return step / rising if step <= rising else (total - step + 1) / (total - rising + 1)

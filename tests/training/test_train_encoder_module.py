from typing import Any

import pytest
import torch
from torch.nn import functional as F
from transformers import AutoModelForMaskedLM, LongformerConfig, LongformerForMaskedLM

from anchormine.errors import UsageError
from anchormine.training.encoder_training import EncoderModule, repeat_positions
from anchormine.training.masking import NO_LABEL

IDS = torch.tensor([[2, 10, 4, 12, 3], [2, 4, 14, 3, 0]])
LABELS = torch.tensor([[NO_LABEL, NO_LABEL, 11, 12, NO_LABEL], [NO_LABEL, 13, *[NO_LABEL] * 3]])
INPUTS = {"input_ids": IDS, "attention_mask": (IDS != 0).long()}


def logits(tiny_model: str) -> torch.Tensor:
    """Of the whole model, as transformers computes it, [2, 5, pieces]."""
    model = AutoModelForMaskedLM.from_pretrained(tiny_model).eval()
    return model(**INPUTS).logits.detach()


@pytest.mark.parametrize("cls_weight", [0.0, 0.5])
def test_losses(tiny_model, cls_weight):
    expected = logits(tiny_model)
    hidden = LABELS != NO_LABEL
    mlm = F.cross_entropy(expected[hidden], LABELS[hidden])
    bag = F.cross_entropy(expected[:, :1].expand_as(expected)[hidden], LABELS[hidden])
    module = EncoderModule(AutoModelForMaskedLM.from_pretrained(tiny_model), cls_weight).eval()
    losses = module(**INPUTS, labels=LABELS)
    assert losses.total.item() == pytest.approx((mlm + cls_weight * bag).item(), abs=1e-5)
    parts = {name: (total.item(), count) for name, (total, count) in losses.parts.items()}
    assert parts["mlm"] == (pytest.approx(3 * mlm.item(), abs=1e-5), 3)
    assert set(parts) == ({"mlm", "cls"} if cls_weight else {"mlm"})


def test_losses_of_a_longformer():
    shape: dict[str, Any] = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    shape |= {"intermediate_size": 32, "max_position_embeddings": 32, "attention_window": [4, 4]}
    torch.manual_seed(0)
    model = LongformerForMaskedLM(LongformerConfig(vocab_size=20, pad_token_id=0, **shape)).eval()
    hidden = LABELS != NO_LABEL
    expected = F.cross_entropy(model(**INPUTS).logits.detach()[hidden], LABELS[hidden])
    losses = EncoderModule(model).eval()(**INPUTS, labels=LABELS)
    assert losses.total.item() == pytest.approx(expected.item(), abs=1e-5)


@pytest.mark.parametrize("cls_weight", [0.0, 0.5])
def test_cls_learns_from_the_bag_alone(tiny_model, cls_weight):
    module = EncoderModule(AutoModelForMaskedLM.from_pretrained(tiny_model), cls_weight).eval()
    seen = []

    def keep(_module, _arguments, output):
        output.last_hidden_state.retain_grad()
        seen.append(output.last_hidden_state)

    module.encoder.register_forward_hook(keep)
    module(**INPUTS, labels=LABELS).total.backward()
    of_cls = seen[0].grad[:, 0].abs().sum().item()
    assert (of_cls > 0) == (cls_weight > 0)


def test_unknown_positions_repeat_the_known_ones(tiny_model):
    model = AutoModelForMaskedLM.from_pretrained(tiny_model)
    positions = model.base_model.embeddings.position_embeddings.weight
    before = positions.detach().clone()
    repeat_positions(model, 10)
    assert torch.equal(positions[:9], before[:9])
    assert torch.equal(positions[9:17], before[1:9])
    assert torch.equal(positions[17:25], before[1:9])
    with pytest.raises(UsageError, match="must have more"):
        repeat_positions(model, len(positions))

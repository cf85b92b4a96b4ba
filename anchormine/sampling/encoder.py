"""The encoder whose attention weighs terms, and the few rows that are read of its last layer.

Of the last layer HARP uses Q K^T alone, and of that the [CLS] row and the anchors' rows. So all layers but
the last run as they are (with fused attention), and of the last one only the queries of those rows and the
keys are computed: A_i = softmax(Q_i K_i^T / sqrt(d / D)) for head i of D (HARP section 3.2).
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

import torch
from tokenizers import Encoding
from torch import Tensor, nn
from transformers import (
    AutoConfig,
    AutoModel,
    PretrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)
from transformers.utils.hub import cached_file, extract_commit_hash

from anchormine.compute import choose_compute
from anchormine.errors import UsageError
from anchormine.loaded_models import LoadedModels
from anchormine.pretrained import (
    NO_TOKENIZER,
    NOT_LOADED,
    load_pretrained,
    not_loaded,
    quiet_transformers,
    tokenizer_of,
    vocabulary_fault,
)

# Where the last layer of an architecture keeps the projections that give Q and K; all of them apply these to
# the layer's input as it stands (post-layer-norm). Anything else takes the slow way: all rows, by
# `output_attentions`.
_BERT = ("encoder.layer", "attention.self.query", "attention.self.key")
_PROJECTIONS = {
    **dict.fromkeys(("bert", "camembert", "electra", "ernie", "roberta", "xlm-roberta"), _BERT),
    "distilbert": ("transformer.layer", "attention.q_lin", "attention.k_lin"),
}
_REMEDY = (
    "give an id of the Hugging Face hub, or a folder with config.json, a tokenizer and model.safetensors"
)
MAX_PIECES = 512  # HARP's limit, [CLS] and [SEP] included


class Encoder:
    """A tokenizer and a model that gives rows of its last layer's attention, averaged or not over heads.

    Attributes:
        tokenizer: a fast one, for its offsets.
        compute: the device that the model is on, and the dtype of the layers before the rows; the rows
            themselves are always computed in float32.
        max_pieces: pieces the model reads, [CLS] and [SEP] among them.
        heads: number of heads of the last layer.
        reads_rows: whether only the needed rows are computed (False: the slow way).
    """

    def __init__(self, model: str | Path, device: str = "auto", dtype: str = "float32") -> None:
        """Loads a model.

        Args:
            model: id on the hub, or folder.
            device: see `choose_compute`.
            dtype: see there. Reduced precision is autocast, and moves a weight by about 1 %.

        Raises:
            UsageError: no such model, device or dtype; or no encoder with a fast tokenizer and [CLS].
        """
        self.compute = choose_compute(device, dtype)
        self.tokenizer, network = _load(str(model))
        self.max_pieces = _max_pieces(network, self.tokenizer)
        self.heads = network.config.num_attention_heads
        self.reads_rows = _can_read_rows(network.config)
        self._network = network.eval().requires_grad_(False).to(self.compute.device)
        if self.reads_rows:
            layers, query, key = _PROJECTIONS[network.config.model_type]
            stack = cast(nn.ModuleList, network.get_submodule(layers))
            last = stack[-1]
            del stack[-1]  # the network now ends with the input of its last layer
            self._query, self._key = last.get_submodule(query), last.get_submodule(key)
            network.add_module("pooler", None)
        else:
            self._check_attention(str(model))

    def tokenize(self, texts: list[str]) -> list[Encoding]:
        """Cuts texts into pieces, [CLS] and [SEP] among them; what is cut off is in `overflowing`.

        The tokenizer's own batch call, without the lists that transformers copies each text's pieces into.
        """
        backend = self.tokenizer.backend_tokenizer
        backend.no_padding()
        backend.enable_truncation(self.max_pieces)
        return backend.encode_batch(texts)

    @torch.inference_mode()
    def attention_rows(self, ids: Tensor, mask: Tensor, rows: Tensor) -> Tensor:
        """Computes rows of the last layer's attention, averaged over heads.

        Args:
            ids: piece ids [B, L], on the CPU.
            mask: true where a piece is, false at padding [B, L].
            rows: positions of the wanted rows [B, R].

        Returns:
            alpha [B, R, L], float32, on the CPU; 0 at padding.
        """
        ids, mask, rows = (tensor.to(self.compute.device, non_blocking=True) for tensor in (ids, mask, rows))
        with self.compute.autocast():
            alpha = self._needed_rows(ids, mask, rows) if self.reads_rows else self._all_rows(ids, mask, rows)
        return alpha.float().cpu()  # [B, R, L]

    def _needed_rows(self, ids: Tensor, mask: Tensor, rows: Tensor) -> Tensor:
        hidden = self._network(input_ids=ids, attention_mask=mask.long()).last_hidden_state  # [B, L, d]
        at = rows[:, :, None].expand(-1, -1, hidden.shape[2])  # [B, R, d]
        query = self._split_heads(self._query(hidden.gather(1, at)))  # [B, D, R, d/D]
        key = self._split_heads(self._key(hidden))  # [B, D, L, d/D]
        with torch.autocast(self.compute.device.type, enabled=False):
            scores = query @ key.transpose(2, 3) * query.shape[3] ** -0.5  # [B, D, R, L]
            return scores.masked_fill_(~mask[:, None, None, :], -torch.inf).softmax(-1).mean(1)  # [B, R, L]

    def _split_heads(self, projected: Tensor) -> Tensor:
        batch, length, width = projected.shape
        return (
            projected.float().view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        )  # [B, D, L, d/D]

    def _all_rows(self, ids: Tensor, mask: Tensor, rows: Tensor) -> Tensor:
        outputs = self._network(input_ids=ids, attention_mask=mask.long(), output_attentions=True)
        alpha = outputs.attentions[-1].float().mean(1)  # [B, L, L]
        return alpha.gather(1, rows[:, :, None].expand(-1, -1, alpha.shape[2]))  # [B, R, L]

    def _check_attention(self, model: str) -> None:
        """Makes sure that the slow way gives a full matrix: some encoders attend to windows, some never."""
        probe = torch.tensor([[self.tokenizer.cls_token_id] * 3], device=self.compute.device)  # [1, 3]
        with torch.inference_mode():
            attentions = getattr(self._network(input_ids=probe, output_attentions=True), "attentions", None)
        if not attentions or attentions[-1] is None or attentions[-1].shape[1:] != (self.heads, 3, 3):
            raise UsageError(f"encoder {model}: gives no full attention matrix; take an encoder such as BERT")


_MODELS = LoadedModels(Encoder)


def shared_encoder(model: str | Path, device: str = "auto", dtype: str = "float32") -> Encoder:
    """The encoder of this process for a model, device and dtype: loaded once, the same for every caller."""
    return _MODELS.get(str(model), device, dtype)


def hub_revision(model: str | Path) -> str | None:
    """The commit that a model's id on the hub stands for now; None for a folder.

    Raises:
        UsageError: there is no such model.
    """
    if Path(model).is_dir():
        return None
    try:
        return extract_commit_hash(cached_file(str(model), "config.json"), None)
    except NOT_LOADED as error:
        raise not_loaded(str(model), error, "encoder", _REMEDY) from error


def _load(model: str) -> tuple[PreTrainedTokenizerBase, PreTrainedModel]:
    quiet_transformers()  # about weights that a model of another task has
    config = load_pretrained(AutoConfig, model, "encoder", _REMEDY)
    tokenizer = tokenizer_of(model, "encoder", _REMEDY)
    attention = {} if _can_read_rows(config) else {"attn_implementation": "eager"}
    network = load_pretrained(AutoModel, model, "encoder", _REMEDY, **attention).float()
    if fault := _fault(config, tokenizer, network):
        raise UsageError(f"encoder {model}: {fault}; take an encoder such as BERT")
    return tokenizer, network


def _fault(
    config: PretrainedConfig, tokenizer: PreTrainedTokenizerBase, network: PreTrainedModel
) -> str | None:
    """Why a model cannot be used."""
    if len(tokenizer) <= len(tokenizer.all_special_tokens):
        return NO_TOKENIZER
    if not tokenizer.is_fast or tokenizer.cls_token_id is None:
        return "has no fast tokenizer with a [CLS] token"
    if getattr(config, "is_encoder_decoder", False) or not hasattr(config, "num_attention_heads"):
        return "is no encoder with attention"
    return vocabulary_fault(network, tokenizer)


def _can_read_rows(config: PretrainedConfig) -> bool:
    absolute = getattr(config, "position_embedding_type", None) in (
        None,
        "absolute",
    )  # else scores have more terms
    return config.model_type in _PROJECTIONS and absolute and not getattr(config, "is_decoder", False)


def _max_pieces(network: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> int:
    """The shortest of HARP's limit, the tokenizer's and the position table's (RoBERTa's pads first)."""
    limits = [MAX_PIECES, tokenizer.model_max_length]
    for name, module in network.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, nn.Embedding):
            skipped = 0 if module.padding_idx is None else module.padding_idx + 1
            limits.append(module.num_embeddings - skipped)
    return min(limits)

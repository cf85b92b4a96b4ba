"""The network of a dual encoder: a transformer, pooling, and what comes after."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional as F
from transformers import AutoConfig, AutoModel, AutoModelForTextEncoding

from anchormine.encoder import checked_path
from anchormine.errors import UsageError
from anchormine.pretrained import load_pretrained
from anchormine.retrieval.encoder_form import EncoderForm, Head, model_file, read_json
from anchormine.retrieval.pooling import FIRST_DECODER, POOLINGS, pool

# T5's padding, which its decoder begins with (Anchor-DR, SIGIR 2023, section 4)
DECODER_START = 0


class TextEncoder(nn.Module):
    """Makes a vector of a text; queries and documents share it.

    Attributes:
        transformer: gives last hidden states.
        poolings: names in `pooling.POOLINGS`.
        heads: what comes after pooling.
    """

    def __init__(self, transformer: Any, poolings: tuple[str, ...], heads: list[nn.Module]) -> None:
        super().__init__()
        self.transformer = transformer
        self.poolings = poolings
        self.heads = nn.ModuleList(heads)

    def forward(self, inputs: dict[str, Tensor]) -> Tensor:
        """Vectors of texts.

        Args:
            inputs: what the tokenizer gives: input_ids, attention_mask, ..., [B, L] int64 each.

        Returns:
            [B, d] float32.
        """
        vectors = self._pooled(inputs)  # [B, d]
        for head in self.heads:
            vectors = head(vectors)
        return vectors

    def _pooled(self, inputs: dict[str, Tensor]) -> Tensor:
        if FIRST_DECODER not in self.poolings:
            hidden = self.transformer(**inputs).last_hidden_state.float()  # [B, L, d]
            return pool(hidden, inputs["attention_mask"], self.poolings)
        start = getattr(self.transformer.config, "decoder_start_token_id", None) or DECODER_START
        begun = torch.full_like(inputs["input_ids"][:, :1], start)  # [B, 1]
        hidden = self.transformer(**inputs, decoder_input_ids=begun, use_cache=False).last_hidden_state
        return hidden[:, 0].float()  # [B, d]


class Normalize(nn.Module):
    """Makes vectors one long."""

    def forward(self, vectors: Tensor) -> Tensor:
        return F.normalize(vectors, dim=1)  # [B, d]


class Dense(nn.Module):
    """A linear layer with an activation, as sentence-transformers stores it.

    Attributes:
        linear: the layer.
        activation: what comes after it.
        config: as read.
    """

    def __init__(self, config: dict[str, Any], weights: dict[str, Tensor], folder: str) -> None:
        super().__init__()
        if config.get("use_residual"):
            raise UsageError(f"{folder}: a Dense module with a residual is not known here; use another model")
        self.config = config
        self.linear = nn.Linear(config["in_features"], config["out_features"], config.get("bias", True))
        self.load_state_dict({name: weight.float() for name, weight in weights.items()})
        self.activation = _activation(config.get("activation_function", "torch.nn.Tanh"), folder)

    def forward(self, vectors: Tensor) -> Tensor:
        return self.activation(self.linear(vectors))  # [B, out_features]


def load_text_encoder(name: str, form: EncoderForm) -> TextEncoder:
    """Loads the network of a model in float32.

    Args:
        name: a model folder, an id of the hub, or "default".
        form: how it makes vectors, with poolings.

    Raises:
        UsageError: it cannot be loaded, or not in this form.
    """
    name = checked_path(name)
    heads = [_load_head(name, head) for head in form.heads]
    if form.similarity == "cosine" and (not form.heads or form.heads[-1].kind != "Normalize"):
        heads.append(Normalize())
    return TextEncoder(_load_transformer(name, form.poolings), form.poolings, heads)


def default_pooling(name: str) -> str:
    """How a plain model is pooled where nobody says: Anchor-DR's way for T5, else the mean.

    Raises:
        UsageError: the model cannot be loaded.
    """
    config = load_pretrained(AutoConfig, checked_path(name))
    return FIRST_DECODER if config.is_encoder_decoder else "mean"


def _load_transformer(name: str, poolings: tuple[str, ...]) -> Any:
    unknown = [pooling for pooling in poolings if pooling not in POOLINGS]
    if unknown:
        raise UsageError(f"{name}: pools by {unknown[0]}, which is not known here; use another model")
    config = load_pretrained(AutoConfig, name)
    if FIRST_DECODER in poolings and not (config.is_encoder_decoder and len(poolings) == 1):
        raise UsageError(f"{name}: has no decoder, so no first state of it; give --pooling mean or cls")
    # T5's encoder alone, T5EncoderModel, calls itself no encoder-decoder once it is saved
    of_two = config.is_encoder_decoder or any(
        kind.endswith("EncoderModel") for kind in config.architectures or []
    )
    loader = AutoModelForTextEncoding if of_two and FIRST_DECODER not in poolings else AutoModel
    model, report = load_pretrained(loader, name, dtype=torch.float32, output_loading_info=True)
    missing = sorted(key for key in report["missing_keys"] if not key.startswith("pooler."))
    if missing:
        raise UsageError(f"{name}: its weights lack {missing[0]}; save the model again, or use another")
    if report["missing_keys"]:
        model.pooler = None  # it is of no use here, and would be drawn at random
    return model


def _load_head(name: str, head: Head) -> nn.Module:
    if head.kind == "Normalize":
        return Normalize()
    folder = f"{name}/{head.path}"
    config = read_json(name, f"{head.path}/config.json")
    if config is None:
        raise UsageError(f"{folder}: no config.json here; save the model again")
    return Dense(config, _read_weights(name, head.path), folder)


def _read_weights(name: str, path: str) -> dict[str, Tensor]:
    if file := model_file(name, f"{path}/model.safetensors"):
        return load_file(file)
    if file := model_file(name, f"{path}/pytorch_model.bin"):
        return torch.load(file, map_location="cpu", weights_only=True)
    raise UsageError(f"{name}/{path}: no model.safetensors here; save the model again")


def save_dense(dense: Dense, folder: Path) -> None:
    """Writes a Dense module as sentence-transformers reads it."""
    from safetensors.torch import save_file

    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(dense.config, indent=1), encoding="utf-8")
    save_file(dense.state_dict(), folder / "model.safetensors")


def _activation(path: str, folder: str) -> nn.Module:
    """An activation by its name; only torch's own, since a name that is imported runs code."""
    module, _, name = path.rpartition(".")
    found = (
        getattr(importlib.import_module("torch.nn"), name, None) if module.startswith("torch.nn") else None
    )
    if not (isinstance(found, type) and issubclass(found, nn.Module)):
        raise UsageError(f"{folder}: its activation {path} is none of torch.nn; use another model")
    return found()

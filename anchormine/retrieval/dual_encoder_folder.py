"""A dual encoder's folder, as transformers and sentence-transformers load it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from anchormine.retrieval.dual_encoder import DualEncoder
from anchormine.retrieval.encoder_form import FORM, MODULES
from anchormine.retrieval.pooling import FIRST_DECODER
from anchormine.retrieval.text_encoder import Dense, save_dense


def save_dual_encoder(encoder: DualEncoder, folder: Path) -> None:
    """Writes model, tokenizer and how vectors are made of them.

    sentence-transformers has no module for the first state of a decoder: such a model's folder holds none of
    its files, and is loaded by transformers or anchormine.

    Args:
        encoder: with its form as it was trained.
        folder: empty.
    """
    encoder.network.to("cpu").transformer.save_pretrained(folder)
    encoder.tokenizer.save_pretrained(folder)
    form = encoder.form
    if FIRST_DECODER not in form.poolings:
        _save_modules(encoder, folder)
    own = form._asdict()
    del own["heads"]  # modules.json has them, in order
    _write_json(folder / FORM, own)


def _save_modules(encoder: DualEncoder, folder: Path) -> None:
    """Writes sentence-transformers' files, under the names that all its versions know."""
    modules = [_module(0, "", "Transformer"), _module(1, "1_Pooling", "Pooling")]
    width = encoder.network.transformer.config.hidden_size
    pooling = {"word_embedding_dimension": width, **_pooling_flags(encoder.form.poolings)}
    (folder / "1_Pooling").mkdir()
    _write_json(folder / "1_Pooling" / "config.json", pooling)
    for number, head in enumerate(encoder.network.heads, start=2):
        kind = type(head).__name__
        modules.append(_module(number, f"{number}_{kind}", kind))
        if isinstance(head, Dense):
            save_dense(head, folder / f"{number}_{kind}")
    _write_json(folder / MODULES, modules)
    _write_json(folder / "sentence_bert_config.json", _reading(encoder))
    _write_json(folder / "config_sentence_transformers.json", _use(encoder))


def _pooling_flags(poolings: tuple[str, ...]) -> dict[str, bool]:
    names = {"cls": "cls_token", "mean": "mean_tokens", "max": "max_tokens", "lasttoken": "lasttoken"}
    names |= {"mean_sqrt_len_tokens": "mean_sqrt_len_tokens", "weightedmean": "weightedmean_tokens"}
    return {f"pooling_mode_{flag}": name in poolings for name, flag in names.items()}


def _reading(encoder: DualEncoder) -> dict[str, Any]:
    return {"max_seq_length": encoder.form.document_length, "do_lower_case": False}


def _use(encoder: DualEncoder) -> dict[str, Any]:
    form = encoder.form
    return {
        "prompts": {"query": form.query_prefix, "document": form.document_prefix},
        "default_prompt_name": None,
        "similarity_fn_name": form.similarity,
    }


def _module(number: int, path: str, kind: str) -> dict[str, Any]:
    return {"idx": number, "name": str(number), "path": path, "type": f"sentence_transformers.models.{kind}"}


def _write_json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")

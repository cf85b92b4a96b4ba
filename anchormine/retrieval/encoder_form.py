"""What the files beside a model say of how its vectors are made: sentence-transformers' and our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from transformers.utils.hub import cached_file

from anchormine.errors import UsageError

# Ours, in every dual encoder that we write. sentence-transformers has no first decoder state, so for models
# of that form it is the only one.
FORM = "dual_encoder.json"
MODULES = "modules.json"
SIMILARITIES = ("dot", "cosine")

# sentence-transformers wrote a flag for each pooling before it wrote their names (version 6)
_FLAGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}


class Head(NamedTuple):
    """What is done to pooled vectors.

    Attributes:
        kind: "Dense" or "Normalize".
        path: of its folder below the model's.
    """

    kind: str
    path: str


class EncoderForm(NamedTuple):
    """How a model makes vectors.

    Attributes:
        poolings: names in `pooling.POOLINGS`, joined; empty where nothing says.
        heads: what comes after pooling, in order.
        similarity: "cosine" where the folder says so or ends with Normalize, else "dot".
        query_prefix: put before each query.
        document_prefix: put before each document.
        query_length: tokens of a query, special ones among them; None where nothing says.
        document_length: tokens of a document, likewise.
        temperature: that similarities were divided by in training.
    """

    poolings: tuple[str, ...] = ()
    heads: tuple[Head, ...] = ()
    similarity: str = "dot"
    query_prefix: str = ""
    document_prefix: str = ""
    query_length: int | None = None
    document_length: int | None = None
    temperature: float | None = None


def read_form(name: str) -> EncoderForm:
    """Reads what a model's folder says.

    Args:
        name: a folder, or an id of the hub.

    Returns:
        Its form; one without poolings where the folder is that of a plain model.

    Raises:
        UsageError: a malformed file, or a module that we do not know.
    """
    try:
        return _read_form(name)
    except (KeyError, TypeError, AttributeError, IndexError):
        raise UsageError(
            f"{name}: {MODULES}, a file that it names, or {FORM} is damaged; save the model again"
        ) from None


def _read_form(name: str) -> EncoderForm:
    form = _of_modules(name)
    own = read_json(name, FORM)
    if own is None:
        return form
    known = {key: value for key, value in own.items() if key in EncoderForm._fields}
    return form._replace(**{**known, "poolings": tuple(own["poolings"])})


def model_file(name: str, path: str) -> Path | None:
    """A file of a model, or None where there is none.

    Args:
        name: a folder, or an id of the hub.
        path: below it.
    """
    if Path(name).is_dir():
        return Path(name, path) if Path(name, path).is_file() else None
    found = cached_file(
        name,
        path,
        _raise_exceptions_for_missing_entries=False,
        _raise_exceptions_for_connection_errors=False,
        _raise_exceptions_for_gated_repo=False,
    )
    return Path(found) if found else None


def read_json(name: str, path: str) -> Any:
    """A JSON file of a model, or None where there is none.

    Raises:
        UsageError: it is not JSON.
    """
    file = model_file(name, path)
    if file is None:
        return None
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file}: not JSON ({error}); save the model again") from None


def _of_modules(name: str) -> EncoderForm:
    modules = read_json(name, MODULES)
    if modules is None:
        return EncoderForm()
    poolings: tuple[str, ...] = ()
    heads = []
    for module in modules[1:]:
        kind, path = module["type"].rsplit(".", 1)[-1], module["path"]
        if kind == "Pooling":
            poolings = _poolings(read_json(name, f"{path}/config.json") or {})
        elif kind in ("Dense", "Normalize"):
            heads.append(Head(kind, path))
        elif kind != "Dropout":  # which does nothing outside of training
            raise UsageError(f"{name}: has a module {kind}, which is not known here; use another model")
    stated = read_json(name, "config_sentence_transformers.json") or {}
    prompts = stated.get("prompts") or {}
    longest = (read_json(name, "sentence_bert_config.json") or {}).get("max_seq_length")
    normalized = bool(heads) and heads[-1].kind == "Normalize"
    return EncoderForm(
        poolings,
        tuple(heads),
        "cosine" if normalized or stated.get("similarity_fn_name") == "cosine" else "dot",
        prompts.get("query", ""),
        prompts.get("document", prompts.get("passage", "")),
        longest,
        longest,
    )


def _poolings(config: dict[str, Any]) -> tuple[str, ...]:
    named = config.get("pooling_mode") or [mode for flag, mode in _FLAGS.items() if config.get(flag)]
    return (named,) if isinstance(named, str) else tuple(named or ["mean"])

"""What `pairs` writes into the manifest: all that its rows depend on, and which tasks each of it concerns."""

import argparse
import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, NamedTuple

from anchormine.encoder import checked_path, encoder_path
from anchormine.sampling.weighers import WeighingOptions
from anchormine.schemas.pairs import HARP_TASKS
from anchormine.tasks.acm import DRAWS
from anchormine.tasks.anchor_document import ANCHOR_DOCUMENT, AnchorDocumentOptions
from anchormine.tasks.codoc import CODOC, CodocOptions
from anchormine.tasks.qdm import OCCURRENCES_PER_STRING
from anchormine.tasks.sentence_anchors import ANCHORS_PER_SENTENCE, PAIRS_PER_SENTENCE

# What a model is loaded from: weights in one file or several, and a tokenizer of any kind.
_ENCODER_FILES = (
    *("config.json", "*.safetensors", "pytorch_model*.bin"),
    *("*token*", "vocab.*", "merges.txt", "*.model"),
)


_WEIGHING = (
    *("encoder", "encoder_sha256", "encoder_revision", "device", "dtype"),
    *("weights", "profile", "constants", "stop_words"),
)
_DOCUMENTS = tuple(field.name for field in fields(AnchorDocumentOptions))
_PASSAGES = tuple(field.name for field in fields(CodocOptions))
# The options in their order, and those that concern some of the tasks alone.
_NAMES = ("source", *_WEIGHING, "min_words", "limit", "language", *_DOCUMENTS, *_PASSAGES)
_OF_TASKS = ((HARP_TASKS, _WEIGHING), ((ANCHOR_DOCUMENT,), _DOCUMENTS), ((CODOC,), _PASSAGES))
# What the command line says of them where nothing was given.
_DEFAULTS = {
    **{field.name: field.default for field in fields(WeighingOptions) if field.name != "profile"},
    **{field.name: field.default for field in (*fields(AnchorDocumentOptions), *fields(CodocOptions))},
    "profile": "ours",
}


class TaskOptions(NamedTuple):
    """How pairs are made.

    Attributes:
        weighing: terms, for HARP's tasks.
        documents: for anchor_document.
        passages: for codoc.
    """

    weighing: WeighingOptions
    documents: AnchorDocumentOptions
    passages: CodocOptions


def pair_options(tasks: Collection[str], options: TaskOptions, shared: Mapping[str, Any]) -> dict[str, Any]:
    """Collects the options of a run but its tasks, its profile and every constant.

    Args:
        tasks: that are asked for; what concerns others is left out.
        options: of the tasks.
        shared: "source" (the table of anchors), "min_words", "limit" and "language".
    """
    regions = options.documents.regions
    given = {
        **shared,
        **(_weighing_options(options.weighing) if {*HARP_TASKS}.intersection(tasks) else {}),
        **asdict(options.documents),
        "regions": None if regions is None else list(regions),
        **asdict(options.passages),
    }
    return merged_options(concerning(given, tasks), {})


def concerning(options: Mapping[str, Any], tasks: Collection[str]) -> dict[str, Any]:
    """The options without those that concern other tasks alone."""
    others = {name for group, names in _OF_TASKS if not {*group}.intersection(tasks) for name in names}
    return {name: value for name, value in options.items() if name not in others}


def merged_options(asked: Mapping[str, Any], earlier: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a run and of the earlier tasks that stay, in the one order that they have."""
    found = {**earlier, **asked}
    return {name: found[name] for name in _NAMES if name in found}


def idle_options(args: argparse.Namespace, tasks: Sequence[str]) -> Iterator[str]:
    """Yields a line for each option that was given but concerns none of the tasks."""
    given = {name: vars(args)[name] for name in _DEFAULTS}
    at_work = concerning(given, tasks)
    for name, value in given.items():
        if name not in at_work and value != _DEFAULTS[name]:
            yield f"--{name.replace('_', '-')} has no part in {' or '.join(tasks)}"


def _weighing_options(weighing: WeighingOptions) -> dict[str, Any]:
    attention = weighing.weights == "attention"
    return {
        "encoder": _encoder_name(weighing.encoder) if attention else None,
        "encoder_sha256": encoder_checksum(weighing.encoder) if attention else None,
        **(_compute(weighing) if attention else {"encoder_revision": None, "device": None, "dtype": None}),
        "weights": weighing.weights,
        "profile": weighing.profile.name,
        "constants": {
            **{
                name: sorted(value) if isinstance(value, frozenset) else value
                for name, value in vars(weighing.profile).items()
            },
            "pairs_per_sentence": PAIRS_PER_SENTENCE,
            "anchors_per_sentence": ANCHORS_PER_SENTENCE,
            "occurrences_per_string": OCCURRENCES_PER_STRING,
            "negative_draws": DRAWS,
        },
        "stop_words": None if weighing.stop_words is None else sorted(weighing.stop_words),
    }


def _compute(weighing: WeighingOptions) -> dict[str, str | None]:
    """Which version of an encoder is used, where, and in which precision: scores move with all of them."""
    from anchormine.compute import choose_compute
    from anchormine.sampling.encoder import hub_revision

    device, dtype = choose_compute(weighing.device, weighing.dtype)
    return {
        "encoder_revision": hub_revision(checked_path(weighing.encoder)),
        "device": device.type,
        "dtype": str(dtype).removeprefix("torch."),
    }


def _encoder_name(encoder: str) -> str:
    """The encoder without a path, which says nothing to others."""
    return encoder.rstrip("/").rpartition("/")[2] if Path(encoder).is_dir() else encoder


def encoder_checksum(encoder: str) -> str | None:
    """SHA-256 of an encoder's configuration, weights and tokenizer, in hex; None without a folder."""
    folder = Path(encoder_path(encoder))
    if not folder.is_dir():
        return None
    digest = hashlib.sha256()
    for path in sorted({path for pattern in _ENCODER_FILES for path in folder.glob(pattern)}):
        digest.update(path.name.encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()

"""`train contrastive`: a dual encoder on queries and what they are to find (Anchor-DR, SIGIR 2023)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from shlex import quote
from typing import NamedTuple

import torch

from anchormine.datasets import DatasetFolder
from anchormine.errors import UsageError
from anchormine.numerals import counted
from anchormine.retrieval.dual_encoder import DualEncoder, load_dual_encoder
from anchormine.retrieval.dual_encoder_folder import save_dual_encoder
from anchormine.retrieval.pooling import FIRST_DECODER
from anchormine.training.contrastive_data import ContrastiveRows
from anchormine.training.contrastive_model import ContrastiveCollator, ContrastiveModel
from anchormine.training.contrastive_options import ContrastiveOptions
from anchormine.training.contrastive_validation import HeldOut, held_out_loss
from anchormine.training.learning_rate import chosen_rate
from anchormine.training.loop import Fitted, Task
from anchormine.training.model_card import ModelCard
from anchormine.training.model_run import LeftOut, Preparation, train_model
from anchormine.training.models import check_input
from anchormine.training.progress import Progress
from anchormine.training.resumption import result_options, table_checksums
from anchormine.training.run_files import LOG, read_log, told_damage
from anchormine.training.settings import Settings

_NO_MODULES = (
    " sentence-transformers has no module for a decoder's first state: it would load this folder, and take "
    "means of the encoder's states instead. Load it with transformers or anchormine."
)


class _Setup(NamedTuple):
    """A dual encoder with all that it is trained by."""

    encoder: DualEncoder
    module: ContrastiveModel
    collator: ContrastiveCollator
    rows: ContrastiveRows


def train_contrastive(options: ContrastiveOptions, settings: Settings, progress: Progress) -> Path:
    """Trains a dual encoder, and makes the model folder.

    Args:
        options: what to learn.
        settings: for how long.
        progress: for a person.

    Returns:
        The model folder.

    Raises:
        UsageError, CommandError: as `train_model`.
    """
    return train_model(lambda: _prepare(options, settings), settings, progress)


def validation_lines(folder: Path) -> list[str]:
    """What a person is told of a dual encoder: how well it finds held-out documents, as it learnt.

    Args:
        folder: of the model.

    Raises:
        UsageError: its log is damaged.
    """
    lines = []
    with told_damage(folder / LOG):
        for line in read_log(folder):
            for name, when in (
                ("validation_before", "before training"),
                ("validation", f"step {line['step']}"),
            ):
                if name in line:
                    lines.append(f"{when}: {_measured(line[name])}")
    return lines


def _prepare(options: ContrastiveOptions, settings: Settings) -> Preparation:
    folder = DatasetFolder(options.folder)
    setup = _set_up(folder, options, settings)
    count = sum(setup.rows.counts.values())
    if count < settings.batch_size:
        raise UsageError(
            f"{options.folder}: holds {counted(count, 'pair')} to train on, fewer than a batch of "
            f"{settings.batch_size}; give a smaller --batch-size, or mine more"
        )
    if settings.batch_size == 1:
        _check_lone_queries(setup.rows, options)
    searched = setup.rows.searched()
    width = setup.encoder.network.transformer.config.hidden_size
    task = Task(
        setup.module,
        count,
        lambda epoch: setup.rows.batches(epoch, settings.batch_size),
        setup.collator,
        chosen_rate(settings.lr, "contrastive", width) * options.lr_scale,
        _validator(setup, HeldOut(searched), settings.batch_size) if searched else None,
    )
    data = _checksums(folder, setup.rows)
    return Preparation(
        task,
        result_options(settings, asdict(options), data, options.encoder),
        f"{options.folder}: {_listed(setup.rows)}",
        LeftOut(options.folder, ("pair of an epoch", "pairs of an epoch"), setup.rows.left_out),
        lambda path, fitted, left_out: _save(path, setup.encoder, _card(options, setup), fitted, left_out),
    )


def _check_lone_queries(rows: ContrastiveRows, options: ContrastiveOptions) -> None:
    """Refuses queries that are alone in their batch, and without negatives: their loss is always 0."""
    if options.negatives == 0:
        raise UsageError(
            "--batch-size 1: with --negatives 0 a query has no document but its own to be compared with; "
            "give --batch-size 2 or more, or --negatives 1 or more"
        )
    plain = [table.task for table in rows.tables if not table.split]
    if plain:
        mined = "leave out --source pairs, and " if options.source == "pairs" else ""
        raise UsageError(
            f"--batch-size 1: the pairs of {', '.join(plain)} have no negatives, and a query has no document "
            f"but its own to be compared with; give --batch-size 2 or more, or {mined}mine negatives with "
            f"`anchormine negatives {quote(options.folder)} --task {' '.join(plain)} --from bm25`"
        )


def _set_up(folder: DatasetFolder, options: ContrastiveOptions, settings: Settings) -> _Setup:
    rows = ContrastiveRows(folder, options, settings.seed)
    torch.manual_seed(settings.seed)
    encoder = load_dual_encoder(
        options.encoder, settings.device, settings.dtype, options.pooling, options.similarity
    )
    for option, length in (
        ("--query-length", options.query_length),
        ("--document-length", options.document_length),
    ):
        check_input(length, encoder.network.transformer, encoder.tokenizer, options.encoder, option)
    form = encoder.form
    temperature = options.chosen_temperature(form.similarity)
    encoder.form = form._replace(
        query_length=options.query_length, document_length=options.document_length, temperature=temperature
    )
    collator = ContrastiveCollator(
        encoder.tokenizer,
        options.query_length,
        options.document_length,
        form.query_prefix,
        form.document_prefix,
        rows.known,
    )
    return _Setup(encoder, ContrastiveModel(encoder.network, temperature), collator, rows)


def _validator(setup: _Setup, held_out: HeldOut, batch_size: int) -> Callable[[Progress], dict[str, float]]:
    """Measures the module, says so, and says once how BM25 does."""
    told: list[str] = []
    # a set may be so small that no held-out query has a negative
    rows = setup.rows.held_out() or setup.rows.searched()

    def validate(progress: Progress) -> dict[str, float]:
        if not told:
            told.append(f"validation on {held_out.size()}; BM25's MRR@10 is {held_out.bm25():.4f}")
            progress.note(told[0])
        loss = held_out_loss(setup.module, setup.collator, rows, batch_size, setup.encoder.compute)
        measured = {"loss": round(loss, 6), "MRR@10": round(held_out.search(setup.encoder, batch_size), 6)}
        progress.note(f"validation: {_measured(measured)}")
        return measured

    return validate


def _measured(validation: dict[str, float]) -> str:
    return f"loss {validation['loss']:.4f}, MRR@10 {validation['MRR@10']:.4f}"


def _checksums(folder: DatasetFolder, rows: ContrastiveRows) -> dict[str, str]:
    splits = [(table.config, split) for table in rows.tables for split in folder.splits(table.config)]
    return {
        path: checksum
        for config, split in splits
        for path, checksum in table_checksums(folder, [config], split).items()
    }


def _listed(rows: ContrastiveRows) -> str:
    """Says which tables are read, which --source may have left open."""
    return ", ".join(
        f"{rows.counts[table.task]} pairs of {table.config.replace('-', '/', 1)}" for table in rows.tables
    )


def _save(path: Path, encoder: DualEncoder, card: ModelCard, fitted: Fitted, left_out: Sequence[str]) -> None:
    save_dual_encoder(encoder, path)
    card.write(path, fitted, left_out)


def _card(options: ContrastiveOptions, setup: _Setup) -> ModelCard:
    form = setup.encoder.form
    return ModelCard(
        title="A dual encoder trained on links",
        what=(
            "Makes vectors of queries and documents, whose similarity says how well they fit (Anchor-DR, "
            f"SIGIR 2023): {' and '.join(form.poolings)} pooling, {form.similarity}, temperature "
            f"{form.temperature:g}. A query has {form.query_length} tokens at most, a document "
            f"{form.document_length}.{_NO_MODULES if FIRST_DECODER in form.poolings else ''}"
        ),
        data=f"{_listed(setup.rows)} in {options.folder}",
        base=options.encoder,
        licence=options.licence,
        tags=("sentence-similarity", "dense-retrieval", "anchormine"),
    )

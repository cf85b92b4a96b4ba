"""`train encoder`: a small BERT as a masked language model, from scratch or from a checkpoint on."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from transformers import BertConfig, BertForMaskedLM

from anchormine.datasets import DatasetFolder
from anchormine.errors import UsageError
from anchormine.training.learning_rate import chosen_rate
from anchormine.training.loop import Fitted, Task
from anchormine.training.losses import Losses
from anchormine.training.masked_head import MaskedHead
from anchormine.training.masking import WordMasking
from anchormine.training.model_card import ModelCard
from anchormine.training.model_run import LeftOut, Preparation, train_model
from anchormine.training.models import check_input, load_masked_model, load_tokenizer
from anchormine.training.options import EncoderOptions
from anchormine.training.page_blocks import Block, PageBlocks, pad, page_texts
from anchormine.training.progress import Progress
from anchormine.training.resumption import result_options, table_checksums
from anchormine.training.settings import Settings
from anchormine.training.tokenizer import train_tokenizer

# BERT's feed-forward layers are four times as wide as the others.
FEED_FORWARD = 4


class EncoderModule(nn.Module):
    """A masked language model in the two parts that are trained.

    Nothing in masked language modelling asks the last layer's [CLS] row for anything: it stays near what it
    was drawn as. With `cls_weight`, the hidden words must also be guessed from [CLS] alone, as a bag (Ma et
    al., SIGIR 2024), so that it looks at the words which say what the text is about.
    """

    def __init__(self, masked_model: Any, cls_weight: float = 0.0) -> None:
        super().__init__()
        self.cls_weight = cls_weight
        self.encoder = masked_model.base_model
        self.head = MaskedHead(masked_model, self.encoder)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, labels: torch.Tensor) -> Losses:
        """Mean cross-entropy of the hidden pieces, and cls_weight times the same from [CLS].

        Args:
            input_ids: [blocks, length].
            attention_mask: 1 for pieces, 0 for padding, [blocks, length].
            labels: pieces to predict, `NO_LABEL` elsewhere, [blocks, length].
        """
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        pieces = self.head(states, labels)  # [hidden pieces]
        total, parts = pieces.sum() / max(1, len(pieces)), {"mlm": (pieces.detach().sum(), len(pieces))}
        if self.cls_weight:
            bag = self.head(states[:, :1].expand_as(states), labels)  # [hidden pieces]
            total = total + self.cls_weight * bag.sum() / max(1, len(bag))
            parts["cls"] = (bag.detach().sum(), len(bag))
        return Losses(total, parts)


def train_encoder(options: EncoderOptions, settings: Settings, progress: Progress) -> Path:
    """Trains a model, and its tokenizer where it has none, and makes the model folder.

    Args:
        options: the model.
        settings: for how long.
        progress: for a person.

    Returns:
        The model folder.

    Raises:
        UsageError, CommandError: as `train_model`.
    """
    return train_model(lambda: _prepare(options, settings, progress), settings, progress)


def _prepare(options: EncoderOptions, settings: Settings, progress: Progress) -> Preparation:
    folder = DatasetFolder(options.folder)
    tokenizer = _tokenizer(options, folder, progress)
    torch.manual_seed(settings.seed)
    module = EncoderModule(_masked_model(options, tokenizer), options.cls_weight)
    check_input(options.length, module.encoder, tokenizer, options.init or "the new model")
    blocks = PageBlocks(folder, tokenizer, options.length, options.window, settings.seed)
    lr = chosen_rate(settings.lr, "encoder", module.encoder.config.hidden_size)
    collator = BlockCollator(tokenizer.pad_token_id, WordMasking.of(tokenizer, max_pieces=options.length))

    def save(path: Path, fitted: Fitted, _: Sequence[str]) -> None:
        model = module.head.whole(module.encoder).to("cpu", getattr(torch, options.store))
        model.save_pretrained(path)
        tokenizer.save_pretrained(path)
        _card(options, blocks, folder.rows("pages")).write(path, fitted)

    return Preparation(
        Task(module, blocks.blocks, lambda epoch: blocks.batches(epoch, settings.batch_size), collator, lr),
        result_options(settings, asdict(options), table_checksums(folder, ["pages"]), options.init),
        f"{options.folder}: {blocks.pieces} pieces in {blocks.blocks} sequences",
        LeftOut(options.folder, ("page", "pages"), {}),
        save,
    )


@dataclass(frozen=True)
class BlockCollator:
    """Makes a batch of blocks the arguments of an EncoderModule.

    Attributes:
        pad_id: of [PAD].
        masking: hides words.
    """

    pad_id: int
    masking: WordMasking

    def __call__(self, batch: Sequence[Block], rng: np.random.Generator) -> dict[str, torch.Tensor]:
        """Pads and masks."""
        ids, words = pad(batch, self.pad_id)
        masked = self.masking(ids, words, rng)
        return {
            "input_ids": masked.ids,
            "attention_mask": torch.from_numpy((ids != self.pad_id).astype(np.int64)),
            "labels": masked.labels,
        }


def _tokenizer(options: EncoderOptions, folder: DatasetFolder, progress: Progress) -> Any:
    if options.init is not None:
        return load_tokenizer(options.init)
    progress.note(f"{options.folder}: learning {options.vocab_size} pieces")
    return train_tokenizer(lambda: page_texts(folder), options.vocab_size, options.positions)


def _masked_model(options: EncoderOptions, tokenizer: Any) -> Any:
    if options.init is not None:
        model = load_masked_model(options.init)
        if options.known_positions:
            repeat_positions(model, options.known_positions)
        return model
    return BertForMaskedLM(
        BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=options.hidden,
            num_hidden_layers=options.layers,
            num_attention_heads=options.heads,
            intermediate_size=FEED_FORWARD * options.hidden,
            max_position_embeddings=options.positions,
            hidden_dropout_prob=options.dropout,
            attention_probs_dropout_prob=options.dropout,
            pad_token_id=tokenizer.pad_token_id,
        )
    )


def repeat_positions(model: Any, known: int) -> None:
    """Gives the positions that a model has not been trained on the embeddings of those that it has.

    A model that was trained on short sequences, which are cheap, so goes on with long ones where it stands,
    and not from random positions (as in Beltagy et al., Longformer, 2020, section 5). The first and the last
    position have only seen [CLS] and [SEP], and are not repeated.

    Args:
        model: of the BERT family.
        known: how many positions have been trained.

    Raises:
        UsageError: it has no more positions than these, or none of its own.
    """
    embeddings = getattr(getattr(model.base_model, "embeddings", None), "position_embeddings", None)
    if embeddings is None or embeddings.padding_idx is not None or known >= embeddings.num_embeddings:
        raise UsageError(f"--known-positions {known}: the model must have more, counted from 0, as BERT does")
    with torch.no_grad():
        weight = embeddings.weight  # [positions, hidden]
        rest = torch.arange(known - 1, len(weight))
        weight[rest] = weight[1 + (rest - 1) % (known - 2)]


def _card(options: EncoderOptions, blocks: PageBlocks, pages: int) -> ModelCard:
    return ModelCard(
        title="A small encoder",
        what=(
            "A BERT with its masked language model head, trained by anchormine on the text of pages with "
            f"whole words hidden. Stored in {options.store}."
        ),
        data=f"text of {pages} pages in {options.folder}, {blocks.pieces} pieces an epoch",
        base=options.init,
        licence=options.licence,
        tags=("fill-mask", "anchormine"),
    )

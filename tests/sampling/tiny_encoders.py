"""A small random encoder made on the spot, and the attention matrices that transformers gives for one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import AutoModel, AutoTokenizer, BertConfig, BertModel, PreTrainedTokenizerFast

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = [
    "the",
    "russia",
    "alaska",
    "territory",
    "united",
    "states",
    "miners",
    "from",
    "1867",
    ",",
    ".",
    "(",
    ")",
]
VOCABULARY = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    *WORDS,
    *LETTERS,
    *("##" + one for one in LETTERS),
]


def save_tiny_bert(folder: Path, positions: int = 64) -> Path:
    """A BERT of three layers with random weights.

    They are large enough that attention is far from uniform, and small enough that float32 keeps six digits
    of it, however many threads add up.
    """
    tokenizer = Tokenizer(models.WordPiece({one: at for at, one in enumerate(VOCABULARY)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    names = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=positions,
        **{f"{name}_token": token for name, token in names.items()},
    )
    fast.save_pretrained(folder)
    torch.manual_seed(5)
    config = BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=positions,
        initializer_range=0.3,
    )
    BertModel(config).save_pretrained(folder)
    return folder


def full_attention(folder: Path, text: str, heads: str = "mean") -> np.ndarray:
    """The last attention of a text by `output_attentions`, heads averaged or summed: float64 [L, L]."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModel.from_pretrained(folder, attn_implementation="eager").eval().double()
    encoded = tokenizer(text, return_tensors="pt", truncation=True, max_length=tokenizer.model_max_length)
    with torch.no_grad():
        attention = network(**encoded, output_attentions=True).attentions[-1][0]  # [D, L, L]
    return (attention.mean(0) if heads == "mean" else attention.sum(0)).numpy()

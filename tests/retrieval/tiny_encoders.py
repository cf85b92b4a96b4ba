"""Encoders of every form, small enough to be made on the spot."""

from importlib import import_module
from pathlib import Path
from typing import Any

from tests.training.tiny_inputs import pages


def make_t5(folder: Path) -> str:
    """A T5 of random weights, with a tokenizer of word pieces that ends texts with [SEP]."""
    import torch
    from transformers import T5Config, T5Model

    from anchormine.training.tokenizer import train_tokenizer

    tokenizer = train_tokenizer(lambda: (page.text for page in pages(40)), 120, 64)
    torch.manual_seed(0)
    shape: dict[str, Any] = {"d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 2}
    shape |= {"decoder_start_token_id": 0, "dropout_rate": 0.0}
    T5Model(T5Config(vocab_size=len(tokenizer), **shape)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def make_sentence_transformer(model: str, folder: Path, pooling: str) -> str:
    """A folder of sentence-transformers with all modules that we know, and prompts."""
    import torch
    from sentence_transformers import SentenceTransformer

    layers = import_module("sentence_transformers.models")
    torch.manual_seed(1)
    transformer = layers.Transformer(model, max_seq_length=24)
    dense = layers.Dense(16, 8, activation_function=torch.nn.Tanh())
    made = SentenceTransformer(
        modules=[transformer, layers.Pooling(16, pooling), dense, layers.Normalize()],
        prompts={"query": "apple bread: ", "document": "cedar: "},
        device="cpu",
    )
    made.save(str(folder))
    return str(folder)

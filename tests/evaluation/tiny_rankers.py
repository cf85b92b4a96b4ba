"""A collection and rankers, small enough to be made on the spot."""

import json
from pathlib import Path
from typing import Any

CORPUS = {
    "d1": ("", "Cats eat fish. The cats sleep."),
    "d2": ("Dogs", "Dogs chase cats"),
    "d3": ("", "Fish swim in the sea"),
    "d4": ("", "The sea is deep and blue"),
    "d5": ("", "a"),
}
QUERIES = {"q1": "cats eating fish", "q2": "the deep sea", "q3": "zebra", "q9": "not judged"}
QRELS = [("q1", "d1", 2), ("q1", "d2", 0), ("q2", "d3", 1), ("q3", "d5", 1)]


def write_pets(folder: Path) -> Path:
    """Writes a collection of five documents in BEIR layout."""
    (folder / "qrels").mkdir(parents=True)
    documents = [{"_id": doc_id, "title": title, "text": text} for doc_id, (title, text) in CORPUS.items()]
    queries = [{"_id": query_id, "text": text} for query_id, text in QUERIES.items()]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in documents))
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in queries))
    judged = "".join(f"{query}\t{document}\t{grade}\n" for query, document, grade in QRELS)
    (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{judged}")
    return folder


def make_scorer(folder: Path, labels: int) -> str:
    """A cross-encoder of random weights that takes 32 tokens."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    from anchormine.training.tokenizer import train_tokenizer

    texts = [f"{title} {text}" for title, text in CORPUS.values()] * 3
    tokenizer = train_tokenizer(lambda: iter(texts), 120, 32)
    torch.manual_seed(0)
    shape: dict[str, Any] = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    shape |= {"intermediate_size": 32, "max_position_embeddings": 32, "num_labels": labels}
    config = BertConfig(vocab_size=len(tokenizer), **shape)
    # wide weights: scores that differ in the first digits
    config.initializer_range = 0.5
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)

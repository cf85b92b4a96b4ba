"""Dataset folders and models, small enough to be made on the spot."""

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from anchormine.schemas.arrow_rows import to_table
from anchormine.schemas.pages import PAGES, Page
from anchormine.schemas.pairs import PAIRS, Pair

WORDS = [
    "apple",
    "bread",
    "cedar",
    "delta",
    "ember",
    "flint",
    "grove",
    "harbour",
    "island",
    "jungle",
    "kettle",
    "lantern",
    "meadow",
    "needle",
    "orchard",
    "pebble",
    "quarry",
    "river",
    "saddle",
    "timber",
    "upland",
    "valley",
    "willow",
    "yarrow",
]


def sentence(rng: random.Random, words: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(words))


def pages(count: int, seed: int = 0) -> list[Page]:
    rng = random.Random(seed)
    texts = [f"{sentence(rng, 12)}.\n{sentence(rng, 30)}." for _ in range(count)]
    return [
        Page(
            f"w:{n}",
            "wiki",
            "en",
            f"Page {n}",
            f"u{n}",
            text.split("\n")[0],
            text,
            1,
            None,
            [],
            False,
            None,
            None,
            None,
        )
        for n, text in enumerate(texts)
    ]


def pairs(task: str, count: int, negatives: bool = True) -> list[Pair]:
    rng = random.Random(task)
    rows = []
    for n in range(count):
        document, other = sentence(rng, 20), sentence(rng, 20)
        query, negative = " ".join(document.split()[:3]), " ".join(other.split()[:3])
        sides = (negative, document) if task in ("rqp", "rop", "bprop") else (query, other)
        wrong_query, wrong_document = sides if negatives else (None, None)
        made_of: tuple = ("w:1", None, None, None, [], None)
        rows.append(Pair(f"{task}:{n}", task, query, document, wrong_query, wrong_document, *made_of))
    return rows


def write_folder(folder: Path, tables: Mapping[str, Sequence[tuple]]) -> str:
    """Writes tables, by their path in it ("pages", "pairs/rqp"), with the manifest that names them."""
    outputs = []
    for place, rows in tables.items():
        (folder / place).mkdir(parents=True, exist_ok=True)
        path = f"{place}/train-00000-of-00001.parquet"
        pq.write_table(to_table(rows, PAIRS if place.startswith("pairs") else PAGES), folder / path)
        size = (folder / path).stat().st_size
        outputs.append({"path": path, "rows": len(rows), "bytes": size, "sha256": f"{place} {len(rows)}"})
    write_manifest(folder, outputs)
    return str(folder)


def write_manifest(folder: Path, outputs: Sequence[Mapping[str, Any]]) -> None:
    """Writes a manifest with one step, of no name that is known."""
    section = {
        "command": "anchormine made",
        "options": {},
        "seed": 42,
        "versions": {},
        "inputs": [],
        "outputs": outputs,
        "counts": {},
        "funnel": [],
    }
    (folder / "manifest.json").write_text(json.dumps({"schema_version": "1", "steps": {"made": section}}))


def write_collection(folder: Path, documents: int = 24) -> str:
    """Writes a collection; query n asks for the first words of document n."""
    rng = random.Random(1)
    corpus = [{"_id": f"d{n}", "title": "", "text": sentence(rng, 15)} for n in range(documents)]
    queries = [
        {"_id": f"q{n}", "text": " ".join(corpus[n]["text"].split()[:4])} for n in range(documents // 2)
    ]
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in corpus))
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in queries))
    judged = "".join(f"q{n}\td{n}\t1\n" for n in range(len(queries)))
    for split in ("train", "test"):
        (folder / "qrels" / f"{split}.tsv").write_text("query-id\tcorpus-id\tscore\n" + judged)
    return str(folder)


def make_model(folder: Path, positions: int = 64) -> str:
    import torch
    from transformers import BertConfig, BertForMaskedLM

    from anchormine.training.tokenizer import train_tokenizer

    tokenizer = train_tokenizer(lambda: (page.text for page in pages(40)), 120, positions)
    torch.manual_seed(0)
    shape: dict[str, Any] = {
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
    }
    config = BertConfig(vocab_size=len(tokenizer), max_position_embeddings=positions, **shape)
    model = BertForMaskedLM(config)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)

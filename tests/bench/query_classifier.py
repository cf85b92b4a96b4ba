"""The query classifier on a CPU: ours against a plain loop of transformers, side by side.

    python tests/bench/query_classifier.py [--texts N] [--rounds N] [--json]
    python tests/bench/query_classifier.py --auc

The other side reads the same clean texts in the order of the crawl, in batches of 32 padded to the longest of
the batch. Both sides get one thread, and take turns; ratios are those of the medians of CPU seconds. Two are
printed: of all texts, of which ours scores each distinct one once, in small letters, as `anchormine filter`
does; and of the distinct texts alone.

Texts are those of the links in a real crawl where ANCHORMINE_DATA names a folder with one, else in the demo
wiki. Of the same crawl both are also measured, without a target, on what the default rules leave, which
repeats little.

With --auc nothing is timed: how well the classifier tells Anchor-DR's queries, those of TREC's Web Track,
from the anchors that it publishes as negatives (`train_pos.txt` and `train_neg.txt`, in the folder
querysets/anchordr_filter of the one that ANCHORMINE_DATA names). Both are cleaned by `ours`, and each
distinct text counts once.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import torch
from selectolax.lexbor import LexborHTMLParser
from transformers import AutoModelForSequenceClassification, AutoTokenizer
from warcio.archiveiterator import ArchiveIterator

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import anchormine
from anchormine.classifier import classifier_path
from anchormine.encoder import DEFAULT
from anchormine.filters.cleaning import as_typed, clean_anchor
from anchormine.filters.query_classifier import QueryClassifier
from anchormine.filters.query_encoding import MAX_TOKENS
from anchormine.filters.query_threshold import SCALE
from anchormine.training.classifier_training import area_under_curve
from anchormine.training.query_file import read_queries
from tests.bench.measured_runs import ENVIRONMENT, ROOT

BATCH = 32
TARGET = 3.0
PUBLISHED = Path("querysets") / "anchordr_filter"
CRAWL = ("contextwiki-00000.warc.gz", "blackbook.warc.gz")


def folder_of_crawls() -> Path:
    return Path(os.environ.get("ANCHORMINE_DATA", "nowhere")).resolve() / "warc"


def texts(count: int) -> list[str]:
    """The clean texts of links, in input order; as many from the end of the input as from its start."""
    folder = folder_of_crawls()
    found = _of_crawl(folder) if folder.is_dir() else _of_demo()
    clean = [text for text in map(clean_anchor, found) if text]
    return clean if len(clean) <= count else clean[: count // 2] + clean[-(count - count // 2) :]


def _of_crawl(folder: Path) -> Iterator[str]:
    for name in CRAWL:
        with (folder / name).open("rb") as stream:
            for record in ArchiveIterator(stream):
                if record.rec_type == "response" and record.http_headers:
                    page = LexborHTMLParser(record.content_stream().read().decode("utf-8", "replace"))
                    yield from (link.text() for link in page.css("a[href]"))


def left_by_rules() -> list[str]:
    """The clean texts of the links that the default rules of `anchormine filter` leave of the real crawl."""
    crawl = [str(folder_of_crawls() / name) for name in CRAWL]
    options = ["--workers", "1", "--progress", "none"]
    with tempfile.TemporaryDirectory() as folder:
        for step in (
            ["web", *crawl, "--output", f"{folder}/crawl"],
            ["filter", f"{folder}/crawl", "--classifier", "none"],
        ):
            command = [sys.executable, "-m", "anchormine", *step, *options]
            subprocess.run(command, env=ENVIRONMENT, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        return pq.read_table(f"{folder}/crawl/filtered", columns=["anchor_clean"])[0].to_pylist()


def _of_demo() -> Iterator[str]:
    wiki = (Path(anchormine.__file__).parent / "demo" / "wiki.xml").read_text("utf-8")
    return (match[1] for match in re.finditer(r"\[\[(?:[^\]|]*\|)?([^\]|]+)\]\]", wiki))


def plain_loop() -> Callable[[list[str]], np.ndarray]:
    """What the documentation of transformers shows."""
    tokenizer = AutoTokenizer.from_pretrained(classifier_path(DEFAULT))
    model = AutoModelForSequenceClassification.from_pretrained(classifier_path(DEFAULT), dtype=torch.float32)
    model.eval()

    @torch.inference_mode()
    def score(texts: list[str]) -> np.ndarray:
        logits = []
        for start in range(0, len(texts), BATCH):
            batch = [text.lower() for text in texts[start : start + BATCH]]
            inputs = tokenizer(
                batch, padding=True, truncation=True, max_length=MAX_TOKENS, return_tensors="pt"
            )
            logits.append(model(**inputs).logits[:, 1])
        return torch.cat(logits).numpy()

    return score


def each_once(classifier: QueryClassifier, texts: list[str]) -> np.ndarray:
    """The scores of texts, each distinct one computed once."""
    typed = np.array(list(map(as_typed, texts)), object).astype(str)
    distinct, places = np.unique(typed, return_inverse=True)
    return classifier.score(distinct.tolist()).scores[places] / SCALE


def compare(texts: list[str], rounds: int) -> dict[str, float]:
    """Times both sides in turns."""
    plain, classifier = plain_loop(), QueryClassifier(classifier_path(DEFAULT), "cpu")
    distinct = list(dict.fromkeys(map(as_typed, texts)))
    sides: dict[str, Callable[[], np.ndarray]] = {
        "plain": lambda: plain(texts),
        "ours": lambda: each_once(classifier, texts),
        "plain_distinct": lambda: plain(distinct),
        "ours_distinct": lambda: each_once(classifier, distinct),
    }
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    scores = {}
    for _ in range(rounds):
        for name, side in sides.items():
            started = time.process_time()
            scores[name] = side()
            seconds[name].append(time.process_time() - started)
    spent = {name: statistics.median(times) for name, times in seconds.items()}
    return {
        "texts": len(texts),
        "distinct": len(distinct),
        "plain_per_second": len(texts) / spent["plain"],
        "ours_per_second": len(texts) / spent["ours"],
        "ratio": spent["plain"] / spent["ours"],
        "ratio_distinct": spent["plain_distinct"] / spent["ours_distinct"],
        "largest_difference": float(np.abs(scores["plain"] - scores["ours"]).max()),
    }


def published_texts(folder: Path) -> tuple[list[str], list[str]]:
    """Anchor-DR's queries and its other anchors, clean, distinct, in small letters."""
    anchors = (folder / "train_neg.txt").read_text("utf-8").splitlines()
    queries = {clean_anchor(text).lower() for text in read_queries(str(folder / "train_pos.txt"))} - {""}
    others = {clean_anchor(text).lower() for text in anchors} - {""} - queries
    return sorted(queries), sorted(others)


def print_auc() -> int:
    """Prints how well the classifier tells them apart; the exit status is 2 without these texts."""
    folder = Path(os.environ.get("ANCHORMINE_DATA", "nowhere")) / PUBLISHED
    if not folder.is_dir():
        print(f"{folder}: not there; name a folder with {PUBLISHED} by ANCHORMINE_DATA", file=sys.stderr)
        return 2
    queries, anchors = published_texts(folder)
    classifier = QueryClassifier(classifier_path(DEFAULT), "cpu", "float32")
    auc = area_under_curve(classifier.score(queries).scores, classifier.score(anchors).scores)
    print(f"AUC {auc:.4f} of {len(queries)} queries and {len(anchors)} anchors")
    return 0


def show(title: str, figures: dict[str, float]) -> None:
    """Prints one comparison."""
    aim = f" (target {TARGET:g})" if title == "links" else ""
    print(f"{title}: {figures['texts']} texts, {figures['distinct']} of them distinct, one thread")
    print(f"  transformers, batches of {BATCH} in order: {figures['plain_per_second']:.0f} texts/s")
    print(f"  anchormine: {figures['ours_per_second']:.0f} texts/s")
    print(
        f"  ratio {figures['ratio']:.2f}{aim}; of distinct texts alone {figures['ratio_distinct']:.2f}; "
        f"largest difference {figures['largest_difference']:.1e}"
    )


def main() -> int:
    """Prints the comparison; the exit status is 1 where ours misses its target."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--texts", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--auc", action="store_true")
    options = parser.parse_args()
    if options.auc:
        return print_auc()
    torch.set_num_threads(1)
    measured = {"links": compare(texts(options.texts), options.rounds)}
    if folder_of_crawls().is_dir():
        measured["what the rules leave"] = compare(left_by_rules(), options.rounds)
    if options.json:
        print(json.dumps(measured))
    else:
        for title, figures in measured.items():
            show(title, figures)
    is_near = all(figures["largest_difference"] <= 2 / SCALE for figures in measured.values())
    return int(measured["links"]["ratio"] < TARGET or not is_near)


if __name__ == "__main__":
    sys.exit(main())

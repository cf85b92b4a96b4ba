"""A small dataset folder with all that can be exported, and a long one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from anchormine.schemas.anchors import ANCHORS, Anchor
from anchormine.schemas.arrow_rows import to_table
from anchormine.schemas.contrastive import CONTRASTIVE, Contrastive
from anchormine.schemas.filtered import FILTERED
from anchormine.schemas.pages import PAGES, Page
from anchormine.schemas.pairs import PAIRS, TASKS, Pair

WIKI = "reef"
PAGE_TEXTS = {
    "1": ("Coral", "Coral builds reefs.\nIt feeds on plankton."),
    "2": ("Reef", "A reef is\ta ridge.\nFish live there."),
    "3": ("Plankton", "Plankton drifts."),
    "4": ("Café fish", "Fish “swim”."),
}


def page(number: str, **more: Any) -> Page:
    """A page of the wiki."""
    title, text = PAGE_TEXTS[number]
    fixed: dict[str, Any] = {
        "source": "wiki",
        "language": "en",
        "url": f"https://reef.example/wiki/{title.replace(' ', '_')}",
        "lead": text.partition("\n")[0],
        "revision": 100 + int(number),
        "timestamp": "2024-05-06T07:08:09Z",
        "redirects_from": [],
        "disambiguation": False,
        "warc_file": None,
        "warc_offset": None,
        "licence": "CC-BY-SA-4.0",
    }
    return Page(**{"page_id": f"{WIKI}:{number}", "title": title, "text": text, **fixed, **more})


def link(place: str, text: str, sentence: str, start: int | None, target: str, to: str | None) -> Anchor:
    """A link; `place` is its page's number and its own, as in "1#a0"."""
    at = sentence.index(text)
    source = place.partition("#")[0]
    return Anchor(
        f"{WIKI}:{place}", text, sentence, at, at + len(text), f"{WIKI}:{source}#s0", start,
        f"{WIKI}:{source}", target, None, None if to is None else f"{WIKI}:{to}", "body", None, "en", 0,
    )  # fmt: skip


LINKS = [
    link("1#a0", "reefs", "Coral builds reefs.", 0, "reefs", "2"),
    link("1#a1", "plankton", "It feeds on plankton.", 20, "Plankton", "3"),
    link("2#a0", "Fish", "Fish live there.", 19, "fish", "4"),
    link("2#a1", "corals", "Of corals.", None, "coral", "1"),
    link("3#a0", "Plankton", "Plankton drifts.", 0, "Kelp & co", None),
    link("4#a0", "Fish", "Fish “swim”.", 0, "Reef", "2"),
    link("4#a1", "“swim”", "Fish “swim”.", 0, "reef", "2"),
]


def pair(task: str, number: int, query: str, page: str, text: str, **more: Any) -> Pair:
    """A pair without a negative side."""
    fixed: dict[str, Any] = dict.fromkeys(
        ("negative_query", "negative_document", "negative_document_id", "sentence_id", "anchor_id")
    )
    own = {"pair_id": f"{task}:{number}", "task": task, "query": query, "document": text}
    rest: dict[str, Any] = {"document_id": f"{WIKI}:{page}", "query_terms": [], "negative_query_terms": None}
    return Pair(**{**fixed, **own, **rest, **more})


def text_of(number: str) -> str:
    """The text of a page."""
    return PAGE_TEXTS[number][1]


PAIR_ROWS = {
    "anchor_document": [
        pair("anchor_document", 0, "reefs", "2", text_of("2"), occurrences=3),
        pair("anchor_document", 1, "plankton", "3", text_of("3"), occurrences=1),
        pair("anchor_document", 2, "Reefs ", "1", text_of("1"), occurrences=1),
    ],
    "codoc": [
        pair("codoc", 0, "Coral builds reefs.", "1", "It feeds on plankton."),
        pair("codoc", 1, "It feeds on plankton.", "1", "Coral builds reefs."),
    ],
    "qdm": [
        pair("qdm", 0, "fish", "4", "Fish “swim”.", negative_query="fish",
             negative_document="A reef is\ta ridge.", negative_document_id=f"{WIKI}:2"),
    ],
    "rqp": [
        pair("rqp", 0, "builds reefs", "2", "A reef is\ta ridge.", negative_query="ridge",
             negative_document="A reef is\ta ridge.", negative_document_id=f"{WIKI}:2"),
    ],
}  # fmt: skip


def mined(number: int, query: str, positive: str, *negatives: tuple[str, float]) -> Contrastive:
    """A pair with negatives, each the number of a page and its score."""
    return Contrastive(
        f"anchor_document:{number}", query, f"{WIKI}:{positive}", text_of(positive),
        [f"{WIKI}:{page}" for page, _ in negatives], [text_of(page) for page, _ in negatives], "bm25",
        [score for _, score in negatives],
    )  # fmt: skip


CONTRASTIVE_ROWS = {
    "train": [
        mined(0, "reefs", "2", ("1", 1.5), ("3", 2.25)),
        mined(1, "plankton", "3", ("1", 0.5), ("2", 0.25)),
        mined(2, "Reefs ", "1", ("3", 0.125)),
    ],
    "validation": [mined(3, "swim", "4", ("2", 3.0), ("1", 1.0))],
}
TABLES: dict[str, tuple[pa.Schema, dict[str, list[Any]]]] = {
    "anchors": (ANCHORS, {"train": LINKS}),
    "pages": (PAGES, {"train": [page(number) for number in PAGE_TEXTS]}),
    **{f"pairs/{task}": (PAIRS, {"train": rows}) for task, rows in PAIR_ROWS.items()},
    "contrastive/anchor_document": (CONTRASTIVE, CONTRASTIVE_ROWS),
}
FILTERED_ROWS = [(*row, row.anchor.lower(), None, None) for row in LINKS[:6]]


def write_dataset(
    path: Path, *tables: str, rows: Mapping[str, list[Any]] | None = None, shard_rows: int = 2
) -> Path:
    """Writes a dataset folder.

    Args:
        path: of the folder.
        *tables: which of `TABLES`; all by default.
        rows: by table, instead of those of `TABLES`; of "filtered" and of all tasks' pairs too.
        shard_rows: rows of a file.
    """
    chosen = {name: TABLES[name] for name in tables or TABLES}
    known = {**{name: schema for name, (schema, _) in TABLES.items()}, "filtered": FILTERED}
    known |= {f"pairs/{task}": PAIRS for task in TASKS}
    chosen |= {name: (known[name], {"train": some}) for name, some in (rows or {}).items()}
    outputs = [
        _write_shard(path, f"{table}/{split}-{n:05d}-of-{len(shards):05d}.parquet", schema, shard)
        for table, (schema, splits) in chosen.items()
        for split, some in splits.items()
        for shards in [_shards(some, shard_rows)]
        for n, shard in enumerate(shards)
    ]
    write_manifest(path, outputs)
    (path / "ATTRIBUTION.md").write_text("# Attribution of reef\n", encoding="utf-8")
    return path


def write_manifest(path: Path, outputs: Iterable[dict[str, Any]]) -> None:
    """Writes a manifest with one step, that of a wiki, and one of pairs."""
    source = {"wiki": WIKI, "name": "The Reef", "base": "https://reef.example/wiki/Main", "language": "en",
              "licence": "CC-BY-SA-4.0", "newest": "2024-05-06T07:08:09Z"}  # fmt: skip
    section = {"command": "anchormine wiki", "options": {"wikis": [source]}, "seed": 42, "versions": {},
               "inputs": [], "counts": {}, "funnel": []}  # fmt: skip
    options = {"document": "text", "task": list(TASKS)}
    pairs = {**section, "command": "anchormine pairs", "options": options, "outputs": []}
    steps = {"wiki": {**section, "outputs": list(outputs)}, "pairs": pairs}
    (path / "manifest.json").write_text(json.dumps({"schema_version": "1", "steps": steps}))


def _shards(rows: Sequence[Any], shard_rows: int) -> list[Sequence[Any]]:
    return [rows[start : start + shard_rows] for start in range(0, len(rows), shard_rows)]


def _write_shard(path: Path, name: str, schema: pa.Schema, rows: Sequence[Any]) -> dict[str, Any]:
    file = path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(to_table(rows, schema), file, compression="zstd")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return {"path": name, "rows": len(rows), "bytes": file.stat().st_size, "sha256": digest}


def files_of(folder: Path) -> dict[str, str]:
    """The files of an export that are no Parquet, with their texts, without those about it."""
    about = ("README.md", "ATTRIBUTION.md", "croissant.json", "export.json")
    return {
        str(path.relative_to(folder)): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in about and path.suffix != ".parquet"
    }


def rows_of(folder: Path, pattern: str) -> list[dict[str, Any]]:
    """The rows of all Parquet files that fit a pattern."""
    return [row for path in sorted(folder.glob(pattern)) for row in pq.read_table(path).to_pylist()]

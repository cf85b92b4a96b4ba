"""A dataset folder with pairs and with mined negatives, small enough to be made on the spot."""

import random
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from anchormine.sampling.splits import split_of
from anchormine.schemas.arrow_rows import to_table
from anchormine.schemas.contrastive import CONTRASTIVE, Contrastive
from anchormine.schemas.pairs import PAIRS, Pair
from tests.training.tiny_inputs import sentence, write_manifest


def anchor_pairs(count: int) -> list[Pair]:
    """Pairs of which each query is the beginning of its document; pages w:0 to w:<count>."""
    rng = random.Random(5)
    documents = [sentence(rng, 20) for _ in range(count)]
    made_of: tuple = (None, None, None, [], None, 1)
    return [
        Pair(
            f"anchor_document:{n}",
            "anchor_document",
            " ".join(document.split()[:3]),
            document,
            None,
            None,
            f"w:{n}",
            *made_of,
        )
        for n, document in enumerate(documents)
    ]


def contrastive_rows(pairs: Sequence[Pair], negatives: int) -> dict[str, list[Contrastive]]:
    """The pairs with negatives of their own split, by split."""
    sides: dict[str, list[Pair]] = {"train": [], "validation": []}
    for pair in pairs:
        sides[split_of(pair.document_id)].append(pair)
    return {split: [_with_negatives(pair, side, negatives) for pair in side] for split, side in sides.items()}


def _with_negatives(pair: Pair, side: Sequence[Pair], count: int) -> Contrastive:
    start = side.index(pair)
    others = [side[(start + step) % len(side)] for step in range(1, min(count, len(side) - 1) + 1)]
    return Contrastive(
        pair.pair_id,
        pair.query,
        pair.document_id,
        pair.document,
        [other.document_id for other in others],
        [other.document for other in others],
        "bm25",
        [1.0] * len(others),
    )


def write_tables(
    folder: Path, pairs: Sequence[Pair], negatives: int | None = None, without: Collection[str] = ()
) -> str:
    """Writes pairs/anchor_document, and contrastive/anchor_document where there are negatives.

    Args:
        folder: to write.
        pairs: of anchor_document.
        negatives: of each query.
        without: ids of documents for whose queries none were found.
    """
    tables: dict[str, tuple[Sequence[tuple], Any]] = {"pairs/anchor_document/train": (pairs, PAIRS)}
    if negatives is not None:
        for split, mined in contrastive_rows(
            [pair for pair in pairs if pair.document_id not in without], negatives
        ).items():
            tables[f"contrastive/anchor_document/{split}"] = (mined, CONTRASTIVE)
    outputs = []
    for place, (rows, schema) in tables.items():
        path = folder / f"{place}-00000-of-00001.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(to_table(rows, schema), path)
        name = str(path.relative_to(folder))
        size = path.stat().st_size
        outputs.append({"path": name, "rows": len(rows), "bytes": size, "sha256": f"{place} {len(rows)}"})
    write_manifest(folder, outputs)
    return str(folder)

"""Which rows a dual encoder learns from and which are held out, and how well the latter are found."""

import numpy as np
import pytest

from anchormine.datasets import DatasetFolder
from anchormine.sampling.splits import split_of
from anchormine.training.contrastive_data import ContrastiveRows
from anchormine.training.contrastive_options import ContrastiveOptions
from anchormine.training.contrastive_validation import HeldOut
from tests.training.tiny_contrastive import anchor_pairs, write_tables

PAIRS = anchor_pairs(120)
HELD_OUT = {pair.document_id for pair in PAIRS if split_of(pair.document_id) == "validation"}


def rows_of(folder: str, seed: int = 0, **options) -> ContrastiveRows:
    given = ContrastiveOptions(folder, ["anchor_document"], "default", **options)
    return ContrastiveRows(DatasetFolder(folder), given, seed)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> str:
    blank = [PAIRS[0]._replace(pair_id="blank", query=" "), PAIRS[1]._replace(pair_id="empty", document="")]
    assert not HELD_OUT & {pair.document_id for pair in blank}
    return write_tables(tmp_path_factory.mktemp("rows"), [*PAIRS, *blank], negatives=5)


@pytest.mark.parametrize("source", ["pairs", "contrastive"])
def test_an_epoch_has_each_training_row_once(folder, source) -> None:
    rows = rows_of(folder, source=source, window=16, negatives=3)
    assert rows.counts == {"anchor_document": 122 - len(HELD_OUT)}
    batches = list(rows.batches(0, 16))
    seen = [example for batch in batches for example in batch]
    trained = {pair.pair_id: pair for pair in PAIRS if pair.document_id not in HELD_OUT}
    assert sorted(example.query_id for example in seen) == sorted(trained)
    assert [len(batch) for batch in batches[:-1]] == [16] * (len(batches) - 1)
    for example in seen:
        pair = trained[example.query_id]
        assert (example.query, tuple(example.positive)) == (pair.query, (pair.document_id, pair.document))
        assert len(example.negatives) == (3 if source == "contrastive" else 0)
        assert not HELD_OUT & {passage.id for passage in example.negatives}
    assert rows.left_out == {"empty query": 1, "empty document": 1}
    held_out = rows.held_out()
    assert {example.positive.id for example in held_out} == HELD_OUT
    assert rows.searched() == [example._replace(negatives=()) for example in held_out]
    assert HELD_OUT


def test_what_is_left_out_is_counted_in_the_first_epoch_that_is_read(folder) -> None:
    rows = rows_of(folder)
    for epoch in (1, 2):
        list(rows.batches(epoch, 16))
        assert rows.left_out == {"empty query": 1, "empty document": 1}


def test_order_and_negatives_depend_on_seed_and_epoch_alone(folder) -> None:
    def drawn(seed: int, epoch: int) -> list:
        return list(rows_of(folder, seed, negatives=2).batches(epoch, 16))

    def negatives(batches: list) -> dict:
        return {example.query_id: example.negatives for batch in batches for example in batch}

    first = drawn(0, 0)
    assert drawn(0, 0) == first
    for other in (drawn(0, 1), drawn(1, 0)):
        assert [row.query_id for row in other[0]] != [row.query_id for row in first[0]]
        assert negatives(other) != negatives(first)


def test_held_out_rows_are_picked_by_their_hash(folder) -> None:
    everything = rows_of(folder).held_out()
    assert rows_of(folder, held_out=2).held_out() == everything[:2]
    assert rows_of(folder, held_out=0).held_out() == []


def test_pairs_without_negatives_are_searched_too(tmp_path) -> None:
    folder = write_tables(tmp_path, PAIRS, negatives=2, without={min(HELD_OUT)})
    rows = rows_of(folder)
    assert {example.positive.id for example in rows.searched()} == HELD_OUT
    assert {example.positive.id for example in rows.held_out()} == HELD_OUT - {min(HELD_OUT)}


class Known:
    """Stands for a dual encoder: vectors that are written down."""

    class compute:
        device = "cpu"

    def __init__(self, queries: dict, documents: dict) -> None:
        self.queries, self.documents = queries, documents

    def encode_queries(self, texts, batch_size):
        return np.array([self.queries[text] for text in texts], np.float32)

    def encode_documents(self, texts, batch_size):
        return np.array([self.documents[text] for text in texts], np.float32)


def test_mrr_counts_the_first_of_a_querys_documents(folder) -> None:
    from anchormine.training.contrastive_data import ContrastiveExample, Passage

    rows = [
        ContrastiveExample("t", "1", "apple", Passage("a", "apple one"), ()),
        ContrastiveExample("t", "2", "apple", Passage("b", "apple two"), ()),
        ContrastiveExample("t", "3", "bread", Passage("c", "bread"), ()),
        ContrastiveExample("t", "4", "cedar", Passage("a", "apple rest"), ()),
    ]
    held_out = HeldOut(rows)
    assert held_out.size() == "3 queries over 4 documents of held-out destinations"
    documents = {"apple one": [4, 0], "apple rest": [3, 0], "apple two": [2, 0], "bread": [1, 0]}
    queries = {"apple": [-1, 0], "bread": [1, 0], "cedar": [1, 0]}
    # apple: bread, apple two: 1/2; bread: the last of four: 1/4; cedar: a passage of its page is first
    assert held_out.search(Known(queries, documents), 8) == pytest.approx((1 / 2 + 1 / 4 + 1) / 3)  # type: ignore
    assert held_out.bm25() == pytest.approx((1 + 1 + 0) / 3)

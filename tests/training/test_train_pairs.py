from collections import Counter

import numpy as np
import pytest

from anchormine.datasets import DatasetFolder
from anchormine.errors import UsageError
from anchormine.training.masking import NO_WORD
from anchormine.training.models import load_tokenizer
from anchormine.training.options import MixOptions
from anchormine.training.pair_encoding import PairEncoder
from anchormine.training.pair_stream import PairStream, choose_tasks
from anchormine.training.query_prediction import mask_query
from tests.training.tiny_inputs import pairs, write_folder


def stream(data: str, problem=lambda query: None, **options) -> PairStream:
    folder = DatasetFolder(data)
    return PairStream(folder, choose_tasks(folder, None), MixOptions(**options), 3, problem)


def test_each_pair_once_an_epoch(data):
    expected = {
        (p.task, p.query, p.document) for task, count in (("rqp", 24), ("qdm", 8)) for p in pairs(task, count)
    }
    for epoch in (0, 1):
        examples = list(stream(data).examples(epoch))
        assert len(examples) == 32
        assert {(e.task, e.query, e.document) for e in examples} == expected


def test_epochs_differ_and_repeat(data):
    first, second = list(stream(data).examples(0)), list(stream(data).examples(1))
    assert first != second
    assert first == list(stream(data).examples(0))


def test_equal_mix_repeats_the_small_task(data):
    examples = list(stream(data, mix="equal").examples(0))
    assert Counter(e.task for e in examples) == {"rqp": 16, "qdm": 16}
    assert len({e.query for e in examples if e.task == "qdm"}) == 8


def test_equal_mix_goes_on_where_the_epoch_before_ended(data):
    made = stream(data, mix="equal")
    seen = {e.query for epoch in (0, 1) for e in made.examples(epoch) if e.task == "rqp"}
    assert len(seen) == 24


def test_batches_hold_an_epoch(data):
    batches = list(stream(data).batches(0, 5, 64))
    assert sorted(map(len, batches)) == [2, 5, 5, 5, 5, 5, 5]
    assert sorted(e for batch in batches for e in batch) == sorted(stream(data).examples(0))


def test_useless_pairs_are_counted_once(data):
    made = stream(data, lambda query: "starts with a" if query.startswith("a") else None)
    kept = [len(list(made.examples(epoch))) for epoch in (0, 1)]
    assert kept[0] == kept[1] < 32
    assert made.left_out == {"starts with a": 32 - kept[0]}


def test_pairs_without_a_negative_side(tmp_path):
    folder = write_folder(tmp_path, {"pairs/ict": pairs("ict", 2, negatives=False)})
    with pytest.raises(UsageError, match="pairs of task ict have no negative side"):
        stream(folder)


def test_unknown_task(data):
    with pytest.raises(UsageError, match=r"has no pair of task acm, only of qdm \(8\), rqp \(24\)"):
        choose_tasks(DatasetFolder(data), ["acm"])


def test_document_is_cut_and_query_is_not(tiny_model):
    tokenizer = load_tokenizer(tiny_model)
    encoder = PairEncoder(tokenizer, 16)
    query, document = (
        "apple bread",
        "cedar delta ember flint grove harbour island jungle kettle lantern meadow",
    )
    encoded = encoder.encode([query], [document])
    pieces = tokenizer.convert_ids_to_tokens(encoded.inputs["input_ids"][0])
    of_query, of_document = tokenizer.tokenize(query), tokenizer.tokenize(document)
    room = 16 - 3 - len(of_query)
    assert len(of_document) > room
    assert pieces == ["[CLS]", *of_query, "[SEP]", *of_document[:room], "[SEP]"]
    assert encoded.query_pieces.tolist() == [[False] + [True] * len(of_query) + [False] * (room + 2)]
    outside = [NO_WORD] * (len(of_query) + 2)
    words = [n for n, word in enumerate(document.split()) for _ in tokenizer.tokenize(word)][:room]
    assert encoded.document_words.tolist() == [[*outside, *words, NO_WORD]]


def test_queries_that_do_not_fit(tiny_model):
    encoder = PairEncoder(load_tokenizer(tiny_model), 16)
    assert encoder.problem("apple bread") is None
    assert encoder.problem(" ") == "query without a token"
    assert encoder.problem("apple " * 40) == "query longer than 12 tokens"
    cut = encoder.cut_query("apple bread " * 40, 12)
    assert encoder.problem(cut) is None
    assert ("apple bread " * 40).startswith(cut)


@pytest.mark.parametrize(
    ("pieces", "kept"),
    [(1, ""), (2, "한"), (3, "한"), (4, "한"), (5, "한국"), (6, "한국어"), (7, "한국어 "), (8, "한국어 한")],
)
def test_no_character_of_several_pieces_is_cut(pieces, kept):
    tokenizer = load_tokenizer("default")
    spans = tokenizer("한국어", add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
    assert spans == [(0, 1), (0, 1), (1, 2), (1, 2), (1, 2), (2, 3)]
    encoder = PairEncoder(tokenizer, pieces + 4)
    assert encoder.cut_query("한국어 한국어 한국어", encoder.query_room) == kept
    assert encoder.encode([kept], ["apple bread"]).inputs["input_ids"].shape[1] <= pieces + 4


def test_one_piece_of_the_query_is_hidden(tiny_model):
    tokenizer = load_tokenizer(tiny_model)
    encoded = PairEncoder(tokenizer, 32).encode(
        ["apple bread cedar", "delta"], ["ember flint", "grove apple bread"]
    )
    places = set()
    for seed in range(60):
        masked = mask_query(encoded, tokenizer.mask_token_id, np.random.default_rng(seed))
        ids, before = masked.inputs["input_ids"], encoded.inputs["input_ids"]
        changed = (ids != before).nonzero().tolist()
        assert changed == [[0, int(masked.places[0])], [1, int(masked.places[1])]]
        assert masked.pieces.tolist() == [int(before[row, place]) for row, place in changed]
        assert all(encoded.query_pieces[row, place] for row, place in changed)
        places.add(changed[0][1])
    assert places == set(np.flatnonzero(encoded.query_pieces[0]))

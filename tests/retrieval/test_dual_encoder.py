"""Vectors of texts are those of the libraries whose folders are read."""

import json
import random
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from anchormine.errors import UsageError
from anchormine.retrieval.dual_encoder import load_dual_encoder
from anchormine.retrieval.pooling import POOLINGS
from anchormine.retrieval.text_batches import cut_pieces
from anchormine.training.models import load_any_tokenizer
from tests.retrieval.tiny_encoders import make_sentence_transformer, make_t5
from tests.training.tiny_inputs import make_model, sentence

_RNG = random.Random(3)
TEXTS = ["", *(sentence(_RNG, words) for words in (1, 40, 3, 7, 200)), "apple"]


@pytest.fixture(scope="module")
def bert(tmp_path_factory) -> str:
    return make_model(tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="module")
def t5(tmp_path_factory) -> str:
    return make_t5(tmp_path_factory.mktemp("t5"))


@pytest.mark.parametrize("pooling", [name for name in POOLINGS if name != "first-decoder"])
def test_a_folder_of_sentence_transformers_gives_its_vectors(bert, pooling, tmp_path) -> None:
    from sentence_transformers import SentenceTransformer

    folder = make_sentence_transformer(bert, tmp_path / "st", pooling)
    ours, theirs = load_dual_encoder(folder, "cpu"), SentenceTransformer(folder, device="cpu")
    assert ours.form.poolings == (pooling,)
    np.testing.assert_allclose(ours.encode(TEXTS), theirs.encode(TEXTS), atol=1e-5)
    np.testing.assert_allclose(ours.encode_queries(TEXTS), theirs.encode_query(TEXTS), atol=1e-5)
    np.testing.assert_allclose(ours.encode_documents(TEXTS), theirs.encode_document(TEXTS), atol=1e-5)


@pytest.mark.parametrize("longest", [None, 200])
def test_texts_are_cut_where_sentence_transformers_cuts_them(tmp_path, longest) -> None:
    from sentence_transformers import SentenceTransformer

    plain = make_model(tmp_path / "bert", positions=256)
    made = SentenceTransformer(plain, device="cpu")
    made.max_seq_length = longest or made.max_seq_length
    made.save(str(tmp_path / "st"))
    ours = load_dual_encoder(str(tmp_path / "st"), "cpu", similarity="dot")
    texts = [sentence(random.Random(words), words) for words in (60, 120, 400)]
    np.testing.assert_allclose(ours.encode_documents(texts), made.encode(texts), atol=1e-5)
    np.testing.assert_allclose(ours.encode_queries(texts), made.encode(texts), atol=1e-5)
    assert (ours.form.query_length, ours.form.document_length) == (longest or 256,) * 2
    form = load_dual_encoder(plain, "cpu").form
    assert (form.query_length, form.document_length) == (64, 128)


def test_flags_of_older_versions_name_the_pooling(bert, tmp_path) -> None:
    folder = Path(make_sentence_transformer(bert, tmp_path / "st", "mean"))
    config = {
        "word_embedding_dimension": 16,
        "pooling_mode_cls_token": True,
        "pooling_mode_mean_tokens": False,
    }
    before = load_dual_encoder(str(folder), "cpu").encode(TEXTS)
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(config))
    after = load_dual_encoder(str(folder), "cpu")
    assert after.form.poolings == ("cls",)
    assert np.abs(after.encode(TEXTS) - before).max() > 0.01


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_a_plain_model_is_pooled_as_asked(bert, pooling) -> None:
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(bert), AutoModel.from_pretrained(bert).eval()
    inputs = tokenizer("apple bread cedar", return_tensors="pt")
    with torch.no_grad():
        hidden = model(**inputs).last_hidden_state[0]  # [L, d]
    expected = hidden.mean(0) if pooling == "mean" else hidden[0]  # [d]
    made = load_dual_encoder(bert, "cpu", pooling=pooling).encode(["apple bread cedar"])
    np.testing.assert_allclose(made[0], expected.numpy(), atol=1e-6)
    cosine = load_dual_encoder(bert, "cpu", pooling=pooling, similarity="cosine").encode(
        ["apple bread cedar"]
    )
    np.testing.assert_allclose(cosine[0], (expected / expected.norm()).numpy(), atol=1e-6)


def test_t5_gives_the_first_state_of_its_decoder(t5) -> None:
    from transformers import AutoTokenizer, T5Model

    tokenizer, model = AutoTokenizer.from_pretrained(t5), T5Model.from_pretrained(t5).eval()
    inputs = tokenizer("apple bread cedar", return_tensors="pt")
    inputs.pop("token_type_ids", None)
    with torch.no_grad():
        states = model(**inputs, decoder_input_ids=torch.tensor([[0]])).last_hidden_state  # [1, 1, d]
    encoder = load_dual_encoder(t5, "cpu")
    assert encoder.form.poolings == ("first-decoder",)
    made = encoder.encode(["", "apple bread cedar", TEXTS[2]])
    np.testing.assert_allclose(made[1], states[0, 0].numpy(), atol=1e-6)


def test_t5_by_the_mean_needs_no_decoder(t5) -> None:
    encoder = load_dual_encoder(t5, "cpu", pooling="mean")
    assert not hasattr(encoder.network.transformer, "decoder")
    assert encoder.encode(TEXTS).shape == (len(TEXTS), 16)


def test_batches_change_nothing_but_rounding(bert) -> None:
    encoder = load_dual_encoder(bert, "cpu")
    together = encoder.encode(TEXTS, length=32, batch_size=7)
    alone = np.concatenate([encoder.encode([text], length=32) for text in TEXTS])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    assert np.array_equal(together, encoder.encode(TEXTS, length=32, batch_size=7))
    assert encoder.encode([]).shape == (0, 16)


def test_long_texts_are_cut_as_if_they_were_read_whole(bert) -> None:
    tokenizer = load_any_tokenizer(bert)
    texts = [TEXTS[-2], "apple" + " " * 5000 + "bread", "x" * 4000 + " apple", "apple\n" * 400, ""]
    whole = tokenizer(texts, truncation=True, max_length=16)["input_ids"]
    assert cut_pieces(tokenizer, texts, 16)["input_ids"] == whole


def test_one_line_says_what_is_no_dual_encoder(bert, t5, tmp_path) -> None:
    from transformers import BertForSequenceClassification

    cross = tmp_path / "cross"
    shutil.copytree(bert, cross)
    BertForSequenceClassification.from_pretrained(bert, num_labels=1).save_pretrained(cross)
    without = tmp_path / "without"
    shutil.copytree(bert, without)
    for name in ("tokenizer.json", "vocab.txt"):
        (without / name).unlink(missing_ok=True)  # transformers 4 writes both
    small = tmp_path / "small"
    shutil.copytree(bert, small)
    shutil.copy(Path("anchormine/encoder/tokenizer.json"), small)
    for name, options, reason in (
        (str(cross), {}, "is a cross-encoder or a classifier"),
        (str(without), {}, "no tokenizer here"),
        (str(small), {}, "its tokenizer has 8000 pieces, its embeddings 120"),
        (str(tmp_path / "nowhere"), {}, "no such model folder"),
        (str(tmp_path), {}, "no config.json here"),
        (bert, {"pooling": "first-decoder"}, "has no decoder"),
    ):
        with pytest.raises(UsageError) as raised:
            load_dual_encoder(name, "cpu", **options)
        assert reason in str(raised.value)
        assert "\n" not in str(raised.value)
    with pytest.raises(UsageError, match="must be from 8 to 64"):
        load_dual_encoder(bert, "cpu").encode(["apple"], length=65)

"""A ranker's score: how its head begins, and that what it has learnt is what an evaluation reads."""

import math
from operator import gt

import pytest
import torch
from transformers import AutoModelForSequenceClassification

from anchormine.evaluation.cross_encoder import CrossEncoder
from anchormine.evaluation.options import RerankerOptions
from anchormine.pipelines.cli import main
from anchormine.training.models import load_scorer
from anchormine.training.pair_encoding import PairEncoder
from anchormine.training.ranker import load_ranker
from tests.training.tiny_inputs import pairs

LENGTH = 48


def test_a_new_head_is_drawn_for_its_width(tiny_model):
    torch.manual_seed(5)
    expected = AutoModelForSequenceClassification.from_pretrained(tiny_model, num_labels=1).state_dict()
    torch.manual_seed(5)
    made = load_scorer(tiny_model, new_head=True).state_dict()
    assert set(made) == set(expected)
    heads = {"bert.pooler.dense.weight", "classifier.weight"}
    for name, drawn in expected.items():
        scale = math.sqrt(768 / 16) if name in heads else 1.0
        assert torch.allclose(made[name], drawn * scale), name


def test_a_trained_head_is_kept(tiny_model, tmp_path):
    scorer, tokenizer = load_ranker(tiny_model, LENGTH, seed=5)
    scorer.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    again = load_scorer(str(tmp_path), new_head=True).state_dict()
    assert all(torch.equal(again[name], weight) for name, weight in scorer.state_dict().items())


@pytest.mark.parametrize("loss", ["hinge", "softmax_hinge", "pair_ce"])
def test_an_evaluation_prefers_what_was_trained_to_be_preferred(loss, data, tiny_model, tmp_path):
    """Sign, order of query and document, segments and cut are the same in training and evaluation."""
    output = str(tmp_path / "ranker")
    steps = ["--max-steps", "120", "--batch-size", "16", "--gradient-accumulation", "1", "--lr", "1e-2"]
    arguments = ["--init", tiny_model, "--loss", loss, "--length", str(LENGTH), "--mlm-weight", "0", *steps]
    quiet = ["--device", "cpu", "--progress", "none"]
    assert main(["train", "pretrain", data, *arguments, "--output", output, *quiet]) == 0
    scorer = CrossEncoder(output, RerankerOptions(device="cpu"))
    mined = [*pairs("rqp", 24), *pairs("qdm", 8)]
    better = [float(scorer.score(pair.query, [pair.document])[0]) for pair in mined]
    worse = [float(scorer.score(str(p.negative_query), [str(p.negative_document)])[0]) for p in mined]
    assert sum(map(gt, better, worse)) >= 29, list(zip(better, worse, strict=True))


def test_an_evaluation_computes_the_trained_score(tiny_model, tmp_path):
    scorer, tokenizer = load_ranker(tiny_model, LENGTH, seed=5)
    tokenizer.model_max_length = LENGTH
    scorer.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    query, document = "apple bread", " ".join(["cedar delta ember"] * 30)
    inputs = PairEncoder(tokenizer, LENGTH).encode([query], [document]).inputs
    assert inputs["token_type_ids"][0].tolist().count(1) == LENGTH - 2 - len(tokenizer.tokenize(query))
    expected = scorer.eval()(**inputs).logits[:, 0].tolist()
    given = CrossEncoder(str(tmp_path), RerankerOptions(device="cpu")).score(query, [document])
    assert given.tolist() == pytest.approx(expected, abs=1e-6)

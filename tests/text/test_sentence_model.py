"""Models of sentences: sent to workers, learned from text."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from anchormine.text.sentences import SentenceModel, sentence_model, split_sentences

# A made-up language: "gral." and "o.k." go on with the sentence, "tor." ends it.
LINES = [
    "Min gral. bosu tevilo nare kanta sivu, ke laro min o.k. tevi sanu bole daru mikelo vatu nare tor.",
    "Ve sanu tor. Laro gral. tevi ke bosu nare, gral., vatu o.k. mikelo daru sivu kanta bole sanu tevi.",
    "Kanta tor. Bole min sivu gral. daru laro ke vatu mikelo, nare o.k. sanu bosu tevilo kanta sivu tor.",
]
SAMPLE = LINES * 30
HINDI = ["इसकी स्थापना सन् 1945 ई. में हुई और यह नगर देश की राजधानी है तथा यहाँ बहुत से लोग रहते हैं और काम करते हैं।"] * 40

IN_A_NEW_PROCESS = """
import json, pickle, sys
from anchormine.text.sentences import sentence_model
sys.stdout.buffer.write(pickle.dumps(sentence_model("xx", json.load(sys.stdin))))
"""


@pytest.fixture(scope="module")
def learned() -> SentenceModel:
    return sentence_model("xx", iter(SAMPLE))


def words_only_of(model: SentenceModel) -> set[str]:
    return set(model.abbreviations - sentence_model("xx").abbreviations)


def test_learned_words_go_on_with_the_sentence(learned: SentenceModel) -> None:
    assert (learned.kind, learned.source, words_only_of(learned)) == ("rules", "learned", {"gral", "o.k"})
    text = "Ke gral. Sivu tevi tor. Laro nare."
    assert [text[slice(*span)] for span in split_sentences(text, learned)] == [
        "Ke gral. Sivu tevi tor.",
        "Laro nare.",
    ]


def test_where_full_stops_only_abbreviate_all_learned_words_are_kept() -> None:
    model = sentence_model("xx", HINDI)
    assert (model.kind, words_only_of(model)) == ("punkt", {"ई"})


def test_shipped_words_need_no_sample() -> None:
    assert sentence_model("en", SAMPLE) == sentence_model("en")


@pytest.mark.parametrize(("code", "language"), [("po", "pl"), ("zh_chs", "zh")])
def test_codes_of_clueweb22_have_shipped_words(code: str, language: str) -> None:
    model = sentence_model(code, SAMPLE)
    assert model.source == "shipped"
    assert replace(model, language=language) == sentence_model(language)


def test_an_empty_sample_teaches_nothing() -> None:
    assert words_only_of(sentence_model("xx", [])) == set()
    assert words_only_of(sentence_model("xx", ["", " \n"])) == set()


def test_only_the_first_million_characters_are_read(learned: SentenceModel) -> None:
    assert words_only_of(sentence_model("xx", ["s" * 1_000_000, *SAMPLE])) == set()
    assert words_only_of(sentence_model("xx", ["s" * 900_000, *SAMPLE])) == words_only_of(learned)


def test_the_same_sample_gives_the_same_model_in_every_process(learned: SentenceModel) -> None:
    root = Path(__file__).parents[2]
    result = subprocess.run(
        [sys.executable, "-c", IN_A_NEW_PROCESS],
        input=json.dumps(SAMPLE).encode(),
        capture_output=True,
        check=True,
        cwd=root,
        env={"PYTHONHASHSEED": "1", "PYTHONPATH": str(root)},
    )
    assert pickle.loads(result.stdout) == learned


@pytest.mark.parametrize("language", ["en", "th", ""])
def test_sent_to_a_worker(language: str) -> None:
    model = sentence_model(language)
    assert pickle.loads(pickle.dumps(model)) == model


def test_a_learned_model_is_sent_to_a_worker_and_hashed(learned: SentenceModel) -> None:
    copied = pickle.loads(pickle.dumps(learned))
    assert (copied, hash(copied)) == (learned, hash(learned))

import json
import os
import re
import shutil
from pathlib import Path

import ir_measures
import pytest
import torch
from transformers import AutoModelForSequenceClassification

from anchormine.pipelines.cli import main
from tests.evaluation.tiny_rankers import make_scorer, write_pets

QUIET = ["--progress", "none"]

# nDCG@10 that bm25s gives with Lucene's variant, k1 0.9, b 0.4, its English stop list and Porter, by
# collection and split, as measured in the collections' own descriptions.
BM25_BASELINES = {
    ("wikiqa", "test"): 0.6235,
    ("wikiqa", "dev"): 0.6538,
    ("cacm", "test"): 0.4706,
    ("cranfield", "test"): 0.4912,
    ("vaswani", "test"): 0.4414,
    ("scifact", "test"): 0.6713,
}


@pytest.fixture
def collection(tmp_path) -> Path:
    return write_pets(tmp_path / "pets")


@pytest.fixture(scope="module")
def scorer(tmp_path_factory) -> str:
    return make_scorer(tmp_path_factory.mktemp("models") / "scorer", labels=1)


@pytest.fixture(scope="module")
def two_classes(tmp_path_factory) -> str:
    return make_scorer(tmp_path_factory.mktemp("models") / "two", labels=2)


def run_lines(path: Path) -> list[list[str]]:
    return [line.split(" ") for line in path.read_text().splitlines()]


def test_scores_and_runs(collection, scorer, tmp_path, capsys):
    runs = tmp_path / "runs"
    arguments = ["bm25", "ql", scorer, "--collection", str(collection), "--output", str(runs), "--top-k", "2"]
    assert main(["evaluate", *arguments, "--device", "cpu", "--json", *QUIET]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert {name: printed[name] for name in ("collection", "split", "queries")} == {
        "collection": str(collection),
        "split": "test",
        "queries": 3,
    }
    assert [system["system"] for system in printed["systems"]] == ["bm25", "ql", scorer]
    assert [system["run"] for system in printed["systems"]] == [
        str(runs / f"pets.test.{name}.run") for name in ("bm25", "ql", "scorer")
    ]
    assert sorted(path.name for path in runs.iterdir()) == [
        f"pets.test.{name}.run" for name in ("bm25", "ql", "scorer")
    ]
    # q1 (d1): first; q2 (d3): second after d4; q3: nothing is found
    ndcg = (1 + 1 / 1.584962500721156) / 3
    expected = {"nDCG@10": ndcg, "RR@10": 0.5, "AP": 0.5, "R@100": 2 / 3}
    assert printed["systems"][0]["measures"] == pytest.approx(expected, abs=1e-6)
    lines = run_lines(runs / "pets.test.bm25.run")
    assert [line[:4] + line[5:] for line in lines] == [
        ["q1", "Q0", "d1", "1", "bm25"],
        ["q1", "Q0", "d3", "2", "bm25"],
        ["q1", "Q0", "d2", "3", "bm25"],
        ["q2", "Q0", "d4", "1", "bm25"],
        ["q2", "Q0", "d3", "2", "bm25"],
    ]
    first_two = {(line[0], line[2]) for line in lines if int(line[3]) <= 2}
    assert {(line[0], line[2]) for line in run_lines(runs / "pets.test.scorer.run")} == first_two


def test_run_file_gives_the_same_measures(collection, tmp_path, capsys):
    arguments = [
        "ql",
        "--collection",
        str(collection),
        "--run-folder",
        str(tmp_path / "r"),
        "--measures",
        "nDCG@3",
        "AP@2",
    ]
    assert main(["evaluate", *arguments, "--json", *QUIET]) == 0
    system = json.loads(capsys.readouterr().out)["systems"][0]
    run = list(ir_measures.read_trec_run(system["run"]))
    qrels = [
        ir_measures.Qrel("q1", "d1", 2),
        ir_measures.Qrel("q2", "d3", 1),
        ir_measures.Qrel("q3", "d5", 1),
    ]
    measures = [ir_measures.parse_measure(name) for name in ("nDCG@3", "AP@2")]
    again = {
        str(measure): value for measure, value in ir_measures.calc_aggregate(measures, qrels, run).items()
    }
    assert system["measures"] == pytest.approx(again)


@pytest.mark.skipif(shutil.which("perl") is None, reason="ERR is computed by a program in Perl")
@pytest.mark.parametrize("ids", ["q", "t-", ""])
def test_a_measure_does_not_hang_on_the_ids_of_queries(collection, tmp_path, capsys, ids):
    for path in (collection / "queries.jsonl", collection / "qrels" / "test.tsv"):
        path.write_text(re.sub(r"\bq(?=\d)", ids, path.read_text()))
    places = ["--collection", str(collection), "--output", str(tmp_path)]
    arguments = ["bm25", *places, "--measures", "ERR@10", "RR@10", "--json"]
    assert main(["evaluate", *arguments, *QUIET]) == 0
    # of a grade g the gain is (2 ** g - 1) / 16; q1: 2 at the first place, q2: 1 at the second, q3: nothing
    expected = {"ERR@10": pytest.approx((3 / 16 + 1 / 32) / 3, abs=1e-5), "RR@10": 0.5}
    assert json.loads(capsys.readouterr().out)["systems"][0]["measures"] == expected


def test_a_query_that_nothing_is_found_for_counts_as_0(collection, tmp_path, capsys):
    places = ["--collection", str(collection), "--output", str(tmp_path)]
    measures = ["Judged@1", "NumRet", "RR@10"]
    assert main(["evaluate", "bm25", *places, "--measures", *measures, "--json", *QUIET]) == 0
    # q1: d1, d2 and d3 are found, and d1 is judged; q2: d4 and d3, of which d3 is judged; q3: nothing
    expected = {"Judged@1": pytest.approx(1 / 3), "NumRet": 5.0, "RR@10": 0.5}
    assert json.loads(capsys.readouterr().out)["systems"][0]["measures"] == expected


def test_table(collection, tmp_path, capsys):
    runs = tmp_path / "runs"
    arguments = [
        "bm25",
        "--collection",
        str(collection),
        "--output",
        str(runs),
        "--measures",
        "RR@10",
        "R@100",
    ]
    assert main(["evaluate", *arguments, *QUIET]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{collection}, test: 3 queries",
        "",
        "| system |  RR@10 |  R@100 |",
        "| ------ | -----: | -----: |",
        "| bm25   | 0.5000 | 0.6667 |",
        "",
        f"run of bm25: {runs / 'pets.test.bm25.run'}",
    ]


def test_two_models_of_one_name(collection, scorer, two_classes, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    models = [tmp_path / "a" / "ranker.v1", tmp_path / "b" / "ranker.v1"]
    for model, real in zip(models, (scorer, two_classes), strict=True):
        model.symlink_to(real)
    arguments = [*map(str, models), "--collection", str(collection), "--output", str(tmp_path / "runs")]
    assert main(["evaluate", *arguments, "--device", "cpu", *QUIET]) == 0
    names = ["pets.test.ranker-v1-2.run", "pets.test.ranker-v1.run"]
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == names


def test_file_without_a_header_keeps_its_first_line(collection, tmp_path, capsys):
    qrels = collection / "qrels" / "test.tsv"
    qrels.write_text("".join(qrels.read_text().splitlines(keepends=True)[1:]) + "q1\tmissing\t1\nq8\td1\t1\n")
    arguments = ["bm25", "--collection", str(collection), "--output", str(tmp_path / "runs"), "--json"]
    assert main(["evaluate", *arguments, *QUIET]) == 0
    done = capsys.readouterr()
    assert json.loads(done.out)["queries"] == 3
    warnings = done.err.splitlines()
    assert len(warnings) == 3
    assert "no header line; its first line was read as a judgement" in warnings[0]
    assert "1 queries are not in queries.jsonl, such as q8" in warnings[1]
    assert "1 judgements name documents that are not in corpus.jsonl, such as missing" in warnings[2]


def spoil(collection: Path, name: str, text: str) -> None:
    with (collection / name).open("a") as file:
        file.write(text)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("corpus.jsonl", "{\n", "corpus.jsonl, line 6: not JSON"),
        ("corpus.jsonl", "[" * 100_000, "corpus.jsonl, line 6: not JSON (maximum recursion depth exceeded"),
        ("corpus.jsonl", "[]\n", "corpus.jsonl, line 6: not a JSON object but list"),
        ("corpus.jsonl", '{"_id": "d6"}\n', "corpus.jsonl, line 6: no string 'text'"),
        ("corpus.jsonl", '{"_id": "d1", "text": ""}\n', "document d1 is there more than once"),
        ("queries.jsonl", '{"_id": "q1", "text": ""}\n', "queries.jsonl, line 5: query q1 is there twice"),
        ("qrels/test.tsv", "q1 d1 1\n", "qrels/test.tsv, line 6: not a judgement"),
        ("qrels/test.tsv", "q1\td1\t0\n", "query q1 and document d1 are judged twice"),
        ("qrels/test.tsv", "q1\td3\t²\n", "qrels/test.tsv, line 6: not a judgement"),
        ("qrels/test.tsv", f"q1\td3\t1{'0' * 20}\n", "qrels/test.tsv, line 6: not a judgement"),
    ],
)
def test_damaged_collection(collection, tmp_path, capsys, name, text, message):
    spoil(collection, name, text)
    arguments = ["bm25", "--collection", str(collection), "--output", str(tmp_path / "runs"), *QUIET]
    assert main(["evaluate", *arguments]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1
    assert not (tmp_path / "runs").exists()


def test_judgements_that_are_not_utf8(collection, tmp_path, capsys):
    path = collection / "qrels" / "test.tsv"
    path.write_bytes(path.read_bytes() + "q1\td\xe9\t1\n".encode("latin-1"))
    arguments = ["bm25", "--collection", str(collection), "--output", str(tmp_path / "runs"), *QUIET]
    assert main(["evaluate", *arguments]) == 2
    place = f"{path}: not UTF-8 at byte {path.stat().st_size - 4}"
    assert capsys.readouterr() == ("", f"anchormine: {place}; save it as UTF-8\n")
    assert not (tmp_path / "runs").exists()


def test_halves_of_characters_are_replaced(collection, scorer, tmp_path):
    for name in ("corpus.jsonl", "queries.jsonl"):
        path = collection / name
        path.write_text(path.read_text().replace('"d2"', '"d\\ud83d"').replace("fish", "fish \\ud83d"))
    places = ["--collection", str(collection), "--output", str(tmp_path)]
    assert main(["evaluate", "bm25", scorer, *places, "--device", "cpu", *QUIET]) == 0
    found = [line[2] for line in run_lines(tmp_path / "pets.test.bm25.run") if line[0] == "q1"]
    assert found == ["d1", "d3", "d\ufffd"]
    reranked = {line[2] for line in run_lines(tmp_path / "pets.test.scorer.run") if line[0] == "q1"}
    assert reranked == {"d1", "d3", "d\ufffd"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: SYSTEM, --collection"),
        (
            ["bm25", "--collection", "none"],
            "none: no corpus.jsonl; a collection has corpus.jsonl, queries.jsonl",
        ),
        (
            ["bm25", "--collection", "PETS", "--split", "dev"],
            "no qrels/dev.tsv, so no split dev; splits here: test",
        ),
        (["bm52", "--collection", "PETS"], "a system is bm25, ql or a model folder"),
        (["./bm25", "--collection", "PETS"], "./bm25: no such model folder"),
        (["bm25", "bm25", "--collection", "PETS"], "bm25: named twice"),
        (["bm25", "--collection", "PETS", "--measures", "nDGC@10"], "--measures nDGC@10: not a measure"),
        (
            ["bm25", "--collection", "PETS", "--measures", "AP(rels=2)"],
            "--measures AP(rels=2): not a measure (unsupported params found: ['rels']); such as nDCG@10, ",
        ),
        (
            ["bm25", "--collection", "PETS", "--measures", "P@0"],
            "--measures P@0: not a measure (the cutoff must be 1 or more); such as nDCG@10, RR@10, AP, R@100",
        ),
        (["bm25", "--collection", "PETS", "--top-k", "0"], "--top-k 0: must be 1 or more"),
        (
            ["bm25", "--collection", "PETS", "--colection", "x"],
            "unknown option --colection; did you mean --collection?",
        ),
        (["SCORER", "--collection", "PETS", "--length", "0"], "--length 0: must be 1 or more"),
        (["SCORER", "--collection", "PETS", "--length", "99"], "--length 99: must be from 8 to 32"),
    ],
)
def test_wrong_usage(collection, scorer, tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)  # no waiting for the hub
    places = {"PETS": str(collection), "SCORER": scorer}
    options = ["--device", "cpu", *QUIET] if arguments else []
    assert main(["evaluate", *(places.get(text, text) for text in arguments), *options]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1
    assert not (tmp_path / "runs").exists()


def test_a_model_that_broke_is_said_to_have(collection, scorer, tmp_path, capsys):
    broken, runs = tmp_path / "broken", tmp_path / "runs"
    model = AutoModelForSequenceClassification.from_pretrained(scorer)
    with torch.no_grad():
        model.classifier.weight.fill_(float("nan"))
    shutil.copytree(scorer, broken)
    model.save_pretrained(broken)
    places = ["--collection", str(collection), "--output", str(runs), "--device", "cpu"]
    capsys.readouterr()
    assert main(["evaluate", str(broken), *places, *QUIET]) == 1
    told = f"{broken}: gives scores that are no numbers; train the model again, with a lower --lr"
    assert capsys.readouterr() == ("", f"anchormine: {told}\n")
    assert list(runs.iterdir()) == []


def test_a_full_disk(collection, tmp_path, capsys):
    runs = tmp_path / "runs"
    runs.mkdir()
    path = runs / "pets.test.bm25.run"
    path.with_name(f"{path.name}.unfinished").symlink_to("/dev/full")
    arguments = ["bm25", "--collection", str(collection), "--output", str(runs), *QUIET]
    assert main(["evaluate", *arguments]) == 1
    assert capsys.readouterr().err == (
        f"anchormine: {path}: cannot be written (No space left on device); see that it can be written, and "
        "has room, or give another --output\n"
    )
    assert list(runs.iterdir()) == []


def test_the_runs_before_a_full_disk(collection, tmp_path, capsys):
    runs = tmp_path / "runs"
    runs.mkdir()
    (runs / "pets.test.ql.run.unfinished").symlink_to("/dev/full")
    arguments = ["bm25", "ql", "--collection", str(collection), "--output", str(runs), *QUIET]
    assert main(["evaluate", *arguments]) == 1
    assert capsys.readouterr() == (
        "",
        f"anchormine: {runs}/pets.test.ql.run: cannot be written (No space left on device); see that it can "
        f"be written, and has room, or give another --output; written before: {runs}/pets.test.bm25.run\n",
    )
    assert [path.name for path in runs.iterdir()] == ["pets.test.bm25.run"]


def test_a_run_file_holds_no_id_with_white_space(collection, tmp_path, capsys):
    path, runs = collection / "corpus.jsonl", tmp_path / "runs"
    path.write_text(path.read_text().replace('"d1"', '"d 1"'))
    arguments = ["bm25", "--collection", str(collection), "--output", str(runs), *QUIET]
    assert main(["evaluate", *arguments]) == 1
    assert capsys.readouterr().err == (
        f"anchormine: {collection}/qrels/test.tsv: 1 judgements name documents that are not in corpus.jsonl, "
        "such as d1\n"
        "anchormine: query 'q1', document 'd 1': a run file cannot hold ids with white space\n"
    )
    assert list(runs.iterdir()) == []


def test_an_output_that_cannot_be_written_costs_no_ranking(collection, tmp_path, monkeypatch, capsys):
    taken = tmp_path / "taken"
    taken.write_text("mine")
    folder = tmp_path / "folder"
    (folder / "pets.test.bm25.run").mkdir(parents=True)
    monkeypatch.setattr("anchormine.evaluation.evaluation.Collection", None)  # nothing is read
    file_there = f"{taken}: is no folder; --output names a folder, give another one"
    folder_there = "is a folder, a run file is to stand there; give another --output"
    messages = {
        taken: file_there,
        taken / "runs": file_there,
        folder: f"{folder}/pets.test.bm25.run: {folder_there}",
    }
    for output, message in messages.items():
        arguments = ["bm25", "--collection", str(collection), "--output", str(output), *QUIET]
        assert main(["evaluate", *arguments]) == 2
        assert capsys.readouterr() == ("", f"anchormine: {message}\n")
    assert taken.read_text() == "mine"


@pytest.mark.data
@pytest.mark.parametrize(("name", "split"), BM25_BASELINES)
def test_bm25_baselines(name, split, tmp_path, capsys):
    root = os.environ.get("ANCHORMINE_DATA")
    if not root or not (Path(root) / "ir" / name).is_dir():
        pytest.skip("ANCHORMINE_DATA names no folder with the collection")
    arguments = [
        "bm25",
        "--collection",
        str(Path(root) / "ir" / name),
        "--split",
        split,
        "--output",
        str(tmp_path),
    ]
    assert main(["evaluate", *arguments, "--json", *QUIET]) == 0
    measures = json.loads(capsys.readouterr().out)["systems"][0]["measures"]
    assert measures["nDCG@10"] == pytest.approx(BM25_BASELINES[name, split], abs=0.001)

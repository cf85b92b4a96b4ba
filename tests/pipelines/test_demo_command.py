"""`anchormine demo`: the whole path, as a newcomer runs it."""

from __future__ import annotations

import json

import pytest

from anchormine.pipelines.demo import DemoStep, _run_step
from anchormine.pipelines.worker_compute import compute_facts
from anchormine.sampling.weighers import WeighingOptions
from anchormine.schemas.pairs import PASSAGE_TASKS
from tests.pipelines.command_runs import funnel, main, read_table


@pytest.mark.slow
def test_the_whole_path(tmp_path, capsys):
    transformers = pytest.importorskip("transformers")
    out = tmp_path / "demo"
    assert main(["demo", "--output", str(out), "--progress", "none"]) == 0
    printed = capsys.readouterr().out
    pages = funnel(out, "wiki")["pages"]
    assert (pages["read"], pages["written"]) == (297, len(read_table(out, "pages")))
    assert pages["rejected"] == {"empty": 1, "namespace": 21, "redirect": 39}
    titles = {row["title"]: row["page_id"] for row in read_table(out, "pages")}
    broken = [
        row for row in read_table(out, "anchors") if row["source_page_id"] == titles["Quadrant (instrument)"]
    ]
    assert broken
    for task in ("rqp", "qdm", "rdp", "acm"):
        assert funnel(out, "pairs")[f"pairs-{task}"]["written"] == len(read_table(out, f"pairs/{task}")) > 100
    crawl = out / "crawl"
    assert funnel(crawl, "web")["pages"]["written"] == len(read_table(crawl, "pages")) == 57
    assert funnel(crawl, "filter")["anchors"]["written"] == len(read_table(crawl, "filtered")) > 20
    for task in ("anchor_document", *PASSAGE_TASKS):
        written = funnel(crawl, "pairs")[f"pairs-{task}"]["written"]
        assert written == len(read_table(crawl, f"pairs/{task}")) > 20
    options = json.loads((out / "manifest.json").read_text())["steps"]["pairs"]["options"]
    assert (options["weights"], options["dtype"]) == ("attention", "float32")
    assert {name: options[name] for name in ("device", "dtype")} == compute_facts(WeighingOptions())
    for name in ("pretrained", "ranker"):
        model = transformers.AutoModelForSequenceClassification.from_pretrained(out / "models" / name)
        assert model.config.num_labels == 1
        log = [
            json.loads(line) for line in (out / "models" / name / "train_log.jsonl").read_text().splitlines()
        ]
        assert log[0]["step"] == 1
        assert log[-1]["loss"] < log[0]["loss"]
    for figure in ("attention", "tfidf", "uniform", "bm25", "ql", "nDCG@10"):
        assert figure in printed
    assert "learnt from the judgements of the train split; the scores are of the test split" in printed
    runs = sorted(path.name for path in (out / "runs").iterdir())
    assert len(runs) == 6
    rows = [line.split("|")[1:3] for line in printed.splitlines() if line.startswith("| ") and "." in line]
    reached = {system.strip(): float(score) for system, score in rows}
    assert reached[str(out / "models" / "dual")] > 2 * reached["default"]
    assert funnel(out, "negatives")["negatives-anchor_document"]["written"] > 500
    assert main(["demo", "--output", str(out), "--progress", "none"]) == 2
    assert "is not empty; give --overwrite" in capsys.readouterr().err


def test_a_step_is_printed_as_it_is_typed(capsys) -> None:
    _run_step(DemoStep("filter", ("my demo/crawl", "--seed", "42")), lambda _: 0)
    assert capsys.readouterr().out == "\n$ anchormine filter 'my demo/crawl' --seed 42\n\n"

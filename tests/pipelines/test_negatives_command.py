"""`anchormine negatives`: whole rows, the guards, splits, workers, earlier sets, and refusals."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from anchormine.errors import UsageError
from anchormine.negatives.options import MinerModel, NegativeOptions
from anchormine.pipelines.cli import main
from anchormine.pipelines.negative_defaults import check_parts
from anchormine.retrieval.dual_encoder import load_dual_encoder
from anchormine.sampling.splits import split_of
from anchormine.schemas.anchors import Anchor
from anchormine.schemas.pages import Page
from tests.filters.anchor_folders import link, page, write_folder
from tests.pipelines.command_runs import QUIET, checksums, funnel, read_table
from tests.pipelines.worker_rigs import ENVIRONMENT, job_service, manifest_without_run
from tests.training.tiny_inputs import make_model

__all__ = ["job_service"]  # a fixture

ANCHOR = ("--task", "anchor_document")
BM25 = (*ANCHOR, "--from", "bm25")
TEXTS = [
    "A harbour has a pier and a lighthouse.",  # 0, what "pier" means
    "Piers and pilings of wood carry a pier head.",  # 1
    "The harbour pier was built of stone.",  # 2, links to 0
    "A harbour has a PIER and  a lighthouse.",  # 3 reads like 0
    "Another pier, at the lake.",  # 4, "Pier" leads here too
    "Jetty and pier differ.",  # 5, a redirect "Pier" leads here
    "Nothing of that sort.",  # 6
    "A fishing pier near the town.",  # 7
    "",  # 8
]


def _ids() -> list[str]:
    """As many pages on the side of training."""
    found = (f"web:{number}" for number in range(1000))
    return [page_id for page_id in found if split_of(page_id) == "train"][: len(TEXTS)]


IDS = _ids()


def _page(number: int) -> Page:
    redirects = ["pier"] if number == 5 else []
    return page(IDS[number])._replace(
        title=f"Title {number}", text=TEXTS[number], lead=TEXTS[number], redirects_from=redirects
    )


def _link(number: int, anchor: str, source: int, destination: int) -> Anchor:
    return link(number, anchor)._replace(
        anchor_id=f"{IDS[source]}#a{number}",
        sentence_id=f"{IDS[source]}#s{number}",
        source_page_id=IDS[source],
        destination_page_id=IDS[destination],
    )


# No pair of the fourth page: its only link stands on the page itself.
LINKS = [_link(0, "Pier", 2, 0), _link(1, "zyzzyva", 2, 6), _link(2, "“PIER”", 4, 4)]


@pytest.fixture(scope="module")
def with_pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pairs "Pier" to page 0, and "zyzzyva" to page 6. Nobody writes into it."""
    folder = write_folder(
        tmp_path_factory.mktemp("harbour") / "folder", LINKS, [_page(number) for number in range(len(TEXTS))]
    )
    assert main(["pairs", str(folder), *ANCHOR, *QUIET]) == 0
    return folder


@pytest.fixture
def harbour(with_pairs: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(with_pairs, tmp_path / "folder"))


@pytest.fixture(scope="module")
def demo_pairs(demo_wiki: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo with pairs. Nobody writes into it."""
    folder = Path(shutil.copytree(demo_wiki, tmp_path_factory.mktemp("demo") / "folder"))
    assert main(["pairs", str(folder), "--task", "anchor_document", "codoc", "wlp", *QUIET]) == 0
    return folder


def test_everything_that_is_written(harbour: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["negatives", str(harbour), *BM25, "--negatives", "2", *QUIET]) == 0
    printed = capsys.readouterr()
    (row,) = read_table(harbour, "contrastive/anchor_document")
    pair_id = f"anchor_document:{IDS[2]}#a0"
    assert row | {"negative_scores": None} == {
        "query_id": pair_id, "query": "Pier", "positive_id": IDS[0], "positive": TEXTS[0],
        "negative_ids": [IDS[1], IDS[7]], "negatives": [TEXTS[1], TEXTS[7]], "mined_from": "bm25",
        "negative_scores": None,
    }  # fmt: skip
    assert row["negative_scores"] == sorted(row["negative_scores"], reverse=True)
    plain = {"step": "negatives", "unreadable": 0}
    assert funnel(harbour, "negatives") == {
        "pages-text": plain
        | {"unit": "pages-text", "read": 9, "written": 8, "rejected": {"empty_document": 1}},
        "negatives-anchor_document": plain
        | {"unit": "negatives-anchor_document", "read": 2, "written": 1, "rejected": {"no_candidate": 1}},
    }
    assert [tuple(row.values()) for row in read_table(harbour, "rejects/negatives")] == sorted(
        [
            ("negatives", "no_candidate", "negatives-anchor_document", f"anchor_document:{IDS[2]}#a1", IDS[6],
             "zyzzyva", 1),
            ("negatives", "empty_document", "pages-text", IDS[8], IDS[8], "", 1),
        ],
        key=lambda row: row[4],
    )  # fmt: skip
    assert printed.out.splitlines()[-14:-2] == [
        f"{label:48}{count:>12}"
        for label, count in (
            ("anchor_document: queries", 2),
            ("  written to train", 1),
            ("  written to validation", 0),
            ("candidates", 7),
            ("  dropped as positive", 1),
            ("  dropped as same_query", 1),
            ("  dropped as alias", 1),
            ("  dropped as source", 1),
            ("  dropped as same_text", 1),
            ("negatives drawn", 2),
            ("queries with fewer than 2 negatives", 1),
            ("  of these with none", 1),
        )
    ]
    assert printed.err == (
        "anchormine: anchor_document: 1 query has fewer than 2 negatives; 1 of these has none, and is set "
        "aside; --negatives asks for fewer, --depth looks at more documents\n"
    )
    assert "contrastive-anchor_document" in (harbour / "README.md").read_text()


def _rows(folder: Path, task: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted((folder / "contrastive" / task).glob("*.parquet")):
        for row in pq.read_table(path).to_pylist():
            yield path.name.partition("-")[0], row


@pytest.mark.parametrize("task", ["anchor_document", "codoc"])
def test_no_page_is_on_both_sides(demo_pairs: Path, tmp_path: Path, task: str) -> None:
    folder = Path(shutil.copytree(demo_pairs, tmp_path / "folder"))
    assert main(["negatives", str(folder), "--task", task, "--from", "bm25", "--json", *QUIET]) == 0
    rows = list(_rows(folder, task))
    assert {split for split, _ in rows} == {"train", "validation"}
    texts = {row["page_id"]: row["text"] for row in read_table(folder, "pages")}
    for split, row in rows:
        pages = [name.partition("#p")[0] for name in (row["positive_id"], *row["negative_ids"])]
        assert {split_of(page_id) for page_id in pages} == {split}
        assert row["positive_id"] not in pages[1:]
        assert len(row["negative_ids"]) == len(row["negatives"]) == len(row["negative_scores"]) <= 7
        assert len(set(row["negative_ids"])) == len(row["negative_ids"])
        for page_id, text in zip(pages[1:], row["negatives"], strict=True):
            assert text in texts[page_id]
    wanted = {row["pair_id"]: row["query"] for row in read_table(folder, f"pairs/{task}")}
    written = {row["query_id"]: row["query"] for _, row in rows}
    rejected = {row["record_id"] for row in read_table(folder, "rejects/negatives")}
    assert wanted.items() >= written.items()
    assert written.keys() | rejected >= wanted.keys()


def test_same_bytes_in_worker_processes(demo_pairs: Path, tmp_path: Path) -> None:
    folders = [Path(shutil.copytree(demo_pairs, tmp_path / workers)) for workers in ("1", "2")]
    for folder in folders:
        command = ["negatives", str(folder), "--task", "wlp", "codoc", "anchor_document", "--from", "bm25"]
        assert main([*command, "--progress", "none", "--workers", folder.name]) == 0
    assert checksums(folders[0]) == checksums(folders[1])
    assert manifest_without_run(folders[0]) == manifest_without_run(folders[1])


@pytest.mark.slow
@pytest.mark.parametrize("miner", ["bm25", "model"])
def test_same_bytes_through_a_job_service(
    demo_pairs: Path, tmp_path: Path, job_service: list[str], miner: str
) -> None:
    name = "bm25" if miner == "bm25" else make_model(tmp_path / "model")
    rigs = {"1": ["--workers", "1"], "2": ["--workers", "2"], "service": job_service}
    folders = [Path(shutil.copytree(demo_pairs, tmp_path / rig)) for rig in rigs]
    for folder in folders:
        command = [sys.executable, "-m", "anchormine", "negatives", str(folder), *ANCHOR]
        command += ["--from", name, "--device", "cpu", "--progress", "none", *rigs[folder.name]]
        done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert checksums(folders[0]) == checksums(folders[1]) == checksums(folders[2])


@pytest.mark.parametrize("index", ["exact", "faiss"])
def test_a_model_mines(harbour: Path, tmp_path: Path, index: str) -> None:
    if index == "faiss":
        pytest.importorskip("faiss")
    model = make_model(tmp_path / "tiny")
    assert main(["negatives", str(harbour), *ANCHOR, "--from", model, "--index", index, *QUIET]) == 0
    rows = {row["query"]: row for row in read_table(harbour, "contrastive/anchor_document")}
    # A model finds every page: all that no guard drops are negatives.
    assert sorted(rows["Pier"]["negative_ids"]) == sorted(IDS[number] for number in (1, 6, 7))
    # Of the pages 0 and 3, which read alike, the nearer one.
    assert sorted({*rows["zyzzyva"]["negative_ids"]} - {IDS[0], IDS[3]}) == sorted(
        IDS[number] for number in (1, 4, 5, 7)
    )
    assert len(rows["zyzzyva"]["negative_ids"]) == 5
    for row in rows.values():
        assert row["mined_from"].startswith("tiny sha256:")
        assert str(tmp_path) not in row["mined_from"]
    assert str(tmp_path / "tiny") not in (harbour / "manifest.json").read_text()


def test_a_margin_drops_what_scores_too_high(harbour: Path) -> None:
    assert main(["negatives", str(harbour), *BM25, "--margin", "0", *QUIET]) == 0
    (row,) = read_table(harbour, "contrastive/anchor_document")
    assert main(["negatives", str(harbour), *BM25, "--margin", "-100", "--refresh", *QUIET]) == 0
    (loose,) = read_table(harbour, "contrastive/anchor_document")
    assert set(row["negative_ids"]) < set(loose["negative_ids"]) == {IDS[1], IDS[7]}


def test_a_margin_drops_what_a_model_scores_too_high(harbour: Path, tmp_path: Path) -> None:
    model = make_model(tmp_path / "tiny")
    run = ["negatives", str(harbour), *ANCHOR, "--from", model, "--seed", "3", *QUIET]
    assert main(run) == 0
    rows = {row["query"]: row for row in read_table(harbour, "contrastive/anchor_document")}
    encoder = load_dual_encoder(model, "cpu")
    scores = {}
    for query, row in rows.items():
        documents = encoder.encode_documents([row["positive"], *row["negatives"]], 64)
        positive, *others = (documents @ encoder.encode_queries([query], 64)[0]).tolist()
        assert row["negative_scores"] == pytest.approx(others, abs=1e-4)
        scores[query] = [positive - other for other in others]
    gaps = sorted(scores["zyzzyva"])
    step, above = max((high - low, high) for low, high in pairwise(gaps))
    margin = above - step / 2
    assert step > 1e-3  # rounding does not decide
    assert main([*run, "--refresh", f"--margin={margin}"]) == 0
    refreshed = {row["query"]: row for row in read_table(harbour, "contrastive/anchor_document")}
    for query, row in rows.items():
        kept = [name for name, gap in zip(row["negative_ids"], scores[query], strict=True) if gap >= margin]
        assert refreshed.get(query, {"negative_ids": []})["negative_ids"] == kept
    assert 0 < len(refreshed["zyzzyva"]["negative_ids"]) < len(gaps)


def _set_options(folder: Path, task: str) -> dict[str, Any]:
    steps = json.loads((folder / "manifest.json").read_text())["steps"]
    return steps["negatives"]["options"]["sets"][task]


def test_a_refreshed_set_keeps_its_options(demo_pairs: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(demo_pairs, tmp_path / "folder"))
    command = ["negatives", str(folder), *ANCHOR, *QUIET]
    own = {
        "document": "lead", "depth": 50, "negatives": 3, "similarity": 0.5, "language": "de", "limit": 90,
        "seed": 7, "k1": 1.2, "b": 0.75, "margin": -5.0, "keep": 20,
    }  # fmt: skip
    flags = [f"--{name}={value}" for name, value in own.items()]
    assert main([*command, "--from", "bm25", *flags]) == 0
    assert _set_options(folder, "anchor_document").items() >= own.items()
    first = checksums(folder)
    assert main([*command, "--from", "bm25", "--refresh"]) == 0
    assert checksums(folder) == first
    assert main([*command, "--from", "bm25", "--refresh", "--negatives", "2", "--b", "0.4"]) == 0
    assert _set_options(folder, "anchor_document").items() >= {**own, "negatives": 2, "b": 0.4}.items()
    assert {len(row["negative_ids"]) for _, row in _rows(folder, "anchor_document")} == {1, 2}
    # A model's scores are not BM25's: what is set against them is the model's own.
    assert main([*command, "--from", make_model(tmp_path / "tiny"), "--refresh", "--seed", "8"]) == 0
    mined_by_model = {name: own[name] for name in ("document", "depth", "similarity", "language", "limit")}
    model_options = {**mined_by_model, "negatives": 2, "seed": 8, "margin": None, "keep": 30}
    assert _set_options(folder, "anchor_document").items() >= model_options.items()
    tiny = make_model(tmp_path / "tiny")
    assert main([*command, "--from", tiny, "--refresh", "--pooling", "cls"]) == 0
    assert main([*command, "--from", tiny, "--refresh", "--negatives", "1"]) == 0
    pooled = {**model_options, "negatives": 1, "pooling": "cls"}
    assert _set_options(folder, "anchor_document").items() >= pooled.items()
    assert main([*command, "--from", "bm25", "--overwrite"]) == 0
    plain = {"document": "text", "depth": 200, "negatives": 7, "language": "en", "limit": None, "seed": 42}
    assert _set_options(folder, "anchor_document").items() >= plain.items()


def test_a_refreshed_set_keeps_how_its_model_is_run(harbour: Path, tmp_path: Path) -> None:
    command = ["negatives", str(harbour), *ANCHOR, "--from", make_model(tmp_path / "tiny"), *QUIET]
    assert main([*command, "--batch-size", "8", "--dtype", "bfloat16"]) == 0
    own = {"batch_size": 8, "dtype": "bfloat16", "index": "exact", "keep": 30, "negatives": 7}
    assert _set_options(harbour, "anchor_document").items() >= own.items()
    assert main([*command, "--refresh"]) == 0
    assert _set_options(harbour, "anchor_document").items() >= own.items()
    # What is kept at random follows the negatives, as it does in a new set.
    assert main([*command, "--refresh", "--negatives", "40", "--batch-size", "64"]) == 0
    more = {**own, "batch_size": 64, "keep": 40, "negatives": 40}
    assert _set_options(harbour, "anchor_document").items() >= more.items()


@pytest.mark.parametrize(
    ("option", "values"),
    [("pooling", (None, "cls")), ("dtype", ("float32", "bfloat16")), ("batch_size", (64, 8))],
)
def test_sets_of_other_vectors_are_not_refreshed_together(option: str, values: tuple) -> None:
    """The vectors of the documents are made once, for all sets that are searched in them."""
    models = [MinerModel("tiny", **{option: value}) for value in values]
    rqp, qdm = (NegativeOptions(model, form="lead") for model in models)
    check_parts({"rqp": rqp, "qdm": NegativeOptions(models[1], form="text")})
    with pytest.raises(UsageError) as refused:
        check_parts({"rqp": rqp, "qdm": qdm})
    flag = f"--{option.replace('_', '-')}"
    assert str(refused.value) == (
        f"--refresh: the sets of rqp, qdm were made with different {flag}; refresh one at a time, or give "
        f"{flag}"
    )


def test_a_folder_that_is_called_default(
    harbour: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """`default` is the model of the package, as in every other command."""
    make_model(tmp_path / "here" / "default")
    monkeypatch.chdir(tmp_path / "here")
    capsys.readouterr()
    assert main(["negatives", str(harbour), *ANCHOR, "--from", "default", "--dry-run", *QUIET]) == 0
    assert "  step    mine by anchormine/encoder sha256:" in capsys.readouterr().out


def test_sets_that_differ_are_not_refreshed_together(
    demo_pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    folder = Path(shutil.copytree(demo_pairs, tmp_path / "folder"))
    command = ["negatives", str(folder), "--from", "bm25", "--document", "lead", *QUIET]
    assert main([*command, "--task", "codoc", "--language", "de", "--seed", "1"]) == 0
    assert main([*command, "--task", "anchor_document", "--seed", "2"]) == 0
    tasks = ["--task", "codoc", "anchor_document", "--refresh"]
    before = checksums(folder)
    assert main([*command, *tasks]) == 2
    assert (
        "--refresh: the sets of codoc, anchor_document were made with different --language; refresh one at a "
        "time, or give --language\n"
    ) in capsys.readouterr().err
    assert checksums(folder) == before
    assert main([*command, *tasks, "--language", "de"]) == 0
    assert [_set_options(folder, task)["seed"] for task in ("codoc", "anchor_document")] == [1, 2]


def test_links_without_a_pair_answer_queries(tmp_path: Path) -> None:
    """Those that the cap leaves out, and those that were filtered, whichever way texts were cleaned."""
    links = [
        _link(0, "Café", 2, 0), _link(1, "the pier", 2, 0), _link(2, "THE  Pier", 6, 1),
        _link(3, "“The pier”", 6, 7)._replace(region="footer"), _link(4, "caf", 6, 4),
        _link(5, "CAFÉ!", 6, 5)._replace(region="footer"),
    ]  # fmt: skip
    pages = [_page(number)._replace(text=f"{TEXTS[number]} Caf.") for number in range(8)]
    folder = write_folder(tmp_path / "folder", links, pages)
    rules = ("--rules", "anchor-dr-code", "--same-site", "off", "--classifier", "none")
    assert main(["filter", str(folder), *rules, *QUIET]) == 0
    assert main(["pairs", str(folder), *ANCHOR, "--in-links", "1", *QUIET]) == 0
    pairs = {row["query"]: row["document_id"] for row in read_table(folder, "pairs/anchor_document")}
    assert len(pairs) < 4
    assert main(["negatives", str(folder), *BM25, "--similarity", "2", *QUIET]) == 0
    answers = {"caf": {0, 4, 5}, "the pier": {0, 1, 7}}
    rows = {row["query"].lower(): row for row in read_table(folder, "contrastive/anchor_document")}
    assert rows.keys() == {query.lower() for query in pairs}
    for query, row in rows.items():
        assert row["negative_ids"]
        assert not {IDS[number] for number in answers[query]} & {*row["negative_ids"]}


def test_refresh_resume_and_overwrite(
    demo_pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    folder = Path(shutil.copytree(demo_pairs, tmp_path / "folder"))
    run = ["negatives", str(folder), "--from", "bm25", *QUIET]
    assert main([*run, "--task", "codoc", "--refresh"]) == 2
    assert "has no negatives of codoc yet" in capsys.readouterr().err
    assert main([*run, "--task", "codoc"]) == 0
    first = checksums(folder / "contrastive" / "codoc")
    assert main([*run, "--task", "codoc"]) == 2
    assert "holds negatives of codoc already" in capsys.readouterr().err
    assert main([*run, "--task", "codoc", "--resume"]) == 0
    assert "is done already" in capsys.readouterr().err
    assert main([*run, "--task", "codoc", "--resume", "--negatives", "3"]) == 2
    assert "with negatives 7, not 3" in capsys.readouterr().err
    assert main([*run, "--task", "codoc", "--resume", "--margin", "0.5"]) == 2
    assert "with no margin, which is 0.5 now; give --overwrite" in capsys.readouterr().err
    assert main([*run, "--task", "codoc", "anchor_document", "--resume", "--json"]) == 0
    assert [row["task"] for row in json.loads(capsys.readouterr().out)["negatives"]] == [
        "codoc", "anchor_document",
    ]  # fmt: skip
    assert checksums(folder / "contrastive" / "codoc") == first
    assert main([*run, "--task", "codoc", "--refresh", "--negatives", "1"]) == 0
    assert {len(row["negative_ids"]) for _, row in _rows(folder, "codoc")} == {1}
    section = json.loads((folder / "manifest.json").read_text())["steps"]["negatives"]
    assert {task: made["negatives"] for task, made in section["options"]["sets"].items()} == {
        "codoc": 1, "anchor_document": 7,
    }  # fmt: skip
    assert set(funnel(folder, "negatives")) >= {"negatives-codoc", "negatives-anchor_document"}
    # An option that is not given any more: a refreshed set would keep it.
    capsys.readouterr()
    assert main([*run, "--task", "codoc", "--resume"]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: --resume: {folder} has negatives of codoc with negatives 1, not 7; give --overwrite to "
        "replace them, or another folder\n"
    )
    assert main([*run, "--task", "codoc", "--overwrite"]) == 0
    assert checksums(folder / "contrastive" / "codoc") == first


def test_limit_and_dry_run(harbour: Path, capsys: pytest.CaptureFixture) -> None:
    before = checksums(harbour)
    assert main(["negatives", str(harbour), *BM25, "--dry-run", *QUIET]) == 0
    assert f"  output  {harbour}/contrastive/anchor_document" in capsys.readouterr().out.splitlines()
    assert checksums(harbour) == before
    assert main(["negatives", str(harbour), *BM25, "--limit", "1", *QUIET]) == 1
    assert "no query of anchor_document has a negative (no_candidate 1), and" in capsys.readouterr().err
    assert checksums(harbour) == before


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (
            ["--task", "codoc", "ict", "--from", "bm25"],
            2,
            "{0}: holds no pairs of codoc, ict; make them with `anchormine pairs {0} --task codoc ict`\n",
        ),
        ([*BM25, "--negatives", "201"], 2, "--negatives 201: more than --depth 200"),
        ([*BM25, "--overwrite", "--refresh"], 2, "--overwrite, --resume and --refresh: give one of them"),
        ([*ANCHOR, "--from", " "], 2, "--from: names nothing"),
        ([*ANCHOR, "--from", "/no/such/model"], 2, "/no/such/model: no such model folder"),
        ([*BM25, "--k1", "-1"], 2, "--k1 -1.0: must be 0 or more"),
    ],
)
def test_refusals(
    harbour: Path, capsys: pytest.CaptureFixture, options: list[str], status: int, message: str
) -> None:
    before = checksums(harbour)
    assert main(["negatives", str(harbour), *options, *QUIET]) == status
    error = capsys.readouterr().err
    assert message.format(harbour) in error
    assert error.count("\n") == 1
    assert checksums(harbour) == before


@pytest.mark.parametrize(
    ("in_file", "typed", "told"),
    [
        (
            "overwrite",
            "--refresh",
            "{} has no negatives of anchor_document yet; leave out --refresh",
        ),
        ("refresh", "--resume", ""),
        ("refresh", "--overwrite", ""),
    ],
)
def test_what_is_typed_wins_over_what_it_rules_out_in_a_file(
    in_file: str, typed: str, told: str, harbour: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    config = tmp_path / "options.toml"
    config.write_text(f"{in_file} = true\n")
    command = ["negatives", str(harbour), *BM25, "--config", str(config), typed, "--dry-run", *QUIET]
    assert main(command) == (2 if told else 0)
    assert capsys.readouterr().err == (f"anchormine: --refresh: {told.format(harbour)}\n" if told else "")


def test_a_model_without_tokenizer(harbour: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    model = Path(make_model(tmp_path / "model"))
    for path in model.glob("*token*"):
        path.unlink()
    for path in model.glob("vocab*"):
        path.unlink()
    capsys.readouterr()  # the bars of what writes the model
    assert main(["negatives", str(harbour), *ANCHOR, "--from", str(model), *QUIET]) == 2
    error = capsys.readouterr().err
    assert str(model) in error
    assert "tokenizer" in error
    assert error.count("\n") == 1


def test_half_written_folders(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["negatives", str(tmp_path), *BM25, *QUIET]) == 2
    assert "no manifest.json here" in capsys.readouterr().err
    folder = write_folder(tmp_path / "folder", LINKS, [_page(0)])
    assert main(["negatives", str(folder), *BM25, *QUIET]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: {folder}: holds no pairs of anchor_document; make them with `anchormine pairs {folder} "
        "--task anchor_document`\n"
    )


@pytest.mark.parametrize("number", [1, 3])
def test_a_corpus_without_negatives(tmp_path: Path, number: int, capsys: pytest.CaptureFixture) -> None:
    """One page with text, or pages that all read alike."""
    pages = [_page(0)] + [page(IDS[other])._replace(text=TEXTS[0] if number > 1 else "") for other in (1, 2)]
    folder = write_folder(tmp_path / "folder", LINKS[:1], pages)
    assert main(["pairs", str(folder), *ANCHOR, *QUIET]) == 0
    before = checksums(folder)
    capsys.readouterr()
    assert main(["negatives", str(folder), *BM25, *QUIET]) == 1
    dropped = "positive 1, source 1, same_text 1" if number > 1 else "positive 1"
    assert capsys.readouterr().err == (
        f"anchormine: {folder}: no query of anchor_document has a negative (no_negative 1), and nothing was "
        f"published; guards dropped all that was found: {dropped}; make the folder of more pages, or give a "
        "larger --depth\n"
    )
    assert checksums(folder) == before


def test_a_missing_shard(harbour: Path, capsys: pytest.CaptureFixture) -> None:
    next((harbour / "pairs" / "anchor_document").glob("*.parquet")).unlink()
    assert main(["negatives", str(harbour), *BM25, *QUIET]) == 1
    assert "named in the manifest, but cannot be read" in capsys.readouterr().err
    assert not (harbour / "contrastive").exists()


CODOC = ("--task", "codoc", "--passage-words", "4")
REMOVAL = "what `anchormine negatives` made before goes with that"


def test_negatives_stay_with_their_pairs(harbour: Path, capsys: pytest.CaptureFixture) -> None:
    """Pairs of another task leave them alone; pairs made anew take them along, and say so before."""
    assert main(["negatives", str(harbour), *BM25, "--negatives", "2", *QUIET]) == 0
    mined = {name: digest for name, digest in checksums(harbour).items() if name.startswith("contrastive/")}
    section = json.loads((harbour / "manifest.json").read_text())["steps"]["negatives"]
    rows = funnel(harbour, "negatives")
    assert mined
    assert main(["pairs", str(harbour), *CODOC, *QUIET]) == 0
    assert REMOVAL not in capsys.readouterr().err
    assert mined.items() <= checksums(harbour).items()
    assert json.loads((harbour / "manifest.json").read_text())["steps"]["negatives"] == section
    assert funnel(harbour, "negatives") == rows
    anew = ["pairs", str(harbour), *ANCHOR, "--overwrite", *QUIET]
    assert main([*anew, "--dry-run"]) == 0
    assert f"  removal {REMOVAL}" in capsys.readouterr().out.splitlines()
    assert mined.items() <= checksums(harbour).items()
    assert main(anew) == 0
    assert f"anchormine: {harbour}: {REMOVAL}" in capsys.readouterr().err.splitlines()
    assert "negatives" not in json.loads((harbour / "manifest.json").read_text())["steps"]
    assert not (harbour / "contrastive").exists()


def test_what_is_done_has_to_be_there(harbour: Path, capsys: pytest.CaptureFixture) -> None:
    """`--resume` finds nothing to do only where the tables can be read."""
    assert main(["negatives", str(harbour), *BM25, "--negatives", "2", *QUIET]) == 0
    commands = {
        "contrastive/anchor_document": ["negatives", str(harbour), *BM25, "--negatives", "2"],
        "pairs/anchor_document": ["pairs", str(harbour), *ANCHOR],
    }
    for table, command in commands.items():
        assert main([*command, "--resume", *QUIET]) == 0
        (shard,) = (harbour / table).glob("*.parquet")
        whole = shard.read_bytes()
        shard.unlink()
        capsys.readouterr()
        assert main([*command, "--resume", *QUIET]) == 1
        error = capsys.readouterr().err
        assert error.startswith(f"anchormine: {shard}: named in the manifest, but cannot be read (")
        assert error.endswith(f"; make it again with `anchormine {command[0]}` and --overwrite\n")
        shard.write_bytes(whole)


@pytest.mark.parametrize(
    ("options", "idle"),
    [
        (["--from", "bm25", "--index", "faiss", "--pooling", "mean"], ["--pooling", "--index"]),
        (["--from", "default", "--k1", "0.5"], ["--k1"]),
    ],
)
def test_options_that_have_no_part_are_named(
    harbour: Path, options: list[str], idle: list[str], capsys: pytest.CaptureFixture
) -> None:
    command = ["negatives", str(harbour), *ANCHOR, *options, "--passage-words", "9", "--negatives", "1"]
    assert main([*command, *QUIET]) == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if "no part" in line]
    assert lines == [
        *(f"anchormine: {name} has no part in --from {options[1]}" for name in idle),
        "anchormine: --passage-words has no part in negatives that are a page's text",
    ]


def test_a_damaged_table_that_would_stay(harbour: Path, capsys: pytest.CaptureFixture) -> None:
    """It is noticed before anything is removed."""
    assert main(["pairs", str(harbour), *CODOC, *QUIET]) == 0
    (shard,) = (harbour / "pairs" / "anchor_document").glob("*.parquet")
    shard.write_bytes(shard.read_bytes()[:300])
    before, manifest = checksums(harbour), (harbour / "manifest.json").read_text()
    capsys.readouterr()
    assert main(["pairs", str(harbour), *CODOC, "--overwrite", *QUIET]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"anchormine: {shard}: named in the manifest, but cannot be read (")
    assert error.endswith("; make it again with `anchormine pairs` and --overwrite\n")
    assert error.count("\n") == 1
    assert (checksums(harbour), (harbour / "manifest.json").read_text()) == (before, manifest)

"""Exports are read by the programs that they are for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from anchormine.export.formats import FORMATS
from anchormine.pipelines.cli import main
from anchormine.schemas.contrastive import CONTRASTIVE
from tests.datasets.croissant_records import plain
from tests.export.export_folders import (
    CONTRASTIVE_ROWS,
    PAGE_TEXTS,
    TABLES,
    mined,
    text_of,
    write_dataset,
)

ONE, TWO, THREE, FOUR = (text_of(number) for number in PAGE_TEXTS)
DOCUMENTS = {f"reef:{number}": {"title": title, "text": text} for number, (title, text) in PAGE_TEXTS.items()}
QUERIES = {"anchor_document:0": "reefs", "anchor_document:1": "plankton", "anchor_document:3": "swim"}
QRELS = {
    "train": {"anchor_document:0": {"reef:2": 1, "reef:1": 1}, "anchor_document:1": {"reef:3": 1}},
    "validation": {"anchor_document:3": {"reef:4": 1}},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("consumers") / "reef")


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "ir_datasets"))


def export(folder: Path, output: Path, name: str, *options: str) -> Path:
    arguments = ["export", str(folder), "--to", name, "--output", str(output), "--progress", "none"]
    assert main([*arguments, "--task", "anchor_document", *options]) == 0
    return output / "anchor_document"


def load(output: Path, split: str, cache: Path) -> Any:
    """Loads a table of pairs by the export's own card."""
    datasets = pytest.importorskip("datasets")
    return datasets.load_dataset(
        str(output), "anchor_document", split=split, cache_dir=str(cache), verification_mode="all_checks"
    )


def test_datasets_loads_what_has_a_split_without_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """No row of one split has so many negatives: the card does not name it, nor does croissant.json."""
    datasets = pytest.importorskip("datasets")
    table = "contrastive/anchor_document"
    splits = {**CONTRASTIVE_ROWS, "validation": [mined(3, "swim", "4", ("2", 3.0))]}
    monkeypatch.setitem(TABLES, table, (CONTRASTIVE, splits))
    output = tmp_path / "out"
    export(write_dataset(tmp_path / "reef", "pages", table), output, "pylate", "--negatives", "2")
    notes = [
        "anchor_document: 4 of the 5 negatives of train are written, 2 a row; another --negatives keeps "
        "others.",
        "anchor_document: no row of validation has enough negatives, so this split is left out; a smaller "
        "--negatives keeps some.",
    ]
    assert json.loads((output / "export.json").read_text())["notes"] == notes
    assert capsys.readouterr().err == "".join(f"anchormine: {note}\n" for note in notes)
    loaded = datasets.load_dataset(str(output), "anchor_document", cache_dir=str(tmp_path / "cache"))
    assert {split: rows["query"] for split, rows in loaded.items()} == {"train": ["reefs", "plankton"]}
    assert "validation-" not in (output / "croissant.json").read_text()


def tiny_bert(path: Path) -> str:
    """A BERT of almost no weights with the shipped encoder's tokenizer."""
    from transformers import AutoTokenizer, BertConfig, BertModel

    from anchormine.encoder import encoder_path

    tokenizer = AutoTokenizer.from_pretrained(encoder_path("default"))
    shape: dict[str, Any] = {
        "hidden_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 32,
    }
    BertModel(BertConfig(vocab_size=len(tokenizer), **shape)).save_pretrained(path)
    tokenizer.save_pretrained(path)
    return str(path)


@pytest.mark.slow
def test_sentence_transformers_trains_and_evaluates(folder: Path, tmp_path: Path) -> None:
    library = pytest.importorskip("sentence_transformers")
    losses = pytest.importorskip("sentence_transformers.losses")
    evaluation = pytest.importorskip("sentence_transformers.evaluation")
    pytest.importorskip("accelerate")  # its trainer asks for it
    export(folder, tmp_path / "out", "sentence-transformers")
    rows = {split: load(tmp_path / "out", split, tmp_path / "cache") for split in ("train", "validation")}
    assert rows["train"].column_names == ["anchor", "positive", "negative_1", "negative_2"]
    model = library.SentenceTransformer(tiny_bert(tmp_path / "bert"), device="cpu")
    settings = library.SentenceTransformerTrainingArguments(
        output_dir=str(tmp_path / "model"),
        max_steps=1,
        per_device_train_batch_size=2,
        use_cpu=True,
        report_to=[],
        save_strategy="no",
    )
    trainer = library.SentenceTransformerTrainer(
        model=model,
        args=settings,
        train_dataset=rows["train"],
        eval_dataset=rows["validation"],
        loss=losses.MultipleNegativesRankingLoss(model),
    )
    assert trainer.train().global_step == 1
    assert trainer.evaluate()["eval_loss"] > 0
    held_out = rows["validation"]
    triplets = evaluation.TripletEvaluator(
        held_out["anchor"], held_out["positive"], held_out["negative_1"], name="held-out"
    )
    query, near, far = (
        model.encode(held_out[name], normalize_embeddings=True)
        for name in ("anchor", "positive", "negative_1")
    )
    nearer = (query * near).sum(1) > (query * far).sum(1)
    assert triplets(model)["held-out_cosine_accuracy"] == nearer.mean()


@pytest.mark.slow
def test_pylate_trains(folder: Path, tmp_path: Path) -> None:
    unfit = "pylate is not installed, or does not fit this sentence-transformers"
    models = pytest.importorskip("pylate.models", reason=unfit, exc_type=ImportError)
    from pylate import losses, utils  # type: ignore[import-not-found, unused-ignore]

    export(folder, tmp_path / "out", "pylate")
    rows = load(tmp_path / "out", "train", tmp_path / "cache")
    assert rows.column_names == ["query", "positive", "negative_1", "negative_2"]
    model = models.ColBERT(tiny_bert(tmp_path / "bert"), device="cpu", embedding_size=8)
    batch = utils.ColBERTCollator(model.tokenize)([rows[0], rows[1]])
    features = [
        {key.removeprefix(f"{name}_"): value for key, value in batch.items() if key.startswith(f"{name}_")}
        for name in rows.column_names
    ]
    assert losses.Contrastive(model)(features).item() > 0


def test_beir_loads(folder: Path, tmp_path: Path) -> None:
    loader = pytest.importorskip("beir.datasets.data_loader", reason="beir is not installed")
    collection = export(folder, tmp_path / "out", "beir")
    for split, qrels in QRELS.items():
        corpus, queries, judged = loader.GenericDataLoader(str(collection)).load(split)
        assert corpus == DOCUMENTS
        assert queries == {query_id: QUERIES[query_id] for query_id in qrels}
        assert judged == qrels


@pytest.mark.slow
def test_information_retrieval_evaluator(folder: Path, tmp_path: Path) -> None:
    library = pytest.importorskip("sentence_transformers")
    evaluation = pytest.importorskip("sentence_transformers.evaluation")
    loader = pytest.importorskip("beir.datasets.data_loader", reason="beir is not installed")
    collection = export(folder, tmp_path / "out", "beir")
    corpus, queries, qrels = loader.GenericDataLoader(str(collection)).load("train")
    texts = {doc_id: f"{row['title']} {row['text']}" for doc_id, row in corpus.items()}
    relevant = {query_id: set(judged) for query_id, judged in qrels.items()}
    evaluator = evaluation.InformationRetrievalEvaluator(
        queries, texts, relevant, accuracy_at_k=[4], name="x"
    )
    model = library.SentenceTransformer(tiny_bert(tmp_path / "bert"), device="cpu")
    assert evaluator(model)["x_cosine_accuracy@4"] == 1.0  # of four documents


def test_our_own_evaluation_reads_beir(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    collection = export(folder, tmp_path / "out", "beir")
    capsys.readouterr()
    command = ["evaluate", "bm25", "--collection", str(collection), "--split", "train", "--json"]
    assert main([*command, "--output", str(tmp_path / "runs"), "--progress", "none"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["queries"] == 2
    assert report["systems"][0]["measures"]["RR@10"] == 1.0


def test_ir_measures_scores_the_run(folder: Path, tmp_path: Path) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    files = export(folder, tmp_path / "out", "trec")
    qrels = list(ir_measures.read_trec_qrels(str(files / "qrels.train.txt")))
    assert {(row.query_id, row.doc_id, row.relevance) for row in qrels} == {
        (query, doc, 1) for query, judged in QRELS["train"].items() for doc in judged
    }
    run = list(ir_measures.read_trec_run(str(files / "run.train.txt")))
    assert [(row.query_id, row.doc_id, row.score) for row in run] == [
        ("anchor_document:0", "reef:3", 2.25),
        ("anchor_document:0", "reef:1", 1.5),
        ("anchor_document:1", "reef:1", 0.5),
        ("anchor_document:1", "reef:2", 0.25),
    ]
    scores = ir_measures.calc_aggregate([ir_measures.RR @ 10], qrels, run)
    assert scores[ir_measures.RR @ 10] == pytest.approx(0.25)  # the second of one query, none of the other


class LocalFile:
    """A file as ir_datasets asks for one."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def path(self, force: bool = True) -> Path:
        return self._path

    @contextmanager
    def stream(self) -> Iterator[Any]:
        with self._path.open("rb") as stream:
            yield stream


def test_ir_datasets_reads_msmarco(folder: Path, tmp_path: Path) -> None:
    formats = pytest.importorskip("ir_datasets.formats", reason="ir_datasets is not installed")
    files = export(folder, tmp_path / "out", "msmarco")
    docs = list(formats.TsvDocs(LocalFile(files / "collection.tsv")).docs_iter())
    assert [(doc.doc_id, doc.text) for doc in docs] == [
        ("0", "A reef is a ridge. Fish live there."),
        ("1", "Coral builds reefs. It feeds on plankton."),
        ("2", THREE),
        ("3", FOUR),
    ]
    queries = list(formats.TsvQueries(LocalFile(files / "queries.tsv")).queries_iter())
    assert [(query.query_id, query.text) for query in queries] == [
        ("0", "reefs"),
        ("1", "plankton"),
        ("2", "swim"),
    ]
    qrels = list(formats.TrecQrels(LocalFile(files / "qrels.train.tsv"), {}).qrels_iter())
    assert [(row.query_id, row.doc_id, row.relevance) for row in qrels] == [
        ("0", "0", 1),
        ("0", "1", 1),
        ("1", "2", 1),
    ]
    triples = list(formats.TsvDocPairs(LocalFile(files / "qidpidtriples.validation.tsv")).docpairs_iter())
    assert [tuple(row) for row in triples] == [("2", "3", "0"), ("2", "3", "1")]


def test_ir_datasets_reads_kilt(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kilt = pytest.importorskip("ir_datasets.datasets.kilt", reason="ir_datasets is not installed")
    output = tmp_path / "out"
    assert main(["export", str(folder), "--to", "kilt", "--output", str(output), "--progress", "none"]) == 0
    docs = kilt.KiltDocs(LocalFile(output / "knowledgesource.jsonl"))
    (coral, *_) = list(docs.docs_iter())
    assert coral.doc_id == "reef:1"
    assert coral.title == "Coral"
    assert coral.text_pieces == ("Coral\n", "Coral builds reefs.\n", "It feeds on plankton.\n")
    assert [tuple(anchor) for anchor in coral.anchors] == [
        ("reefs", "Reef", 1, 13, 18),
        ("plankton", "Plankton", 2, 12, 20),
    ]
    assert coral.history_revid == "101"


def test_tevatron_finds_every_document(folder: Path, tmp_path: Path) -> None:
    """As its TrainDataset reads them; its package index has an older release, with another layout."""
    datasets = pytest.importorskip("datasets")
    files = export(folder, tmp_path / "out", "tevatron")

    def lines(name: str) -> Any:
        return datasets.load_dataset(
            "json", data_files=str(files / name), split="train", cache_dir=str(tmp_path / "cache")
        )

    train, corpus = lines("train.jsonl"), lines("corpus.jsonl")
    index = {docid: place for place, docid in enumerate(corpus["docid"])}
    assert "positive_passages" not in train.column_names  # by that it tells its older layout
    examples = []
    for group in train:
        positive = corpus[index[group["positive_document_ids"][0]]]
        negatives = [corpus[index[docid]] for docid in group["negative_document_ids"]]
        assert positive["document_text"] == positive["text"]
        examples.append((group["query_text"], positive["text"], [row["text"] for row in negatives]))
    assert examples == [
        ("reefs", TWO, [ONE, THREE]),
        ("plankton", THREE, [ONE, TWO]),
        ("Reefs ", ONE, [THREE]),
    ]
    passage = corpus[index["reef:4"]]
    assert passage["title"] + " " + passage["text"] == "Café fish Fish “swim”."  # what it encodes


def test_dpr_reads_questions(folder: Path, tmp_path: Path) -> None:
    """As its JsonQADataset reads them, which is on no package index."""
    files = export(folder, tmp_path / "out", "dpr")
    with (files / "train.json").open(encoding="utf-8") as stream:
        data = json.load(stream)
    samples = [row for row in data if len(row["positive_ctxs"]) > 0]
    assert [
        (
            row["question"],
            *(
                [(context["text"], context["title"]) for context in row[name]]
                for name in ("positive_ctxs", "negative_ctxs", "hard_negative_ctxs")
            ),
        )
        for row in samples
    ] == [
        ("reefs", [(TWO, "Reef")], [], [(ONE, "Coral"), (THREE, "Plankton")]),
        ("plankton", [(THREE, "Plankton")], [], [(ONE, "Coral"), (TWO, "Reef")]),
        ("Reefs ", [(ONE, "Coral")], [], [(THREE, "Plankton")]),
    ]


def test_datasets_loads_ids_only(folder: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    output = tmp_path / "out"
    assert (
        main(["export", str(folder), "--to", "ids-only", "--output", str(output), "--progress", "none"]) == 0
    )
    rows = datasets.load_dataset(
        str(output), "contrastive-anchor_document", split="validation", cache_dir=str(tmp_path / "cache")
    )
    assert rows[0]["negative_ids"] == ["reef:2", "reef:1"]
    links = datasets.load_dataset(str(output), "anchors", split="train", cache_dir=str(tmp_path / "cache"))
    assert links.num_rows == 7


def test_the_library_reads_anchors_by_destination(folder: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    output = tmp_path / "out"
    name = "anchors-by-destination"
    assert main(["export", str(folder), "--to", name, "--output", str(output), "--progress", "none"]) == 0
    rows = datasets.load_dataset(
        "json",
        data_files=str(output / "anchors.jsonl"),
        split="train",
        cache_dir=str(tmp_path / "cache"),
    )
    assert rows.column_names == ["id", "anchors"]
    assert rows[3] == {"id": "reef:4", "anchors": [{"text": "Fish", "count": 1}]}


@pytest.mark.parametrize("name", FORMATS)
def test_mlcroissant_reads_every_format(
    folder: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its description is without errors and warnings, names all files, and what is Parquet can be read."""
    mlcroissant = pytest.importorskip("mlcroissant")
    logged: list[str] = []
    monkeypatch.setattr("absl.logging.warning", logged.append)
    output = tmp_path / "out"
    assert main(["export", str(folder), "--to", name, "--output", str(output), "--progress", "none"]) == 0
    dataset = mlcroissant.Dataset(jsonld=output / "croissant.json")
    issues = dataset.metadata.ctx.issues
    assert (list(issues.errors), list(issues.warnings), logged) == ([], [], [])
    listed = json.loads((output / "export.json").read_text())["files"]
    described = [file for file in dataset.metadata.distribution if isinstance(file, mlcroissant.FileObject)]
    assert {(file.id, file.sha256, file.content_size) for file in described} == {
        (file["path"], file["sha256"], f"{file['bytes']} B") for file in listed if file["rows"] is not None
    }
    for records in dataset.metadata.record_sets:
        rows = [
            row
            for path in sorted(output.glob("**/*.parquet"))
            if str(path.parent.relative_to(output)).replace("/", "-") == records.id
            for row in pq.read_table(path).to_pylist()
        ]
        assert rows
        read = [plain(row) for row in dataset.records(records.id)]
        assert [{key: row[key] for key in rows[0]} for row in read] == rows
    parquet = name in ("sentence-transformers", "pylate", "ids-only")
    assert bool(dataset.metadata.record_sets) == parquet

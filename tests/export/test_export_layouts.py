"""What each format writes, whole."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from anchormine.pipelines.cli import main
from anchormine.schemas.contrastive import CONTRASTIVE, Contrastive
from tests.export.export_folders import (
    FILTERED_ROWS,
    PAGE_TEXTS,
    TABLES,
    WIKI,
    files_of,
    mined,
    pair,
    rows_of,
    text_of,
    write_dataset,
)

ONE, TWO, THREE, FOUR = (text_of(number) for number in PAGE_TEXTS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_dataset(tmp_path / "reef")


def export(folder: Path, name: str, *options: str) -> Path:
    output = folder.parent / "exported"
    arguments = ["export", str(folder), "--to", name, "--output", str(output), "--progress", "none", *options]
    assert main(arguments) == 0
    return output


def counts(output: Path) -> dict[str, tuple[int, int, dict[str, int]]]:
    rows = json.loads((output / "export.json").read_text())["funnel"]
    for row in rows:
        assert row["read"] == row["written"] + sum(row["rejected"].values()) + row["unreadable"]
    return {row["unit"]: (row["read"], row["written"], row["rejected"]) for row in rows}


def json_lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.split("\n")[:-1]]


def test_sentence_transformers(folder: Path) -> None:
    output = export(folder, "sentence-transformers")
    assert rows_of(output, "anchor_document/train-*") == [
        {"anchor": "reefs", "positive": TWO, "negative_1": ONE, "negative_2": THREE},
        {"anchor": "plankton", "positive": THREE, "negative_1": ONE, "negative_2": TWO},
    ]
    assert rows_of(output, "anchor_document/validation-*") == [
        {"anchor": "swim", "positive": FOUR, "negative_1": TWO, "negative_2": ONE}
    ]
    assert rows_of(output, "codoc/*") == [
        {"anchor": "Coral builds reefs.", "positive": "It feeds on plankton."},
        {"anchor": "It feeds on plankton.", "positive": "Coral builds reefs."},
    ]
    assert rows_of(output, "qdm/*") == [
        {"anchor": "fish", "positive": "Fish “swim”.", "negative": "A reef is\ta ridge."}
    ]
    assert rows_of(output, "rqp/*") == [
        {"anchor": "A reef is\ta ridge.", "positive": "builds reefs", "negative": "ridge"}
    ]
    assert counts(output) == {
        "contrastive-anchor_document": (4, 3, {"few_negatives": 1}),
        "pairs-codoc": (2, 2, {}),
        "pairs-qdm": (1, 1, {}),
        "pairs-rqp": (1, 1, {}),
    }
    schema = pq.read_schema(next(output.glob("anchor_document/train-*")))
    assert [(field.name, str(field.type), field.nullable) for field in schema] == [
        (name, "string", False) for name in ("anchor", "positive", "negative_1", "negative_2")
    ]


def test_a_number_of_negatives_that_all_rows_have(folder: Path) -> None:
    output = export(folder, "sentence-transformers", "--task", "anchor_document", "--negatives", "1")
    assert rows_of(output, "anchor_document/train-*") == [
        {"anchor": "reefs", "positive": TWO, "negative": ONE},
        {"anchor": "plankton", "positive": THREE, "negative": ONE},
        {"anchor": "Reefs ", "positive": ONE, "negative": THREE},
    ]


def test_pairs_where_there_are_negatives(folder: Path) -> None:
    output = export(
        folder, "sentence-transformers", "--task", "anchor_document", "--source", "pairs", "--limit", "2"
    )
    assert rows_of(output, "anchor_document/*") == [
        {"anchor": "reefs", "positive": TWO},
        {"anchor": "plankton", "positive": THREE},
    ]


def test_pylate(folder: Path) -> None:
    output = export(folder, "pylate")
    assert rows_of(output, "anchor_document/validation-*") == [
        {"query": "swim", "positive": FOUR, "negative_1": TWO, "negative_2": ONE}
    ]
    assert rows_of(output, "qdm/*") == [
        {"query": "fish", "positive": "Fish “swim”.", "negative_1": "A reef is\ta ridge."}
    ]
    assert rows_of(output, "rqp/*") == [{"query": "builds reefs", "positive": "A reef is\ta ridge."}]


def test_tevatron(folder: Path) -> None:
    files = files_of(export(folder, "tevatron"))
    assert json_lines(files["anchor_document/train.jsonl"])[1:] == [
        {
            "query_id": "anchor_document:1",
            "query_text": "plankton",
            "positive_document_ids": ["reef:3"],
            "negative_document_ids": ["reef:1", "reef:2"],
        },
        {
            "query_id": "anchor_document:2",
            "query_text": "Reefs ",
            "positive_document_ids": ["reef:1"],
            "negative_document_ids": ["reef:3"],
        },
    ]
    assert json_lines(files["anchor_document/corpus.jsonl"]) == [
        {"docid": f"reef:{number}", "title": title, "text": text, "document_text": text}
        for number in ("2", "1", "3", "4")
        for title, text in [PAGE_TEXTS[number]]
    ]
    passages = json_lines(files["codoc/corpus.jsonl"])
    assert [row["text"] for row in passages] == ["It feeds on plankton.", "Coral builds reefs."]
    assert [row["positive_document_ids"] for row in json_lines(files["codoc/train.jsonl"])] == [
        [row["docid"]] for row in passages
    ]
    assert all(row["docid"].startswith("reef:1#") and row["title"] == "Coral" for row in passages)


def test_dpr(folder: Path) -> None:
    files = files_of(export(folder, "dpr", "--task", "anchor_document"))
    assert json.loads(files["anchor_document/validation.json"]) == [
        {
            "question": "swim",
            "answers": [],
            "positive_ctxs": [{"title": "Café fish", "text": FOUR, "score": 1000, "passage_id": "reef:4"}],
            "negative_ctxs": [],
            "hard_negative_ctxs": [
                {"title": "Reef", "text": TWO, "score": 3.0, "passage_id": "reef:2"},
                {"title": "Coral", "text": ONE, "score": 1.0, "passage_id": "reef:1"},
            ],
        }
    ]
    assert len(json.loads(files["anchor_document/train.json"])) == 3


def test_beir(folder: Path) -> None:
    output = export(folder, "beir", "--task", "anchor_document")
    files = files_of(output)
    assert json_lines(files["anchor_document/corpus.jsonl"]) == [
        {"_id": f"reef:{number}", "title": PAGE_TEXTS[number][0], "text": text_of(number)}
        for number in ("2", "1", "3", "4")
    ]
    assert json_lines(files["anchor_document/queries.jsonl"]) == [
        {"_id": "anchor_document:0", "text": "reefs"},
        {"_id": "anchor_document:1", "text": "plankton"},
        {"_id": "anchor_document:3", "text": "swim"},
    ]
    assert files["anchor_document/qrels/train.tsv"] == (
        "query-id\tcorpus-id\tscore\n"
        "anchor_document:0\treef:2\t1\n"
        "anchor_document:0\treef:1\t1\n"
        "anchor_document:1\treef:3\t1\n"
    )
    assert files["anchor_document/qrels/validation.tsv"] == (
        "query-id\tcorpus-id\tscore\nanchor_document:3\treef:4\t1\n"
    )
    assert counts(output) == {"contrastive-anchor_document": (4, 4, {})}


def test_all_pages_are_documents_if_asked_for(folder: Path) -> None:
    used = export(folder, "beir", "--task", "anchor_document", "--source", "pairs", "--limit", "1")
    assert [row["_id"] for row in json_lines(files_of(used)["anchor_document/corpus.jsonl"])] == ["reef:2"]
    options = ("--task", "anchor_document", "--source", "pairs", "--limit", "1")
    everything = export(folder, "beir", *options, "--corpus", "all", "--overwrite")
    assert json_lines(files_of(everything)["anchor_document/corpus.jsonl"]) == [
        {"_id": f"reef:{number}", "title": title, "text": text}
        for number, (title, text) in PAGE_TEXTS.items()
    ]
    leads = export(folder, "beir", "--task", "qdm", "--corpus", "all", "--overwrite")
    assert [row["text"] for row in json_lines(files_of(leads)["qdm/corpus.jsonl"])] == [
        text.partition("\n")[0] for _, text in PAGE_TEXTS.values()
    ]


@pytest.mark.parametrize("task", ["rop", "bprop"])
def test_all_main_texts_are_documents_of_word_sets(tmp_path: Path, task: str) -> None:
    folder = write_dataset(
        tmp_path / "reef", "pages", rows={f"pairs/{task}": [pair(task, 0, "coral", "1", ONE)]}
    )
    everything = export(folder, "beir", "--corpus", "all")
    assert [row["text"] for row in json_lines(files_of(everything)[f"{task}/corpus.jsonl"])] == [
        text for _, text in PAGE_TEXTS.values()
    ]


def test_equal_judgements_are_there_once(tmp_path: Path) -> None:
    rows = [pair("qdm", n, query, "1", ONE) for n, query in enumerate(("coral", " Coral", "coral"))]
    folder = write_dataset(tmp_path / "reef", "pages", rows={"pairs/qdm": rows})
    output = export(folder, "beir")
    assert files_of(output)["qdm/qrels/train.tsv"] == "query-id\tcorpus-id\tscore\nqdm:0\treef:1\t1\n"
    assert counts(output) == {"pairs-qdm": (3, 1, {"duplicate": 2})}


def test_msmarco(folder: Path) -> None:
    output = export(folder, "msmarco", "--task", "anchor_document")
    assert files_of(output) == {
        "anchor_document/collection.tsv": (
            "0\tA reef is a ridge. Fish live there.\n"
            "1\tCoral builds reefs. It feeds on plankton.\n"
            "2\tPlankton drifts.\n"
            "3\tFish “swim”.\n"
        ),
        "anchor_document/collection.ids.tsv": "0\treef:2\n1\treef:1\n2\treef:3\n3\treef:4\n",
        "anchor_document/queries.tsv": "0\treefs\n1\tplankton\n2\tswim\n",
        "anchor_document/queries.ids.tsv": (
            "0\tanchor_document:0\n1\tanchor_document:1\n2\tanchor_document:3\n"
        ),
        "anchor_document/qrels.train.tsv": "0\t0\t0\t1\n0\t0\t1\t1\n1\t0\t2\t1\n",
        "anchor_document/qrels.validation.tsv": "2\t0\t3\t1\n",
        "anchor_document/qidpidtriples.train.tsv": "0\t0\t2\n1\t2\t1\n1\t2\t0\n0\t1\t2\n",
        "anchor_document/qidpidtriples.validation.tsv": "2\t3\t0\n2\t3\t1\n",
    }
    notes = json.loads((output / "export.json").read_text())["notes"]
    assert notes == [
        "anchor_document: triples left out as their negative is relevant to the query by another row: 1.",
        "anchor_document: 2 texts had tabs or ends of lines; each is a space now.",
    ]


@pytest.mark.parametrize(
    ("kind", "triples"),
    [
        ("ids", ("qidpidtriples", "0\t0\t2\n0\t0\t2\n", "1\t1\t2\n")),
        ("text", ("triples", "Coral\t{1}\t{3}\ncoral\t{1}\t{3}\n", "reef\t{2}\t{3}\n")),
    ],
)
def test_no_triple_contradicts_a_judgement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, triples: tuple[str, str, str]
) -> None:
    """Neither a later one, nor one of another split; a row of which nothing is left is a duplicate."""
    splits = {
        "train": [
            mined(0, "Coral", "1", ("2", 2.0), ("3", 1.0)),  # page 2 is relevant by row 2
            mined(1, "reef", "2", ("4", 2.0)),  # page 4 is by row 4, in the other split
            mined(2, " coral", "2", ("1", 2.0)),
            mined(3, "coral", "1", ("2", 2.0)),  # judged as row 0 is, and without a triple
            mined(5, "coral", "1", ("3", 2.0)),
        ],
        "validation": [mined(4, "reef", "4", ("2", 2.0)), mined(6, "reef", "2", ("3", 2.0))],
    }
    table = "contrastive/anchor_document"
    monkeypatch.setitem(TABLES, table, (CONTRASTIVE, splits))
    output = export(write_dataset(tmp_path / "reef", "pages", table), "msmarco", "--triples", kind)
    name, train, validation = triples
    files = files_of(output)
    lines = ["", *(" ".join(text.split()) for text in (ONE, TWO, THREE, FOUR))]
    written = {path: text for path, text in files.items() if "triples" in path}
    assert written == {
        f"anchor_document/{name}.train.tsv": train.format(*lines),
        f"anchor_document/{name}.validation.tsv": validation.format(*lines),
    }
    assert files["anchor_document/qrels.train.tsv"] == "0\t0\t0\t1\n0\t0\t1\t1\n1\t0\t1\t1\n"
    assert counts(output) == {"contrastive-anchor_document": (7, 6, {"duplicate": 1})}
    assert json.loads((output / "export.json").read_text())["notes"][0] == (
        "anchor_document: triples left out as their negative is relevant to the query by another row: 5."
    )


def test_triples_of_texts(folder: Path) -> None:
    files = files_of(export(folder, "msmarco", "--task", "qdm", "--triples", "text"))
    assert files["qdm/triples.train.tsv"] == "fish\tFish “swim”.\tA reef is a ridge.\n"
    assert "qdm/qidpidtriples.train.tsv" not in files


def test_trec(folder: Path) -> None:
    assert files_of(export(folder, "trec", "--task", "anchor_document")) == {
        "anchor_document/topics.tsv": (
            "anchor_document:0\treefs\nanchor_document:1\tplankton\nanchor_document:3\tswim\n"
        ),
        "anchor_document/qrels.train.txt": (
            "anchor_document:0 0 reef:2 1\nanchor_document:0 0 reef:1 1\nanchor_document:1 0 reef:3 1\n"
        ),
        "anchor_document/qrels.validation.txt": "anchor_document:3 0 reef:4 1\n",
        "anchor_document/run.train.txt": (
            "anchor_document:0 Q0 reef:3 1 2.25 bm25\n"
            "anchor_document:0 Q0 reef:1 2 1.5 bm25\n"
            "anchor_document:1 Q0 reef:1 1 0.5 bm25\n"
            "anchor_document:1 Q0 reef:2 2 0.25 bm25\n"
        ),
        "anchor_document/run.validation.txt": (
            "anchor_document:3 Q0 reef:2 1 3 bm25\nanchor_document:3 Q0 reef:1 2 1 bm25\n"
        ),
    }


def test_kilt(folder: Path) -> None:
    output = export(folder, "kilt")
    pages = json_lines(files_of(output)["knowledgesource.jsonl"])
    assert pages[0] == {
        "_id": "reef:1",
        "wikipedia_id": "reef:1",
        "wikipedia_title": "Coral",
        "text": ["Coral\n", "Coral builds reefs.\n", "It feeds on plankton.\n"],
        "anchors": [
            {"text": "reefs", "href": "Reef", "paragraph_id": 1, "start": 13, "end": 18},
            {"text": "plankton", "href": "Plankton", "paragraph_id": 2, "start": 12, "end": 20},
        ],
        "categories": "",
        "history": {
            "revid": "101",
            "timestamp": "2024-05-06T07:08:09Z",
            "parentid": "",
            "pageid": "1",
            "title": "Coral",
            "url": "https://reef.example/wiki/Coral",
        },
    }
    assert [[anchor["href"] for anchor in page["anchors"]] for page in pages[1:]] == [
        ["Caf%C3%A9%20fish"],
        ["Kelp%20%26%20co"],
        ["Reef", "Reef"],
    ]
    for row in pages:
        for anchor in row["anchors"]:
            assert row["text"][anchor["paragraph_id"]][anchor["start"] : anchor["end"]] == anchor["text"]
    assert counts(output) == {"pages": (4, 4, {}), "anchors": (7, 6, {"not_in_text": 1})}


def test_kilt_of_some_pages(folder: Path) -> None:
    output = export(folder, "kilt", "--limit", "1")
    assert counts(output) == {"pages": (1, 1, {}), "anchors": (7, 2, {"limit": 5})}


def test_anchors_by_destination(folder: Path) -> None:
    output = export(folder, "anchors-by-destination")
    assert json_lines(files_of(output)["anchors.jsonl"]) == [
        {"id": "reef:1", "anchors": [{"text": "corals", "count": 1}]},
        {
            "id": "reef:2",
            "anchors": [
                {"text": "Fish", "count": 1},
                {"text": "reefs", "count": 1},
                {"text": "“swim”", "count": 1},
            ],
        },
        {"id": "reef:3", "anchors": [{"text": "plankton", "count": 1}]},
        {"id": "reef:4", "anchors": [{"text": "Fish", "count": 1}]},
    ]
    assert counts(output) == {"anchors": (7, 6, {"no_destination": 1}), "pages": (4, 4, {})}


def test_cleaned_anchors_by_destination(tmp_path: Path) -> None:
    doubled = [*FILTERED_ROWS, FILTERED_ROWS[0]]
    folder = write_dataset(tmp_path / "reef", "pages", "anchors", rows={"filtered": doubled})
    output = export(folder, "anchors-by-destination")
    lines = json_lines(files_of(output)["anchors.jsonl"])
    assert lines[1] == {
        "id": "reef:2",
        "anchors": [{"text": "reefs", "count": 2}, {"text": "fish", "count": 1}],
    }


def test_ids_only(folder: Path) -> None:
    output = export(folder, "ids-only")
    tables = {
        str(path.parent.relative_to(output)): set(pq.read_schema(path).names)
        for path in output.rglob("*.parquet")
    }
    assert set(tables) == {
        *("anchors", "pages", "contrastive/anchor_document"),
        *(f"pairs/{task}" for task in ("anchor_document", "codoc", "qdm", "rqp")),
    }
    texts = {"title", "url", "lead", "text", "anchor", "sentence", "target", "query", "document", "positive",
             "negatives", "query_terms", "redirects_from"}  # fmt: skip
    assert not texts.intersection(*tables.values())
    written = "\n".join(str(rows_of(output, f"{table}/*")) for table in tables)
    assert [word for word in ("Coral", "reefs", "plankton", "Fish") if word in written] == []
    assert rows_of(output, "contrastive/anchor_document/validation-*") == [
        {
            "query_id": "anchor_document:3",
            "positive_id": "reef:4",
            "negative_ids": ["reef:2", "reef:1"],
            "mined_from": "bm25",
            "negative_scores": [3.0, 1.0],
        }
    ]
    links = rows_of(output, "anchors/*")
    assert [
        (row["anchor_id"], row["start"], row["end"], row["destination_page_id"]) for row in links[:2]
    ] == [
        ("reef:1#a0", 13, 18, "reef:2"),
        ("reef:1#a1", 12, 20, "reef:3"),
    ]


def test_the_number_of_columns_serves_every_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many rows with three negatives do not cost the other split all of its rows, which have two."""
    three, two = (("1", 3.0), ("3", 2.0), ("4", 1.0)), (("1", 3.0), ("3", 2.0))
    splits = {
        "train": [mined(n, f"reef {n}", "2", *three) for n in range(9)],
        "validation": [mined(n, f"sea {n}", "2", *two) for n in range(9, 12)],
    }
    table = "contrastive/anchor_document"
    monkeypatch.setitem(TABLES, table, (TABLES[table][0], splits))
    folder = write_dataset(tmp_path / "reef", "pages", table)
    output = export(folder, "pylate")
    (first, *_) = rows_of(output, "anchor_document/train-*")
    assert list(first) == ["query", "positive", "negative_1", "negative_2"]
    assert counts(output) == {"contrastive-anchor_document": (12, 12, {})}
    note = (
        "anchor_document: 18 of the 27 negatives of train are written, 2 a row; another --negatives keeps "
        "others."
    )
    assert json.loads((output / "export.json").read_text())["notes"] == [note]


PASSAGES = [  # a task whose negatives are passages
    Contrastive("codoc:0", "a query", f"{WIKI}:1", "It feeds on plankton.", [f"{WIKI}:2#p1"],
                ["Fish live there."], "bm25", [1.0]),
    Contrastive("codoc:1", "other words", f"{WIKI}:2", "Fish live there.", [f"{WIKI}:1#p0"],
                ["Coral builds reefs."], "bm25", [2.0]),
]  # fmt: skip


@pytest.fixture
def passages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    table = "contrastive/codoc"
    monkeypatch.setitem(TABLES, table, (CONTRASTIVE, {"train": PASSAGES}))
    return write_dataset(tmp_path / "reef", "pages", table)


def test_mined_passages_are_documents_like_others(passages: Path) -> None:
    """With their page's title, or a model would learn that positives have one; once, by one id."""
    files = files_of(export(passages, "tevatron"))
    corpus = json_lines(files["codoc/corpus.jsonl"])
    assert [(row["title"], row["text"]) for row in corpus] == [
        ("Coral", "It feeds on plankton."),
        ("Reef", "Fish live there."),
        ("Coral", "Coral builds reefs."),
    ]
    plankton, fish, reefs = (row["docid"] for row in corpus)
    assert [name.partition("#")[0] for name in (plankton, fish, reefs)] == ["reef:1", "reef:2", "reef:1"]
    assert [
        (row["positive_document_ids"], row["negative_document_ids"])
        for row in json_lines(files["codoc/train.jsonl"])
    ] == [([plankton], [fish]), ([fish], [reefs])]


def passage_id(page_id: str, text: str) -> str:
    return f"{page_id}#{hashlib.blake2b(text.encode(), digest_size=8).hexdigest()}"


PLANKTON = passage_id(f"{WIKI}:1", "It feeds on plankton.")
REEFS = passage_id(f"{WIKI}:1", "Coral builds reefs.")
FISH = passage_id(f"{WIKI}:2", "Fish live there.")


def test_mined_passages_of_dpr(passages: Path) -> None:
    """They have their page's title, and one id each, whether positive or negative."""
    questions = json.loads(files_of(export(passages, "dpr"))["codoc/train.json"])
    assert [
        [
            (passage["title"], passage["passage_id"])
            for kind in ("positive_ctxs", "hard_negative_ctxs")
            for passage in question[kind]
        ]
        for question in questions
    ] == [[("Coral", PLANKTON), ("Reef", FISH)], [("Reef", FISH), ("Coral", REEFS)]]


def test_mined_passages_of_trec(passages: Path) -> None:
    """No index has them: their texts are written."""
    assert files_of(export(passages, "trec")) == {
        "codoc/topics.tsv": "codoc:0\ta query\ncodoc:1\tother words\n",
        "codoc/collection.tsv": (
            f"{PLANKTON}\tIt feeds on plankton.\n{FISH}\tFish live there.\n{REEFS}\tCoral builds reefs.\n"
        ),
        "codoc/qrels.train.txt": f"codoc:0 0 {PLANKTON} 1\ncodoc:1 0 {FISH} 1\n",
        "codoc/run.train.txt": f"codoc:0 Q0 {FISH} 1 1 bm25\ncodoc:1 Q0 {REEFS} 1 2 bm25\n",
    }


def test_a_mined_passage_does_not_take_the_id_of_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a task whose documents are pages, when passages were mined for it."""
    rows = [
        Contrastive("anchor_document:0", "reefs", f"{WIKI}:2", TWO, [f"{WIKI}:1#p0"], ["Coral builds reefs."],
                    "bm25", [1.0]),
        Contrastive("anchor_document:1", "coral", f"{WIKI}:1", ONE, [f"{WIKI}:3#p0"], [THREE], "bm25", [1.0]),
    ]  # fmt: skip
    table = "contrastive/anchor_document"
    monkeypatch.setitem(TABLES, table, (CONTRASTIVE, {"train": rows}))
    files = files_of(export(write_dataset(tmp_path / "reef", "pages", table), "beir"))
    corpus = json_lines(files["anchor_document/corpus.jsonl"])
    assert [row["_id"] for row in corpus if row["text"] == ONE] == ["reef:1"]
    assert [row["title"] for row in corpus] == ["Reef", "Coral", "Coral", "Plankton"]

"""`anchormine pairs`, tasks rop and bprop: whole outputs, counts, poor input, the same bytes everywhere."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from anchormine.sampling.stop_words import stop_words
from anchormine.schemas.pages import Page
from tests.filters.anchor_folders import page, write_folder
from tests.pipelines.command_runs import QUIET, checksums, funnel, main, read_table
from tests.pipelines.worker_rigs import assert_same, job_service
from tests.sampling.small_collections import chances
from tests.sampling.tiny_encoders import save_tiny_bert

__all__ = ["job_service"]  # a fixture

WORDS = ["pier pile pile ship", "ship ship sail mast mast mast rope rope", "pier light ship"]
TEXTS = [words.replace(" ", ", the ").title() for words in WORDS]
EVERYTHING = ("--task", "rop", "--min-count", "1")


def pages(texts: Sequence[str]) -> list[Page]:
    return [page(f"w:{number}")._replace(text=text) for number, text in enumerate(texts)]


def folder_of(folder: Path, texts: Sequence[str]) -> Path:
    return write_folder(folder, [], pages(texts), shards=0)


def pairs(folder: Path, *options: str) -> int:
    return main(["pairs", str(folder), *options, *QUIET])


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    return folder_of(tmp_path / "harbour", TEXTS)


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_bert(tmp_path_factory.mktemp("encoder"))


def check_rows(folder: Path, task: str) -> None:
    """Checks what holds for every pair, whatever was drawn."""
    texts = {row["page_id"]: row["text"] for row in read_table(folder, "pages")}
    rows = read_table(folder, f"pairs/{task}")
    assert len({row["pair_id"] for row in rows}) == len(rows)
    for row in rows:
        page_id, _, number = row["pair_id"].removeprefix(f"{task}:").rpartition("#w")
        assert 0 <= int(number) < 5
        assert row["task"] == task
        assert row["document_id"] == row["negative_document_id"] == page_id
        assert row["document"] == row["negative_document"] == texts[page_id]
        sides = [[term["term"] for term in row[name]] for name in ("query_terms", "negative_query_terms")]
        assert [" ".join(words) for words in sides] == [row["query"], row["negative_query"]]
        assert sorted(sides[0]) != sorted(sides[1])
        assert (row["sentence_id"], row["anchor_id"], row["occurrences"]) == (None, None, None)


def test_the_terms_and_options_of_rop(harbour: Path, capsys: pytest.CaptureFixture) -> None:
    assert pairs(harbour, *EVERYTHING, "--subsample", "0") == 0
    printed = capsys.readouterr()
    assert printed.err == "anchormine: pairs are made of pages/\n"
    assert printed.out.splitlines()[-6:-1] == [
        "terms of rop (3 documents of 5.00 words)",
        "  words                 15",
        "  terms                  7",
        "  drawable               7",
        "",
    ]
    assert read_table(harbour, "terms/rop") == [
        {
            "term": term,
            "word": None,
            "occurrences": occurrences,
            "documents": documents,
            "corpus_documents": 3,
            "mean_length": 5.0,
        }
        for term, occurrences, documents in [
            ("ship", 4, 3),
            ("mast", 3, 1),
            ("pier", 2, 2),
            ("pile", 2, 1),
            ("rope", 2, 1),
            ("light", 1, 1),
            ("sail", 1, 1),
        ]
    ]
    options = json.loads((harbour / "manifest.json").read_text())["steps"]["pairs"]["options"]
    assert options == {
        "task": ["rop"], "source": "anchors", "rop_profile": "ours", "stop_words": None, "min_words": 0,
        "limit": None, "language": None, "sampling": "model", "stem": "none", "min_count": 1,
        "subsample": 0.0, "word_sets": 5, "document": "text", "document_model": {
            "words": "letters", "left_out": [], "background": "counts", "thinned": "draws",
            "length": "poisson", "mu": "mean length",
        },
    }  # fmt: skip


def test_every_row_of_rop(harbour: Path) -> None:
    assert pairs(harbour, *EVERYTHING, "--subsample", "0") == 0
    check_rows(harbour, "rop")
    documents = [words.split() for words in WORDS]
    for row in read_table(harbour, "pairs/rop"):
        chance = chances(documents, int(row["document_id"].removeprefix("w:")))
        for name in ("query_terms", "negative_query_terms"):
            assert row[name] == [
                {"term": one["term"], "weight": pytest.approx(chance[one["term"]])} for one in row[name]
            ]
        scores = [
            sum(math.log(chance[word]) for word in row[name].split()) for name in ("query", "negative_query")
        ]
        assert scores[0] > scores[1]
        assert len(row["query_terms"]) == len(row["negative_query_terms"])
    found = funnel(harbour, "pairs")["pairs-rop"]
    assert (found["read"], found["written"]) == (15, len(read_table(harbour, "pairs/rop")))
    assert set(found["rejected"]) <= {"equal_sets", "equal_scores"}


def test_what_cannot_be_drawn_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = folder_of(tmp_path / "harbour", [*TEXTS, " \n", "1969, 11", "The", "Quay."])
    assert pairs(folder, "--task", "rop", "--min-count", "2", "--min-words", "1") == 0
    found = funnel(folder, "pairs")["pairs-rop"]
    assert found["read"] == 7 * 5
    sets = sum(found["rejected"].pop(reason, 0) for reason in ("equal_sets", "equal_scores"))
    assert found["written"] + sets == 15
    assert found["rejected"] == {"empty_document": 5, "no_words": 15}
    rejects = read_table(folder, "rejects/pairs")
    assert {(row["origin"], row["reason"], row["records"]) for row in rejects} >= {
        ("w:3", "empty_document", 5), ("w:4", "no_words", 5), ("w:5", "no_words", 5), ("w:6", "no_words", 5),
    }  # fmt: skip
    drawn = {word for row in read_table(folder, "pairs/rop") for word in row["query"].split()}
    assert drawn <= {"ship", "mast", "pier", "pile", "rope"}


@pytest.mark.parametrize(
    ("texts", "options", "rejected", "warning"),
    [
        (
            TEXTS,
            (),
            {"no_words": 15},
            "rop: none of the 7 words of the pages occurs 50 times; give a lower --min-count",
        ),
        (["", " "], ("--min-count", "1"), {"empty_document": 10}, None),
        (["12 + 3"], ("--min-count", "1"), {"no_words": 5}, None),
        (["pier"], ("--min-count", "1"), {"equal_sets": 5}, None),
        (["pier"] * 9, ("--min-count", "1"), {"equal_sets": 45}, None),
    ],
)
def test_poor_corpora(
    tmp_path: Path,
    capsys: pytest.CaptureFixture,
    texts: list[str],
    options: tuple[str, ...],
    rejected: dict[str, int],
    warning: str | None,
) -> None:
    folder = folder_of(tmp_path / "poor", texts)
    assert pairs(folder, "--task", "rop", *options) == 0
    lines = ["pairs are made of pages/", *([warning] if warning else []), "rop: no pair was made"]
    assert capsys.readouterr().err.splitlines() == [f"anchormine: {line}" for line in lines]
    assert funnel(folder, "pairs")["pairs-rop"]["rejected"] == rejected


def test_identical_pages_of_several_words(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "same", [TEXTS[1]] * 4)
    assert pairs(folder, *EVERYTHING) == 0
    check_rows(folder, "rop")
    assert funnel(folder, "pairs")["pairs-rop"]["written"] > 0
    assert {row["documents"] for row in read_table(folder, "terms/rop")} == {4}


def test_options(harbour: Path) -> None:
    def made(*options: str) -> list[dict]:
        assert pairs(harbour, *EVERYTHING, "--overwrite", *options) == 0
        return read_table(harbour, "pairs/rop")

    plain = made()
    assert made() == plain
    for options in (("--seed", "7"), ("--sampling", "random"), ("--profile", "paper"), ("--subsample", "0")):
        assert made(*options) != plain, options
    assert len(made("--word-sets", "40")) > 60
    assert {row["document"] for row in made("--document", "lead")} <= {"Lead."}
    assert {row["document_id"] for row in made("--limit", "1")} == {"w:0"}


def test_tasks_that_an_option_does_not_concern_stay(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """What goes is said before, and leaves no folder behind."""
    words = ("pier", "pile", "ship", "mast")
    sentences = [f"The {one} has a {other}." for one in words for other in words]
    harbour = folder_of(tmp_path / "harbour", [" ".join(sentences), " ".join(sentences[:6])])
    assert pairs(harbour, *EVERYTHING) == 0
    assert pairs(harbour, "--task", "ict", "codoc", "--passage-words", "12", "--query-words", "1") == 0
    before = checksums(harbour)
    capsys.readouterr()
    command = (*EVERYTHING, "--profile", "paper", "--subsample", "0", "--overwrite")
    assert pairs(harbour, *command) == 0
    assert "ict, codoc stay as they are" in capsys.readouterr().err
    after = checksums(harbour)
    staying = {name for name in before if name.startswith(("pairs/ict", "pairs/codoc"))}
    assert staying
    assert {name: after[name] for name in staying} == {name: before[name] for name in staying}
    assert (
        json.loads((harbour / "manifest.json").read_text())["steps"]["pairs"]["options"]["rop_profile"]
        == "paper"
    )
    line = "ict, codoc of an earlier run go: made with min_words 0, not 2"
    assert pairs(harbour, *command, "--min-words", "2", "--dry-run") == 0
    assert f"  removal {line}" in capsys.readouterr().out.splitlines()
    assert checksums(harbour) == after
    assert pairs(harbour, *command, "--min-words", "2") == 0
    assert f"anchormine: {harbour}: {line}" in capsys.readouterr().err.splitlines()
    assert [path.name for path in (harbour / "pairs").iterdir()] == ["rop"]


def test_stems_are_counted_and_words_are_drawn(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "stems", ["Ships shipped sailing", "shipping sails sail", "sailed"])
    assert pairs(folder, *EVERYTHING, "--stem", "snowball", "--subsample", "0", "--word-sets", "30") == 0
    size = {"corpus_documents": 3, "mean_length": 7 / 3}
    assert read_table(folder, "terms/rop") == [
        {"term": "sail", "word": "sailing", "occurrences": 4, "documents": 3, **size},
        {"term": "ship", "word": "ships", "occurrences": 3, "documents": 2, **size},
    ]
    drawn: dict[str, set[str]] = {}
    for row in read_table(folder, "pairs/rop"):
        drawn.setdefault(row["document_id"], set()).update(row["query"].split())
    assert drawn == {"w:0": {"ships", "sailing"}, "w:1": {"shipping", "sails"}, "w:2": {"ships", "sailed"}}


def test_the_profile_of_the_program(harbour: Path) -> None:
    assert pairs(harbour, *EVERYTHING, "--profile", "code") == 0
    steps = json.loads((harbour / "manifest.json").read_text())["steps"]
    options = steps["pairs"]["options"]
    assert (options["stem"], options["subsample"]) == ("porter", 1e-4)
    assert options["document_model"]["background"] == "documents"
    assert "nltk" in steps["pairs"]["versions"]


def test_everything_that_bprop_writes(harbour: Path, encoder: Path, capsys: pytest.CaptureFixture) -> None:
    assert pairs(harbour, "--task", "bprop", "--encoder", str(encoder)) == 0
    check_rows(harbour, "bprop")
    rows = read_table(harbour, "pairs/bprop")
    for row in rows:
        for name in ("query_terms", "negative_query_terms"):
            words = [term["term"] for term in row[name]]
            assert len({*words}) == len(words)
            assert {*words} <= {*row["document"].lower().replace(",", "").split()} - stop_words("en")
        weights = [
            sum(term["weight"] for term in row[name]) for name in ("query_terms", "negative_query_terms")
        ]
        assert weights[0] > weights[1]
    terms = read_table(harbour, "terms/bprop")
    assert {row["term"]: row["documents"] for row in terms} == {
        "ship": 3, "mast": 1, "pier": 2, "pile": 1, "rope": 1, "light": 1, "sail": 1,
    }  # fmt: skip
    assert sum(row["share"] for row in terms) == pytest.approx(1)
    assert funnel(harbour, "pairs")["pairs-bprop"]["read"] == 15


def test_bprop_of_poor_pages(tmp_path: Path, encoder: Path) -> None:
    folder = folder_of(tmp_path / "poor", [*TEXTS, "", "The", "pier"])
    assert pairs(folder, "--task", "bprop", "--encoder", str(encoder)) == 0
    found = funnel(folder, "pairs")["pairs-bprop"]
    assert found["rejected"].pop("equal_sets") >= 5
    assert (found["read"], found["rejected"]) == (30, {"empty_document": 5, "no_words": 5})


def test_options_that_have_no_part_are_named(
    harbour: Path, encoder: Path, capsys: pytest.CaptureFixture
) -> None:
    options = ("--task", "bprop", "--encoder", str(encoder), "--min-count", "3", "--weights", "uniform")
    assert pairs(harbour, *options) == 0
    assert capsys.readouterr().err.splitlines() == [
        "anchormine: pairs are made of pages/",
        "anchormine: --weights has no part in bprop",
        "anchormine: --min-count has no part in bprop",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--min-count", "0"], "give 1 or more"),
        (["--subsample", "-1"], "--subsample -1.0: give 0 (none) or more"),
        (["--stem", "lancaster"], "--stem"),
        (["--sampling", "bm25"], "--sampling"),
        (["--stop-words", "/nowhere/words.txt"], "--stop-words /nowhere/words.txt"),
    ],
)
def test_wrong_options(
    harbour: Path, options: list[str], message: str, capsys: pytest.CaptureFixture
) -> None:
    assert pairs(harbour, "--task", "rop", *options) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1


def test_a_task_beside_another_is_as_alone(harbour: Path, encoder: Path, tmp_path: Path) -> None:
    other = shutil.copytree(harbour, tmp_path / "other")
    options = ("--encoder", str(encoder), "--min-count", "1")
    assert pairs(harbour, "--task", "rop", "bprop", "codoc", *options) == 0
    for task in ("bprop", "codoc", "rop"):
        assert pairs(other, "--task", task, *options) == 0
    assert checksums(harbour) == checksums(other)


@pytest.mark.slow
def test_same_bytes_on_any_workers(
    demo_wiki: Path, encoder: Path, job_service: list[str], tmp_path: Path
) -> None:
    options = ("--task", "rop", "bprop", "--min-count", "5", "--encoder", str(encoder), "--device", "cpu")
    folders = {}
    for name, rig in (("one", ["--workers", "1"]), ("two", ["--workers", "2"]), ("service", job_service)):
        folders[name] = shutil.copytree(demo_wiki, tmp_path / name)
        assert main(["pairs", str(folders[name]), *options, "--progress", "none", *rig]) == 0
    check_rows(folders["one"], "rop")
    check_rows(folders["one"], "bprop")
    assert_same(folders["one"], folders["two"])
    assert_same(folders["one"], folders["service"])

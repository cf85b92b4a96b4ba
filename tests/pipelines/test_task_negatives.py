"""Negatives of all eleven tasks on the demo wiki: what is drawn, what each guard drops, and what it knows."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from anchormine.negatives.documents import MinedDocument, document_maker, source_column
from anchormine.negatives.options import NegativeOptions
from anchormine.negatives.terms import mining_splitter
from anchormine.pipelines.cli import main
from anchormine.sampling.splits import split_of
from anchormine.schemas.pairs import TASKS
from tests.negatives.known_answers import KnownAnswers
from tests.pipelines.command_runs import QUIET, checksums, funnel, read_table
from tests.training.tiny_inputs import make_model

FORMS = {
    **dict.fromkeys(("rqp", "qdm", "rdp", "acm"), "lead"),
    **dict.fromkeys(("rop", "bprop", "anchor_document"), "text"),
    **dict.fromkeys(("ict", "bfs", "wlp", "codoc"), "passages"),
}
FEW = 12  # pairs of each task of which all candidates are looked at


@pytest.fixture(scope="module")
def all_pairs(demo_wiki: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo with the pairs of all tasks, of a part of its links: the others are answers all the same.

    Nobody writes into it.
    """
    path = tmp_path_factory.mktemp("tasks")
    folder = Path(shutil.copytree(demo_wiki, path / "folder"))
    pairs = ["pairs", str(folder), "--weights", "uniform", "--encoder", make_model(path / "model"), *QUIET]
    assert main([*pairs, "--task", *TASKS, "--limit", "1000"]) == 0
    return folder


@pytest.fixture(scope="module")
def mined(all_pairs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with negatives of all. Nobody writes into it."""
    folder = Path(shutil.copytree(all_pairs, tmp_path_factory.mktemp("mined") / "folder"))
    assert main(["negatives", str(folder), "--from", "bm25", "--task", *TASKS, *QUIET]) == 0
    return folder


@pytest.fixture(scope="module")
def known(all_pairs: Path) -> KnownAnswers:
    return KnownAnswers(all_pairs)


def _rows(folder: Path, task: str) -> dict[str, dict[str, Any]]:
    """Rows of a set by query_id."""
    paths = sorted((folder / "contrastive" / task).glob("*.parquet"))
    return {row["query_id"]: row for path in paths for row in pq.read_table(path).to_pylist()}


def _page_of(document_id: str) -> str:
    return document_id.partition("#p")[0]


@pytest.mark.parametrize("task", TASKS)
def test_no_row_has_a_guarded_page(mined: Path, known: KnownAnswers, task: str) -> None:
    rows = _rows(mined, task)
    for pair in read_table(mined, f"pairs/{task}"):
        row = rows.pop(pair["pair_id"], None)
        if row is not None:
            assert (row["query"], row["positive"]) == (pair["query"], pair["document"])
            pages = {_page_of(name) for name in row["negative_ids"]}
            guarded = {name: sorted(pages & found) for name, found in known.of(pair).items()}
            assert not any(guarded.values()), (pair["pair_id"], guarded)
            sides = {split_of(page_id) for page_id in (row["positive_id"], *pages)}
            assert len(sides) == 1
    assert rows == {}


def test_every_pair_is_written_or_rejected(mined: Path, known: KnownAnswers) -> None:
    """Written is each pair of which the guards leave a candidate."""
    units = funnel(mined, "negatives")
    split, documents = _corpus(mined)
    written = read = 0
    rejects = Counter((row["unit"], row["reason"]) for row in read_table(mined, "rejects/negatives"))
    for task in TASKS:
        row, pairs, rows = units[f"negatives-{task}"], read_table(mined, f"pairs/{task}"), _rows(mined, task)
        assert row["read"] == len(pairs) > 80
        fates = {
            pair["pair_id"]: _fates(pair, known, documents[FORMS[task]], set(split(pair["query"])))
            for pair in pairs
        }
        assert rows.keys() == {pair_id for pair_id, guards in fates.items() if "" in guards.values()}
        assert row["written"] == len(rows)
        written += row["written"]
        read += row["read"]
        assert row["rejected"] == {
            reason: count for (unit, reason), count in rejects.items() if unit == row["unit"]
        }
    assert written > 0.9 * read


def _corpus(
    folder: Path,
) -> tuple[Callable[[str], list[str]], dict[str, list[tuple[MinedDocument, set[str]]]]]:
    """What splits texts into terms, and the documents of each form, with their terms."""
    sets = json.loads((folder / "manifest.json").read_text())["steps"]["negatives"]["options"]["sets"]
    language = sets["rqp"]["language"]
    documents = {form: list(_documents(folder, form, language)) for form in set(FORMS.values())}
    return mining_splitter(language), documents


def _documents(folder: Path, form: str, language: str | None) -> Iterator[tuple[MinedDocument, set[str]]]:
    """The documents of a form, with their terms."""
    make, split = document_maker(NegativeOptions(form=form)), mining_splitter(language)
    for page in read_table(folder, "pages"):
        for document in make(page["page_id"], page[source_column(form)], page["language"]):
            yield document, set(split(document.text))


def _fates(
    pair: Mapping[str, Any], known: KnownAnswers, documents: list[tuple[MinedDocument, set[str]]], query: set
) -> dict[str, str]:
    """What becomes of each candidate of a pair: the guard that drops it, or ""."""
    guarded = known.of(pair)
    fates = {}
    for document, terms in documents:
        if terms & query and split_of(document.page_id) == split_of(pair["document_id"]):
            reasons = [name for name, pages in guarded.items() if document.page_id in pages]
            if " ".join(document.text.casefold().split()) == " ".join(pair["document"].casefold().split()):
                reasons.append("same_text")
            fates[document.document_id] = (reasons or [""])[0]
    return fates


def test_guards_drop_what_the_tables_say(
    all_pairs: Path, known: KnownAnswers, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    """Of a few pairs of each task, every candidate; pairs beyond those are answers all the same."""
    folder = Path(shutil.copytree(all_pairs, tmp_path / "folder"))
    options = ["--limit", str(FEW), "--depth", "1000", "--negatives", "1000", "--similarity", "2", "--json"]
    assert main(["negatives", str(folder), "--from", "bm25", "--task", *TASKS, *options, *QUIET]) == 0
    tables = {row["task"]: row for row in json.loads(capsys.readouterr().out)["negatives"]}
    split, documents = _corpus(folder)
    dropped: Counter[str] = Counter()
    for task, form in FORMS.items():
        pairs, rows = read_table(folder, f"pairs/{task}")[:FEW], _rows(folder, task)
        fates = [_fates(pair, known, documents[form], set(split(pair["query"]))) for pair in pairs]
        for pair, found in zip(pairs, fates, strict=True):
            kept = sorted(name for name, guard in found.items() if not guard)
            row = rows.get(pair["pair_id"], {"negative_ids": []})
            assert sorted(row["negative_ids"]) == kept, pair["pair_id"]
        counts = Counter(guard for found in fates for guard in found.values() if guard)
        dropped.update(counts)
        assert +Counter(tables[task]["dropped"]) == counts
        assert tables[task]["candidates"] == sum(map(len, fates))
    assert {"positive", "same_query", "alias", "same_sentence", "linking_page", "source"} <= dropped.keys()


def test_a_limit_changes_no_row(mined: Path, all_pairs: Path, tmp_path: Path) -> None:
    """What is known of a query does not hang on how many pairs are mined for."""
    folder = Path(shutil.copytree(all_pairs, tmp_path / "folder"))
    tasks = ("rdp", "rop", "anchor_document")
    limited = ["negatives", str(folder), "--from", "bm25", "--limit", "150", *QUIET]
    assert main([*limited, "--task", *tasks]) == 0
    for task in tasks:
        first = {row["pair_id"] for row in read_table(folder, f"pairs/{task}")[:150]}
        whole = {name: row for name, row in _rows(mined, task).items() if name in first}
        assert _rows(folder, task) == whole
    before = checksums(folder / "contrastive")
    assert main([*limited[:4], *QUIET, "--refresh", "--task", *tasks]) == 0
    assert checksums(folder / "contrastive") == before  # the limit is the sets' own


def test_sets_that_are_made_in_turn_are_told_as_those_of_one_run(all_pairs: Path, tmp_path: Path) -> None:
    """Of documents that only the earlier run indexed, too: whole texts, where the later one has passages."""
    told = []
    for name, runs in (("one", (("anchor_document", "codoc"),)), ("two", (("anchor_document",), ("codoc",)))):
        folder = Path(shutil.copytree(all_pairs, tmp_path / name))
        for tasks in runs:
            assert main(["negatives", str(folder), "--from", "bm25", "--task", *tasks, *QUIET]) == 0
        units = [(unit, row["read"], row["written"]) for unit, row in funnel(folder, "negatives").items()]
        told.append((units, read_table(folder, "rejects/negatives"), read_table(folder, "contrastive/codoc")))
    expected = ["pages-text", "pages-passages", "negatives-codoc", "negatives-anchor_document"]
    assert [unit for unit, _, _ in told[0][0]] == expected
    assert told[0] == told[1]

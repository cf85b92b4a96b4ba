"""`anchormine pairs` on the demo wiki: what is in the pairs, that nothing is lost, and that runs repeat."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter

import pytest

from anchormine.sampling.stop_words import stop_words
from anchormine.sampling.terms import find_words
from anchormine.schemas.pairs import HARP_TASKS
from tests.pipelines.command_runs import QUIET, checksums, funnel, main, read_table


@pytest.fixture(scope="module")
def uniform(demo_wiki, tmp_path_factory):
    folder = shutil.copytree(demo_wiki, tmp_path_factory.mktemp("pairs") / "folder")
    assert main(["pairs", str(folder), "--weights", "uniform", *QUIET]) == 0
    return folder


def by_id(rows, key):
    return {row[key]: row for row in rows}


def test_every_candidate_is_a_pair_or_a_reject(uniform):
    rows = funnel(uniform, "pairs")
    assert list(rows) == ["anchors", *(f"pairs-{task}" for task in HARP_TASKS)]
    anchors = read_table(uniform, "anchors")
    resolved = sum(anchor["destination_page_id"] is not None for anchor in anchors)
    assert rows["anchors"]["read"] == len(anchors)
    assert rows["anchors"]["written"] == rows["pairs-rqp"]["read"] == resolved
    rejects: Counter = Counter()
    for row in read_table(uniform, "rejects/pairs"):
        rejects[row["unit"], row["reason"]] += row["records"]
        assert row["records"] == 1 or row["reason"] == "capped"
    for unit, row in rows.items():
        if unit.startswith("pairs-"):
            assert row["written"] == len(read_table(uniform, unit.replace("-", "/"))) > 0
        assert row["rejected"] == {reason: n for (name, reason), n in rejects.items() if name == unit}


def test_sides_and_documents(uniform):
    pages = by_id(read_table(uniform, "pages"), "page_id")
    for task in HARP_TASKS:
        pairs = read_table(uniform, f"pairs/{task}")
        assert len(by_id(pairs, "pair_id")) == len(pairs)
        for pair in pairs:
            assert pair["document"] == pages[pair["document_id"]]["lead"] != ""
            assert pair["negative_document"] == pages[pair["negative_document_id"]]["lead"] != ""
            assert (pair["document_id"] == pair["negative_document_id"]) == (task == "rqp")
            assert (pair["query"] == pair["negative_query"]) == (task != "rqp")


def test_rqp_queries(uniform):
    anchors = by_id(read_table(uniform, "anchors"), "anchor_id")
    for pair in read_table(uniform, "pairs/rqp"):
        anchor = anchors[pair["anchor_id"]]
        assert pair["document_id"] == anchor["destination_page_id"]
        drawn = [term["term"] for term in pair["query_terms"]]
        assert pair["query"] == " ".join([*drawn, *anchor["anchor"].lower().split()])
        words = {word.term for word in find_words(anchor["sentence"])}
        assert set(drawn) <= words - stop_words("en")
        assert len(set(drawn)) == len(drawn) > 0
        negative = [term["term"] for term in pair["negative_query_terms"]]
        assert pair["negative_query"] == " ".join(negative)
        assert not set(negative) & {word.term for word in find_words(anchor["anchor"])}
        assert set(negative) <= {word.term for word in find_words(pair["document"])}


def test_rqp_has_equal_lengths_where_the_texts_have_enough_terms(uniform):
    pairs = read_table(uniform, "pairs/rqp")
    same = sum(len(pair["query_terms"]) == len(pair["negative_query_terms"]) for pair in pairs)
    assert same > 0.95 * len(pairs)


def test_qdm_pairs_are_of_ambiguous_strings(uniform):
    anchors = read_table(uniform, "anchors")
    destinations: dict[str, set] = {}
    for anchor in anchors:
        if anchor["destination_page_id"]:
            string = " ".join(anchor["anchor"].casefold().split())
            destinations.setdefault(string, set()).add(anchor["destination_page_id"])
    known = by_id(anchors, "anchor_id")
    uses: Counter = Counter()
    pairs = read_table(uniform, "pairs/qdm")
    for pair in pairs:
        anchor = known[pair["anchor_id"]]
        string = " ".join(anchor["anchor"].casefold().split())
        uses[string] += 1
        assert pair["document_id"] == anchor["destination_page_id"]
        assert pair["negative_document_id"] in destinations[string] - {pair["document_id"]}
    assert max(uses.values()) <= 10
    ambiguous = {string for string, pages in destinations.items() if len(pages) > 1}
    rejected = {
        row["record_id"]
        for row in read_table(uniform, "rejects/pairs")
        if row["unit"] == "pairs-qdm" and row["reason"] != "capped"
    }
    assert {*uses} | {
        " ".join(known[name[4:]]["anchor"].casefold().split()) for name in rejected
    } == ambiguous


def test_rdp_and_acm_pages_are_of_the_sentence(uniform):
    sentences: dict[str, set] = {}
    for anchor in read_table(uniform, "anchors"):
        sentences.setdefault(anchor["sentence_id"], set()).add(anchor["destination_page_id"])
    made: Counter = Counter()
    for pair in read_table(uniform, "pairs/rdp"):
        assert {pair["document_id"], pair["negative_document_id"]} <= sentences[pair["sentence_id"]]
    for pair in read_table(uniform, "pairs/acm"):
        made[pair["sentence_id"]] += 1
        assert pair["document_id"] in sentences[pair["sentence_id"]]
        assert pair["negative_document_id"] not in sentences[pair["sentence_id"]]
    assert max(made.values()) <= 3


def test_tables_and_json(demo_folder, capsys):
    assert main(["pairs", str(demo_folder), "--task", "rqp", "--weights", "tfidf", "--json", *QUIET]) == 0
    printed = json.loads(capsys.readouterr().out)
    pairs = read_table(demo_folder, "pairs/rqp")

    def words(*names):
        return sum(len(find_words(pair[name])) for pair in pairs for name in names)

    queries = words("query", "negative_query")
    documents = words("document", "negative_document")
    assert printed["pairs"] == [
        {
            "task": "rqp",
            "pairs": len(pairs),
            "tokens": queries + documents,
            "query_length": round(queries / (2 * len(pairs)), 2),
            "document_length": round(documents / (2 * len(pairs)), 2),
        }
    ]
    assert set(printed["lead_overlap"]["shares"]) == {"tfidf", "uniform"}
    assert all(0 < share < 1 for share in printed["lead_overlap"]["shares"].values())


def test_same_seed_same_bytes_in_worker_processes(uniform, demo_folder):
    assert (
        main(["pairs", str(demo_folder), "--weights", "uniform", "--progress", "none", "--workers", "2"]) == 0
    )
    assert checksums(demo_folder) == checksums(uniform)


def test_another_seed_draws_other_queries(uniform, demo_folder):
    assert (
        main(["pairs", str(demo_folder), "--weights", "uniform", "--task", "rqp", "--seed", "7", *QUIET]) == 0
    )
    ours, theirs = (by_id(read_table(folder, "pairs/rqp"), "pair_id") for folder in (demo_folder, uniform))
    changed = sum(ours[name]["query"] != theirs[name]["query"] for name in ours.keys() & theirs.keys())
    assert changed > 0.8 * len(ours)


def test_limit_reads_the_first_anchors(demo_folder):
    options = ("--weights", "uniform", "--task", "rqp", "--limit", "100")
    assert main(["pairs", str(demo_folder), *options, *QUIET]) == 0
    assert funnel(demo_folder, "pairs")["anchors"]["read"] == 100
    first = {anchor["anchor_id"] for anchor in read_table(demo_folder, "anchors")[:100]}
    assert {pair["anchor_id"] for pair in read_table(demo_folder, "pairs/rqp")} <= first


def test_short_pages_are_no_documents(demo_folder):
    options = ("--weights", "uniform", "--task", "acm", "--min-words", "200")
    assert main(["pairs", str(demo_folder), *options, *QUIET]) == 0
    pages = by_id(read_table(demo_folder, "pages"), "page_id")
    pairs = read_table(demo_folder, "pairs/acm")
    used = {pair[name] for pair in pairs for name in ("document_id", "negative_document_id")}
    assert used
    assert all(len(list(find_words(pages[page_id]["text"]))) >= 200 for page_id in used)
    assert funnel(demo_folder, "pairs")["pairs-acm"]["rejected"]["short_document"] > 0


def test_a_second_run_is_refused_resumed_or_replaces(uniform, tmp_path, capsys):
    folder = shutil.copytree(uniform, tmp_path / "folder")
    before = checksums(folder)
    command = ["pairs", str(folder), "--weights", "uniform", "--task", "rqp", *QUIET]
    assert main(command) == 2
    assert "holds the output of `anchormine pairs` already" in capsys.readouterr().err
    assert main([*command, "--overwrite", "--resume"]) == 2
    assert "give one of them" in capsys.readouterr().err
    assert main([*command, "--resume"]) == 0
    assert checksums(folder) == before
    assert main([*command, "--overwrite"]) == 0
    assert checksums(folder) == before
    assert list(json.loads((folder / "manifest.json").read_text())["steps"]) == ["wiki", "pairs"]
    assert main([*command, "--overwrite", "--seed", "7"]) == 0
    assert "qdm, rdp, acm of an earlier run go: made with seed 42, not 7" in capsys.readouterr().err
    assert [str(path.relative_to(folder)) for path in sorted((folder / "pairs").rglob("*.parquet"))] == [
        "pairs/rqp/train-00000-of-00001.parquet"
    ]
    assert list(funnel(folder, "pairs")) == ["anchors", "pairs-rqp"]


def test_tasks_one_after_the_other_give_the_folder_of_all_at_once(uniform, demo_wiki, tmp_path, capsys):
    folder = shutil.copytree(demo_wiki, tmp_path / "folder")
    command = ["pairs", str(folder), "--weights", "uniform", *QUIET]
    assert main([*command, "--task", "acm"]) == 0
    assert main([*command, "--task", "rqp"]) == 0
    assert "; acm stays as it is" in capsys.readouterr().err
    assert main([*command, "--task", "qdm", "--seed", "7"]) == 2
    assert "has rqp, acm of `anchormine pairs` with seed 42, not 7" in capsys.readouterr().err
    stray = folder / "pairs" / "rdp" / "train-00000-of-00009.parquet"
    stray.parent.mkdir()
    stray.write_bytes(b"of a run that was killed")
    assert main([*command, "--resume"]) == 0
    assert not stray.exists()
    assert checksums(folder) == checksums(uniform)
    once, parts = (json.loads((path / "manifest.json").read_text()) for path in (uniform, folder))
    for name in ("options", "seed", "versions", "outputs", "counts", "funnel"):
        assert parts["steps"]["pairs"][name] == once["steps"]["pairs"][name]


def test_overwriting_the_wiki_takes_its_pairs_with_it(uniform, tmp_path):
    from tests.pipelines.command_runs import run_demo_wiki

    folder = shutil.copytree(uniform, tmp_path / "folder")
    run_demo_wiki(folder, "--overwrite")
    assert list(json.loads((folder / "manifest.json").read_text())["steps"]) == ["wiki"]
    assert not list(folder.glob("pairs/*/*.parquet"))
    assert {row["step"] for row in json.loads((folder / "stats" / "funnel.json").read_text())} == {"wiki"}


def test_every_config_loads(uniform, tmp_path, monkeypatch):
    datasets = pytest.importorskip("datasets")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    names = datasets.get_dataset_config_names(str(uniform))
    assert sorted(names) == ["anchors", "pages", "pairs-acm", "pairs-qdm", "pairs-rdp", "pairs-rqp"]
    for name in names:
        loaded = datasets.load_dataset(str(uniform), name, split="train", cache_dir=str(tmp_path))
        assert loaded.num_rows == len(read_table(uniform, name.replace("pairs-", "pairs/")))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--task", "rqp", "nonsense"], "nonsense"),
        (
            ["--task", "rqp", "--seed", "1", "--task=qdm"],
            "--task is given twice; give all its values at once: --task ONE ANOTHER",
        ),
        (["--stop-words", "a.txt", "--stop-words=b.txt"], "--stop-words is given twice; it takes one"),
        (["--weights", "tf-idf"], "--weights"),
        (["--wieghts", "uniform"], "unknown option --wieghts; did you mean --weights?"),
        (["--output", "x"], "--output: this step writes into the folder that it reads, beside what is there"),
        (["--min-words", "-1"], "--min-words -1: give 0 or more"),
        (["--profile", "code", "--weights", "uniform"], "word pieces"),
        (["--stop-words", "/nowhere/words.txt"], "--stop-words /nowhere/words.txt"),
        (["--limit", "0"], "give 1 or more"),
    ],
)
def test_wrong_options(demo_wiki, options, message, capsys):
    before = checksums(demo_wiki)
    assert main(["pairs", str(demo_wiki), *options, *QUIET]) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1
    assert checksums(demo_wiki) == before


def test_a_folder_that_is_no_dataset(tmp_path, capsys):
    assert main(["pairs", str(tmp_path), *QUIET]) == 2
    assert "no manifest.json here" in capsys.readouterr().err


def write_dump(path, text):
    page = (
        f"<page><title>A</title><ns>0</ns><id>1</id><revision><id>1</id><text>{text}</text></revision></page>"
    )
    path.write_text(f'<mediawiki version="0.11" xml:lang="en">{page}</mediawiki>')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Alone.", "no links"),
        ("To [[B]], [[C]].", "of 2 anchors in anchors/ none leads to a page of the input"),
    ],
)
def test_a_wiki_without_pairs(tmp_path, capsys, text, message):
    write_dump(tmp_path / "dump.xml", text)
    assert main(["wiki", str(tmp_path / "dump.xml"), "--output", str(tmp_path / "out"), *QUIET]) == 0
    capsys.readouterr()
    assert main(["pairs", str(tmp_path / "out"), "--weights", "uniform", *QUIET]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out" / "pairs").exists()


def test_a_filtered_wiki_without_pairs(tmp_path, capsys):
    folder = tmp_path / "out"
    write_dump(tmp_path / "dump.xml", "To [[Berlin]], [[Paris]].")
    assert main(["wiki", str(tmp_path / "dump.xml"), "--output", str(folder), *QUIET]) == 0
    assert main(["filter", str(folder), *QUIET]) == 0
    capsys.readouterr()
    assert main(["pairs", str(folder), "--weights", "uniform", *QUIET]) == 1
    assert capsys.readouterr().err == (
        f"anchormine: {folder}: of 2 anchors in filtered/ none leads to a page of the input, so there "
        "are no pairs, and nothing was published; make the folder of a whole dump or crawl, or of more "
        "parts\n"
    )


def test_a_named_language_chooses_the_stop_words(demo_folder):
    options = ["--weights", "uniform", "--language", "fr", "--task", "rqp"]
    assert main(["pairs", str(demo_folder), *options, *QUIET]) == 0
    drawn = {
        name: {term["term"] for pair in read_table(demo_folder, "pairs/rqp") for term in pair[name]}
        for name in ("query_terms", "negative_query_terms")
    }
    for terms in drawn.values():
        assert {"the", "of", "and"} <= terms
        assert not terms & stop_words("fr")


def test_a_task_without_pairs_is_named(demo_folder, capsys):
    options = ["--weights", "uniform", "--min-words", "100000", "--task", "rqp", "acm"]
    assert main(["pairs", str(demo_folder), *options, *QUIET]) == 0
    printed = capsys.readouterr().err.splitlines()
    assert printed == [
        "anchormine: pairs are made of anchors/",
        "anchormine: attention is compared with the others under --weights attention only",
        "anchormine: rqp: no pair was made",
        "anchormine: acm: no pair was made",
    ]
    assert set(funnel(demo_folder, "pairs")["pairs-rqp"]["rejected"]) == {"short_document"}


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_missing_shard(demo_folder, workers):
    (demo_folder / "anchors" / "train-00000-of-00001.parquet").unlink()
    command = ["pairs", str(demo_folder), "--weights", "uniform", "--progress", "none", "--workers", workers]
    done = subprocess.run(
        [sys.executable, "-m", "anchormine", *command],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert "anchors/train-00000-of-00001.parquet: named in the manifest, but cannot be read" in line
    assert not (demo_folder / "pairs").exists()

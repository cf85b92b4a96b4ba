"""`anchormine pairs`, tasks ict, bfs and wlp: whole outputs, counts, refusals, the same bytes everywhere."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from anchormine.schemas.anchors import Anchor
from tests.filters.anchor_folders import write_folder
from tests.pipelines.command_runs import QUIET, checksums, funnel, main, read_table
from tests.pipelines.test_anchor_document_command import capture, to
from tests.pipelines.worker_rigs import job_service, manifest_without_run
from tests.web.crawl_files import FOLDER as CRAWLS
from tests.web.crawl_files import needs_crawls
from tests.wiki.real_dumps import FOLDER as DUMPS
from tests.wiki.real_dumps import needs_dumps

__all__ = ["job_service"]  # a fixture

TASKS = ("ict", "bfs", "wlp")
BODY = "A pier\nPeople walk on it. It is long."
PAGES = [
    capture(1, f"A pier stands.\n{BODY}", "A pier stands."),
    capture(2, "Piles are of wood.", "Piles are of wood."),
    capture(3, f"A hut.\n{BODY}", ""),
    capture(4, " ", " "),
]
ANCHORS = [
    to(0, "piles", 2, source=1),
    to(1, "Piles", 2, source=1),
    to(2, "pier", 1, source=2),
    to(3, "hut", 3, source=1),
    to(4, "itself", 1, source=1),
    to(5, "far away", None),
    to(6, "gone", 9),
]
SHORT = ("--query-words", "1")
REJECTED = {"duplicate": 1, "no_lead": 1, "no_page": 1, "self": 1}  # of the links of wlp


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "crawl", ANCHORS, PAGES)


def test_everything_that_is_written(crawl: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["pairs", str(crawl), "--task", *TASKS, "--passage-words", "7", *SHORT, *QUIET]) == 0
    printed = capsys.readouterr()
    assert printed.err == "anchormine: pairs are made of anchors/\n"
    assert [line.split()[:2] for line in printed.out.splitlines()[-6:-2]] == [
        ["task", "pairs"], ["ict", "2"], ["bfs", "1"], ["wlp", "2"],
    ]  # fmt: skip
    assert funnel(crawl, "pairs") == {
        unit: {"step": "pairs", "unit": unit, "read": read, "written": written, "rejected": rejected,
               "unreadable": 0}
        for unit, read, written, rejected in (
            ("anchors", 7, 6, {"no_destination": 1}),
            ("pairs-ict", 4, 2, {"empty_document": 1, "few_passages": 1}),
            ("pairs-bfs", 4, 1, {"empty_document": 1, "few_passages": 1, "no_lead": 1}),
            ("pairs-wlp", 6, 2, REJECTED),
        )
    }  # fmt: skip
    (bfs,) = read_table(crawl, "pairs/bfs")
    passages = {"b0": "A pier\nPeople walk on it.", "b1": "It is long."}
    name = bfs["pair_id"].removeprefix("bfs:web:1#l0:web:1#")
    nothing = dict.fromkeys(
        ("negative_query", "negative_document", "negative_document_id", "sentence_id", "anchor_id",
         "negative_query_terms", "occurrences")
    )  # fmt: skip
    assert bfs == {
        "pair_id": f"bfs:web:1#l0:web:1#{name}", "task": "bfs", "query": "A pier stands.",
        "document": passages[name], "document_id": "web:1", "query_terms": [], **nothing,
    }  # fmt: skip
    wlp = {row["document_id"]: row for row in read_table(crawl, "pairs/wlp")}
    assert wlp["web:2"] == {
        "pair_id": "wlp:web:1#l0:web:2#p0", "task": "wlp", "query": "A pier stands.",
        "document": "Piles are of wood.", "document_id": "web:2", "query_terms": [], **nothing,
        "anchor_id": "web:2#a2",
    }  # fmt: skip
    assert (wlp["web:1"]["query"], wlp["web:1"]["anchor_id"][:6]) == ("Piles are of wood.", "web:1#")
    rejects = {(row["unit"], row["reason"]): row for row in read_table(crawl, "rejects/pairs")}
    assert Counter(row["reason"] for row in rejects.values()) == {
        "empty_document": 2, "few_passages": 2, "no_lead": 2, "duplicate": 1, "no_page": 1, "self": 1,
        "no_destination": 1,
    }  # fmt: skip
    assert list(rejects["pairs-wlp", "no_lead"].values()) == [
        "pairs", "no_lead", "pairs-wlp", "wlp:web:1#a3", "web:1#s3", "hut", 1,
    ]  # fmt: skip
    assert list(rejects["pairs-bfs", "no_lead"].values())[2:6] == ["pairs-bfs", None, "web:3", PAGES[2].text]


NOTICE = "This site uses no cookies."


@pytest.mark.parametrize(("most", "is_query"), [(4, False), (5, True)])
def test_a_sentence_of_five_pages(tmp_path: Path, most: int, is_query: bool) -> None:
    """Each page begins with a notice, the same on five of eight, and a sentence of its own."""
    leads = [
        f"{NOTICE if number < 5 else f'Notice {number} is another.'}\nPier {number} stands on many piles."
        for number in range(8)
    ]
    pages = [
        capture(number, f"{lead}\nAll of it is there.\nIt is of much use.", lead)
        for number, lead in enumerate(leads, start=1)
    ]
    anchors = [to(number, "pier", number + 1, source=(number + 1) % 8 + 1) for number in range(8)]
    folder = write_folder(tmp_path / "crawl", anchors, pages)
    more = ["--query-pages", str(most), "--pairs-per-page", "2", "--passage-words", "12"]
    assert main(["pairs", str(folder), "--task", *TASKS, *more, *QUIET]) == 0
    for task in TASKS:
        queries = [row["query"] for row in read_table(folder, f"pairs/{task}")]
        assert (NOTICE in queries) == is_query
        assert any(query.startswith("Notice ") for query in queries)
        assert any(query.startswith("Pier ") for query in queries)


@pytest.mark.parametrize(
    ("options", "written", "rejected"),
    [
        (
            ["--min-words", "5", "--query-words", "1"],
            1,
            {"duplicate": 1, "no_lead": 1, "no_page": 1, "self": 1, "short_document": 1},
        ),
        (
            [],
            1,
            {"duplicate": 1, "no_lead": 1, "no_page": 1, "no_sentence": 1, "self": 1},
        ),
        (["--limit", "1"], 1, {}),
    ],
)
def test_options_of_wlp(crawl: Path, options: list[str], written: int, rejected: dict[str, int]) -> None:
    """A limit is of links; all pages are read."""
    assert main(["pairs", str(crawl), "--task", "wlp", *options, *QUIET]) == 0
    row = funnel(crawl, "pairs")["pairs-wlp"]
    assert (row["written"], row["rejected"]) == (written, rejected)


def test_a_limit_of_links_and_pages(crawl: Path) -> None:
    assert main(["pairs", str(crawl), "--task", "ict", "wlp", "--limit", "1", *QUIET]) == 0
    rows = funnel(crawl, "pairs")
    assert {unit: row["read"] for unit, row in rows.items()} == {
        "anchors": 1, "pairs-ict": 1, "pairs-wlp": 1,
    }  # fmt: skip
    (pair,) = read_table(crawl, "pairs/wlp")
    assert (pair["query"], pair["document_id"]) == ("Piles are of wood.", "web:1")


def test_a_limit_leaves_what_other_tasks_need_as_it_is(tmp_path: Path) -> None:
    """A sentence that is on too many of all pages is no query, be the others read for wlp or not."""
    own = {
        number: (f"Pier {number} stands on piles.", f"All {number} are of wood.") for number in range(1, 7)
    }
    notices = [NOTICE if number in (1, 6) else "" for number in own]
    pages = [
        capture(number, "\n".join([notice, *own[number]]), "")
        for number, notice in zip(own, notices, strict=True)
    ]
    folder = write_folder(tmp_path / "crawl", [to(0, "pier", 2)], pages)
    more = ["--limit", "3", "--query-pages", "1", "--overwrite", *QUIET]
    queries = set()
    for seed in range(6):
        pairs = []
        for tasks in (("ict",), ("ict", "wlp")):
            assert main(["pairs", str(folder), "--task", *tasks, "--seed", str(seed), *more]) == 0
            pairs.append(read_table(folder, "pairs/ict"))
        assert pairs[0] == pairs[1]
        queries |= {row["query"] for row in pairs[0]}
    assert queries == {*own[1], *own[2], *own[3]}


def test_links_of_filtered_anchors(crawl: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["filter", str(crawl), "--same-site", "off", "--classifier", "none", *QUIET]) == 0
    kept = {row["anchor_id"] for row in read_table(crawl, "filtered")}
    capsys.readouterr()
    assert main(["pairs", str(crawl), "--task", "wlp", *QUIET]) == 0
    assert "anchormine: pairs are made of filtered/" in capsys.readouterr().err.splitlines()
    assert {row["anchor_id"] for row in read_table(crawl, "pairs/wlp")} <= kept
    assert funnel(crawl, "pairs")["anchors"]["read"] == len(kept)


def test_a_page_that_all_others_link_to(tmp_path: Path) -> None:
    """However many pages link to one, it takes as many as it has pairs, and all are counted."""
    others = [capture(1, f"Page {n} is here.\nIt links to the pier.", "")._replace(page_id=f"web:9{n:04}")
              for n in range(300)]  # fmt: skip
    anchors = [_from(row.page_id, number) for row in others for number in range(3)]
    folder = write_folder(tmp_path / "crawl", anchors, [PAGES[0], *others])
    assert main(["pairs", str(folder), "--task", "wlp", *SHORT, *QUIET]) == 0
    row = funnel(folder, "pairs")["pairs-wlp"]
    assert (row["read"], row["written"], row["rejected"]) == (900, 1, {"capped": 897, "duplicate": 2})


def _from(page_id: str, number: int) -> Anchor:
    return to(number, "pier", 1)._replace(anchor_id=f"{page_id}#a{number}", source_page_id=page_id)


def check_pairs(folder: Path) -> None:
    """Compares the pairs of a folder with its tables."""
    pages = {row["page_id"]: row for row in read_table(folder, "pages")}
    anchors = {row["anchor_id"]: row for row in read_table(folder, "anchors")}
    made = {task: read_table(folder, f"pairs/{task}") for task in TASKS}
    for pair in made["ict"]:
        assert pair["query"] in pages[pair["document_id"]]["text"]
        assert pair["query"] != pair["document"]
    for pair in made["bfs"]:
        page = pages[pair["document_id"]]
        assert pair["query"] in page["lead"]
        assert pair["document"] in page["text"]
        if "#b" in pair["pair_id"]:
            assert pair["document"] in page["text"][len(page["lead"]) :]
    for pair in made["wlp"]:
        link = anchors[pair["anchor_id"]]
        assert link["source_page_id"] == pair["document_id"] != link["destination_page_id"]
        assert pair["query"] in pages[link["destination_page_id"]]["lead"]
        assert pair["document"] in pages[pair["document_id"]]["text"]
        assert pair["pair_id"].startswith(f"wlp:{link['destination_page_id']}#l")
    uses = Counter((pair["document_id"], pair["pair_id"].rpartition(":")[2]) for pair in made["wlp"])
    assert max(uses.values()) <= 5
    rejects: dict[str, Counter] = {}
    for row in read_table(folder, "rejects/pairs"):
        rejects.setdefault(row["unit"], Counter())[row["reason"]] += row["records"]
    rows = funnel(folder, "pairs")
    for task in TASKS:
        row = rows[f"pairs-{task}"]
        assert row["read"] == (rows["anchors"]["written"] if task == "wlp" else len(pages))
        assert row["written"] == len(made[task]) == len({pair["pair_id"] for pair in made[task]}) > 0
        assert row["rejected"] == rejects.get(f"pairs-{task}", {})


def test_the_demo_wiki_on_every_rig(demo_wiki: Path, job_service: list[str], tmp_path: Path) -> None:
    rigs = {"one": ["--workers", "1"], "two": ["--workers", "2"], "portable": job_service}
    for name, options in rigs.items():
        folder = shutil.copytree(demo_wiki, tmp_path / name)
        assert main(["pairs", str(folder), "--task", *TASKS, "codoc", "--progress", "none", *options]) == 0
    check_pairs(tmp_path / "one")
    for name in ("two", "portable"):
        assert checksums(tmp_path / name) == checksums(tmp_path / "one")
        assert manifest_without_run(tmp_path / name) == manifest_without_run(tmp_path / "one")


def test_tasks_one_after_the_other(demo_wiki: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    once, parts = (shutil.copytree(demo_wiki, tmp_path / name) for name in ("once", "parts"))
    assert main(["pairs", str(once), "--task", *TASKS, *QUIET]) == 0
    for task in ("bfs", "wlp", "ict"):
        assert main(["pairs", str(parts), "--task", task, *QUIET]) == 0
    assert checksums(parts) == checksums(once)
    sections = [
        json.loads((folder / "manifest.json").read_text())["steps"]["pairs"] for folder in (once, parts)
    ]
    for name in ("options", "outputs", "counts", "funnel"):
        assert sections[0][name] == sections[1][name]
    capsys.readouterr()
    assert main(["pairs", str(parts), "--task", "ict", "bfs", "ict", *QUIET]) == 2
    assert "give --overwrite to replace ict, bfs, --resume" in capsys.readouterr().err
    again = ["pairs", str(parts), "--task", "ict", "--overwrite", *QUIET]
    assert main([*again, "--keep-sentence", "0.1"]) == 0
    assert "pairs are made of pages/; bfs, wlp stay as they are" in capsys.readouterr().err
    assert main([*again, "--query-words", "5"]) == 0
    assert "bfs, wlp of an earlier run go: made with query_words 4, not 5" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--query-words", "0"], "argument --query-words: 0: give 1 or more (see `anchormine pairs --help`)"),
        (["--query-words", "200"], "--query-words 200: give at most --passage-words, 128"),
        (["--keep-sentence", "2"], "--keep-sentence 2.0: give a share from 0 to 1"),
        (["--keep-sentence", "nan"], "--keep-sentence nan: give a share from 0 to 1"),
    ],
)
def test_wrong_options(crawl: Path, options: list[str], message: str, capsys: pytest.CaptureFixture) -> None:
    assert main(["pairs", str(crawl), "--task", "ict", *options, *QUIET]) == 2
    assert capsys.readouterr().err == f"anchormine: {message}\n"
    assert not (crawl / "pairs").exists()


def test_short_passages_without_queries(crawl: Path) -> None:
    assert main(["pairs", str(crawl), "--task", "codoc", "--passage-words", "3", *QUIET]) == 0
    options = json.loads((crawl / "manifest.json").read_text())["steps"]["pairs"]["options"]
    assert options["passage_words"] == 3
    assert "query_words" not in options


def test_pages_without_links(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = write_folder(tmp_path / "crawl", [], [PAGES[0]], shards=0)
    assert main(["pairs", str(folder), "--task", "wlp", *QUIET]) == 1
    assert capsys.readouterr().err == (
        f"anchormine: {folder}: its crawl had no links, so there are no pairs of wlp to make; give tasks "
        "that need none: --task rop ict bfs codoc\n"
    )
    assert main(["pairs", str(folder), "--task", "ict", "bfs", "--passage-words", "7", *QUIET]) == 0
    assert list(funnel(folder, "pairs")) == ["pairs-ict", "pairs-bfs"]


@pytest.mark.data
@pytest.mark.slow
@needs_crawls
def test_a_real_crawl(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    assert main(["web", str(CRAWLS / "contextwiki-00000.warc.gz"), "--output", str(folder), *QUIET]) == 0
    assert main(["pairs", str(folder), "--task", *TASKS, *QUIET]) == 0
    check_pairs(folder)


@pytest.mark.data
@pytest.mark.slow
@needs_dumps
def test_a_real_dump(tmp_path: Path) -> None:
    folder, dump = tmp_path / "wiki", DUMPS / "frpwiki-20220623-pages-articles-multistream.xml.bz2"
    assert main(["wiki", str(dump), "--output", str(folder), "--limit", "2000", *QUIET]) == 0
    assert main(["pairs", str(folder), "--task", *TASKS, *QUIET]) == 0
    check_pairs(folder)

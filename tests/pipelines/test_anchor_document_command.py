"""`anchormine pairs`, tasks anchor_document and codoc: whole outputs, counts, earlier tasks, and refusals."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from anchormine.schemas.anchors import Anchor
from anchormine.schemas.pages import Page
from anchormine.transforms import pair_buckets
from anchormine.transforms.blobs import pack
from anchormine.transforms.pair_buckets import PairBuckets, pair_order
from anchormine.transforms.write_origins import LinkedPair, SourcePage, origins_of
from tests.filters.anchor_folders import link, page, write_folder
from tests.pipelines.command_runs import QUIET, checksums, funnel, main, read_table
from tests.web.crawl_files import FOLDER as CRAWLS
from tests.web.crawl_files import needs_crawls

BOTH = ("--task", "anchor_document", "codoc")
PIER = "A pier stands on piles. Ships lie along it.\nPeople walk on it. It is long."


def capture(number: int, text: str = PIER, lead: str = "A lead.") -> Page:
    """A page of a crawl."""
    return page(f"web:{number}")._replace(
        url=f"http://harbour.example/{number}",
        text=text,
        lead=lead,
        timestamp=f"2020-01-0{number}T00:00:00Z",
        warc_file="harbour.warc.gz",
        warc_offset=1000 * number,
    )


def to(
    number: int, anchor: str, destination: int | None = 2, source: int = 1, region: str = "body"
) -> Anchor:
    """A link from one page to another."""
    return link(number, anchor)._replace(
        anchor_id=f"web:{source}#a{number}",
        sentence_id=f"web:{source}#s{number}",
        source_page_id=f"web:{source}",
        destination_page_id=None if destination is None else f"web:{destination}",
        region=region,
    )


PAGES = [capture(1), capture(2, "A pile is driven. It is of wood."), capture(3, " \n"), capture(4)]
ANCHORS = [
    to(0, "Piles", 2),
    to(1, "piles", 2, source=4),
    to(2, "PILES ", 2, source=4, region="nav"),
    to(3, "A pier", 1, source=1),
    to(4, "nothing", 3),
    to(5, "far away", None),
    to(6, "gone", 9),
    to(7, "Start", 4, region="footer"),
]


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "crawl", ANCHORS, PAGES)


def made(folder: Path, task: str = "anchor_document") -> dict[str, str]:
    return {row["query"]: row["document_id"] for row in read_table(folder, f"pairs/{task}")}


def pair_all(crawl: Path) -> None:
    """Makes the pairs of both tasks."""
    tasks = ["--task", "anchor_document", "codoc", "--passage-words", "10"]
    assert main(["pairs", str(crawl), *tasks, *QUIET]) == 0


def test_what_is_printed_and_counted(crawl: Path, capsys: pytest.CaptureFixture) -> None:
    pair_all(crawl)
    printed = capsys.readouterr()
    assert printed.err == "anchormine: pairs are made of anchors/\n"
    assert printed.out.splitlines()[-5:-2] == [
        "task                   pairs          tokens   query words   document words",
        "codoc                      2              32          9.00             7.00",
        "anchor_document            2              26          1.00            12.00",
    ]
    assert funnel(crawl, "pairs") == {
        unit: {"step": "pairs", "unit": unit, "read": read, "written": written, "rejected": rejected,
               "unreadable": 0}
        for unit, read, written, rejected in (
            ("anchors", 8, 7, {"no_destination": 1}),
            ("pairs-codoc", 4, 2, {"empty_document": 1, "few_passages": 1}),
            ("pairs-anchor_document", 7, 2,
             {"duplicate": 2, "empty_document": 1, "no_page": 1, "self": 1}),
        )
    }  # fmt: skip


def test_every_row_that_is_written(crawl: Path) -> None:
    pair_all(crawl)
    (piles, start) = sorted(read_table(crawl, "pairs/anchor_document"), key=lambda row: row["document_id"])
    assert piles["anchor_id"] in ("web:1#a0", "web:4#a1", "web:4#a2")
    query = {anchor.anchor_id: anchor.anchor for anchor in ANCHORS}[piles["anchor_id"]]
    plain = dict.fromkeys(
        ("negative_query", "negative_document", "negative_document_id", "negative_query_terms")
    )
    assert piles == {
        "pair_id": f"anchor_document:{piles['anchor_id']}", "task": "anchor_document", "query": query,
        "document": PAGES[1].text, "document_id": "web:2",
        "sentence_id": piles["anchor_id"].replace("#a", "#s"),
        "anchor_id": piles["anchor_id"], "query_terms": [], "occurrences": 3, **plain,
    }  # fmt: skip
    assert (start["query"], start["document"], start["occurrences"]) == ("Start", PIER, 1)
    assert {row["pair_id"]: row for row in read_table(crawl, "provenance/anchor_document")} == {
        pair["pair_id"]: {
            "pair_id": pair["pair_id"], "anchor_id": pair["anchor_id"], "source_page_id": f"web:{source}",
            "source_url": f"http://harbour.example/{source}", "timestamp": f"2020-01-0{source}T00:00:00Z",
            "warc_file": "harbour.warc.gz", "warc_offset": 1000 * source,
        }
        for pair in (piles, start) for source in [int(pair["anchor_id"][4])]
    }  # fmt: skip
    for row in read_table(crawl, "pairs/codoc"):
        assert sorted((row["query"], row["document"])) == sorted(PIER.split("\n"))
        assert (row["sentence_id"], row["anchor_id"], row["occurrences"], row["query_terms"]) == (
            None,
        ) * 3 + ([],)


@pytest.mark.parametrize("pages_per_bucket", [2_000, 1])
def test_the_order_of_rows_does_not_hang_on_that_of_their_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages_per_bucket: int
) -> None:
    """Pairs and where they come from stand by the buckets of pages, and in the order of the pairs' hash."""
    monkeypatch.setattr(pair_buckets, "_PAGES_PER_BUCKET", pages_per_bucket)
    pages = [capture(number) for number in range(1, 10)]
    anchors = [to(n, f"text {n}", destination=1 + n % 9, source=1 + (n * 5 + n // 9) % 9) for n in range(45)]
    folders = [
        write_folder(tmp_path / "there", anchors, pages),
        write_folder(tmp_path / "back", anchors[::-1], pages[::-1]),
    ]
    for folder in folders:
        assert main(["pairs", str(folder), "--task", "anchor_document", *QUIET]) == 0
        buckets = PairBuckets.for_corpus(len(pages), len(anchors))
        for table, of in (("pairs", "document_id"), ("provenance", "source_page_id")):
            rows = read_table(folder, f"{table}/anchor_document")
            order = [(buckets.of_page(row[of]), pair_order(row["pair_id"])) for row in rows]
            assert len(order) > 30
            assert order == sorted(order)
    tables = [read_table(folder, "provenance/anchor_document") for folder in folders]
    assert tables[0] == tables[1]


def test_origins_do_not_hang_on_the_order_in_which_a_runner_brings_them() -> None:
    pages = [
        SourcePage(f"web:{n}", f"http://harbour.example/{n}", None, "harbour.warc.gz", n) for n in range(3)
    ]
    pairs = [
        LinkedPair(f"anchor_document:web:{n % 3}#a{n}", f"web:{n % 3}#a{n}", f"web:{n % 3}")
        for n in range(12)
    ]
    in_order = sorted(pairs, key=lambda pair: pair_order(pair.pair_id))
    expected = [(*pair[:3], *pages[int(pair.page_id[4:])][1:]) for pair in in_order]
    for step in (1, 5, 7, 11):  # each goes through all twelve, in another order
        shuffled = [pack([pairs[n * step % 12]]) for n in range(12)]
        found = origins_of(shuffled, [pack([page]) for page in pages[::-1]])
        assert list(map(tuple, found)) == expected


def test_every_row_that_is_rejected(crawl: Path) -> None:
    pair_all(crawl)
    (piles,) = (row for row in read_table(crawl, "pairs/anchor_document") if row["document_id"] == "web:2")
    rejects = [tuple(row.values()) for row in read_table(crawl, "rejects/pairs")]
    assert sorted(rejects, key=lambda row: row[2:5:2] + row[1:2]) == [
        ("pairs", "no_destination", "anchors", "web:1#a5", "web:1#s5", "far away", 1),
        ("pairs", "self", "pairs-anchor_document", "anchor_document:web:1#a3", "web:1#s3", "A pier", 1),
        (
            "pairs",
            "empty_document",
            "pairs-anchor_document",
            "anchor_document:web:1#a4",
            "web:1#s4",
            "nothing",
            1,
        ),
        ("pairs", "no_page", "pairs-anchor_document", "anchor_document:web:1#a6", "web:1#s6", "gone", 1),
        ("pairs", "duplicate", "pairs-anchor_document", piles["pair_id"], "web:2", piles["query"], 2),
        ("pairs", "few_passages", "pairs-codoc", None, "web:2", PAGES[1].text, 1),
        ("pairs", "empty_document", "pairs-codoc", None, "web:3", " \n", 1),
    ]


@pytest.mark.parametrize(
    ("options", "pairs", "rejected"),
    [
        (["--document", "lead"], 3, {"duplicate": 2, "no_page": 1, "self": 1}),
        (["--regions", "body", "list"], 1, {"duplicate": 1, "empty_document": 1, "no_page": 1, "region": 2,
                                            "self": 1}),
        (["--min-words", "10"], 1, {"duplicate": 2, "empty_document": 1, "no_page": 1, "self": 1,
                                    "short_document": 1}),
        (["--limit", "2"], 1, {"duplicate": 1}),
    ],
)  # fmt: skip
def test_options(crawl: Path, options: list[str], pairs: int, rejected: dict[str, int]) -> None:
    assert main(["pairs", str(crawl), "--task", "anchor_document", *options, *QUIET]) == 0
    row = funnel(crawl, "pairs")["pairs-anchor_document"]
    assert (row["written"], row["rejected"]) == (pairs, rejected)


def test_a_page_has_as_many_pairs_as_it_may(tmp_path: Path) -> None:
    anchors = [to(number, f"name {number % 40}", 2) for number in range(200)]
    chosen = []
    for most in (1, 5, 40):
        folder = write_folder(tmp_path / str(most), anchors, PAGES)
        assert main(["pairs", str(folder), "--task", "anchor_document", "--in-links", str(most), *QUIET]) == 0
        row = funnel(folder, "pairs")["pairs-anchor_document"]
        capped = {"capped": 200 - 5 * most} if most < 40 else {}
        assert row["rejected"] == {"duplicate": 4 * most, **capped}
        chosen.append(set(made(folder)))
    assert [len(texts) for texts in chosen] == [1, 5, 40]
    assert chosen[0] < chosen[1] < chosen[2]


def test_clean_texts_of_filtered_anchors_are_the_queries(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    anchors = [to(0, "→ Piles."), to(1, "piles", source=4), to(2, "Piles", region="nav")]
    folder = write_folder(tmp_path / "crawl", anchors, PAGES)
    assert main(["filter", str(folder), "--same-site", "off", "--classifier", "none", *QUIET]) == 0
    capsys.readouterr()
    assert main(["pairs", str(folder), "--task", "anchor_document", *QUIET]) == 0
    assert capsys.readouterr().err == "anchormine: pairs are made of filtered/\n"
    (pair,) = read_table(folder, "pairs/anchor_document")
    assert pair["query"] in ("Piles", "piles")
    assert (pair["document_id"], pair["occurrences"]) == ("web:2", 2)
    assert funnel(folder, "pairs")["anchors"]["read"] == 2


def test_filtered_anchors_of_other_anchors(crawl: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["filter", str(crawl), "--same-site", "off", "--classifier", "none", *QUIET]) == 0
    path = crawl / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["steps"]["filter"]["inputs"][0]["sha256"] = "0" * 64
    path.write_text(json.dumps(manifest))
    capsys.readouterr()
    assert main(["pairs", str(crawl), *BOTH, *QUIET]) == 1
    assert capsys.readouterr().err == (
        f"anchormine: {crawl}: its filtered/ was made from other anchors/ than it has now; run "
        f"`anchormine filter {crawl} --overwrite`\n"
    )
    assert not (crawl / "pairs").exists()


def test_pairs_of_all_anchors_are_not_thrown_away_by_a_first_filter(
    crawl: Path, capsys: pytest.CaptureFixture
) -> None:
    assert main(["pairs", str(crawl), *BOTH, *QUIET]) == 0
    before = checksums(crawl)
    capsys.readouterr()
    filtering = ["filter", str(crawl), "--same-site", "off", "--classifier", "none", *QUIET]
    assert main(filtering) == main([*filtering, "--dry-run"]) == main([*filtering, "--resume"]) == 2
    assert capsys.readouterr().err == 3 * (
        f"anchormine: {crawl}: holds what `anchormine pairs` made without `anchormine filter`, which goes "
        "with that; give --overwrite to remove it, or a copy of the folder\n"
    )
    assert checksums(crawl) == before
    assert main([*filtering, "--overwrite"]) == 0
    assert "what `anchormine pairs` made before goes with that" in capsys.readouterr().err
    assert not (crawl / "pairs").exists()


def check_anchor_documents(folder: Path) -> None:
    """Compares the pairs of a folder with what its tables say, read in another way."""
    pages = {row["page_id"]: row for row in read_table(folder, "pages")}
    anchors = {row["anchor_id"]: row for row in read_table(folder, "anchors")}
    uses: dict[str, Counter] = {}
    for row in anchors.values():
        if row["destination_page_id"] and row["destination_page_id"] != row["source_page_id"]:
            uses.setdefault(row["destination_page_id"], Counter())[
                " ".join(row["anchor"].casefold().split())
            ] += 1
    pairs = read_table(folder, "pairs/anchor_document")
    texts: dict[str, set[str]] = {}
    for pair in pairs:
        anchor, document = anchors[pair["anchor_id"]], pages[pair["document_id"]]
        string = " ".join(anchor["anchor"].casefold().split())
        assert pair["query"] == anchor["anchor"]
        assert pair["document"] == document["text"]
        assert anchor["destination_page_id"] == pair["document_id"]
        assert pair["occurrences"] == uses[pair["document_id"]][string]
        assert string not in texts.setdefault(pair["document_id"], set())
        texts[pair["document_id"]].add(string)
    readable = {page_id: found for page_id, found in uses.items() if pages[page_id]["text"].strip()}
    expected = {page_id: min(5, len(found)) for page_id, found in readable.items()}
    assert {page_id: len(found) for page_id, found in texts.items()} == expected
    origins = read_table(folder, "provenance/anchor_document")
    assert {row["pair_id"] for row in origins} == {pair["pair_id"] for pair in pairs}
    for row in origins:
        source = pages[anchors[row["anchor_id"]]["source_page_id"]]
        assert (row["source_page_id"], row["source_url"]) == (source["page_id"], source["url"])
        assert [row[name] for name in ("timestamp", "warc_file", "warc_offset")] == [
            source[name] for name in ("timestamp", "warc_file", "warc_offset")
        ]


def check_passages(folder: Path) -> None:
    """Compares the passages of a folder with its pages."""
    pages = {row["page_id"]: row["text"] for row in read_table(folder, "pages")}
    pairs = read_table(folder, "pairs/codoc")
    assert len({pair["document_id"] for pair in pairs}) == len(pairs) > 0
    for pair in pairs:
        text = pages[pair["document_id"]]
        assert pair["query"] != pair["document"]
        assert pair["query"] in text
        assert pair["document"] in text
    row = funnel(folder, "pairs")["pairs-codoc"]
    assert (row["read"], row["written"]) == (len(pages), len(pairs))


@pytest.fixture(scope="module")
def both(demo_wiki: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = shutil.copytree(demo_wiki, tmp_path_factory.mktemp("both") / "folder")
    assert main(["pairs", str(folder), *BOTH, *QUIET]) == 0
    return folder


def test_the_demo_wiki(both: Path) -> None:
    check_anchor_documents(both)
    check_passages(both)
    counted = {unit: (row["written"], row["rejected"]) for unit, row in funnel(both, "pairs").items()}
    rejects: dict[str, Counter] = {unit: Counter() for unit in counted}
    for row in read_table(both, "rejects/pairs"):
        rejects[row["unit"]][row["reason"]] += row["records"]
    assert {unit: dict(found) for unit, found in rejects.items()} == {
        unit: rejected for unit, (_, rejected) in counted.items()
    }


@pytest.mark.data
@pytest.mark.slow
@needs_crawls
def test_a_real_crawl(tmp_path: Path) -> None:
    files = [str(CRAWLS / name) for name in ("contextwiki-00000.warc.gz", "blackbook.warc.gz")]
    assert main(["web", *files, "--output", str(tmp_path / "crawl"), *QUIET]) == 0
    assert main(["pairs", str(tmp_path / "crawl"), *BOTH, *QUIET]) == 0
    check_anchor_documents(tmp_path / "crawl")
    check_passages(tmp_path / "crawl")


def test_same_bytes_in_worker_processes_beside_other_tasks(
    both: Path, demo_wiki: Path, tmp_path: Path
) -> None:
    tasks = ("--task", "codoc", "rqp", "anchor_document", "--weights", "uniform")
    folders = [shutil.copytree(demo_wiki, tmp_path / workers) for workers in ("1", "2")]
    for folder in folders:
        command = ["pairs", str(folder), *tasks, "--progress", "none", "--workers", folder.name]
        assert main(command) == 0
    assert checksums(folders[0]) == checksums(folders[1])
    alone, beside = checksums(both), checksums(folders[0])
    for path in alone:
        if path.startswith(("pairs/", "provenance/")):
            assert beside[path] == alone[path]


def test_tasks_one_after_the_other_give_the_folder_of_all_at_once(demo_wiki: Path, tmp_path: Path) -> None:
    once, parts = (shutil.copytree(demo_wiki, tmp_path / name) for name in ("once", "parts"))
    uniform = ("--weights", "uniform")
    assert main(["pairs", str(once), "--task", "rqp", "codoc", "anchor_document", *uniform, *QUIET]) == 0
    for options in (("codoc",), ("rqp", *uniform), ("anchor_document",), ("codoc", "--overwrite")):
        assert main(["pairs", str(parts), "--task", *options, *QUIET]) == 0
    assert checksums(parts) == checksums(once)
    manifests = [
        json.loads((folder / "manifest.json").read_text())["steps"]["pairs"] for folder in (once, parts)
    ]
    for name in ("options", "seed", "versions", "outputs", "counts", "funnel"):
        assert manifests[1][name] == manifests[0][name]
    assert list(manifests[1]["options"]) == list(manifests[0]["options"])


def test_options_of_one_task_leave_the_others_alone(both: Path, tmp_path: Path, capsys) -> None:
    folder = shutil.copytree(both, tmp_path / "folder")
    before = checksums(folder)
    command = ["pairs", str(folder), "--task", "anchor_document", "--in-links", "2", *QUIET]
    assert main(command) == 2
    assert "holds the output of `anchormine pairs` already" in capsys.readouterr().err
    assert main([*command, "--resume"]) == 2
    assert (
        "has anchor_document of `anchormine pairs` with in_links 5, not 2; give --overwrite to replace "
        "anchor_document, or another folder\n"
    ) in capsys.readouterr().err
    assert main([*command, "--overwrite"]) == 0
    assert capsys.readouterr().err == "anchormine: pairs are made of anchors/; codoc stays as it is\n"
    after = checksums(folder)
    (kept,) = (path for path in before if path.startswith("pairs/codoc/"))
    (changed,) = (path for path in before if path.startswith("pairs/anchor_document/"))
    assert after[kept] == before[kept]
    assert after[changed] != before[changed]
    options = json.loads((folder / "manifest.json").read_text())["steps"]["pairs"]["options"]
    assert (options["in_links"], options["passage_words"]) == (2, 128)
    assert main([*command, "--overwrite", "--min-words", "20"]) == 0
    assert "codoc of an earlier run go: made with min_words 0, not 20" in capsys.readouterr().err
    assert not list(folder.glob("pairs/codoc/*.parquet"))
    assert main(["pairs", str(folder), "--task", "codoc", "--overwrite", *QUIET]) == 0
    assert "anchor_document of an earlier run go: made with min_words 20, not 0" in capsys.readouterr().err
    assert not list(folder.glob("provenance/*/*.parquet"))


def test_options_that_have_no_part_are_named(crawl: Path, capsys: pytest.CaptureFixture) -> None:
    options = ["--weights", "uniform", "--in-links", "3", "--task", "codoc"]
    assert main(["pairs", str(crawl), *options, *QUIET]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "anchormine: pairs are made of pages/",
        "anchormine: --weights has no part in codoc",
        "anchormine: --in-links has no part in codoc",
        "anchormine: codoc: no pair was made",
    ]


def test_pages_without_anchors(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = write_folder(tmp_path / "crawl", [], [capture(1)], shards=0)
    assert main(["pairs", str(folder), *BOTH, *QUIET]) == 1
    assert capsys.readouterr().err == (
        f"anchormine: {folder}: its crawl had no links, so there are no pairs of anchor_document to make; "
        "give tasks that need none: --task codoc\n"
    )
    assert not (folder / "pairs").exists()
    assert main(["pairs", str(folder), "--task", "codoc", "--passage-words", "10", *QUIET]) == 0
    assert list(funnel(folder, "pairs")) == ["pairs-codoc"]
    assert len(made(folder, "codoc")) == 1


def test_links_within_a_site_are_advised_where_the_filter_has_dropped_some(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    anchors = [to(0, "far away", None), to(1, "near")._replace(target="http://shop.one.co.uk/")]
    folder = write_folder(tmp_path / "my crawl", anchors, [capture(1), capture(2)])
    assert main(["filter", str(folder), "--classifier", "none", *QUIET]) == 0
    capsys.readouterr()
    assert main(["pairs", str(folder), *BOTH, *QUIET]) == 1
    assert capsys.readouterr().err == (
        f"anchormine: {folder}: of 1 anchor in filtered/ none leads to a page of the input, so there "
        f"are no pairs, and nothing was published; keep links within a site (`anchormine filter '{folder}' "
        "--same-site off --overwrite`), or make the folder of a whole dump or crawl, or of more parts\n"
    )


@pytest.mark.parametrize("within", [99, 100])
def test_few_links_between_many_within_a_site(within: int, tmp_path: Path, capsys) -> None:
    near = [to(1 + number, "near")._replace(target="http://shop.one.co.uk/") for number in range(within)]
    folder = write_folder(tmp_path / "crawl", [to(0, "far"), *near], [capture(1), capture(2)])
    assert main(["filter", str(folder), "--classifier", "none", *QUIET]) == 0
    capsys.readouterr()
    assert main(["pairs", str(folder), "--task", "anchor_document", *QUIET]) == 0
    said = (
        f"anchormine: {folder}: only 1 of its anchors are in pairs, and the filter has dropped 100 within "
        f"one site; keep those (`anchormine filter {folder} --same-site off --overwrite`) if the crawl is of "
        "few sites"
    )
    assert (said in capsys.readouterr().err.splitlines()) == (within == 100)


def test_anchors_that_lead_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = write_folder(tmp_path / "crawl", [to(0, "far", None)], [capture(1)])
    assert main(["pairs", str(folder), *BOTH, *QUIET]) == 1
    assert "of 1 anchor in anchors/ none leads to a page of the input" in capsys.readouterr().err
    assert main(["filter", str(folder), "--same-site", "off", "--classifier", "none", *QUIET]) == 0
    capsys.readouterr()
    assert main(["pairs", str(folder), *BOTH, *QUIET]) == 1
    assert capsys.readouterr().err == (
        f"anchormine: {folder}: of 1 anchor in filtered/ none leads to a page of the input, so there "
        "are no pairs, and nothing was published; make the folder of a whole dump or crawl, or of more "
        "parts\n"
    )
    assert not (folder / "pairs").exists()
    assert main(["pairs", str(folder), *BOTH, "--passage-words", "10", *QUIET]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert "anchormine: anchor_document: no pair was made" in lines
    assert any(line.startswith(f"anchormine: {folder}: of 1 anchor in filtered/ none") for line in lines)
    assert len(made(folder, "codoc")) == 1


def test_a_page_that_only_links_to_itself(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = write_folder(tmp_path / "crawl", [to(0, "here", 1)], [capture(1)])
    assert main(["pairs", str(folder), "--task", "anchor_document", *QUIET]) == 0
    assert "anchor_document: no pair was made" in capsys.readouterr().err
    assert funnel(folder, "pairs")["pairs-anchor_document"]["rejected"] == {"self": 1}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--in-links", "0"], "--in-links: 0: give 1 or more"),
        (["--passage-words", "none"], "--passage-words: none: give 1 or more"),
        (["--pairs-per-page", "0"], "--pairs-per-page: 0: give 1 or more"),
        (["--document", "title"], "--document: invalid choice: 'title'"),
        (["--regions", "margin"], "--regions: invalid choice: 'margin'"),
        (["--inlinks", "3"], "unknown option --inlinks; did you mean --in-links?"),
    ],
)
def test_wrong_options(crawl: Path, options: list[str], message: str, capsys: pytest.CaptureFixture) -> None:
    before = checksums(crawl)
    assert main(["pairs", str(crawl), "--task", "anchor_document", *options, *QUIET]) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1
    assert checksums(crawl) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["negatives", "--task", "codoc", "--from", "bm25"],
        ["export", "--task", "codoc", "--to", "beir", "--output", "out"],
        ["train", "contrastive", "--task", "codoc", "--output", "out"],
        ["train", "pretrain", "--task", "codoc", "--output", "out"],
    ],
)
def test_none_was_made_of_a_task(
    crawl: Path, tmp_path: Path, arguments: list[str], monkeypatch, capsys
) -> None:
    """It is not asked for again, but the reason is said."""
    monkeypatch.chdir(tmp_path)
    crawl = crawl.rename(tmp_path / "my crawl")
    assert main(["pairs", str(crawl), *BOTH, *QUIET]) == 0
    capsys.readouterr()
    command = arguments[:2] if arguments[0] == "train" else arguments[:1]
    assert main([*command, str(crawl), *arguments[len(command) :]]) == 2
    told = capsys.readouterr().err
    assert told.endswith(f"`anchormine pairs` made none of codoc; `anchormine rejects '{crawl}'` says why\n")
    assert list(tmp_path.iterdir()) == [crawl]


def test_a_folder_without_pages(crawl: Path, capsys: pytest.CaptureFixture) -> None:
    manifest = json.loads((crawl / "manifest.json").read_text())
    manifest["steps"]["web"]["outputs"] = []
    (crawl / "manifest.json").write_text(json.dumps(manifest))
    capsys.readouterr()
    assert main(["pairs", str(crawl), "--task", "rop", *QUIET]) == 1
    assert capsys.readouterr().err == (
        f"anchormine: {crawl}: holds no pages; it has nothing; make a new folder with "
        "`anchormine wiki DUMP --output FOLDER`, or with `anchormine web` of a crawl\n"
    )


def test_no_model_is_needed(crawl: Path) -> None:
    program = (
        "import sys\n"
        "for name in ('torch', 'transformers', 'tokenizers', 'safetensors'): sys.modules[name] = None\n"
        "from anchormine.pipelines.cli import main\n"
        f"sys.exit(main(['pairs', {str(crawl)!r}, *{(*BOTH, *QUIET)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        0, "anchormine: pairs are made of anchors/\nanchormine: codoc: no pair was made\n"
    )  # fmt: skip

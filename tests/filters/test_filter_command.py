"""`anchormine filter` with its rules: rows, rejects, funnel, table, and what is refused."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections import Counter
from io import BytesIO
from pathlib import Path

import apache_beam as beam
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from apache_beam.testing.util import assert_that, equal_to

from anchormine.filters.survival_table import survival_table
from anchormine.pipelines import filter_source, suggestion_file
from anchormine.schemas.filtered import FILTERED
from anchormine.transforms.count_anchors import MostFrequent, most_frequent
from anchormine.transforms.count_documents import CountDocuments, Survival
from tests.filters.anchor_folders import SOURCE, link, page, write_folder
from tests.pipelines.command_runs import DEMO, QUIET, checksums, funnel, main, read_table, run_demo_wiki

RULES_ONLY = (*QUIET, "--classifier", "none")
ANCHORS = [
    link(0, "Annual Report", "http://two.org/report"),
    link(1, "Annual Report", "http://two.org/report", destination_page_id="web:2", region="footer"),
    link(2, "Our shop", "http://shop.one.co.uk/"),
    link(3, "→ Menu of Tuesday", "http://three.net/menu", destination_page_id="web:3"),
    link(4, "[1]", "http://three.net/menu", destination_page_id="web:3"),
    link(5, "Read more …", "http://three.net/menu", destination_page_id="web:3"),
    link(6, "Weiterlesen", "http://two.org/de", language="de"),
    link(7, "Weiterlesen", "http://two.org/de"),
    link(8, "word " * 64 + "end", "http://two.org/long"),
    link(9, "Sponsor's page", "http://ads.com/", rel="sponsored"),
]
KEPT = [("web:1#a0", "Annual Report"), ("web:1#a3", "Menu of Tuesday"), ("web:1#a7", "Weiterlesen"),
        ("web:1#a9", "Sponsor's page")]  # fmt: skip
DROPPED = [("web:1#a1", "header_footer"), ("web:1#a2", "same_site"), ("web:1#a4", "cleaning"),
           ("web:1#a5", "keywords"), ("web:1#a6", "keywords"), ("web:1#a8", "length")]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "folder", ANCHORS)


def kept(folder: Path) -> list[str]:
    return [row["anchor_id"].partition("#a")[2] for row in read_table(folder, "filtered")]


def test_rows_rejects_funnel_and_table(folder: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["filter", str(folder), *RULES_ONLY]) == 0
    assert capsys.readouterr().out.splitlines()[8:-2] == [
        "after              documents     anchors  per document    of all  of those before",
        "all                        7          10          1.43   100.0 %          100.0 %",
        "header_footer              6           9          1.50    90.0 %           90.0 %",
        "same_site                  5           8          1.60    80.0 %           88.9 %",
        "cleaning                   5           7          1.40    70.0 %           87.5 %",
        "keywords                   5           5          1.00    50.0 %           71.4 %",
        "length                     4           4          1.00    40.0 %           80.0 %"
        "   (Anchor-DR: 17.6 % of all)",
        "Anchor-DR on ClueWeb22: 60.49M documents with 117.11M anchors, in the end 3.97M with 4.25M",
    ]
    rows = read_table(folder, "filtered")
    assert [(row["anchor_id"], row["anchor_clean"]) for row in rows] == KEPT
    by_id = {anchor.anchor_id: anchor for anchor in ANCHORS}
    for row in rows:
        assert list(row) == FILTERED.names
        assert tuple(row.values())[:-3] == tuple(by_id[row["anchor_id"]])
        assert (row["query_score"], row["query_threshold"]) == (None, None)
    rejects = read_table(folder, "rejects/filter")
    assert [(row["record_id"], row["reason"]) for row in rejects] == DROPPED
    assert rejects[0] == {
        "step": "filter", "reason": "header_footer", "unit": "anchors", "record_id": "web:1#a1",
        "origin": "web:1", "excerpt": "Annual Report", "records": 1,
    }  # fmt: skip
    assert funnel(folder, "filter")["anchors"]["rejected"] == {
        "cleaning": 1, "header_footer": 1, "keywords": 2, "length": 1, "same_site": 1,
    }  # fmt: skip


def test_the_manifest_says_all(folder: Path) -> None:
    assert main(["filter", str(folder), *RULES_ONLY]) == 0
    section = json.loads((folder / "manifest.json").read_text())["steps"]["filter"]
    assert section["options"] == {
        "rules": "anchor-dr",
        "constants": {
            "header_footer": {"regions": ["header", "footer", "nav", "aside"]},
            "same_site": {"scope": "domain"},
            "cleaning": {"profile": "ours"},
            "keywords": {"lists": "languages", "own": {}},
            "length": {"max_words": 64, "unspaced": True},
        },
        "classifier": "none", "classifier_sha256": None, "keep_share": None, "device": None, "dtype": None,
        "limit": None,
        "language": None,
    }  # fmt: skip
    assert [entry["path"] for entry in section["inputs"]] == ["anchors/train-00000-of-00001.parquet"]
    assert {"tldextract", "anchormine"} <= section["versions"].keys()
    card = (folder / "README.md").read_text()
    assert "| `anchor_clean` | `string` | The anchor's text after cleaning" in card
    assert "anchors were left out by reason (cleaning 1" in (folder / "ATTRIBUTION.md").read_text().lower()


@pytest.mark.parametrize(("rules", "is_cleaned"), [("none", False), ("wikipedia", True)])
def test_changes_are_those_of_the_rules(folder: Path, rules: str, is_cleaned: bool) -> None:
    assert main(["filter", str(folder), *RULES_ONLY, "--rules", rules]) == 0
    for name in ("ATTRIBUTION.md", "README.md"):
        assert ("texts were cleaned" in (folder / name).read_text()) == is_cleaned


def test_a_file_of_rules_is_no_file_of_options(folder: Path, capsys: pytest.CaptureFixture) -> None:
    path = folder.parent / "rules.toml"
    for table, remedy in (
        ("[length]\nmax_words = 2", "if the file is meant for --rules, give it to that"),
        ("[filter]\nkeep_share = 0.5", "write its options without it: keep_share = ..."),
    ):
        path.write_text(table)
        assert main(["filter", str(folder), *QUIET, "--config", str(path)]) == 2
        name = table[1 : table.index("]")]
        assert capsys.readouterr().err == f"anchormine: {path}: [{name}] is a table; {remedy}\n"


def test_json(folder: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["filter", str(folder), *RULES_ONLY, "--rules", "none", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["filters"] == [
        {
            "after": "all", "documents": 7, "anchors": 10, "anchors_per_document": 1.43, "share_of_all": 1.0,
            "share_of_previous": 1.0, "paper_share_of_all": None, "paper_share_of_previous": None,
        }
    ]  # fmt: skip
    assert [row["anchor_clean"] for row in read_table(folder, "filtered")] == [row.anchor for row in ANCHORS]


PAPER_RULES = ("header_footer", "same_site", "cleaning", "keywords", "length")


@pytest.mark.parametrize(
    ("rules", "classified", "shares"),
    [
        (PAPER_RULES, False, {"length": 0.176}),
        (PAPER_RULES, True, {"length": 0.176, "classifier": 0.206}),
        ((*PAPER_RULES[::-1], "nofollow", "robots"), True, {"header_footer": 0.176, "classifier": 0.206}),
        (("nofollow", *PAPER_RULES), False, {"length": 0.176}),
        (("nofollow", "robots"), True, {}),
        (PAPER_RULES[2:], True, {}),
        (PAPER_RULES[:4], True, {}),
        ((), True, {}),
    ],
)
def test_the_shares_of_the_paper_stand_where_its_rules_were_applied(
    rules: tuple[str, ...], classified: bool, shares: dict[str, float]
) -> None:
    text, rows = survival_table(rules, classified, {"anchors.read": 1})
    found = {row["after"]: row["paper_share_of_all"] or row["paper_share_of_previous"] for row in rows}
    assert {name: share for name, share in found.items() if share} == shares
    assert text.count("Anchor-DR: ") == len(shares)
    assert ("Anchor-DR on ClueWeb22" in text) == bool(shares)


def test_shares_are_rounded_once() -> None:
    """3,649 of 3,651 are 99.945 %, though 99.95 % is 100.0 %."""
    counts = {"anchors.read": 3651, "anchors.rejected.cleaning": 2, "documents.all": 10}
    text, rows = survival_table(("cleaning",), False, counts | {"documents.cleaning": 10})
    assert text.splitlines()[2] == (
        "cleaning                  10       3,649        364.90    99.9 %           99.9 %"
    )
    assert (rows[1]["share_of_all"], rows[1]["share_of_previous"]) == (0.9995, 0.9995)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--rules", "anchor-dr-code"], "2 0 3 6 7 9"),
        (["--rules", "wikipedia"], "0 1 2 3 6 7 9"),
        (["--same-site", "off"], "0 2 3 7 9"),
        (["--same-site", "host"], "0 2 3 7 9"),
        (["--language", "de"], "0 3 9"),
        (["--limit", "5"], "0 3"),
    ],
)
def test_options(folder: Path, options: list[str], expected: str) -> None:
    assert main(["filter", str(folder), *RULES_ONLY, *options]) == 0
    assert kept(folder) == sorted(expected.split())


def test_rules_and_keywords_of_ones_own(folder: Path) -> None:
    rules, words = folder.parent / "mine.toml", folder.parent / "words.txt"
    rules.write_text('rules = ["nofollow", "cleaning", "keywords"]\n')
    words.write_text("menu of tuesday\n")
    assert main(["filter", str(folder), *RULES_ONLY, "--rules", str(rules), "--keywords", str(words)]) == 0
    assert kept(folder) == ["0", "1", "2", "7", "8"]
    options = json.loads((folder / "manifest.json").read_text())["steps"]["filter"]["options"]
    assert (options["rules"], options["constants"]["keywords"]["own"]) == ("mine", {"": ["menuoftuesday"]})


def test_a_doubtful_word_of_a_rule_file_is_told_before_the_run(
    folder: Path, capsys: pytest.CaptureFixture
) -> None:
    rules = folder.parent / "mine.toml"
    rules.write_text('rules = ["nofollow"]\nnofollow.rel = ["sponsored", "nofollw"]\n')
    told = (
        "anchormine: the rules mine: [nofollow] rel: 'nofollw' drops only links that are marked just so; did "
        "you mean nofollow?\n"
    )
    for more in (["--dry-run"], ["--suggest-keywords"], []):
        assert main(["filter", str(folder), *RULES_ONLY, "--rules", str(rules), *more]) == 0
        assert capsys.readouterr().err == told
    assert kept(folder) == [str(number) for number in range(9)]


@pytest.mark.parametrize("rules", ["anchor-dr", "anchor-dr-code"])
def test_keywords_that_cleaning_alters(tmp_path: Path, rules: str) -> None:
    texts = ['"Quoted"', "quoted", "a.b*", "Don't", "What is left"]
    folder = write_folder(tmp_path / "folder", [link(number, text) for number, text in enumerate(texts)])
    words = tmp_path / "words.txt"
    words.write_text('"quoted"\na.b*\ndon\'t\n')
    assert main(["filter", str(folder), *RULES_ONLY, "--rules", rules, "--keywords", str(words)]) == 0
    assert kept(folder) == ["4"]


def test_texts_of_whole_pages_are_not_suggested(tmp_path: Path) -> None:
    texts = ["word" * 60_000, "w" * 1001, "w" * 1000]
    folder = write_folder(tmp_path / "folder", [link(number, text) for number, text in enumerate(texts)])
    assert main(["filter", str(folder), *QUIET, "--suggest-keywords"]) == 0
    assert (folder / "stats" / "keywords.tsv").read_text() == (
        f"keyword\tlanguage\tcount\tanchor\n\ten\t1\t{'w' * 1000}\n"
    )


def test_pages_that_ask_robots_to_keep_off(tmp_path: Path) -> None:
    pages = [page("web:1", "noindex,nofollow"), page("web:5", "noarchive"), page("web:6")]
    anchors = [link(n, "Something", source_page_id=f"web:{n}") for n in (1, 5, 6, 7)]
    folder = write_folder(tmp_path / "folder", anchors, pages)
    (tmp_path / "robots.toml").write_text('rules = ["robots"]')
    assert main(["filter", str(folder), *RULES_ONLY, "--rules", str(tmp_path / "robots.toml")]) == 0
    assert kept(folder) == ["5", "6", "7"]
    assert [row["reason"] for row in read_table(folder, "rejects/filter")] == ["robots"]
    folder = write_folder(tmp_path / "silent", anchors, pages[1:])
    assert main(["filter", str(folder), *RULES_ONLY, "--rules", str(tmp_path / "robots.toml")]) == 0
    assert kept(folder) == ["1", "5", "6", "7"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], ["0", "3", "4"]),
        (["--same-site", "host"], ["0", "2", "3", "4"]),
        (["--same-site", "off"], ["0", "1", "2", "3", "4"]),
        (["--rules", "anchor-dr-code"], ["0", "2", "3", "4"]),
    ],
)
def test_the_site_that_links_lead_to_in_the_end(
    tmp_path: Path, options: list[str], expected: list[str]
) -> None:
    """A redirect may lead out of a site, or back to it, in whatever order the pages are."""
    pages = [
        page("web:1"),
        page("web:2")._replace(
            url="http://museum.org/lamps", redirects_from=["http://www.one.co.uk/out?to=1"]
        ),
        page("web:3")._replace(url=f"{SOURCE}s", redirects_from=["http://short.io/x"]),
        page("web:4")._replace(url="http://shop.one.co.uk/", redirects_from=["http://short.io/y"]),
        page("web:5")._replace(url="http://two.org/", redirects_from=[]),
    ]
    anchors = [
        link(0, "History of lamps", "http://www.one.co.uk/out?to=1", destination_page_id="web:2"),
        link(1, "More lamps", "http://short.io/x", destination_page_id="web:3"),
        link(2, "Our shop", "http://short.io/y", destination_page_id="web:4"),
        link(3, "Second site", "http://two.org/", destination_page_id="web:5"),
        link(4, "Unknown site", "http://short.io/z"),
    ]
    for name, ordered in (("there", pages), ("back", pages[::-1])):
        folder = write_folder(tmp_path / name, anchors, ordered)
        assert main(["filter", str(folder), *RULES_ONLY, *options]) == 0
        assert kept(folder) == expected


def test_only_the_pages_that_others_lead_to_are_elsewhere(tmp_path: Path) -> None:
    """Of 40 pages, those of even number stand at the end of a redirect, into the site or out of it."""
    into_it, on_it, out_of_it, off_it = 0, 1, 2, 3  # of the number, modulo 4
    written = {
        into_it: "http://short.io/{}",
        on_it: "http://www.one.co.uk/{}",
        out_of_it: "http://www.one.co.uk/out?to={}",
        off_it: "http://two.org/{}",
    }
    ends = {into_it: "http://www.one.co.uk/{}", out_of_it: "http://museum.org/{}"}
    pages, anchors = [page("web:1")], []
    for number in range(40):
        target = written[number % 4].format(number)
        leads_on = number % 4 in ends
        url = ends[number % 4].format(number) if leads_on else target
        one = page(f"web:p{number}")._replace(url=url, redirects_from=[target] if leads_on else [])
        pages.append(one)
        region = "footer" if number % 5 == 4 else "body"
        anchors.append(
            link(number, f"History, part {number}", target, destination_page_id=one.page_id, region=region)
        )
    folder = write_folder(tmp_path / "folder", anchors, pages)
    assert main(["filter", str(folder), *RULES_ONLY]) == 0
    rejects = [(row["reason"], row["record_id"]) for row in read_table(folder, "rejects/filter")]
    judged = {"kept": kept(folder)}
    for reason, record_id in rejects:
        judged.setdefault(reason, []).append(record_id.partition("#a")[2])
    assert {reason: " ".join(numbers) for reason, numbers in judged.items()} == {
        "kept": "2 3 6 7 10 11 15 18 22 23 26 27 30 31 35 38",
        "header_footer": "4 9 14 19 24 29 34 39",
        "same_site": "0 1 5 8 12 13 16 17 20 21 25 28 32 33 36 37",
    }


def test_many_slices_and_workers_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows come in input order, whoever has read them; shards and slices do not end at the same rows."""
    monkeypatch.setattr(filter_source, "ROWS_PER_SLICE", 7)
    anchors = [
        link(number, f"Text {number % 11} of {'home' * (number % 5)}", f"http://{number % 13}.org/")
        for number in range(200)
    ] + [link(number, "home") for number in range(200, 230)]
    folders = [write_folder(tmp_path / name, anchors, shards=3) for name in ("one", "two")]
    for folder, workers in zip(folders, "12", strict=True):
        options = ["--progress", "none", "--workers", workers, "--classifier", "none"]
        assert main(["filter", str(folder), *options]) == 0
    assert kept(folders[0]) == [str(number) for number in range(200)]
    assert checksums(folders[0]) == checksums(folders[1])
    counts = json.loads((folders[0] / "manifest.json").read_text())["steps"]["filter"]["counts"]
    documents = {name: count for name, count in counts.items() if name.startswith("documents.")}
    assert documents == {
        "documents.all": 14, "documents.header_footer": 14, "documents.same_site": 14,
        "documents.cleaning": 14, "documents.keywords": 13, "documents.length": 13,
    }  # fmt: skip


def test_a_wiki(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = run_demo_wiki(tmp_path / "demo")
    capsys.readouterr()
    assert main(["filter", str(folder), *QUIET]) == 0
    section = json.loads((folder / "manifest.json").read_text())["steps"]["filter"]
    assert (section["options"]["rules"], section["options"]["classifier"]) == ("wikipedia", "none")
    assert len(read_table(folder, "filtered")) == len(read_table(folder, "anchors")) > 2000
    again = shutil.copytree(folder, tmp_path / "again")
    assert main(["filter", str(again), "--overwrite", *QUIET, "--rules", "anchor-dr"]) == 0
    assert funnel(again, "filter")["anchors"]["rejected"] == {}


def test_rules_for_a_wiki(tmp_path: Path) -> None:
    """They drop texts for what they say, and none for where it stands or leads to."""
    texts = ("A pier", "[1]", "here", "word " * 65, "Piles", "read more", "1996")
    regions = ("header", "body", "header", "table", "list", "body", "caption")
    anchors = [
        link(number, text, "Pier", region=region, source_url=None)
        for number, (text, region) in enumerate(zip(texts, regions, strict=True))
    ]
    folder = write_folder(tmp_path / "folder", anchors, step="wiki")
    assert main(["filter", str(folder), *QUIET]) == 0
    assert kept(folder) == ["0", "4"]
    assert [row["anchor_clean"] for row in read_table(folder, "filtered")] == ["A pier", "Piles"]
    assert funnel(folder, "filter")["anchors"] == {
        "step": "filter", "unit": "anchors", "read": 7, "written": 2,
        "rejected": {"cleaning": 2, "keywords": 2, "length": 1}, "unreadable": 0,
    }  # fmt: skip
    rejects = [(row["record_id"], row["reason"]) for row in read_table(folder, "rejects/filter")]
    assert rejects == [
        ("web:1#a1", "cleaning"),
        ("web:1#a2", "keywords"),
        ("web:1#a3", "length"),
        ("web:1#a5", "keywords"),
        ("web:1#a6", "cleaning"),
    ]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_a_page_counts_by_the_link_that_comes_furthest(order: tuple[int, ...]) -> None:
    """Whichever slice that is in, and whenever a runner brings it."""
    found: list[tuple[int, tuple[np.ndarray, np.ndarray]]] = []
    for part in order:
        pages = [f"web:{number}" if number else None for number in range(4)]
        rows = pa.table({"destination_page_id": pages, "target": ["http://two.org/"] * 4})
        survival = Survival()
        survival.add(rows, [part, 2 - part, 0, part % 2])
        found += survival.divided(2)
    with beam.Pipeline() as pipeline:
        counts = pipeline | beam.Create(found) | CountDocuments(("all", "keywords", "length"))
        summed = (
            counts
            | beam.Map(lambda report: Counter(report["counts"]))
            | beam.CombineGlobally(lambda parts: sum(parts, Counter()))
        )
        assert_that(summed, equal_to([{"documents.all": 4, "documents.keywords": 3, "documents.length": 2}]))


def test_the_most_frequent_texts_are_the_same_however_they_are_divided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One slice and one bucket, or many of both: of each language the most frequent, by count, then text."""
    counts = {"en": {"pier": 5, "quay": 3, "mole": 3, "wall": 2}, "de": {"kai": 4, "bucht": 1, "arm": 1}}
    texts = [(text, code) for code, found in counts.items() for text in found for _ in range(found[text])]
    anchors = [link(number, text, language=code) for number, (text, code) in enumerate(texts)]
    tables = []
    for name, rows, buckets in (("one", 1000, 1), ("many", 2, 7)):
        monkeypatch.setattr(filter_source, "ROWS_PER_SLICE", rows)
        monkeypatch.setattr("anchormine.pipelines.keyword_suggestions.string_buckets", lambda _, n=buckets: n)
        folder = write_folder(tmp_path / name, anchors)
        assert main(["filter", str(folder), *QUIET, "--suggest-keywords", "2"]) == 0
        tables.append((folder / "stats" / "keywords.tsv").read_text())
    assert (
        tables
        == ["keyword\tlanguage\tcount\tanchor\n\tde\t4\tkai\n\tde\t1\tarm\n\ten\t5\tpier\n\ten\t3\tmole\n"]
        * 2
    )


def test_texts_of_many_bundles_are_counted_together() -> None:
    """A runner may add up its bundles' most frequent texts in any order, and in parts."""
    parts = [
        [((code, f"{code} {n}"), n % 5) for n in range(part, 40, 4)]
        for part in range(4)
        for code in ("en", "de")
    ]
    everything = most_frequent([item for part in parts for item in part], 3)
    frequent = MostFrequent(3)
    assert [count for _, count in everything] == [4, 4, 4, 4, 4, 4]
    for order in (parts, parts[::-1]):
        accumulators = [frequent.add_input(frequent.create_accumulator(), part) for part in order]
        halves = [frequent.merge_accumulators(accumulators[start::2]) for start in (0, 1)]
        assert frequent.merge_accumulators(halves) == everything
    assert frequent.extract_output(everything)[0] == ("de", "de 14", 4)


def test_suggested_keywords_are_ticked_and_taken(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    texts = ["Old pier"] * 5 + ["old PIER!"] * 2 + ["Home"] * 4 + ["Rare"]
    anchors = [link(number, text) for number, text in enumerate(texts)]
    anchors += [link(20 + number, "Drucken", language="de") for number in range(3)]
    folder = write_folder(tmp_path / "folder", anchors)
    before = checksums(folder)
    assert main(["filter", str(folder), *QUIET, "--suggest-keywords", "2"]) == 0
    path = folder / "stats" / "keywords.tsv"
    assert capsys.readouterr().out == f"{path}\n"
    assert path.read_text() == (
        "keyword\tlanguage\tcount\tanchor\nx\tde\t3\tdrucken\n\ten\t7\told pier\nx\ten\t4\thome\n"
    )
    assert checksums(folder).items() - before.items() == {
        ("stats/keywords.tsv", checksums(folder)["stats/keywords.tsv"])
    }
    path.write_text(path.read_text().replace("\n\ten\t7", "\nx\ten\t7"))
    assert main(["filter", str(folder), *RULES_ONLY, "--keywords", str(path)]) == 0
    assert kept(folder) == ["11"]
    elsewhere = str(tmp_path / "mine.tsv")
    more = ["--suggest-keywords", "--suggestions", elsewhere, "--language", "de", "--json", "--workers", "2"]
    assert main(["filter", str(folder), "--progress", "none", *more]) == 0
    assert Path(elsewhere).read_text().splitlines()[1] == "\tde\t7\told pier"


def test_keywords_of_every_language_are_ticked_and_dropped_where_a_page_declares_none(tmp_path: Path) -> None:
    texts = {None: ["다음", "Startseite", "Plus"], "fr": ["다음", "Plus"], "en": ["Startseite", "Next page"]}
    found = [(language, text) for language, some in texts.items() for text in some]
    anchors = [link(number, text, language=language) for number, (language, text) in enumerate(found)]
    folder = write_folder(tmp_path / "folder", anchors)
    assert main(["filter", str(folder), *QUIET, "--suggest-keywords"]) == 0
    assert (folder / "stats" / "keywords.tsv").read_text().splitlines()[1:] == [
        "\t\t1\tplus", "x\t\t1\tstartseite", "x\t\t1\t다음", "x\ten\t1\tnext page", "\ten\t1\tstartseite",
        "x\tfr\t1\tplus", "\tfr\t1\t다음",
    ]  # fmt: skip
    assert main(["filter", str(folder), *RULES_ONLY]) == 0
    assert kept(folder) == ["2", "3", "5"]
    assert main(["filter", str(folder), *RULES_ONLY, "--language", "fr", "--overwrite"]) == 0
    assert kept(folder) == ["0", "1", "3", "5"]
    assert main(["filter", str(folder), *RULES_ONLY, "--rules", "anchor-dr-code", "--overwrite"]) == 0
    assert kept(folder) == ["1", "2", "4", "5", "6"]  # ASCII alone


TICKED = "keyword\tlanguage\tcount\tanchor\nx\ten\t9\tAnnual report\n\ten\t9\tour shop\n"
DE, REPORT, MORE = "de weiterlesen", "en annual report", "en read more"
OWN_FILES = {
    "plain.txt": "Annual report\n",
    "ticked.tsv": TICKED,
    "file.toml": '[keywords]\nfile = "ticked.tsv"\n',
    "none.toml": '[keywords]\nlists = "none"\nfile = "plain.txt"\n',
    "english.toml": '[keywords]\nlists = "english"\n',
    "quoted.txt": '"Annual report"\n',
    "early.toml": 'rules = ["keywords", "cleaning"]\n',
    "without.toml": 'rules = ["cleaning"]\n',
}


@pytest.mark.parametrize(
    ("options", "ticked"),
    [
        ([], [DE, MORE]),
        (["--keywords", "plain.txt"], [DE, REPORT, MORE]),
        (["--keywords", "ticked.tsv"], [DE, REPORT, MORE]),
        (["--rules", "file.toml"], [DE, REPORT, MORE]),
        (["--rules", "none.toml"], [REPORT]),
        (["--rules", "english.toml"], [MORE]),
        (["--rules", "anchor-dr-code", "--keywords", "quoted.txt"], [REPORT, MORE]),
        (["--rules", "early.toml", "--keywords", "quoted.txt"], [DE, REPORT, MORE]),
        (["--rules", "without.toml"], [DE, MORE]),
    ],
)
def test_suggestions_are_ticked_by_the_keywords_of_the_run(
    folder: Path, options: list[str], ticked: list[str]
) -> None:
    for name, text in OWN_FILES.items():
        (folder.parent / name).write_text(text)
    given = [str(folder.parent / word) if word in OWN_FILES else word for word in options]
    assert main(["filter", str(folder), *QUIET, "--suggest-keywords", *given]) == 0
    rows = [line.split("\t") for line in (folder / "stats" / "keywords.tsv").read_text().splitlines()[1:]]
    assert len(rows) == 8
    assert [f"{language} {text}" for tick, language, _, text in rows if tick] == ticked


def test_a_table_is_made_anew_with_what_is_ticked_in_it(folder: Path) -> None:
    path = folder / "stats" / "keywords.tsv"
    command = ["filter", str(folder), *QUIET, "--suggest-keywords"]
    assert main(command) == 0
    ticked = path.read_text().replace("\ten\t2\tannual report\n", "x\ten\t2\tannual report\n")
    path.write_text(ticked)
    assert main([*command, "--keywords", str(path), "--overwrite"]) == 0
    assert path.read_text() == ticked


@pytest.mark.parametrize(
    ("arguments", "rows"),
    [
        (["--suggest-keywords", "DIR"], 8),
        (["--suggest-keywords", "1", "DIR"], 2),
        (["--limit", "3", "DIR", "--suggest-keywords", "9"], 2),
        (["DIR", "--suggest-keywords"], 8),
    ],
)
def test_ways_to_ask_for_suggestions(folder: Path, arguments: list[str], rows: int) -> None:
    assert main(["filter", *QUIET, *(str(folder) if word == "DIR" else word for word in arguments)]) == 0
    assert len((folder / "stats" / "keywords.tsv").read_text().splitlines()) == 1 + rows


SUGGESTED = ("--suggest-keywords", "1")
FIRST = "keyword\tlanguage\tcount\tanchor\n\tde\t1\tweiterlesen\n\ten\t2\tannual report\n"


def refused(capsys: pytest.CaptureFixture) -> str:
    """What was printed, one line of an error."""
    printed = capsys.readouterr()
    assert (printed.err[:12], printed.err[-1], printed.err.count("\n"), printed.out) == (
        "anchormine: ", "\n", 1, "",
    )  # fmt: skip
    return printed.err[12:-1]


def test_a_ticked_table_is_not_replaced_unasked(folder: Path, capsys: pytest.CaptureFixture) -> None:
    path = folder / "stats" / "keywords.tsv"
    assert main(["filter", str(folder), *QUIET, *SUGGESTED]) == 0
    assert path.read_text() == FIRST.replace("\tde", "x\tde")
    ticked = FIRST.replace("\ten", "x\ten")
    path.write_text(ticked, encoding="utf-8-sig", newline="\r\n")  # as some editors save it
    before = checksums(folder)
    capsys.readouterr()
    for more in ([], ["--dry-run"]):
        assert main(["filter", str(folder), *QUIET, *SUGGESTED, *more]) == 2
        assert refused(capsys) == (
            f"{path}: is there already; give --overwrite to replace it with all that is ticked in it, "
            "--resume to keep it, or --suggestions another file"
        )
    assert main(["filter", str(folder), *QUIET, *SUGGESTED, "--resume", "--overwrite"]) == 2
    assert refused(capsys) == "--overwrite and --resume: give one of them"
    assert main(["filter", str(folder), *QUIET, *SUGGESTED, "--resume"]) == 0
    assert capsys.readouterr() == ("", f"{path}: is there already\n")
    assert checksums(folder) == before
    assert main(["filter", str(folder), *QUIET, *SUGGESTED, "--overwrite"]) == 0
    assert path.read_text() == FIRST.replace("\tde", "x\tde")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("manifest.json", "is there already, and is no table of suggested keywords"),
        ("README.md", "is there already, and is no table of suggested keywords"),
        ("anchors/train-00000-of-00001.parquet", "is there already, and is no table of suggested keywords"),
        ("stats", "is a folder; give --suggestions a file"),
        ("new/", "is a folder; give --suggestions a file"),
        ("manifest.json/keywords.tsv", "cannot be written ("),
    ],
)
def test_suggestions_go_where_nothing_else_is(
    folder: Path, name: str, message: str, capsys: pytest.CaptureFixture
) -> None:
    assert main(["filter", str(folder), *RULES_ONLY]) == 0
    before = checksums(folder)
    for more in ([], ["--overwrite"], ["--resume"]):
        capsys.readouterr()
        place = ["--suggestions", f"{folder}/{name}"]
        assert main(["filter", str(folder), *QUIET, *SUGGESTED, *place, *more]) == 2
        assert refused(capsys).startswith(f"{folder}/{name.rstrip('/')}: {message}")
    assert checksums(folder) == before


class FullDisk(BytesIO):
    """Has room for the trial, which writes nothing."""

    def write(self, _data: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_suggestions_on_a_full_disk(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    command = ["filter", str(folder), *QUIET, *SUGGESTED]
    assert main(command) == 0
    before = checksums(folder)
    capsys.readouterr()

    def create(path: str) -> FullDisk:
        Path(path).touch()
        return FullDisk()

    monkeypatch.setattr(suggestion_file, "create_file", create)
    assert main([*command, "--overwrite"]) == 1
    assert refused(capsys) == (
        f"{folder}/stats/keywords.tsv: cannot be written (No space left on device); nothing was published; "
        "give --suggestions another file, or make room"
    )
    assert checksums(folder) == before


def test_suggestions_in_a_config_file(folder: Path, capsys: pytest.CaptureFixture) -> None:
    config = folder.parent / "filter.toml"
    command = ["filter", str(folder), *RULES_ONLY, "--config", str(config)]
    path = folder / "stats" / "keywords.tsv"
    for value, rows in (("true", 8), ("1", 2)):
        config.write_text(f"suggest-keywords = {value}\noverwrite = true\n")
        assert main(command) == 0
        assert len(path.read_text().splitlines()) == 1 + rows
    capsys.readouterr()
    for value, message in (
        ("0", f"{config}: argument --suggest-keywords: 0: give 1 or more"),
        ("[1, 2]", f"{config}: --suggest-keywords is one value, not [1, 2]"),
        ('"there"', "unexpected argument 'there'"),
    ):
        config.write_text(f"suggest-keywords = {value}\n")
        assert main(command) == 2
        assert refused(capsys) == message
    config.write_text("suggest-keywords = false\n")
    assert main(command) == 0
    assert kept(folder) == ["0", "3", "7", "9"]


def test_a_config_file_as_editors_save_it(folder: Path, capsys: pytest.CaptureFixture) -> None:
    config = folder.parent / "filter.toml"
    command = ["filter", str(folder), *RULES_ONLY, "--config", str(config)]
    text = '# für uns\nrules = "wikipedia"\n'
    config.write_text(text, encoding="utf-8-sig", newline="\r\n")
    assert main(command) == 0
    assert kept(folder) == ["0", "1", "2", "3", "6", "7", "9"]
    capsys.readouterr()
    config.write_text(text, encoding="latin-1")
    assert main(command) == 2
    assert refused(capsys) == f"{config}: not UTF-8 at byte 3; save it as UTF-8"


def test_suggestions_of_replaced_anchors_are_set_aside(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = run_demo_wiki(tmp_path / "demo")
    made = checksums(folder)
    command = ["wiki", str(DEMO / "wiki.xml"), "--output", str(folder), "--overwrite", *QUIET]
    for number, ticked in ((1, "the first"), (2, "the second")):
        (folder / "stats" / "keywords.tsv").write_text(ticked)
        line = f"stats/keywords.tsv, suggested from its old anchors, is kept as stats/keywords-{number}.tsv"
        capsys.readouterr()
        assert main([*command, "--dry-run"]) == 0
        assert f"\n  removal {line}\n" in capsys.readouterr().out
        assert main(command) == 0
        assert capsys.readouterr().err.splitlines()[0] == f"anchormine: {folder}: {line}"
    stats = {path.name: path.read_text() for path in (folder / "stats").glob("keywords*")}
    assert stats == {"keywords-1.tsv": "the first", "keywords-2.tsv": "the second"}
    assert {name: checksums(folder)[name] for name in made} == made


def test_no_folder(capsys: pytest.CaptureFixture) -> None:
    for arguments in ([], ["--suggest-keywords"], ["--suggest-keywords", "5"]):
        assert main(["filter", *QUIET, *arguments]) == 2
        assert "the following arguments are required: DIR" in capsys.readouterr().err
    assert main(["filter", "DIR", "--suggest-keywords", "0"]) == 2
    assert "0: give 1 or more" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--rules", "wikipedia", "--same-site", "host"], "the rules wikipedia have no same_site"),
        (["--rules", "none", "--keywords", __file__], "--keywords: the rules none have no keywords"),
        (
            ["--keep-share", "0.5", "--classifier", "none"],
            "--keep-share 0.5: goes with a classifier only; give --classifier default or a folder",
        ),
        (
            ["--keep-share", "0", "--classifier", "default"],
            "--keep-share 0.0: give a share above 0 and up to 1",
        ),
        (["--suggestions", "x.tsv"], "--suggestions x.tsv: goes with --suggest-keywords only"),
        (["--suggest-keywords", "--rules", "nope"], "--rules nope: no such set, and no such file"),
        (["--rules", "/"], "--rules /: is a folder; give a TOML file or one of anchor-dr, "),
        (
            ["--suggest-keywords", "--keep-share", "7", "--classifier", "default"],
            "--keep-share 7.0: give a share above 0",
        ),
        (["--suggest-keywords", "elsewhere"], "unexpected argument 'elsewhere'"),
        (["--rules", ""], "--rules '': names nothing; give a value, or leave the option out"),
        (["--keywords", "a.tsv", "--keywords", "b.tsv"], "--keywords is given twice; it takes one"),
        (["--rules", "none", "--rules", "anchor-dr"], "--rules is given twice; it takes one"),
        (["--keywords", ""], "--keywords '': names nothing; give a value, or leave the option out"),
        (["--classifier", ""], "--classifier '': names nothing; give a value, or leave the option out"),
        (["--suggest-keywords", "--suggestions", " "], "--suggestions ' ': names nothing"),
        (["--language", "deutsch"], "deutsch: give the code of a language, such as en or zh-Hant"),
        (["--rule", "none"], "unknown option --rule; did you mean --rules?"),
    ],
)
def test_wrong_usage(folder: Path, options: list[str], message: str, capsys: pytest.CaptureFixture) -> None:
    before = checksums(folder)
    assert main(["filter", str(folder), *RULES_ONLY, *options]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("anchormine: ")
    assert message in printed.err
    assert (printed.err.count("\n"), printed.out) == (1, "")
    assert checksums(folder) == before


def test_nothing_left(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = write_folder(tmp_path / "folder", [link(0, "home"), link(1, "7"), link(2, "x", SOURCE)])
    assert main(["filter", str(folder), *RULES_ONLY]) == 1
    assert capsys.readouterr().err == (
        f"anchormine: {folder}: the rules anchor-dr leave none of its 3 anchors (cleaning 1, keywords 1, "
        "same_site 1), and nothing was published; give --same-site off, or other --rules\n"
    )
    assert not (folder / "filtered").exists()


def test_one_anchor_that_is_not_kept(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = write_folder(tmp_path / "folder", [link(0, "home")])
    assert main(["filter", str(folder), *RULES_ONLY]) == 1
    assert refused(capsys) == (
        f"{folder}: the rules anchor-dr leave none of its 1 anchor (keywords 1), and nothing was published; "
        "give other --rules"
    )


def test_folders_that_cannot_be_filtered(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["filter", str(tmp_path / "none"), *QUIET]) == 2
    assert "no manifest.json here" in capsys.readouterr().err
    assert main(["filter", str(write_folder(tmp_path / "bare", [], shards=0)), *QUIET]) == 1
    assert "`anchormine web` has found no links in its input" in capsys.readouterr().err


def test_anchors_that_are_not_there_whole(folder: Path, capsys: pytest.CaptureFixture) -> None:
    path = folder / "anchors" / "train-00000-of-00001.parquet"
    whole, pages = path.read_bytes(), (folder / "pages" / path.name).read_bytes()
    remedy = "make it again with `anchormine web` and --overwrite"
    for data, message in (
        (None, "named in the manifest, but cannot be read ("),
        (whole[:-9], "named in the manifest, but cannot be read ("),
        (pages, "has 1 row, and 10 by the manifest, so it is another file; "),
    ):
        path.unlink()
        if data is not None:
            path.write_bytes(data)
        for more in (RULES_ONLY, (*QUIET, *SUGGESTED)):
            assert main(["filter", str(folder), *more]) == 1
            printed = refused(capsys)
            assert printed.startswith(f"{path}: {message}")
            assert printed.endswith(remedy)
        path.write_bytes(whole)


def test_anchors_without_a_column(folder: Path, capsys: pytest.CaptureFixture) -> None:
    path, manifest = folder / "anchors" / "train-00000-of-00001.parquet", folder / "manifest.json"
    content = json.loads(manifest.read_text())
    anchors = content["steps"]["web"]["outputs"][1]
    before = anchors["bytes"]
    pq.write_table(pq.read_table(path).drop_columns(["rel", "gaps"]), path)
    anchors["bytes"] = path.stat().st_size
    remedy = "make it again with `anchormine web` and --overwrite"
    assert main(["filter", str(folder), *RULES_ONLY]) == 1
    assert refused(capsys) == (
        f"{path}: has {anchors['bytes']:,} bytes, and {before:,} by the manifest, so it is another file; "
        f"{remedy}"
    )
    manifest.write_text(json.dumps(content))
    assert main(["filter", str(folder), *RULES_ONLY]) == 1
    assert refused(capsys) == f"{path}: has no column gaps: another anchormine wrote it; {remedy}"


def test_a_second_run(folder: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["filter", str(folder), *RULES_ONLY]) == 0
    first = checksums(folder)
    assert main(["filter", str(folder), *RULES_ONLY]) == 2
    assert "holds the output of `anchormine filter` already" in capsys.readouterr().err
    assert main(["filter", str(folder), *RULES_ONLY, "--resume"]) == 0
    assert main(["filter", str(folder), *RULES_ONLY, "--resume", "--same-site", "off"]) == 2
    assert "with constants.same_site.scope domain, not off; give --overwrite" in capsys.readouterr().err
    assert main(["filter", str(folder), *RULES_ONLY, "--resume", "--limit", "5"]) == 2
    assert refused(capsys) == (
        f"--resume: {folder} has `anchormine filter` with no limit, which is 5 now; give --overwrite, or "
        "another folder"
    )
    assert main(["filter", str(folder), *RULES_ONLY, "--overwrite"]) == 0
    assert checksums(folder) == first
    assert main(["filter", str(folder), *RULES_ONLY, "--overwrite", "--dry-run"]) == 0
    assert "output  " in capsys.readouterr().out
    assert main(["filter", str(folder), *RULES_ONLY, "--overwrite", "--limit", "5"]) == 0
    capsys.readouterr()
    assert main(["filter", str(folder), *RULES_ONLY, "--resume"]) == 2
    assert refused(capsys) == (
        f"--resume: {folder} has `anchormine filter` with limit 5, which is not given now; give --overwrite, "
        "or another folder"
    )

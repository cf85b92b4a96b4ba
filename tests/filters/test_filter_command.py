"""`anchormine filter` with its rules: rows, rejects, funnel, table, and what is refused."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import apache_beam as beam
import numpy as np
import pyarrow as pa
import pytest
from apache_beam.testing.util import assert_that, equal_to

from anchormine.filters.survival_table import survival_table
from anchormine.pipelines import filter_source
from anchormine.schemas.filtered import FILTERED
from anchormine.transforms.count_documents import CountDocuments, Survival
from tests.filters.anchor_folders import link, write_folder
from tests.filters.filter_folder import ANCHORS, RULES_ONLY, kept, refused
from tests.pipelines.command_runs import QUIET, checksums, funnel, main, read_table, run_demo_wiki

KEPT = [("web:1#a0", "Annual Report"), ("web:1#a3", "Menu of Tuesday"), ("web:1#a7", "Weiterlesen"),
        ("web:1#a9", "Sponsor's page")]  # fmt: skip
DROPPED = [("web:1#a1", "header_footer"), ("web:1#a2", "same_site"), ("web:1#a4", "cleaning"),
           ("web:1#a5", "keywords"), ("web:1#a6", "keywords"), ("web:1#a8", "length")]  # fmt: skip


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
    for scope, told in (
        ([], ""),
        (["--same-site", "off"], ""),
        (
            ["--same-site", "host"],
            "anchormine: --same-site host: a wiki is one site, and the rule drops no links of it\n",
        ),
    ):
        capsys.readouterr()
        assert main(["filter", str(again), "--overwrite", *QUIET, "--rules", "anchor-dr", *scope]) == 0
        assert capsys.readouterr().err == told
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


def test_keywords_of_every_language_are_ticked_and_dropped_where_a_page_declares_none(tmp_path: Path) -> None:
    texts = {None: ["다음", "Startseite", "Plus"], "fr": ["다음", "Plus"], "en": ["Startseite", "Next page"]}
    found = [(language, text) for language, some in texts.items() for text in some]
    anchors = [link(number, text, language=language) for number, (language, text) in enumerate(found)]
    folder = write_folder(tmp_path / "folder", anchors)
    assert main(["filter", str(folder), *QUIET, "--suggest-keywords"]) == 0
    assert (folder / "stats" / "keywords.tsv").read_text().splitlines()[1:] == [
        "x\ten\t1\tnext page", "\ten\t1\tstartseite", "x\tfr\t1\tplus", "\tfr\t1\t다음",
        "\tund\t1\tplus", "x\tund\t1\tstartseite", "x\tund\t1\t다음",
    ]  # fmt: skip
    assert main(["filter", str(folder), *RULES_ONLY]) == 0
    assert kept(folder) == ["2", "3", "5"]
    assert main(["filter", str(folder), *RULES_ONLY, "--language", "fr", "--overwrite"]) == 0
    assert kept(folder) == ["0", "1", "3", "5"]
    assert main(["filter", str(folder), *RULES_ONLY, "--rules", "anchor-dr-code", "--overwrite"]) == 0
    assert kept(folder) == ["1", "2", "4", "5", "6"]  # ASCII alone


@pytest.mark.parametrize(
    ("row", "left"),
    [
        ("\tund\t1\tplus", ["2", "3", "5", "7"]),  # as it was written
        ("x\tund\t1\tplus", ["3", "5", "7"]),
        ("x\ten\t1\tplus", ["2", "3", "5"]),
        ("x\t\t1\tplus", ["3", "5"]),
    ],
)
def test_a_row_that_is_ticked_counts_in_its_language_alone(row: str, left: list[str], tmp_path: Path) -> None:
    texts = {
        None: ["다음", "Startseite", "Plus"],
        "fr": ["다음", "Plus"],
        "en": ["Startseite", "Next page", "Plus"],
    }
    found = [(language, text) for language, some in texts.items() for text in some]
    anchors = [link(number, text, language=language) for number, (language, text) in enumerate(found)]
    folder = write_folder(tmp_path / "folder", anchors)
    assert main(["filter", str(folder), *QUIET, "--suggest-keywords"]) == 0
    table = folder / "stats" / "keywords.tsv"
    lines = table.read_text().splitlines()
    lines[lines.index("\tund\t1\tplus")] = row
    table.write_text("\n".join(lines))
    assert main(["filter", str(folder), *RULES_ONLY, "--keywords", str(table)]) == 0
    assert kept(folder) == left


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

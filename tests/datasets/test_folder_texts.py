"""The card, Croissant and the attribution: what they say, and that the libraries they are for read them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from anchormine.datasets.attribution import attribution, changes
from anchormine.datasets.card import dataset_card
from anchormine.datasets.croissant import croissant
from anchormine.datasets.descriptions import column_meanings
from anchormine.datasets.facts import FolderFacts
from anchormine.datasets.licence_names import hugging_face_licences, licence_url
from anchormine.datasets.limits import limits
from anchormine.datasets.markdown import address, code, escaped, yaml_scalar
from anchormine.errors import CommandError
from tests.datasets import small_folder
from tests.datasets.croissant_records import plain
from tests.datasets.small_folder import (
    ANCHOR_ROWS,
    PAIR_ROWS,
    TABLES,
    small_facts,
    source,
    write_folder,
    write_texts,
)

# Read when `datasets` is imported: nothing here may ask the hub.
os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1")
GOLDEN = Path(__file__).parent / "golden"
WRITERS: dict[str, Callable[[FolderFacts], str]] = {
    "README.md": dataset_card,
    "croissant.json": croissant,
    "ATTRIBUTION.md": attribution,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("harbour")
    write_folder(path)
    return path


@pytest.mark.parametrize("name", WRITERS)
def test_whole_text(name: str) -> None:
    assert WRITERS[name](small_facts()) == (GOLDEN / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", WRITERS)
def test_same_facts_same_bytes_whatever_the_run(name: str) -> None:
    other = small_facts(
        started="2030-12-31T23:59:59+00:00",
        workers=8,
        runner="FlinkRunner",
        path="gs://b/d.xml",
        device="cuda",
    )
    assert WRITERS[name](other) == WRITERS[name](small_facts())


def _yaml_head(text: str) -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load(text.split("---\n")[1])


def test_head_of_many_wikis() -> None:
    facts = small_facts()._replace(
        languages=("no", "jp", "vls", "simple", "zh-yue"),
        sources=(source(licence="CC-BY-4.0"), source(licence="CC0-1.0")),
    )
    head = _yaml_head(dataset_card(facts))
    assert {name: head[name] for name in ("license", "language", "language_bcp47", "size_categories")} == {
        "license": ["cc-by-4.0", "cc0-1.0"],
        "language": ["no", "vls"],
        "language_bcp47": ["jp", "simple", "zh-yue"],
        "size_categories": ["n<1K"],
    }


def test_head_without_known_licence() -> None:
    facts = small_facts()._replace(
        sources=(source(), source(wiki="x", name=None, base=None, licence=None, newest=None))
    )
    head = _yaml_head(dataset_card(facts))
    assert (head["license"], head["license_name"], head["license_link"]) == (
        ["other"],
        "see-attribution",
        "ATTRIBUTION.md",
    )
    assert "The licence of x is not known" in attribution(facts)


@pytest.mark.parametrize(
    ("extraction", "work", "version"),
    [("wiki", "edit", "revision"), ("web", "write on", "capture"), ("clueweb22", "write on", "capture")],
)
def test_whose_text_it_is(extraction: str, work: str, version: str) -> None:
    facts = small_facts()
    steps = {extraction if name == "wiki" else name: step for name, step in facts.steps.items()}
    facts = facts._replace(manifest={**facts.manifest, "steps": steps})
    text = attribution(facts)
    assert f"was written by the people who {work} the sources below, and stays under" in text
    assert f"| source | address | language | licence | newest {version} |" in text
    assert f"## Page and {version} of every row" in text
    assert f"how to find the page and the {version} of every row." in dataset_card(facts)


@pytest.mark.parametrize(
    ("licence", "told"),
    [("CC-BY-SA-4.0", True), ("cc-by-sa-3.0", True), ("CC-BY-4.0", False), (None, False)],
)
def test_share_alike_is_told_however_the_licence_is_written(licence: str | None, told: bool) -> None:
    text = attribution(small_facts()._replace(sources=(source(licence=licence),)))
    sentence = "Share-alike: what you make from this text and pass on has to be under the same licence."
    assert (sentence in text.splitlines()) == told


def test_config_name_with_slash_is_refused() -> None:
    facts = small_facts()
    facts = facts._replace(tables=(facts.tables[0]._replace(config="pairs/rqp"),))
    with pytest.raises(CommandError, match="pairs/rqp"):
        dataset_card(facts)


def test_every_column_of_every_record_has_a_meaning() -> None:
    for name, (schema, _) in TABLES.items():
        assert list(column_meanings(name)) == schema.names


def test_changes_say_what_was_left_out_and_how_queries_were_made() -> None:
    facts = small_facts()
    facts.steps["wiki"]["options"]["limit"] = 5000
    sentences = changes(facts)
    assert sentences.startswith(
        "Only the first 5,000 records of the input were read. Wiki markup was removed"
    )
    assert "left out by reason (empty 1, redirect 1)" in sentences
    assert sentences.endswith("in rdp, each query is a whole sentence.")


def test_limits_name_damaged_input() -> None:
    facts = small_facts()
    facts.steps["wiki"]["inputs"].append({**facts.steps["wiki"]["inputs"][0], "verdict": "damaged"})
    assert limits(facts)[0].startswith("1 of 2 input files were damaged or unreadable")
    assert not any("damaged" in line for line in limits(small_facts()))


@pytest.mark.parametrize(("step", "is_known"), [("wiki", False), ("web", True), ("clueweb22", False)])
def test_limits_speak_of_robots_where_they_are_known(step: str, is_known: bool) -> None:
    facts = small_facts()
    facts.steps[step] = facts.steps.pop("wiki")
    assert any("`robots` of `pages`" in line for line in limits(facts)) == is_known


@pytest.mark.parametrize(
    ("licence", "name", "url"),
    [
        ("CC-BY-SA-4.0", "cc-by-sa-4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
        ("CC0-1.0", "cc0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("GFDL-1.3-or-later", "gfdl", "https://spdx.org/licenses/GFDL-1.3-or-later.html"),
        ("Unlicense", "unlicense", "https://spdx.org/licenses/Unlicense.html"),
        ("our own terms", "other", None),
        (None, "other", None),
    ],
)
def test_licence(licence: str | None, name: str, url: str | None) -> None:
    assert (hugging_face_licences([licence]), licence_url(licence)) == ([name], url)


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "Yes",
        "n<1K",
        "a: b",
        "#tag",
        "- x",
        "",
        "1e3",
        "ümläut",
        "12",
        "cc-by-4.0",
        '"',
        "👩\u200d💻 \U000e0041\x7f\n",
    ],
)
def test_yaml_reads_back_every_string(text: str) -> None:
    yaml = pytest.importorskip("yaml")
    assert yaml.safe_load(f"key: {yaml_scalar(text)}") == {"key": text}


def test_markdown_is_not_broken_by_names() -> None:
    assert escaped("a|b\n<c> [d](e)") == r"a\|b \<c\> \[d\](e)"
    assert (code("plain"), code("a`b|c")) == ("`plain`", r"`` a`b\|c ``")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.example/wiki/A_(b)?c=d&e#ä", "<https://a.example/wiki/A_(b)?c=d&e#ä>"),
        ("javascript:alert(1)", "`javascript:alert(1)`"),
        ("https://a.example/> <b>c\n", "`https://a.example/> <b>c`"),
        ("https://a.example/`|b", "`` https://a.example/`\\|b ``"),
        ("https://a.example/\u202eb", "`https://a.example/\u202eb`"),
    ],
)
def test_only_addresses_are_links(url: str, shown: str) -> None:
    assert address(url) == shown


def test_attribution_shows_what_a_dump_says_as_it_is() -> None:
    hostile = source(
        wiki="a`b", name="<img>\n# N", base="x:y\n/<b>/`c`|d", language="e|f", newest="2024\n<i>", licence="*"
    )
    text = attribution(small_facts()._replace(name="a\n# b", sources=(hostile,)))
    lines = [line for line in text.splitlines() if re.search("img|# b|Special", line)]
    assert lines == [
        r"# Attribution of a \# b",
        r"| \<img\> \# N (a\`b) | `` x:y /<b>/`c`\|d `` | e\|f | \* | 2024 \<i\> |",
        r"- \<img\> \# N (a\`b): a revision is at `x:y /<b>/Special:PermanentLink/REVISION`",
        r"> Text from \<img\> \# N (a\`b) `` x:y /<b>/`c`\|d ``, by its contributors; licence: \*. Changed: "
        "see ATTRIBUTION.md.",
    ]


def test_hugging_face_loads_every_config(folder: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    names = datasets.get_dataset_config_names(str(folder))
    assert names == [name.replace("/", "-") for name in TABLES]
    for name, (_, rows) in zip(names, TABLES.values(), strict=True):
        loaded = datasets.load_dataset(str(folder), name, cache_dir=str(tmp_path / "cache"))
        assert {split: table.to_list() for split, table in loaded.items()} == {
            "train": [row._asdict() for row in rows]
        }


def test_hugging_face_loads_what_is_there_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the cache that it keeps: of another folder of the same name, and of one that was made anew."""
    datasets = pytest.importorskip("datasets")
    schema, rows = TABLES["anchors"]

    def loaded_with(path: Path, anchor: str) -> list[str]:
        monkeypatch.setitem(TABLES, "anchors", (schema, [row._replace(anchor=anchor) for row in rows]))
        write_folder(path)
        table = datasets.load_dataset(str(path), "anchors", split="train", cache_dir=str(tmp_path / "cache"))
        return table["anchor"][:]

    first, second = tmp_path / "first" / "harbour", tmp_path / "second" / "harbour"
    assert loaded_with(first, "quay") == ["quay"] * len(rows)
    assert loaded_with(second, "pier") == ["pier"] * len(rows)
    shutil.rmtree(first)
    assert loaded_with(first, "mole") == ["mole"] * len(rows)


def test_croissant_is_valid_without_warnings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlcroissant = pytest.importorskip("mlcroissant")
    logged: list[str] = []
    monkeypatch.setattr("absl.logging.warning", logged.append)
    metadata = mlcroissant.Dataset(jsonld=folder / "croissant.json").metadata
    issues = metadata.ctx.issues
    assert (list(issues.errors), list(issues.warnings), logged) == ([], [], [])
    assert metadata.ctx.conforms_to.value == "http://mlcommons.org/croissant/1.1"
    assert metadata.date_published.isoformat() == "2024-05-06T00:00:00"


def test_croissant_iterates_rows(folder: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant")
    dataset = mlcroissant.Dataset(jsonld=folder / "croissant.json")
    assert [plain(row) for row in dataset.records("anchors")] == [row._asdict() for row in ANCHOR_ROWS]
    (pair,) = (plain(row) for row in dataset.records("pairs-rqp"))
    assert pair == PAIR_ROWS["rqp"][0]._asdict()
    pages = [plain(row) for row in dataset.records("pages")]
    assert [(row["redirects_from"], row["disambiguation"], row["revision"]) for row in pages] == [
        (["Jetty", "Landing"], False, 101),
        ([], False, 102),
        ([], False, None),
    ]


def test_croissant_names_the_split_of_rows(folder: Path, tmp_path: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant")
    facts = small_facts()
    table = facts.tables[3]
    files = tuple(
        small_folder._write_shard(tmp_path, f"pairs/rdp/{split}-00000-of-00001.parquet", *TABLES["pairs/rdp"])
        for split in ("train", "validation")
    )
    write_texts(
        tmp_path, facts._replace(tables=(table._replace(splits=("train", "validation"), files=files),))
    )
    records = mlcroissant.Dataset(jsonld=tmp_path / "croissant.json").records("pairs-rdp")
    assert [row["pairs-rdp/split"] for row in records] == [b"train", b"validation"]


def test_croissant_checksums_are_of_the_files(folder: Path) -> None:
    listed = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))["distribution"]
    sums = {item["contentUrl"]: item["sha256"] for item in listed if item["@type"] == "cr:FileObject"}
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.parquet")}
    assert sums == {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


def test_croissant_refuses_a_type_it_has_no_name_for() -> None:
    facts = small_facts()
    odd = facts.tables[0]._replace(schema=pa.schema([("when", pa.timestamp("s"))]))
    with pytest.raises(TypeError, match=re.escape("timestamp[s]")):
        croissant(facts._replace(tables=(odd,)))


def test_texts_need_neither_beam_nor_torch() -> None:
    program = (
        "import sys; import anchormine.datasets.card, anchormine.datasets.croissant, "
        "anchormine.datasets.attribution; print(sorted({'apache_beam', 'torch', 'datasets', 'mlcroissant'} & "
        "set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"

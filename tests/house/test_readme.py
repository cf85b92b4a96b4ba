"""README.md and its pages say what is so: commands run, rows have the columns, figures are printed."""

from __future__ import annotations

import bz2
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from anchormine.filters.robots import REFUSALS
from anchormine.filters.rule_file import read_rule_file
from anchormine.filters.rule_set import RULES
from anchormine.pipelines.cli import STEPS, main
from anchormine.pipelines.demo import add_arguments, demo_steps
from anchormine.pipelines.options import StepParser
from anchormine.schemas.anchors import ANCHORS
from anchormine.schemas.contrastive import CONTRASTIVE
from anchormine.schemas.filtered import FILTERED
from anchormine.schemas.pages import PAGES
from anchormine.schemas.pair_origins import PAIR_ORIGINS
from anchormine.schemas.pairs import PAIRS, TASKS
from anchormine.schemas.terms import TERM_SHARES, TERM_STATISTICS
from tests.house.floors import ROOT
from tests.house.readme_blocks import blocks

DEMO = ROOT / "anchormine" / "demo"
DEMO_IN_README = "anchormine/demo"
PRINTED = "anchormine/demo/OUTPUT.md"
ROWS = "schemas/ROWS.md"
FILTERS = "pipelines/FILTERS.md"
TRAINED = ("train", "evaluate")  # what these print differs by machine
ON_CPU = ("--device", "cpu", "--dtype", "float32")
PAGES_OF_THE_DUMP = 60
JUDGEMENTS_OF_THE_COLLECTION = 8
QUERIES = 40


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A folder where the names that README.md uses mean something small."""
    folder = tmp_path / "work"
    folder.mkdir()
    pages = (DEMO / "wiki.xml").read_bytes().split(b"</page>")
    dump = b"</page>".join(pages[:PAGES_OF_THE_DUMP]) + b"</page>\n</mediawiki>\n"
    (folder / "simplewiki-latest-pages-articles-multistream.xml.bz2").write_bytes(bz2.compress(dump))
    (folder / "crawl").mkdir()
    shutil.copy(DEMO / "crawl.warc.gz", folder / "crawl")
    queries = (ROOT / "anchormine" / "classifier" / "queries.txt").read_text("utf-8").splitlines()
    (folder / "queries.txt").write_text("\n".join(queries[:QUERIES]) + "\n", "utf-8")
    _write_collection(folder / "my-collection")
    _save_small_bert(folder / "bert-base-uncased")
    return folder


def _write_collection(folder: Path) -> None:
    """Writes the first judgements of the demo's collection, with their queries and documents."""
    shutil.copytree(DEMO / "collection", folder)
    kept: set[str] = set()
    for path in (folder / "qrels").iterdir():
        lines = path.read_text("utf-8").splitlines()[: JUDGEMENTS_OF_THE_COLLECTION + 1]
        path.write_text("\n".join(lines) + "\n", "utf-8")
        kept |= {name for line in lines[1:] for name in line.split("\t")[:2]}
    for path in (folder / "queries.jsonl", folder / "corpus.jsonl"):
        lines = path.read_text("utf-8").splitlines()
        path.write_text("".join(f"{line}\n" for line in lines if json.loads(line)["_id"] in kept), "utf-8")


def _save_small_bert(folder: Path) -> None:
    import torch
    from transformers import BertConfig, BertForMaskedLM

    from anchormine.training.tokenizer import train_tokenizer

    texts = [json.loads(line)["text"] for line in (DEMO / "collection" / "corpus.jsonl").open("rb")]
    tokenizer = train_tokenizer(lambda: iter(texts), 800, 512)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
    )
    BertForMaskedLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


@pytest.mark.slow
def test_blocks_run(workplace: Path) -> None:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HF_HOME": str(workplace / "huggingface"),
        "HF_HUB_OFFLINE": "1",
        "PYTHONWARNINGS": "ignore",
    }
    ran = []
    for block in blocks():
        if block.kind not in ("sh", "python") or block.reason:
            continue
        program = ["bash", "-eu", "-c"] if block.kind == "sh" else [sys.executable, "-c"]
        done = subprocess.run(
            [*program, block.code], cwd=workplace, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{block.code}\n{done.stdout}\n{done.stderr}"
        ran.append((block.kind, done.stdout))
    assert [kind for kind, _ in ran] == ["sh", "sh", "python", "sh", "sh", "sh", "sh", "python", "python"]
    assert re.fullmatch(r".+ -> navigatorwiki:\d+\n", ran[2][1])
    assert "web pages                         82          57          25           0" in ran[3][1]
    assert "held-out AUC " in ran[4][1]
    assert "negatives-anchor_document " in ran[5][1]
    assert ran[7][1] == "['anchor', 'positive', 'negative']\n"
    assert ran[8][1] == "The frog lives in ponds. 18 23 pond\n"


def test_what_is_not_run_says_why() -> None:
    reasons = [block.reason for block in blocks() if block.kind == "sh" and block.reason]
    assert reasons == [
        "not run by the test: it is done",
        "not run by the test: it needs the package registry",
        "not run by the test: it takes minutes",
        "not run by the test: it needs a cluster",
    ]


def test_the_rule_file_is_one(tmp_path: Path) -> None:
    (block,) = (block for block in blocks(FILTERS) if block.kind == "toml")
    path = tmp_path / "rules.toml"
    path.write_text(block.code, "utf-8")
    rules = read_rule_file(str(path))
    assert (rules.rules[-1], rules.same_site, rules.cleaning) == ("robots", "host", "ours")


def test_the_table_of_rules_is_whole() -> None:
    text = (ROOT / FILTERS).read_text("utf-8")
    rows = text[text.index("| rule | drops |") :].partition("\n\n")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", rows, re.MULTILINE)) == RULES
    said = f"| `robots` | links on pages that say {', '.join(REFUSALS[:-1])} or {REFUSALS[-1]}; only where a"
    assert said in rows


def test_rows_have_the_columns_of_the_tables() -> None:
    tables = {
        "pages": PAGES,
        "anchors": ANCHORS,
        "filtered": FILTERED,
        **{f"pairs-{task}": PAIRS for task in TASKS},
        "provenance-anchor_document": PAIR_ORIGINS,
        "contrastive-anchor_document": CONTRASTIVE,
        "terms-rop": TERM_STATISTICS,
        "terms-bprop": TERM_SHARES,
    }
    rows = {block.name: json.loads(block.code) for block in blocks(ROWS) if block.kind == "json"}
    assert {name: list(row) for name, row in rows.items()} == {
        name: table.names for name, table in tables.items()
    }
    anchor = rows["anchors"]
    assert anchor["sentence"][anchor["start"] : anchor["end"]] == anchor["anchor"]
    in_readme = {block.name: json.loads(block.code) for block in blocks() if block.kind == "json"}
    assert in_readme == {name: rows[name] for name in ("filtered", "pairs-anchor_document")}


@pytest.mark.slow
def test_the_demo_prints_this(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = (block.code for block in blocks(PRINTED) if block.name == "demo")
    (excerpt,) = (block.code for block in blocks() if block.kind == "text")
    assert excerpt in block
    monkeypatch.chdir(tmp_path)
    parser = StepParser()
    add_arguments(parser)
    args = parser.parse_args([])
    for step in demo_steps(Path(args.output), args):
        arguments = " ".join(step.arguments).replace(str(DEMO), DEMO_IN_README)
        command = f"$ anchormine {step.name} {arguments}\n\n"
        assert command in block
        if step.name in TRAINED:
            continue
        options = ON_CPU if step.name in ("pairs", "filter") else ()
        assert main([step.name, *step.arguments, *options]) == 0
        printed = capsys.readouterr().out.replace(f"{tmp_path}/", "")
        assert f"{command}{printed}\n" in block


def test_every_command_is_described() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    described = {match[1] for match in re.finditer(r"^\| `anchormine (\w+)", text, re.MULTILINE)}
    assert described == set(STEPS)


def test_every_option_of_a_command_is_described() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    described = set(re.findall(r"`(--[\w-]+)[ `]", text))
    options: set[str] = set()
    for step in STEPS.values():
        parser = StepParser()
        importlib.import_module(step.module).add_arguments(parser)
        options |= {name for name in parser.option_names() if name.startswith("--")}
    assert options - described == set()


def test_architecture_has_a_line_for_each_folder() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    described = set(re.findall(r"^\| `([\w./]+)/` \|", text[text.index("| folder |") :], re.MULTILINE))
    tracked = ("pipelines", "transforms", "schemas", "examples", "tests", ".ci")
    inside = {
        f"anchormine/{path.name}"
        for path in (ROOT / "anchormine").iterdir()
        if path.is_dir() and not path.is_symlink() and path.name != "__pycache__"
    }
    assert described == {*tracked, *inside}

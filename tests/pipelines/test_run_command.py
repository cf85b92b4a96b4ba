"""`anchormine run`: the steps of a file are done once, in order, and gone on with where they stopped."""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
from pathlib import Path
from shlex import quote

import pytest

from anchormine.pipelines.cli import main
from anchormine.pipelines.run_file import read_run_file
from anchormine.pipelines.run_journal import RunJournal
from tests.house.floors import ROOT
from tests.pipelines.command_runs import DEMO, funnel, read_table
from tests.training.tiny_inputs import WORDS, make_model, sentence

STEPS = """
[variables]
dump = "nowhere.xml"

[[steps]]
name = "links"
run = "wiki {dump}"
output = "data"
workers = 1
progress = "none"

[[steps]]
run = "pairs data"
task = ["anchor_document"]
workers = 1
progress = "none"
"""


def write_dump(folder: Path, pages: int) -> Path:
    """A dump whose page n says some words, and links to n + 1 and 2n by the first words of these."""
    rng = random.Random(1)
    texts = [sentence(rng, 12) for _ in range(pages)]

    def link(number: int) -> str:
        return f"[[Page {number % pages}|{' '.join(texts[number % pages].split()[:3])}]]"

    records = "".join(
        f"<page><title>Page {n}</title><ns>0</ns><id>{n + 1}</id><revision><id>{n + 1}</id>"
        f"<text>{text} {link(n + 1)} and {link(2 * n + 3)}.</text></revision></page>"
        for n, text in enumerate(texts)
    )
    path = folder / "dump.xml"
    path.write_text(
        '<mediawiki xml:lang="en"><siteinfo><sitename>W</sitename><dbname>w</dbname>'
        f"<base>https://w.example/wiki/A</base><case>first-letter</case></siteinfo>{records}</mediawiki>"
    )
    return path


@pytest.fixture
def run_file(tmp_path) -> Path:
    write_dump(tmp_path, 12)
    path = tmp_path / "recipe.toml"
    path.write_text(STEPS)
    return path


def test_steps_are_done_once(run_file, capfd) -> None:
    before = Path.cwd()
    arguments = ["run", str(run_file), "--set", "dump=dump.xml"]
    assert main(arguments) == 0
    told = capfd.readouterr()
    links = "$ anchormine wiki dump.xml --output data --workers 1 --progress none --resume\n"
    pairs = "$ anchormine pairs data --task anchor_document --workers 1 --progress none --resume\n"
    assert told.out.index(links) < told.out.index(pairs)
    assert Path.cwd() == before
    folder = run_file.parent / "data"
    assert len(read_table(folder, "pages")) == 12
    assert len(read_table(folder, "pairs/anchor_document")) == 12
    made = {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")}

    assert main(arguments) == 0
    told = capfd.readouterr()
    assert told.out == ""
    assert told.err == "step 1 of 2 (links) is done already\nstep 2 of 2 (pairs) is done already\n"
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")} == made

    assert main([*arguments, "--dry-run"]) == 0
    assert capfd.readouterr().out.splitlines() == [
        f"cd {quote(str(run_file.parent))}",
        "anchormine wiki dump.xml --output data --workers 1 --progress none  # done",
        "anchormine pairs data --task anchor_document --workers 1 --progress none  # done",
    ]


def test_a_step_that_changed_says_what_to_do(run_file, capfd) -> None:
    arguments = ["run", str(run_file), "--set", "dump=dump.xml"]
    assert main(arguments) == 0
    capfd.readouterr()
    run_file.write_text(STEPS.replace('["anchor_document"]', '["codoc"]'))
    assert main(arguments) == 2
    assert capfd.readouterr().err == (
        f"anchormine: {run_file}: step 2 (pairs) is done, but its --task anchor_document is now --task "
        f"codoc; `anchormine run {quote(str(run_file))} --set dump=dump.xml --from pairs` runs it and what "
        "follows anew\n"
    )
    run_file.write_text(STEPS + "seed = 7\n")
    assert main([*arguments, "--from", "pairs"]) == 0
    told = capfd.readouterr()
    assert "step 1 of 2 (links) is done already\n" in told.err
    assert "--seed 7 --overwrite\n" in told.out
    assert json.loads((run_file.parent / "data/manifest.json").read_text())["steps"]["pairs"]["seed"] == 7
    shutil.rmtree(run_file.parent / "data")
    assert main(arguments) == 2
    assert "step 1 (links) is done, but data is gone; " in capfd.readouterr().err
    assert main([*arguments, "--overwrite"]) == 0


def test_credentials_are_neither_shown_nor_kept(run_file, capfd) -> None:
    secret = 's3_secret_access_key = "{key}"\ns3_endpoint_url = "https://me:{password}@s3.example"\n'
    secret += 'job_name = "pier-{password}"\n'
    run_file.write_text(STEPS.replace("[variables]", '[variables]\nkey = "none"\npassword = "none"') + secret)
    links = "anchormine wiki dump.xml --output data --workers 1 --progress none"
    pairs = (
        "anchormine pairs data --task anchor_document --workers 1 --progress none "
        "'--s3_secret_access_key=***' '--s3_endpoint_url=https://***@s3.example' '--job_name=pier-***'"
    )
    given = ("dump=dump.xml", "key=sesame", "password=hunter2-hunter2")
    arguments = ["run", str(run_file), *(word for text in given for word in ("--set", text))]
    assert main([*arguments, "--dry-run"]) == 0
    assert capfd.readouterr().out.splitlines() == [f"cd {quote(str(run_file.parent))}", links, pairs]
    assert main(arguments) == 0
    told = capfd.readouterr()
    assert [line for line in told.out.splitlines() if line.startswith("$")] == [
        f"$ {links} --resume",
        f"$ {pairs} --resume",
    ]
    assert not re.search("sesame|hunter2", told.out + told.err)
    kept = [path.read_bytes() for path in run_file.parent.rglob("*") if path.is_file()]
    assert not any(re.search(b"sesame|hunter2", content) for content in kept)
    assert main(arguments) == 0
    assert capfd.readouterr().err.count(" is done already\n") == 2
    assert main([*arguments, "--set", "password=hunter3-hunter3"]) == 2
    hidden = " ".join(f"--set '{name}=***'" for name in ("key", "password", "password"))
    again = f"anchormine run {quote(str(run_file))} --set dump=dump.xml {hidden}"
    assert capfd.readouterr().err == (
        f"anchormine: {run_file}: step 2 (pairs) is done, but what *** stands for in its arguments has "
        f"changed; `{again} --from pairs` (with what *** stands for) runs it and what follows anew\n"
    )
    journal = run_file.with_name(f"{run_file.stem}.done.json")
    journal.write_text(journal.read_text().replace("job_name=pier-***", "s3_session_token=open-sesame"))
    assert main(arguments) == 2
    told = capfd.readouterr().err
    assert "but its '--s3_session_token=***' is now '--job_name=pier-***'; " in told
    assert "open-sesame" not in told


@pytest.mark.parametrize("option", [("--overwrite",), ("--from", "links"), ("--from", "export")])
def test_exports_are_made_anew_with_the_rest(run_file, capfd, option) -> None:
    """They cannot be gone on with, and so are told nothing where nothing is to be replaced."""
    run_file.write_text(STEPS + '[[steps]]\nrun = "export data"\nto = "ids-only"\n')
    arguments = ["run", str(run_file), "--set", "dump=dump.xml"]
    assert main(arguments) == 0
    exported = "$ anchormine export data --to ids-only"
    assert f"{exported}\n" in capfd.readouterr().out
    files = {path: path.read_bytes() for path in (run_file.parent / "data/exports").rglob("*.tsv*")}
    made = (run_file.parent / "data/exports/ids-only/export.json").stat().st_ino
    assert main([*arguments, *option]) == 0
    assert f"{exported} --overwrite\n" in capfd.readouterr().out
    assert (run_file.parent / "data/exports/ids-only/export.json").stat().st_ino != made
    assert {path: path.read_bytes() for path in (run_file.parent / "data/exports").rglob("*.tsv*")} == files


def test_an_input_that_changed_says_what_to_do(run_file, capfd) -> None:
    arguments = ["run", str(run_file), "--set", "dump=dump.xml"]
    assert main(arguments) == 0
    write_dump(run_file.parent, 14)
    capfd.readouterr()
    assert main(arguments) == 2
    assert capfd.readouterr().err == (
        f"anchormine: {run_file}: step 1 (links) is done, but dump.xml has changed since; "
        f"`anchormine run {quote(str(run_file))} --set dump=dump.xml --from links` runs it and what "
        "follows anew\n"
    )
    assert main([*arguments, "--from", "links"]) == 0
    assert len(read_table(run_file.parent / "data", "pages")) == 14
    assert len(read_table(run_file.parent / "data", "pairs/anchor_document")) == 14
    (run_file.parent / "dump.xml").unlink()  # of no more use
    capfd.readouterr()
    assert main(arguments) == 0
    assert capfd.readouterr().err.count(" is done already\n") == 2


def test_a_folder_of_input_that_changed(run_file, capfd) -> None:
    crawl = run_file.parent / "crawl"
    crawl.mkdir()
    shutil.copy(DEMO / "crawl.warc.gz", crawl / "a.warc.gz")
    run_file.write_text('[[steps]]\nrun = "web crawl"\noutput = "data"\nworkers = 1\n')
    arguments = ["run", str(run_file)]
    assert main(arguments) == 0
    assert main(arguments) == 0
    shutil.copy(DEMO / "crawl.warc.gz", crawl / "b.warc.gz")
    capfd.readouterr()
    assert main(arguments) == 2
    assert "step 1 (web) is done, but crawl has changed since; " in capfd.readouterr().err


def test_a_pattern_of_input_that_changed(run_file, capfd) -> None:
    crawl = run_file.parent / "crawl"
    crawl.mkdir()
    shutil.copy(DEMO / "crawl.warc.gz", crawl / "a.warc.gz")
    (run_file.parent / "web").mkdir()  # no input, though the command is called so
    for pattern in ("crawl/*.warc.gz", f"{crawl}/*.warc.gz", "craw**.warc.gz", "cra*", "**/*.warc.gz"):
        run_file.write_text(f'[[steps]]\nrun = "web {pattern}"\noutput = "data"\nworkers = 1\n')
        arguments = ["run", str(run_file)]
        assert main([*arguments, "--overwrite"]) == 0
        assert main(arguments) == 0
        shutil.copy(DEMO / "crawl.warc.gz", crawl / "b.warc.gz")
        capfd.readouterr()
        assert main(arguments) == 2
        assert f"step 1 (web) is done, but {pattern} has changed since; " in capfd.readouterr().err
        (crawl / "b.warc.gz").unlink()


def test_files_that_other_files_name(run_file, capfd) -> None:
    """Keywords of a rule file, and what stands in a file of options."""
    folder = run_file.parent
    (folder / "rules.toml").write_text('base = "wikipedia"\n[keywords]\nfile = "words.tsv"\n')
    (folder / "words.tsv").write_text("quay\n")
    (folder / "more.tsv").write_text("pier\n")
    (folder / "options.toml").write_text('keywords = "more.tsv"\n')
    steps = "".join(
        f'[[steps]]\nrun = "filter data"\nworkers = 1\nname = "{name}"\n{option}\noverwrite = true\n'
        for name, option in (("first", 'rules = "rules.toml"'), ("second", 'config = "options.toml"'))
    )
    run_file.write_text(STEPS.partition('[[steps]]\nrun = "pairs')[0] + steps)
    arguments = ["run", str(run_file), "--set", "dump=dump.xml"]
    assert main(arguments) == 0
    assert main(arguments) == 0
    for place, name in (("3 (second)", "more.tsv"), ("2 (first)", "words.tsv")):
        (folder / name).write_text("strait\n")
        capfd.readouterr()
        assert main(arguments) == 2
        assert f"step {place} is done, but {name} has changed since; " in capfd.readouterr().err


def test_folders_that_no_step_writes_into(run_file, capfd) -> None:
    """A collection, and a folder in it that a later step fills; options may be of any length."""
    collection = run_file.parent / "collection"
    (collection / "qrels").mkdir(parents=True)
    (collection / "corpus.jsonl").write_text('{"_id": "d1", "title": "Quay", "text": "A quay."}\n')
    (collection / "queries.jsonl").write_text('{"_id": "q1", "text": "quay"}\n')
    (collection / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    run_file.write_text(
        STEPS + f'job_name = "{"pier-" * 60}"\n'
        '[[steps]]\nrun = "evaluate bm25"\ncollection = "collection"\noutput = "runs"\n'
        '[[steps]]\nname = "again"\nrun = "evaluate bm25 ql"\ncollection = "collection"\n'
        'output = "collection/runs"\n'
    )
    arguments = ["run", str(run_file), "--set", "dump=dump.xml"]
    assert main(arguments) == 0
    capfd.readouterr()
    assert main(arguments) == 0
    assert capfd.readouterr().err.count(" is done already\n") == 4
    (collection / "queries.jsonl").write_text('{"_id": "q1", "text": "the quay"}\n')
    assert main(arguments) == 2
    assert "step 3 (evaluate) is done, but collection has changed since; " in capfd.readouterr().err


def test_what_another_run_made_anew_or_took_away(run_file, capfd) -> None:
    arguments = ["run", str(run_file), "--set", "dump=dump.xml"]
    data, quiet = str(run_file.parent / "data"), ("--workers", "1", "--progress", "none")
    assert main(arguments) == 0
    assert main(["pairs", data, "--task", "rqp", "--weights", "uniform", *quiet]) == 0
    assert main(arguments) == 0  # what was made besides takes nothing away
    pairs, links = (
        "pairs/anchor_document/train-00000-of-00001.parquet",
        "anchors/train-00000-of-00001.parquet",
    )
    (run_file.parent / "other").mkdir()
    short = write_dump(run_file.parent / "other", 9)
    for command, told in (
        (["wiki", str(run_file.parent / "dump.xml"), "--output", data], f"2 (pairs) {pairs} taken away"),
        (["wiki", str(short), "--output", data], f"1 (links) {links} made anew"),
    ):
        assert main([*command, "--overwrite", *quiet]) == 0
        capfd.readouterr()
        assert main(arguments) == 2
        number, step, path, how = told.split(" ", 3)
        assert (
            f"step {number} {step} is done, but data/{path} was {how} by another run; "
            in capfd.readouterr().err
        )
        assert main([*arguments, "--from", "links"]) == 0
        assert main(arguments) == 0


def test_tables_of_keywords_and_exports(run_file, capfd) -> None:
    """They are written by their steps, whose input they are not: done anew, they are done."""
    run_file.write_text(
        f'{STEPS}[[steps]]\nname = "suggest"\nrun = "filter data"\nsuggest_keywords = 5\n'
        'suggestions = "words.tsv"\nworkers = 1\n[[steps]]\nrun = "export data"\nto = "ids-only"\n'
    )
    arguments = ["run", str(run_file), "--set", "dump=dump.xml"]
    assert main(arguments) == 0
    assert main([*arguments, "--from", "suggest"]) == 0
    capfd.readouterr()
    assert main(arguments) == 0
    assert capfd.readouterr().err.count(" is done already\n") == 4
    shutil.rmtree(run_file.parent / "data" / "exports" / "ids-only")
    assert main(arguments) == 2
    assert "step 4 (export) is done, but data/exports/ids-only is gone; " in capfd.readouterr().err
    (run_file.parent / "words.tsv").unlink()
    assert main(arguments) == 2
    assert "step 3 (suggest) is done, but words.tsv is gone; " in capfd.readouterr().err


def test_keywords_of_the_folder_behind_their_option(run_file, capfd) -> None:
    run_file.write_text(f'{STEPS}[[steps]]\nrun = "filter --suggest-keywords data"\nworkers = 1\n')
    arguments = ["run", str(run_file), "--set", "dump=dump.xml"]
    assert main(arguments) == 0
    capfd.readouterr()
    assert main(arguments) == 0
    assert capfd.readouterr().err == "".join(
        f"step {number} of 3 ({name}) is done already\n"
        for number, name in enumerate(("links", "pairs", "filter"), start=1)
    )
    (run_file.parent / "data" / "stats" / "keywords.tsv").unlink()
    assert main(arguments) == 2
    assert "step 3 (filter) is done, but data/stats/keywords.tsv is gone; " in capfd.readouterr().err


def test_a_model_in_its_dataset(run_file, capfd) -> None:
    """It is an output like any other, though the step names no place for it."""
    run_file.write_text(
        f'{STEPS}[[steps]]\nrun = "train encoder data"\nvocab_size = 100\nhidden = 8\nlayers = 1\nheads = 1\n'
        "positions = 32\nlength = 32\nmax_steps = 1\nbatch_size = 2\n"
    )
    arguments = ["run", str(run_file), "--set", "dump=dump.xml"]
    assert main(arguments) == 0
    shutil.rmtree(run_file.parent / "data" / "models" / "encoder")
    capfd.readouterr()
    assert main(arguments) == 2
    assert capfd.readouterr().err == (
        f"anchormine: {run_file}: step 3 (train) is done, but data/models/encoder is gone; `anchormine run "
        f"{run_file} --set dump=dump.xml --from train` runs it and what follows anew\n"
    )


@pytest.mark.parametrize(
    ("step", "name", "damage", "told"),
    [
        ("links", "pages/train-00000-of-00001.parquet", Path.unlink, "is gone"),
        ("pairs", "pairs/anchor_document/train-00000-of-00001.parquet", Path.unlink, "is gone"),
        (
            "links",
            "anchors/train-00000-of-00001.parquet",
            lambda path: path.write_bytes(b""),
            "is another file",
        ),
        ("links", "manifest.json", Path.unlink, "is gone"),
        ("links", "manifest.json", lambda path: path.write_text("{"), "is damaged"),
    ],
)
def test_tables_that_are_gone(run_file, capfd, step, name, damage, told) -> None:
    arguments = ["run", str(run_file), "--set", "dump=dump.xml"]
    assert main(arguments) == 0
    damage(run_file.parent / "data" / name)
    capfd.readouterr()
    assert main(arguments) == 2
    number = {"links": 1, "pairs": 2}[step]
    assert capfd.readouterr().err == (
        f"anchormine: {run_file}: step {number} ({step}) is done, but data/{name} {told}; "
        f"`anchormine run {quote(str(run_file))} --set dump=dump.xml --from {step}` runs it and what "
        "follows anew\n"
    )


@pytest.mark.parametrize(
    "steps",
    [
        {},
        [{"name": "links", "arguments": "wiki", "files": {}}],
        [{"name": "links", "arguments": ["wiki", 1], "files": {}}],
        [{"name": ["links"], "arguments": ["wiki"], "files": {}}],
        [{"name": "links", "arguments": ["wiki"], "files": ["dump.xml"]}],
        [{"name": "links", "arguments": ["wiki"], "files": {"dump.xml": 1}}],
        [{"name": "links", "arguments": ["wiki"], "files": {"dump.xml": ["1", "2"]}}],
        [{"name": "links", "arguments": ["wiki"], "files": {"dump.xml": [1]}}],
        [{"name": "links", "arguments": ["wiki"]}],
        ["links"],
    ],
)
def test_a_damaged_journal(run_file, capfd, steps) -> None:
    journal = run_file.parent / "recipe.done.json"
    journal.write_text(json.dumps({"steps": steps} if steps else steps))
    assert main(["run", str(run_file)]) == 2
    assert capfd.readouterr().err == (
        f"anchormine: {journal}: is no list of the steps that are done; delete it, and the steps say "
        "themselves what is there\n"
    )


def test_a_step_that_fails_ends_the_run_and_is_gone_on_with(run_file, capfd) -> None:
    assert main(["run", str(run_file)]) == 2
    assert capfd.readouterr().err.endswith(
        f"anchormine: {run_file}: step 1 of 2 (links) ended with status 2; those before it are done, and "
        f"`anchormine run {quote(str(run_file))}` goes on here once that is mended\n"
    )
    assert not (run_file.parent / "data").exists()
    # made outside of the run: a step without a mark is told to resume, and finds itself done
    data = str(run_file.parent / "data")
    dump = str(run_file.parent / "dump.xml")
    assert main(["wiki", dump, "--output", data, "--workers", "1", "--progress", "none"]) == 0
    assert main(["run", str(run_file), "--set", "dump=dump.xml"]) == 0
    found = Path(dump).stat()
    made = {
        str(path.relative_to(data)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in Path(data).rglob("*.parquet")
    }
    assert json.loads((run_file.parent / "recipe.done.json").read_text()) == {
        "steps": [
            {
                "name": name,
                "arguments": arguments.split(),
                "files": files,
                "made": {path: sha256 for path, sha256 in made.items() if path.startswith(tables)},
            }
            for name, arguments, files, tables in (
                (
                    "links",
                    "wiki dump.xml --output data --workers 1 --progress none",
                    {"dump.xml": [found.st_size, found.st_mtime_ns]},
                    ("pages/", "anchors/"),
                ),
                (
                    "pairs",
                    "pairs data --task anchor_document --workers 1 --progress none",
                    {},
                    ("pairs/", "prov"),
                ),
            )
        ]
    }


def test_a_strict_step_is_run_anew_once_its_input_is_whole(run_file, capfd) -> None:
    """It has published what could be read, which `--resume` would not take for that of the whole input."""
    dump = run_file.parent / "dump.xml"
    whole = dump.read_bytes()
    dump.write_bytes(whole[: len(whole) // 2])
    run_file.write_text(STEPS.replace('output = "data"', 'output = "data"\nstrict = true'))
    arguments = ["run", str(run_file), "--set", "dump=dump.xml"]
    assert main(arguments) == 3
    assert capfd.readouterr().err.splitlines()[-1] == (
        f"anchormine: {run_file}: step 1 of 2 (links) ended with status 3; those before it are done, and "
        f"`anchormine run {quote(str(run_file))} --set dump=dump.xml --from links` goes on here once that is "
        "mended"
    )
    dump.write_bytes(whole)
    assert main([*arguments, "--from", "links"]) == 0
    assert len(read_table(run_file.parent / "data", "pages")) == 12


def test_a_step_that_says_resume_itself_is_run_anew_all_the_same(run_file, capfd) -> None:
    run_file.write_text(STEPS.replace('output = "data"', 'output = "data"\nresume = true'))
    arguments = ["run", str(run_file), "--set", "dump=dump.xml"]
    assert main(arguments) == 0
    command = "$ anchormine wiki dump.xml --output data"
    assert f"{command} --resume --workers 1 --progress none\n" in capfd.readouterr().out
    write_dump(run_file.parent, 14)
    assert main(arguments) == 2
    assert "--set dump=dump.xml --from links` runs it and what follows anew" in capfd.readouterr().err
    assert main([*arguments, "--from", "links"]) == 0
    assert f"{command} --workers 1 --progress none --overwrite\n" in capfd.readouterr().out
    assert len(read_table(run_file.parent / "data", "pages")) == 14


def test_steps_that_are_run_anew_are_gone_on_with_anew(run_file, capfd) -> None:
    """What they had made before is there still when a run anew is stopped, and is not taken for theirs."""
    run_file.write_text(STEPS + '[[steps]]\nrun = "export data"\nto = "tevatron"\nprogress = "none"\n')
    arguments = ["run", str(run_file), "--set", "dump=dump.xml"]
    assert main(arguments) == 0
    dump, journal = run_file.parent / "dump.xml", run_file.parent / "recipe.done.json"
    dump.unlink()
    assert main([*arguments, "--from", "links"]) == 2
    assert capfd.readouterr().err.endswith(
        f"anchormine: {run_file}: step 1 of 3 (links) ended with status 2; those before it are done, and "
        f"`anchormine run {quote(str(run_file))} --set dump=dump.xml` goes on here once that is mended\n"
    )
    assert json.loads(journal.read_text()) == {"steps": [], "anew": ["export", "links", "pairs"]}
    write_dump(run_file.parent, 14)
    assert main(arguments) == 0
    commands = [line for line in capfd.readouterr().out.splitlines() if line.startswith("$")]
    assert commands == [
        "$ anchormine wiki dump.xml --output data --workers 1 --progress none --overwrite",
        "$ anchormine pairs data --task anchor_document --workers 1 --progress none --overwrite",
        "$ anchormine export data --to tevatron --progress none --overwrite",
    ]
    folder = run_file.parent / "data"
    assert len(read_table(folder, "pages")) == 14
    corpus = folder / "exports/tevatron/anchor_document/corpus.jsonl"
    assert len(corpus.read_text().splitlines()) == 14
    assert list(json.loads(journal.read_text())) == ["steps"]


@pytest.mark.parametrize("full_after", [0, 1])
def test_a_journal_that_cannot_be_written(run_file, capfd, monkeypatch, full_after) -> None:
    """It is written before the first step, and after each."""
    arguments = ["run", str(run_file), "--set", "dump=dump.xml"]
    unfinished, write = run_file.parent / "recipe.done.tmp", RunJournal._write
    written: list[RunJournal] = []

    def write_or_fail(journal: RunJournal) -> None:
        if len(written) == full_after:
            unfinished.symlink_to("/dev/full")
        written.append(journal)
        write(journal)

    with monkeypatch.context() as patch:
        patch.setattr(RunJournal, "_write", write_or_fail)
        assert main(arguments) == 1
    assert capfd.readouterr().err.splitlines()[-1] == (
        f"anchormine: {run_file.parent}/recipe.done.json: cannot be written (No space left on device), so "
        "which steps are done is not kept; see that it can be written, and has room, and give the same "
        "command again"
    )
    assert (run_file.parent / "data").exists() is (full_after == 1)
    unfinished.unlink()
    assert main(arguments) == 0
    steps = json.loads((run_file.parent / "recipe.done.json").read_text())["steps"]
    assert [step["name"] for step in steps] == ["links", "pairs"]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("output = ", "outptu = ", "step 1 (links): unknown option --outptu; did you mean --output?"),
        ('"pairs data"', '"pears data"', "step 2 (pears): unknown command pears; did you mean pairs?"),
        ('"pairs data"', '"run data"', "step 2 (run): unknown command run"),
        ("{dump}", "{dmup}", "step 1: unknown variable dmup in '{dmup}'; did you mean dump?"),
        *(
            (
                "{dump}",
                text,
                f"step 1: '{text}'"
                ": {name} is a variable, and {{ a brace; write no more than a name in it\n",
            )
            for text in ("{0}", "{}", "{dump:>3000000000}", "{dump!r}", "{dump.x}", "{dump[0]}", "{dump", "}")
        ),
        ("[variables]", "[varaibles]", "unknown name varaibles; did you mean variables?"),
        ('run = "pairs data"', "", 'step 2: no run = "COMMAND ARGUMENTS"'),
        (
            '"pairs data"',
            '"pairs data\'s"',
            'step 2: run: No closing quotation in "pairs data\'s"; quotation',
        ),
        ('["anchor_document"]', '["anchor_documents"]', "step 2 (pairs): argument --task: invalid choice"),
        ('["anchor_document"]', "{ a = 1 }", "step 2: task is a value or a list of values"),
        ('name = "links"', 'name = "pairs"', "two steps are named pairs"),
        ("workers = 1", "workers = ", "not TOML"),
        ("[[steps]]", "[[step]]", "unknown name step; did you mean steps?"),
        (
            "workers = 1",
            "help = true",
            "step 1 (links): --help: a step runs, and prints no help; leave it out\n",
        ),
        (
            '"pairs data"',
            '"pairs data -h"',
            "step 2 (pairs): -h: a step runs, and prints no help; leave it out\n",
        ),
        (
            "workers = 1",
            f"workers = {'[' * 5000}",
            "nested too deeply; write values without so many brackets\n",
        ),
    ],
)
def test_one_line_says_what_is_wrong(run_file, capfd, before, after, told) -> None:
    run_file.write_text(STEPS.replace(before, after))
    assert main(["run", str(run_file)]) == 2
    err = capfd.readouterr().err
    assert err.startswith(f"anchormine: {run_file}: {told}")
    assert err.count("\n") == 1
    assert sorted(path.name for path in run_file.parent.iterdir()) == ["dump.xml", "recipe.toml"]


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ('run = "filter data"\nkeep_share = 2.0', "step 3 (filter): --keep-share 2.0: "),
        (
            'run = "filter data"\nkeep_share = 0.5\nclassifier = "none"',
            "step 3 (filter): --keep-share 0.5: goes with a classifier only; ",
        ),
        ('run = "filter data"\nrules = "none"\nsame_site = "host"', "step 3 (filter): --same-site host: "),
        ('run = "filter data"\nrules = "rules.toml"', "step 3 (filter): rules.toml: base: 'nonee' is none "),
        ('run = "filter data"\nrules = "none"\nkeywords = "mine.txt"', "step 3 (filter): --keywords: "),
        (
            'run = "filter data"\nkeywords = "latin1.txt"',
            "step 3 (filter): latin1.txt: not UTF-8 at byte 3; ",
        ),
        (
            'run = "filter data"\nrules = "none"\nsame_site = "host"\nkeywords = "later.txt"',
            "step 3 (filter): --same-site host: ",
        ),
        ('run = "filter data"\nrules = ""', "step 3 (filter): argument --rules: '': names nothing; "),
        (
            'run = "pairs data"\nname = "more"\nmin_words = -1',
            "step 3 (more): --min-words -1: give 0 or more",
        ),
        (
            'run = "train classifier"\nnegatives_from = "data"\noutput = "m"\npositives = "mine.txt"',
            "step 3 (train): --positives mine.txt: 2 distinct queries; ",
        ),
        ('run = "web x"\noutput = "o"\npage_timeout = 0.0', "step 3 (web): --page-timeout 0.0: "),
        (
            'run = "wiki x"\nname = "more"\noutput = "o"\nwiki = "a b"',
            "step 3 (more): --wiki 'a b': page ids ",
        ),
        (
            'run = "negatives data"\ntask = ["qdm"]\nfrom = "bm25"\nsimilarity = 7.0',
            "step 3 (negatives): --similarity 7.0: must be above 0; ",
        ),
        ('run = "export data"\nto = "beir"\nnegatives = -1', "step 3 (export): --negatives -1: "),
        ('run = "evaluate bm25"\ncollection = "c"\ndepth = 0', "step 3 (evaluate): --depth 0: "),
        ('run = "train encoder data"\nlength = 1', "step 3 (train): --length 1"),
        ('run = "train rerank"\ncollection = "c"\ninit = "m"', "step 3 (train): --output is missing: "),
    ],
)
def test_what_no_step_makes_is_checked_before_the_first(run_file, capfd, step, told) -> None:
    (run_file.parent / "rules.toml").write_text('base = "nonee"\n')
    (run_file.parent / "latin1.txt").write_bytes(b"caf\xe9\n")
    (run_file.parent / "mine.txt").write_text("one query\nanother query\n")
    run_file.write_text(f"{STEPS}\n[[steps]]\n{step}\n")
    assert main(["run", str(run_file), "--set", "dump=dump.xml"]) == 2
    err = capfd.readouterr().err
    assert err.startswith(f"anchormine: {run_file}: {told}")
    assert err.count("\n") == 1
    assert not (run_file.parent / "data").exists()


def test_variables_and_braces(run_file) -> None:
    run_file.write_text(STEPS.replace('"links"', '"{{x}} {dump}"').replace('"data"', '"{dump}{{{dump}}}"'))
    step = read_run_file(str(run_file), {"dump": "{a:>9} {{"})[0]
    assert step.name == "{x} {a:>9} {{"
    assert step.arguments[:4] == ("wiki", "{a:>9} {{", "--output", "{a:>9} {{{{a:>9} {{}")


def test_a_file_as_editors_save_it(run_file, capfd) -> None:
    run_file.write_text(f"# für uns\n{STEPS}", encoding="utf-8-sig", newline="\r\n")
    assert main(["run", str(run_file), "--dry-run"]) == 0
    assert len(capfd.readouterr().out.splitlines()) == 3
    run_file.write_text(f"# für uns\n{STEPS}", encoding="latin-1")
    assert main(["run", str(run_file), "--dry-run"]) == 2
    assert capfd.readouterr().err == f"anchormine: {run_file}: not UTF-8 at byte 3; save it as UTF-8\n"


def test_what_is_given_is_checked(run_file, tmp_path, capfd) -> None:
    for arguments, told in (
        ([str(run_file), "--set", "dumb=x"], "unknown name dumb; did you mean dump?"),
        ([str(run_file), "--set", "dump"], "--set dump: give NAME=TEXT"),
        ([str(run_file), "--set", "=dump"], "--set =dump: give NAME=TEXT"),
        ([str(run_file), "--from", "pair"], f"--from pair: no step of {run_file}; they are links, pairs"),
        ([str(tmp_path / "none.toml")], "cannot be read"),
    ):
        assert main(["run", *arguments]) == 2
        err = capfd.readouterr().err
        assert told in err
        assert err.count("\n") == 1


def tiny_recipe(folder: Path, name: str, *values: str) -> list[str]:
    """The command that runs a recipe of the examples, copied to a folder, with a model that is made there."""
    shutil.copy(ROOT / "examples" / name, folder)
    make_model(folder / "tiny")
    every = ("encoder=tiny", "negatives=2", "document_length=32", *values)
    return ["run", str(folder / name), *(word for value in every for word in ("--set", value))]


@pytest.mark.slow
def test_anchor_drs_recipe(tmp_path, capfd) -> None:
    pytest.importorskip("sentence_transformers")
    write_dump(tmp_path, 60)
    assert len(set(WORDS)) > 20
    # the tiny model takes 64 tokens, the most that a query has by default
    recipe = tiny_recipe(tmp_path, "anchor_dr.toml", "dump=dump.xml", "batch_size=16")
    assert main(recipe) == 0
    capfd.readouterr()
    mined = {
        row["mined_from"].split(" ")[0]
        for row in read_table(tmp_path / "data", "contrastive/anchor_document")
    }
    assert mined != {"bm25"}
    logs = {}
    for name in ("first", "second"):
        lines = (tmp_path / "models" / name / "train_log.jsonl").read_text().splitlines()
        logs[name] = [json.loads(line) for line in lines]
    assert max(line["lr"] for line in logs["second"]) == pytest.approx(
        0.6 * max(line["lr"] for line in logs["first"])
    )
    assert logs["first"][-1]["loss"] < logs["first"][0]["loss"]
    assert logs["second"][0]["validation_before"]["MRR@10"] == logs["first"][-1]["validation"]["MRR@10"]
    assert main(recipe) == 0
    assert capfd.readouterr().err.count("is done already") == 6


@pytest.mark.slow
def test_anchor_drs_recipe_on_a_crawl(tmp_path, capfd) -> None:
    pytest.importorskip("sentence_transformers")
    crawl = DEMO / "crawl.warc.gz"
    recipe = tiny_recipe(tmp_path, "anchor_dr_crawl.toml", f"crawl={crawl}", "batch_size=8")
    assert main(recipe) == 0
    data = tmp_path / "data"
    links = {step: funnel(data, step) for step in ("web", "filter", "pairs")}
    assert links["web"]["links"]["written"] == links["filter"]["anchors"]["read"] == 671
    assert links["filter"]["anchors"]["written"] == links["pairs"]["anchors"]["read"] == 31
    pairs = read_table(data, "pairs/anchor_document")
    cleaned = {row["anchor_id"]: row["anchor_clean"] for row in read_table(data, "filtered")}
    assert [row["query"] for row in pairs] == [cleaned[row["anchor_id"]] for row in pairs]
    assert len(pairs) == links["pairs"]["pairs-anchor_document"]["written"] > 20
    assert json.loads((tmp_path / "models" / "second" / "train_options.json").read_text())["lr_scale"] == 0.6
    capfd.readouterr()
    assert main(recipe) == 0
    assert capfd.readouterr().err.count("is done already") == 7

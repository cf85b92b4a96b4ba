"""Standard output that nobody reads to its end, or that is full, takes nothing from what a command does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import anchormine
from anchormine.pipelines.cli import main
from tests.pipelines.command_runs import DEMO, QUIET, run_demo_wiki
from tests.web.small_crawls import html, response, warc_gz
from tests.wiki.small_dumps import dump, page

ROOT = Path(anchormine.__file__).parents[1]
ENVIRONMENT = os.environ | {
    "PYTHONPATH": os.pathsep.join(path for path in [str(ROOT), os.environ.get("PYTHONPATH", "")] if path)
}
FULL = (
    "anchormine: standard output: cannot be written (No space left on device), and what was printed is cut "
    "off; all else is done; send it to a place with room\n"
)


@contextmanager
def closed_pipe() -> Iterator[int]:
    """A pipe that nobody reads from."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


@contextmanager
def full_device() -> Iterator[int]:
    writing = os.open("/dev/full", os.O_WRONLY)
    yield writing
    os.close(writing)


def run(output: int, *arguments: str, errors: int = subprocess.PIPE) -> tuple[int, str]:
    """Status and standard error of a command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "anchormine", *arguments],
        env=ENVIRONMENT, stdout=output, stderr=errors, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr or ""


@pytest.fixture
def cut_crawl(tmp_path: Path) -> Path:
    path = tmp_path / "a.warc.gz"
    data = warc_gz(*(response(f"http://pier.example/{n}", html("<p><a href=/0>A pier</a>.")) for n in (0, 1)))
    path.write_bytes(data[:-4])
    return path


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_closed_pipe_changes_no_status(cut_crawl: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    command = ("web", str(cut_crawl), "--output", str(tmp_path / "out"), "--strict", *QUIET, *options)
    with closed_pipe() as pipe:
        status, said = run(pipe, *command)
    assert (status, said.count("\n")) == (3, 1)
    assert said.startswith(f"anchormine: {cut_crawl}: damaged at byte ")
    assert (tmp_path / "out" / "manifest.json").is_file()


def test_standard_error_goes_to_the_same_pipe(cut_crawl: Path, tmp_path: Path) -> None:
    command = ("web", str(cut_crawl), "--output", str(tmp_path / "out"), *QUIET)
    with closed_pipe() as pipe:
        assert run(pipe, *command, "--strict", errors=pipe) == (3, "")
        assert run(pipe, *command, errors=pipe) == (2, "")  # the folder holds it already


def test_rejects_that_nobody_reads_to_their_end(tmp_path: Path) -> None:
    folder = run_demo_wiki(tmp_path / "out")
    with closed_pipe() as pipe:
        assert run(pipe, "rejects", str(folder)) == (0, "")
    with full_device() as device:
        assert run(device, "rejects", str(folder)) == (1, FULL)


def test_a_full_standard_output_is_said(tmp_path: Path) -> None:
    planned = ("wiki", str(DEMO / "wiki.xml"), "--output", str(tmp_path / "out"), "--dry-run", *QUIET)
    with full_device() as device:
        assert run(device, *planned) == (1, FULL)
        assert run(device, "rejects", str(tmp_path)) == (  # what went wrong before it is what is said
            2,
            f"anchormine: {tmp_path}: no manifest.json here, so no dataset folder; make a new folder with "
            "`anchormine wiki DUMP --output FOLDER`, or with `anchormine web` of a crawl\n",
        )


@pytest.mark.parametrize(
    ("closed", "has_output", "has_errors"),
    [("2>&-", True, False), (">&-", False, True), (">&- 2>&-", False, False)],
)
def test_streams_that_are_closed_from_the_start(
    tmp_path: Path, closed: str, has_output: bool, has_errors: bool
) -> None:
    """What was meant for one of them is not printed to the other."""
    folder = run_demo_wiki(tmp_path / "out")
    program = f"{sys.executable} -m anchormine rejects {folder}"
    for option, status in (("", 0), ("--reason nope", 2)):
        done = subprocess.run(
            f"{program} {option} {closed}", shell=True, env=ENVIRONMENT, capture_output=True, check=False
        )
        assert done.returncode == status
        assert bool(done.stdout) == (has_output and status == 0)
        assert bool(done.stderr) == (has_errors and status == 2)


def test_streams_are_given_back(capsys, tmp_path: Path) -> None:
    before = sys.stdout, sys.stderr
    assert main(["rejects", str(tmp_path)]) == 2
    assert before == (sys.stdout, sys.stderr)
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, before) == (0, (sys.stdout, sys.stderr))
    assert capsys.readouterr().out == f"anchormine {anchormine.__version__}\n"


@pytest.mark.parametrize(
    ("encoding", "title"),
    [
        ("ascii", b"Caf\\u00e9 \\ud83d\\ude00 \\u2192"),
        ("latin-1", b"Caf\xe9 \\ud83d\\ude00 \\u2192"),
        ("utf-8", "Café \U0001f600 →".encode()),
    ],
)
def test_characters_that_an_encoding_has_not_are_escaped(tmp_path: Path, encoding: str, title: bytes) -> None:
    """As JSON does it: what is printed as JSON stays that."""
    source = tmp_path / "w.xml"
    source.write_bytes(dump(page(1, "A", "[[B]]."), page(2, "Café \U0001f600 →", "B.", ns=4)))
    assert main(["wiki", str(source), "--output", str(tmp_path / "out"), *QUIET]) == 0
    assert said_in(encoding, tmp_path, "out", "--json") == (
        0,
        b'{"step": "wiki", "reason": "namespace", "unit": "pages", "record_id": "harbourwiki:2", '
        b'"origin": "w.xml@1018", "excerpt": "%s", "records": 1}\n' % title,
        b"",
    )


def said_in(encoding: str, folder: Path, *arguments: str) -> tuple[int, bytes, bytes]:
    """Status, output and errors of `rejects` where the streams have an encoding."""
    done = subprocess.run(
        [sys.executable, "-m", "anchormine", "rejects", *arguments],
        env=ENVIRONMENT | {"PYTHONIOENCODING": encoding}, cwd=folder, capture_output=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_a_working_folder_that_is_gone(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    program = f"cd {gone}; rmdir {gone}; exec {sys.executable} -m anchormine"
    gone.mkdir()
    done = subprocess.run(
        ["sh", "-c", f"{program} web a.warc --output out"],
        env=ENVIRONMENT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        "",
        "anchormine: the working folder: No such file or directory; go to another one with `cd` and run the "
        "command there\n",
    )


def on_a_terminal(*arguments: str) -> tuple[int, str]:
    """Status of a command whose standard output and error are a terminal, and what it shows."""
    reading, writing = os.openpty()
    status, _ = run(writing, *arguments, errors=writing)
    os.close(writing)
    shown = b""
    with suppress(OSError):  # nothing more
        while data := os.read(reading, 4096):
            shown += data
    os.close(reading)
    return status, shown.decode().replace("\r\n", "\n")


def test_a_terminal_obeys_nothing_that_a_crawl_holds(tmp_path: Path) -> None:
    """An address may have escape sequences, and signs that turn the order of a line; so may a file's name."""
    (tmp_path / "in").mkdir()
    crawl, out = tmp_path / "in" / "a\x1b[2J\u202e.warc.gz", str(tmp_path / "out")
    links = "<a href='odd:\x1b[31m\x9b2J\u202e'>Odd</a> <a href='odd:schön'>Odd</a>"
    crawl.write_bytes(warc_gz(response("http://pier.example/", html(f"<html lang=en><p>{links}")))[:-4])
    escaped = f"{tmp_path}/in/a\\u001b[2J\\u202e.warc.gz"
    status, shown = on_a_terminal("web", str(crawl), "--output", out, *QUIET)
    assert (status, shown.split("\n")[0].partition(": damaged at")[0]) == (0, f"anchormine: {escaped}")
    assert "\x1b" not in shown
    status, shown = on_a_terminal("rejects", out, "--reason", "scheme")
    assert (status, [line.split("\t")[5] for line in shown.splitlines()]) == (
        0, ["odd:\\u001b[31m\\u009b2J\\u202e", "odd:schön"]
    )  # fmt: skip
    status, shown = on_a_terminal("rejects", out, "--reason", "scheme", "--json")
    rows = [json.loads(line)["excerpt"] for line in shown.splitlines()]
    assert (status, rows) == (0, ["odd:\x1b[31m\x9b2J\u202e", "odd:schön"])
    whole = subprocess.check_output(
        [sys.executable, "-m", "anchormine", "rejects", out, "--reason", "scheme"], env=ENVIRONMENT, text=True
    )
    assert whole.splitlines()[0].split("\t")[5] == "odd:\x1b[31m\x9b2J\u202e"  # no terminal


def test_a_name_begins_no_line(cut_crawl: Path, tmp_path: Path, capsys) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    path = cut_crawl.rename(folder / "a\nanchormine: all is done.warc.gz")
    named = f"{folder}/a\\nanchormine: all is done.warc.gz"
    command = ["web", str(folder), "--output", str(tmp_path / "out"), *QUIET]
    size = path.stat().st_size
    assert main([*command, "--dry-run"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == f"  input   {named} ({size:,} bytes)"
    assert main(command) == 0
    (verdict,) = capsys.readouterr().err.splitlines()
    assert verdict.startswith(f"anchormine: {named}: damaged at byte ")
    path.write_bytes(b"")
    assert main([*command, "--overwrite"]) == 1
    assert capsys.readouterr().err == (
        f"anchormine: {named}: an empty file; fetch it again; nothing was published\n"
    )

"""How the commands are to be written, and what is said where that is not how one was."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipelines.command_runs import main


@pytest.mark.parametrize(
    ("command", "usage"),
    [
        ("", "STEP ..."),
        ("web", "web FILE [FILE ...] --output DIR [OPTION ...]"),
        ("filter", "filter [DIR] [OPTION ...]"),
        ("pairs", "pairs DIR [OPTION ...]"),
        ("demo", "demo [OPTION ...]"),
        ("train", "train KIND ..."),
        ("train pretrain", "train pretrain DIR [OPTION ...]"),
        ("negatives", "negatives DIR --task TASK [TASK ...] --from bm25|MODEL [OPTION ...]"),
    ],
)
def test_the_first_line_of_help(command: str, usage: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.splitlines()[:2] == [f"usage: anchormine {usage}", ""]


def test_a_folder_behind_an_option_that_takes_several(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pairs", "--task", "codoc", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: --task takes all that is behind it; write {tmp_path} before the options (see "
        "`anchormine pairs --help`)\n"
    )


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("negatives data", 'from = "bm25"\ntask = "codoc"\n'),
        ("rejects data", 'step = "web"\n'),
        ("train pretrain data --output model", 'task = "rqp"\n'),
    ],
)
def test_files_of_options_have_the_names_of_the_command_line(
    command: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "options.toml"
    path.write_text(text)
    assert main([*command.split(), "--config", str(path)]) == 2
    assert "data" in capsys.readouterr().err  # there is no such folder
    path.write_text(text.replace("=", "s =").replace(" s", "s"))
    assert main([*command.split(), "--config", str(path)]) == 2
    option = text.partition(" ")[0]
    assert capsys.readouterr().err == (
        f"anchormine: {path}: unknown option --{option}s; did you mean --{option}?\n"
    )


@pytest.mark.parametrize("behind", [[], ["--progress", "none"]])
def test_a_config_without_its_file(behind: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pairs", "data", "--config", *behind]) == 2
    assert capsys.readouterr().err == (
        "anchormine: argument --config: expected one argument (see `anchormine pairs --help`)\n"
    )


@pytest.mark.parametrize(
    ("command", "option"),
    [("pairs data", "task"), ("evaluate bm25", "measures"), ("train contrastive data", "task")],
)
def test_a_list_of_no_values_in_a_file_of_options(
    command: str, option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "options.toml"
    path.write_text(f"{option} = []\n")
    assert main([*command.split(), "--config", str(path)]) == 2
    assert capsys.readouterr().err == (f"anchormine: {path}: --{option} is one value or more, not []\n")


def test_a_folder_in_the_place_of_the_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out" / "manifest.json").mkdir(parents=True)
    assert main(["wiki", "none.xml", "--output", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: {tmp_path}/out/manifest.json: is a folder; put the manifest there, or give another "
        "folder\n"
    )

"""Which engine a run has: the one that is named, and the manifest says so."""

from __future__ import annotations

import json

import pytest

from anchormine.pipelines.cli import main
from anchormine.pipelines.runners import is_local, make_runner, pipeline_options, runner_name
from tests.pipelines.command_runs import DEMO, QUIET, checksums


@pytest.mark.parametrize(
    ("given", "name", "local"),
    [
        ([], "DirectRunner", True),
        (["--runner=directrunner"], "DirectRunner", True),
        (["--runner", "fnapirunner"], "FnApiRunner", True),
        (["--runner=apache_beam.runners.direct.direct_runner.DirectRunner"], "DirectRunner", True),
        (["--runner=PRISMRUNNER"], "PrismRunner", False),
        (["--runner=bundlebaseddirectrunner"], "BundleBasedDirectRunner", False),
        (["--runner=FlinkRunner"], "FlinkRunner", False),
        (["--runner=mine.runners.OwnRunner"], "OwnRunner", False),
    ],
)
def test_names(given: list[str], name: str, local: bool) -> None:
    options = pipeline_options(given, 1)
    assert (runner_name(options), is_local(options)) == (name, local)
    runner = make_runner(options)
    assert isinstance(runner, str) != local
    assert local or runner == given[0].partition("=")[2]


@pytest.mark.parametrize(
    ("given", "name"),
    [("directrunner", "DirectRunner"), ("BundleBasedDirectRunner", "BundleBasedDirectRunner")],
)
def test_rows_are_those_of_any_runner(demo_wiki, tmp_path, given: str, name: str) -> None:
    out = tmp_path / "out"
    command = ["wiki", str(DEMO / "wiki.xml"), "--output", str(out), *QUIET, f"--runner={given}"]
    assert main(command) == 0
    assert json.loads((out / "manifest.json").read_text())["steps"]["wiki"]["runner"] == name
    assert checksums(out) == checksums(demo_wiki)


def test_no_step(capsys) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err == (
        "anchormine: the following arguments are required: STEP (see `anchormine --help`)\n"
    )

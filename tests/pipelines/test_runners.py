"""Which engine a run has: the one that is named, and the manifest says so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from apache_beam.options.pipeline_options import DebugOptions, PortableOptions

from anchormine.pipelines.cli import main
from anchormine.pipelines.output_folder import OutputFolder
from anchormine.pipelines.progress import read_heartbeats
from anchormine.pipelines.runners import is_local, make_runner, pipeline_options, runner_name
from tests.pipelines.command_runs import DEMO, QUIET, checksums
from tests.pipelines.worker_rigs import ENVIRONMENT


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
    ("given", "seconds"),
    [
        (["--job_endpoint=localhost:8099"], 365 * 24 * 3600),
        (["--job_endpoint=localhost:8099", "--job_server_timeout=300"], 300),
        (["--job_endpoint=localhost:8099", "--job-server-timeout", "40"], 40),
        ([], 300),
    ],
)
def test_a_run_may_take_longer_than_an_answer(given: list[str], seconds: int) -> None:
    options = pipeline_options(["--runner=PortableRunner", *given], 1)
    assert options.view_as(PortableOptions).job_server_timeout == seconds


@pytest.mark.parametrize(
    ("given", "experiments"),
    [
        (["--runner=DataflowRunner"], None),
        (["--runner=SparkRunner"], ["disable_logging_submission_environment"]),
        (
            ["--runner=FlinkRunner", "--experiments=a,b"],
            ["a", "b", "disable_logging_submission_environment"],
        ),
    ],
)
def test_what_is_installed_here_is_listed_for_dataflow_alone(
    given: list[str], experiments: list[str] | None
) -> None:
    assert pipeline_options(given, 1).view_as(DebugOptions).experiments == experiments


def test_no_job_server(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr("anchormine.pipelines.runners._ANSWER_S", 1)
    out = tmp_path / "out"
    rig = ["--runner=PortableRunner", "--job_endpoint=localhost:9"]
    assert main(["wiki", str(DEMO / "wiki.xml"), "--output", str(out), *QUIET, *rig]) == 1
    assert capsys.readouterr().err == (
        "anchormine: --job_endpoint=localhost:9: no job server has answered in 1 seconds; start one, or name "
        "its host and port\n"
    )
    assert not list(tmp_path.iterdir())


TYPES = "takes the rows that steps set aside for errors; leave it out"
BEAMS = "give a runner of Beam, or one by its module"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("--dry_run=True", "--dry_run=True: would run all the same; give --dry-run, which prints the plan"),
        ("--dry_run", "--dry_run: would run all the same; give --dry-run, which prints the plan"),
        (
            "--runner=portablerunner",
            "--runner=PortableRunner: needs a job server; name it by --job_endpoint=HOST:PORT",
        ),
        (
            "--job_endpoint=localhost",
            "--job_endpoint=localhost: is no host and port; give those of a job server, as localhost:8099",
        ),
        (
            "--job_endpoint=http://localhost:8099",
            "--job_endpoint=http://localhost:8099: is no host and port; give those of a job server, as "
            "localhost:8099",
        ),
        (
            "--flink_job_server_jar=no.jar",
            "--flink_job_server_jar=no.jar: no such file; give one that is there",
        ),
        (
            "--spark_job_server_jar=no.jar",
            "--spark_job_server_jar=no.jar: no such file; give one that is there",
        ),
        ("--runner=foo.Bar", f"--runner=foo.Bar: cannot be imported (No module named 'foo'); {BEAMS}"),
        ("--runner=.Bar", f"--runner=.Bar: cannot be imported (Empty module name); {BEAMS}"),
        ("--runner=os.path", f"--runner=os.path: is no runner; {BEAMS}"),
        ("--runner=json.JSONDecoder", f"--runner=json.JSONDecoder: is no runner; {BEAMS}"),
        ("--runtime_type_check", f"--runtime_type_check: {TYPES}"),
        ("--performance_runtime_type_check", f"--performance_runtime_type_check: {TYPES}"),
        (
            "--type_check_strictness=ALL_REQUIRED",
            "--type_check_strictness=ALL_REQUIRED: not all steps say what types they give; leave it out",
        ),
        (
            "--profile_cpu",
            "--profile_cpu: needs --profile_location=FOLDER, where the profiles are written",
        ),
        ("--setup_file=/no/setup.py", "--setup_file=/no/setup.py: no such file; give one that is there"),
        (
            "--runner=PrismRunner --prism_location=/no/prism",
            "--prism_location=/no/prism: no such file; give one that is there",
        ),
        ("--requirements_file=/no.txt", "--requirements_file=/no.txt: no such file; give one that is there"),
        ("--extra_package=/no.whl", "--extra_package=/no.whl: no such file; give one that is there"),
        (
            "--runner=DataflowRunner --temp_location=gs://bucket/t --staging_location=gs://bucket/s "
            "--project=project",
            "Beam options: Missing required option: region.",
        ),
    ],
)
def test_options_of_beam_that_end_a_run(tmp_path, capsys, given: str, told: str) -> None:
    command = ["wiki", str(DEMO / "wiki.xml"), "--output", str(tmp_path / "out"), *QUIET]
    assert main([*command, *given.split()]) == 2
    assert capsys.readouterr() == ("", f"anchormine: {told}\n")
    assert not list(tmp_path.iterdir())


def test_a_profile_and_files_that_are_there(tmp_path, capsys) -> None:
    (tmp_path / "setup.py").write_text("")
    command = ["wiki", str(DEMO / "wiki.xml"), "--output", str(tmp_path / "out"), *QUIET]
    profiles = ["--profile_cpu", f"--profile_location={tmp_path}/profiles"]
    assert main([*command, *profiles, f"--setup_file={tmp_path}/setup.py"]) == 0
    assert list((tmp_path / "profiles").iterdir())


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


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        ({}, "localhost,127.0.0.1,::1"),
        ({"no_grpc_proxy": "", "no_proxy": ".lan"}, "localhost,127.0.0.1,::1"),
        ({"no_grpc_proxy": "127.0.0.1,.org", "no_proxy": ".lan"}, "127.0.0.1,.org,localhost,::1"),
        ({"no_proxy": ".lan,10.0.0.0/8", "NO_PROXY": ".com"}, ".lan,10.0.0.0/8,localhost,127.0.0.1,::1"),
        ({"NO_PROXY": ".com"}, "localhost,127.0.0.1,::1"),
    ],
)
def test_hosts_without_a_proxy(monkeypatch, said: dict[str, str], becomes: str) -> None:
    own, general = "no_grpc_proxy", "no_proxy"
    for name in (own, general, "NO_PROXY"):
        monkeypatch.setenv(name, "")  # is given back after the test, set or not
        monkeypatch.delenv(name)
    for name, hosts in said.items():
        monkeypatch.setenv(name, hosts)
    for _ in range(2):
        make_runner(pipeline_options([], 1))
        assert os.environ[own] == becomes
    assert os.environ.get(general) == said.get(general)


def test_a_proxy_is_not_asked_for_worker_processes(demo_wiki, tmp_path) -> None:
    out = tmp_path / "out"
    proxies = dict.fromkeys(("http_proxy", "https_proxy", "grpc_proxy"), "http://127.0.0.1:1")
    others = {name: text for name, text in ENVIRONMENT.items() if name not in ("no_grpc_proxy", "no_proxy")}
    command = ["wiki", str(DEMO / "wiki.xml"), "--output", str(out), "--progress", "none", "--workers", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "anchormine", *command],
        env=others | proxies, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert checksums(out) == checksums(demo_wiki)


def test_no_step(capsys) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err == (
        "anchormine: the following arguments are required: STEP (see `anchormine --help`)\n"
    )


def test_options_of_beam_in_a_config_file(tmp_path, capsys) -> None:
    config = tmp_path / "run.toml"
    config.write_text('runner = "BundleBasedDirectRunner"\nno-auth = true\nsave_main_session = false\n')
    command = ["wiki", str(DEMO / "wiki.xml"), *QUIET, "--config", str(config)]
    names = {}
    for folder, flags in (("file", []), ("flag", ["--runner=DirectRunner"])):
        assert main([*command, "--output", str(tmp_path / folder), *flags]) == 0
        manifest = json.loads((tmp_path / folder / "manifest.json").read_text())
        names[folder] = manifest["steps"]["wiki"]["runner"]
    assert names == {"file": "BundleBasedDirectRunner", "flag": "DirectRunner"}
    config.write_text('runer = "DirectRunner"\n')
    capsys.readouterr()
    assert main([*command, "--output", str(tmp_path / "none")]) == 2
    assert "unknown option --runer; did you mean --runner?" in capsys.readouterr().err


def test_progress_counts_every_rejected_page(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(
        OutputFolder, "discard", lambda folder: None
    )  # the heartbeats are in the scratch folder
    out = tmp_path / "out"
    assert main(["wiki", str(DEMO / "wiki.xml"), "--output", str(out), *QUIET]) == 0
    (scratch,) = out.glob(".anchormine-wiki-*")
    counts = read_heartbeats(str(scratch / "progress"))
    assert counts == {"file_bytes": (DEMO / "wiki.xml").stat().st_size, "pages": 297, "rejects": 61}


def test_the_plan_for_a_cluster_names_no_workers(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    command = ["wiki", str(DEMO / "wiki.xml"), "--output", str(tmp_path / "out"), "--progress", "none"]
    assert main([*command, "--runner", "FlinkRunner", "--dry-run"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "  runner  FlinkRunner"
    assert main([*command, "--runner", "FlinkRunner", "--dry-run", "--json"]) == 0
    planned = json.loads(capsys.readouterr().out)
    assert (planned["runner"], planned["workers"]) == ("FlinkRunner", None)

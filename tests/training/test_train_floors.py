"""What each command imports: training never Beam, the rest never torch."""

import subprocess
import sys

import pytest

MAIN = "from anchormine.pipelines.cli import main\n"


def python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=120
    )


def test_train_and_evaluate_without_beam(data, collection, tiny_model, tmp_path):
    train = ["train", "pretrain", data, "--init", tiny_model, "--length", "48", "--max-steps", "2"]
    code = (
        "import sys\nsys.modules['apache_beam'] = None\n"
        + MAIN
        + f"assert main({[*train, '--output', str(tmp_path / 'm')]!r}) == 0\n"
        + f"sys.exit(main({['evaluate', 'bm25', str(tmp_path / 'm'), '--collection', collection]!r}"
        + f" + ['--output', {str(tmp_path / 'runs')!r}]))"
    )
    done = python(code)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "runs" / "small.test.m.run").is_file()


@pytest.mark.parametrize(
    "arguments", [["--help"], ["train", "--help"], ["evaluate", "--help"], ["wiki", "--help"]]
)
def test_help_without_torch(arguments):
    heavy = "{'torch', 'transformers', 'bm25s', 'ir_measures'} & set(sys.modules)"
    done = python(f"import sys\n{MAIN}try: main({arguments!r})\nfinally: print('imported:', {heavy})")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: anchormine")
    assert done.stdout.endswith("imported: set()\n")


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        (["train", "pretrain", "DATA", "--init", "x", "--output", "y"], "torch"),
        (["train", "rerank", "--collection", "DATA", "--init", "x", "--output", "y"], "bm25s"),
        (["evaluate", "bm25", "--collection", "DATA"], "ir_measures"),
        (["evaluate", "some/model", "--collection", "DATA"], "transformers"),
    ],
)
def test_missing_package_of_an_extra(arguments, missing):
    done = python(f"import sys\nsys.modules[{missing!r}] = None\n{MAIN}sys.exit(main({arguments!r}))")
    assert done.returncode == 2
    assert f"needs {missing}, which is not installed: pip install" in done.stderr
    assert "anchormine[train]" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_missing_package_of_anchormine_itself():
    done = python(
        f"import sys\nsys.modules['apache_beam'] = None\n{MAIN}sys.exit(main(['web', 'x', '--output', 'y']))"
    )
    assert (done.returncode, done.stderr) == (
        2,
        "anchormine: anchormine web needs apache_beam, which is not installed: pip install anchormine\n",
    )

"""Packages that are installed, but fail where they are imported."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from anchormine.errors import BrokenPackage, CommandError
from anchormine.pipelines.broken_packages import broken_package
from anchormine.pipelines.run_errors import own_error
from tests.pipelines.command_runs import DEMO, main
from tests.pipelines.test_standard_streams import ENVIRONMENT

REASON = "libcudart.so.12: cannot open shared object file: No such file or directory"


def told(package: str, reason: str = REASON, distribution: str = "") -> str:
    """What is said of a package."""
    again = f"install it again: pip install --force-reinstall {distribution or package}"
    return f"{package} is installed, but cannot be imported ({reason}); {again}"


def write_package(folder: Path, name: str, code: str) -> str:
    """Writes a package as pip installs it; returns the folder to look for it in."""
    package = folder / "site-packages" / name
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(code)
    return str(package.parent)


@pytest.mark.parametrize(
    ("package", "kind", "command"),
    [
        ("torch", "ImportError", "filter {folder} --classifier default --workers 1"),
        ("torch", "OSError", "pairs {folder} --task rqp --workers 1"),
        ("torch", "OSError", "train contrastive {folder} --task anchor_document --output {out}"),
        ("transformers", "ImportError", "train pretrain {folder} --init x --output {out}"),
        ("torch", "ImportError", f"evaluate default --collection {DEMO}/collection --output {{out}}"),
        ("bm25s", "ImportError", f"evaluate bm25 --collection {DEMO}/collection --output {{out}}"),
        ("pyarrow", "ImportError", "pairs {folder} --task rop --workers 1"),
        ("datasketch", "ImportError", "negatives {folder} --task ict --from bm25 --workers 1"),
        ("datasketch", "OSError", "negatives {folder} --task ict --from bm25 --workers 2"),
    ],
)
def test_one_line_says_what_to_install(
    demo_folder: Path, tmp_path: Path, package: str, kind: str, command: str
) -> None:
    if command.startswith("negatives"):
        assert main(["pairs", str(demo_folder), "--task", "ict", "--workers", "1"]) == 0
    arguments = command.format(folder=demo_folder, out=tmp_path / "out").split()
    assert run(tmp_path, package, kind, *arguments) == (1, "", f"anchormine: {told(package)}\n")


def run(folder: Path, package: str, kind: str, *arguments: str) -> tuple[int, str, str]:
    """Runs a command where a package is broken; returns its exit status and what it has printed."""
    broken = write_package(folder, package, f"raise {kind}({REASON!r})\n")
    path = os.pathsep.join([broken, ENVIRONMENT["PYTHONPATH"]])
    done = subprocess.run(
        [sys.executable, "-m", "anchormine", *arguments, "--progress", "none"],
        env=ENVIRONMENT | {"PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_the_demo_ends_with_the_step(tmp_path: Path) -> None:
    status, _, err = run(
        tmp_path, "torch", "OSError", "demo", "--output", str(tmp_path / "o"), "--workers", "1"
    )
    ended = "the demo's `anchormine pairs` ended with status 1"
    assert (status, err) == (1, f"anchormine: {told('torch')}\nanchormine: {ended}\n")


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose packages can be imported, until the test ends."""
    monkeypatch.syspath_prepend(tmp_path / "site-packages")
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import inner_package", told("inner_package", "no symbol")),
        ("import absent_package", told("outer_package", "No module named 'absent_package'")),
        (
            "import ctypes\nctypes.CDLL('/no/such')",
            told("outer_package", "/no/such: cannot open shared object file: No such file or directory"),
        ),
        ("raise ImportError", told("outer_package", "it does not say why")),
        ("raise ImportError('\\nwrong NumPy.\\nMore')", told("outer_package", "wrong NumPy")),
        ("raise ValueError('a fault of its own')", None),
        # A program of the user's that calls us, and no import that fails.
        ("exec('open(7777)', {'__name__': 'anchormine.of_a_test'})", None),
    ],
)
def test_the_package_that_fails(packages: Path, code: str, expected: str | None) -> None:
    write_package(packages, "outer_package", code)
    write_package(packages, "inner_package", "raise ImportError('no symbol.')")
    check(lambda: __import__("outer_package"), expected)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("from whole_package import name", "cannot import name 'name' from 'whole_package' ({path})"),
        ("import whole_package.part", "No module named 'whole_package.part'"),
        ("import absent_package", None),
        ("from anchormine import name", None),
        ("from json import name", None),
        ("open('/no/such/file')", None),
    ],
)
def test_what_a_package_lacks(packages: Path, code: str, expected: str | None) -> None:
    folder = write_package(packages, "whole_package", "")
    path = f"{folder}/whole_package/__init__.py"
    check(
        lambda: exec(compile(code, "a.py", "single"), {"__name__": "anchormine.of_a_test"}),
        expected and told("whole_package", expected.format(path=path)),
    )


def check(act: Callable[[], object], expected: str | None) -> None:
    """Compares what is made of the error that is raised, by itself and where a runner has wrapped it."""
    with pytest.raises(Exception) as raised:  # noqa: PT011 of any kind
        act()
    wrapped = KeyError("of a runner")
    wrapped.__cause__ = raised.value
    assert [text_of(broken_package(error)) for error in (raised.value, wrapped)] == [expected, expected]


def text_of(error: Exception | None) -> str | None:
    return None if error is None else str(error)


def test_what_a_worker_process_says(monkeypatch: pytest.MonkeyPatch) -> None:
    distributions = {"faiss": ["faiss-cpu"]}
    monkeypatch.setattr("importlib.metadata.packages_distributions", lambda: distributions)
    lines = (
        "Traceback (most recent call last):",
        '  File "/v/lib/python3.11/site-packages/apache_beam/runners/common.py", line 1, in process',
        '  File "/home/anchormine/negatives/fingerprints.py", line 41, in signatures',
        '  File "/v/lib/python3.11/site-packages/faiss/__init__.py", line 3, in <module>',
        '  File "/usr/lib/python3.11/ctypes/__init__.py", line 3, in <module>',
    )
    end = f"OSError: {REASON} [while running 'Mine/Rank']"
    found = own_error(RuntimeError("\n".join([*lines, end, ""])), "out")
    assert (type(found), str(found)) == (BrokenPackage, told("faiss", distribution="faiss-cpu"))
    full = RuntimeError("\n".join([*lines[:3], "OSError: [Errno 28] No space left on device", ""]))
    assert broken_package(full) is None


def test_an_error_for_the_user_stays_as_it_is() -> None:
    ours = CommandError("a: broken")
    ours.__cause__ = ImportError("cannot import name 'a'", name="torch")
    assert broken_package(ours) is None
    assert own_error(ours, "out") is ours

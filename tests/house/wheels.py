"""The project's wheel, built from its source distribution, as a user's installer may have to."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

from tests.house.floors import ROOT

_HOOK = "HATCH_BUILD_HOOK_ENABLE_MYPYC"


def build_wheel(folder: Path, is_compiled: bool = False) -> Path:
    """Builds the wheel into a folder, by what is installed; the checkout stays as it is."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    environment = {name: value for name, value in os.environ.items() if name != _HOOK}
    if is_compiled:
        environment[_HOOK] = "1"
    built = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = folder.glob("*.whl")
    return path


def unpack_compiled(folder: Path) -> Path:
    """The folder where the wheel with compiled modules is unpacked: a program that starts in it runs them."""
    unpacked = folder / "unpacked"
    with zipfile.ZipFile(build_wheel(folder, is_compiled=True)) as archive:
        archive.extractall(unpacked)
    return unpacked


def why_not_compiled() -> str | None:
    """What is missing here to compile modules, if anything is."""
    if importlib.util.find_spec("hatch_mypyc") is None:
        return "hatch-mypyc is not installed"
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"no C compiler: {compiler}"
    header = Path(sysconfig.get_path("include")) / "Python.h"
    return None if header.is_file() else f"no headers of Python: {header}"

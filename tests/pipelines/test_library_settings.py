"""Libraries find their settings when they are imported, unless the user has set others."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.pipelines.test_standard_streams import ENVIRONMENT

# Prints the settings when a library is looked for that reads one.
_RUN = """
import os, sys
from anchormine.pipelines.cli import main
class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == "pyarrow":
            print(*map(os.environ.get, {names}))
sys.meta_path.insert(0, Watch())
main(["filter", "nowhere"])
"""


@pytest.mark.parametrize(
    "chosen", [{}, {"OMP_WAIT_POLICY": "ACTIVE"}, {"ARROW_DEFAULT_MEMORY_POOL": "jemalloc"}]
)
def test_settings_are_there_before_the_libraries(chosen: dict[str, str]) -> None:
    settings = {"OMP_WAIT_POLICY": "PASSIVE", "ARROW_DEFAULT_MEMORY_POOL": "system"}
    environment = {name: value for name, value in ENVIRONMENT.items() if name not in settings}
    done = subprocess.run(
        [sys.executable, "-c", _RUN.format(names=list(settings))],
        env=environment | chosen, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == f"{' '.join((settings | chosen).values())}\n"

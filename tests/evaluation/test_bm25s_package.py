"""bm25s is imported without JAX: whether JAX is there, works, or was imported before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("bm25s")

# A JAX that tells when it is imported, and whose start fails as the real one does without room on the GPU.
JAX = "print('jax')\n"
LAX = "def top_k(*_):\n    raise RuntimeError('no supported devices found for platform CUDA')\n"
RANKS = """
from anchormine.evaluation.bm25 import BM25
from anchormine.evaluation.term_index import TermIndex
index = TermIndex(["frogs live in ponds", "a pond", "no water"], ["a", "b", "c"])
print(BM25(index).rank("ponds", 3).documents.tolist())
"""
AFTERWARDS = "import jax.lax, sys\nprint(jax is sys.modules['jax'], callable(jax.lax.top_k))\n"


AT_ONCE = """
import threading
from anchormine.bm25s_package import load_bm25s
barrier, found = threading.Barrier(8), []
def load():
    barrier.wait()
    found.append(load_bm25s())
threads = [threading.Thread(target=load) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(found), all(hasattr(one, "BM25") for one in found))
"""


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        (AT_ONCE + AFTERWARDS, "8 True\njax\nTrue True\n"),
        (RANKS, "[1, 0]\n"),
        (RANKS + AFTERWARDS, "[1, 0]\njax\nTrue True\n"),
        ("import jax.lax\n" + RANKS + AFTERWARDS, "jax\n[1, 0]\nTrue True\n"),
    ],
    ids=["at_once", "not_imported", "imported_afterwards", "imported_before"],
)
def test_bm25_ranks_without_jax(tmp_path: Path, program: str, printed: str) -> None:
    package = tmp_path / "jax"
    package.mkdir()
    (package / "__init__.py").write_text(JAX)
    (package / "lax.py").write_text(LAX)
    path = f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\n"
    done = subprocess.run([sys.executable, "-c", path + program], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == (printed, 0), done.stderr

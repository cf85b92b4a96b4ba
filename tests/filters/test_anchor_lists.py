"""`anchormine train classifier --negatives-from FILE`: anchors of a list, as Anchor-DR publishes them."""

from __future__ import annotations

import gzip
import json
import os
import threading
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from anchormine.datasets.manifest import MANIFEST
from anchormine.errors import UsageError
from anchormine.training.classifier_data import classifier_examples
from anchormine.training.classifier_options import ClassifierTraining
from anchormine.training.negative_anchors import negative_anchors
from tests.filters.anchor_folders import write_folder
from tests.filters.classified_folder import TEXTS, link_all, tiny_model, train, write_queries
from tests.web.small_crawls import response, warc

__all__ = ["tiny_model"]  # a fixture

GIVE = "give a dataset folder, or a file of anchors, one a line"


def write_list(path: Path, texts: list[str]) -> Path:
    path.write_text("\n".join(texts) + "\n", "utf-8")
    return path


def test_train(tmp_path: Path, tiny_model: str, capsys: pytest.CaptureFixture) -> None:
    listed = write_list(tmp_path / "anchors.txt", TEXTS[:30])
    assert train(tmp_path, listed, "--init", tiny_model, "--max-steps", "1", "--negatives", "40") == 0
    model = tmp_path / "model"
    told, doubt = capsys.readouterr().err.splitlines()
    assert told == f"anchormine: {listed}: 40 anchors asked for; 30 are there, distinct, clean and no queries"
    assert doubt.startswith(f"anchormine: {model}: only 4 queries and 3 anchors were held out")
    about = json.loads((model / "query_classifier.json").read_text())
    assert about["trained_on"] == {"queries": 36, "anchors": 27}
    data = json.loads((model / "train_options.json").read_text())["data"]
    files = {"anchors/anchors.txt": listed, "queries.txt": tmp_path / "queries.txt"}
    assert data == {name: sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
    assert "30 distinct anchors of anchors.txt, cleaned by ours" in (model / "README.md").read_text()


def test_a_list_gives_what_a_folder_with_its_anchors_gives(tmp_path: Path) -> None:
    texts = ["Home »", "home", "#1: how it works", "[1]", "a\tb", "12\u2028months", *TEXTS[:90]]
    folder = write_folder(tmp_path / "folder", link_all(texts))
    listed = write_list(tmp_path / "anchors.txt", ["", *texts, " ", *texts[:5]])
    queries = write_queries(tmp_path / "queries.txt")
    found = [
        classifier_examples(ClassifierTraining([queries], str(path), negatives=50), seed=3)
        for path in (folder, listed)
    ]
    assert found[0]._replace(anchor_checksums={}) == found[1]._replace(anchor_checksums={})
    assert len(found[1].trained) == 36 + 45


def test_one_that_is_compressed_or_a_pipe(tmp_path: Path) -> None:
    text = "\ufeffFirst\r\nSecond\r\n".encode()
    packed, pipe = tmp_path / "anchors", tmp_path / "pipe"
    packed.write_bytes(gzip.compress(text))
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(text,))
    writer.start()
    assert negative_anchors(str(pipe)) == (["First", "Second"], {"anchors/pipe": sha256(text).hexdigest()})
    writer.join()
    assert negative_anchors(str(packed)).texts == ["First", "Second"]


def test_what_is_no_list_of_anchors(tmp_path: Path) -> None:
    table, wrong = tmp_path / "a.parquet", {}
    pq.write_table(pa.table({"anchor": ["Pier"]}), table)
    contents = {
        "is a file of a crawl; " + GIVE: warc(response("http://a.example/", "Pier")),
        "is a MediaWiki dump; " + GIVE: b"<mediawiki><page></page></mediawiki>",
        "is a Parquet file; " + GIVE: table.read_bytes(),
        "is a ZIP archive; unpack it, and give a file of anchors": b"PK\x03\x04",
        "is UTF-16; save it as UTF-8": "Pier\n".encode("utf-16"),
        "no anchors in it; write one a line": b"\n \n",
    }
    for number, content in enumerate(contents.values()):
        path = tmp_path / f"{number}.txt"
        path.write_bytes(content)
        with pytest.raises(UsageError) as raised:
            negative_anchors(str(path))
        wrong[str(raised.value).removeprefix(f"--negatives-from {path}: ")] = content
    assert wrong == contents


def test_errors_come_before_the_model_is_read(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = write_folder(tmp_path / "folder", link_all(TEXTS[:30]))
    few = write_list(tmp_path / "few.txt", TEXTS[:9])
    empty = write_list(tmp_path / "empty.txt", [])
    told = {
        few: f"{few}: 9 distinct anchors to learn from; 20 are the least; give a list with more",
        empty: f"--negatives-from {empty}: no anchors in it; write one a line",
        folder
        / MANIFEST: f"--negatives-from {folder / MANIFEST}: is a file of a dataset folder; give {folder}",
        tmp_path / "none": f"{tmp_path}/none: no manifest.json here, so no dataset folder; make a new ",
    }
    for path, message in told.items():
        assert train(tmp_path, path) == 2
        printed = capsys.readouterr().err
        assert printed.startswith(f"anchormine: {message}")
        assert printed.count("\n") == 1
    assert not (tmp_path / "model").exists()


@pytest.mark.data
def test_the_published_lists(tmp_path: Path) -> None:
    """A thousand lines, of which a hundred are repeated, and some say what is cleaned away."""
    root = os.environ.get("ANCHORMINE_DATA")
    if not root or not (lists := Path(root) / "querysets" / "anchordr_filter").is_dir():
        pytest.skip("ANCHORMINE_DATA names no folder with Anchor-DR's lists")
    options = ClassifierTraining([str(lists / "train_pos.txt")], str(lists / "train_neg.txt"), negatives=1000)
    examples = classifier_examples(options, seed=42)
    assert [sum(label == wanted for _, label in examples.trained) for wanted in (1, 0)] == [270, 780]
    assert [sum(label == wanted for _, label in examples.held_out) for wanted in (1, 0)] == [30, 87]
    assert examples.warnings == [
        f"{lists}/train_neg.txt: 1,000 anchors asked for; 867 are there, distinct, clean and no queries"
    ]

"""Files of ClueWeb22's folder that only look like those that are read."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from tests.clueweb22.clueweb22_files import links, page_id, text, write_file
from tests.clueweb22.small_collection import PIER, PILE
from tests.pipelines.command_runs import QUIET, funnel, main, read_table

PAGES = (text(0, PIER, "A pier."), text(1, PILE, "A pile."))
LINKS = (links("inlink", 0, PIER, [[PILE, "H", "a pier", "", "en", page_id(1)]]),)
SAID = "passed over, by the ending of the name; pack with gzip, or rename, what belongs to the collection"
ALIKE = (
    "en0000-02.json", "en0000-03.json.zst", "en0000-04.json.gz.1", "en0000-05.json.gz.part", "en0000-06.JSON",
)  # fmt: skip
BESIDE = (
    "en0000-00.offset", "en0000-02.json.md5", "en0000-00.json.gz.md5", "record_counts.json", "a.csv",
    ".en0000-07.json",
)  # fmt: skip


def test_files_that_look_like_the_collections(tmp_path: Path, capsys) -> None:
    root, out = tmp_path / "in", tmp_path / "out"
    texts = write_file(root, "txt", "en0000-00", *PAGES).parent
    packed = write_file(root, "inlink", "en0000-00", *LINKS)
    unpacked = packed.with_suffix("")
    unpacked.write_bytes(gzip.decompress(packed.read_bytes()))
    packed.unlink()
    for name in (*ALIKE, *BESIDE):
        if not (texts / name).exists():
            (texts / name).write_text("x")
    assert main(["clueweb22", str(root), "--output", str(out), *QUIET]) == 0
    paths = [str(unpacked), *(str(texts / name) for name in sorted(ALIKE))]
    said = capsys.readouterr().err.splitlines()
    assert said[0] == f"anchormine: {', '.join(paths[:3])} (and 3 more, see manifest.json): {SAID}"
    files = funnel(out, "clueweb22")["files"]
    assert (files["read"], files["written"], files["rejected"]) == (7, 1, {"passed_over": 6})
    section = json.loads((out / "manifest.json").read_text())["steps"]["clueweb22"]
    assert section["inputs_set_aside"] == [{"path": path, "reason": "passed_over"} for path in paths]
    assert [(row["unit"], row["reason"], row["origin"]) for row in read_table(out, "rejects/clueweb22")] == [
        ("files", "passed_over", "inlink/en0000-00.json"),
        *(("files", "passed_over", f"txt/{name}") for name in sorted(ALIKE)),
    ]


def test_a_folder_of_unpacked_files(tmp_path: Path, capsys) -> None:
    packed = write_file(tmp_path / "in", "txt", "en0000-00", *PAGES)
    packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
    packed.unlink()
    assert main(["clueweb22", str(tmp_path / "in"), "--output", str(tmp_path / "out"), *QUIET]) == 2
    assert capsys.readouterr().err == (
        f"anchormine: {tmp_path}/in: no files of ClueWeb22 in this folder; it is to hold "
        "txt/en/en00/en0000/en0000-00.json.gz, and the same under inlink/ or outlink/; en0000-00.json is "
        "passed over, by the ending of its name: pack with gzip, or rename it\n"
    )


def test_what_is_packed_as_it_is_told_to_be_is_read(tmp_path: Path) -> None:
    path = write_file(tmp_path / "in", "txt", "en0000-00", *PAGES)
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes())))
    assert main(["clueweb22", str(tmp_path / "in"), "--output", str(tmp_path / "out"), *QUIET]) == 0
    assert [row["text"] for row in read_table(tmp_path / "out", "pages")] == ["A pier.", "A pile."]

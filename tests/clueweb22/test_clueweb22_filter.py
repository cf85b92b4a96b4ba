"""`anchormine filter` of ClueWeb22's links, whose records say less than a crawl."""

from __future__ import annotations

from pathlib import Path

from anchormine.pipelines.cli import main
from tests.clueweb22.clueweb22_files import line, page_id, text, write_file
from tests.pipelines.command_runs import QUIET, funnel, read_table

FAR = "http://far.example/"


def test_the_flag_of_a_link_counts_where_nothing_else_is_known_of_its_page(tmp_path: Path) -> None:
    """Neither of the two records of links says its page's URL, and the second page is not in the input."""
    root, out = tmp_path / "collection", tmp_path / "out"
    write_file(root, "txt", "en0000-00", text(0, "http://harbour.example/", "A pier stands on piles."))
    rows = [[FAR, "H", "far piers", "0", "en", None], [FAR, "H", "about this site", "1", "en", None]]
    records = [line({"ClueWeb22-ID": page_id(number), "outlinks": rows}) for number in (0, 1)]
    write_file(root, "outlink", "en0000-00", *records)
    assert main(["clueweb22", str(root), "--output", str(out), *QUIET]) == 0
    found = [(row["source_page_id"], row["source_url"], row["region"]) for row in read_table(out, "anchors")]
    assert found == [
        (page_id(0), "http://harbour.example/", "body"),
        (page_id(0), "http://harbour.example/", "header"),
        (page_id(1), None, "body"),
        (page_id(1), None, "header"),
    ]
    assert main(["filter", str(out), "--classifier", "none", *QUIET]) == 0
    kept = [(row["source_page_id"], row["anchor"]) for row in read_table(out, "filtered")]
    assert kept == [(page_id(0), "far piers"), (page_id(1), "far piers")]
    assert funnel(out, "filter")["anchors"]["rejected"] == {"header_footer": 2}

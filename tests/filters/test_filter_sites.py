"""Rules that look beyond the link: the site that it leads to in the end, and what its page tells robots."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.filters.anchor_folders import SOURCE, link, page, write_folder
from tests.filters.filter_folder import RULES_ONLY, kept
from tests.pipelines.command_runs import main, read_table


def test_pages_that_ask_robots_to_keep_off(tmp_path: Path) -> None:
    pages = [page("web:1", "noindex,nofollow"), page("web:5", "noarchive"), page("web:6")]
    anchors = [link(n, "Something", source_page_id=f"web:{n}") for n in (1, 5, 6, 7)]
    folder = write_folder(tmp_path / "folder", anchors, pages)
    (tmp_path / "robots.toml").write_text('rules = ["robots"]')
    assert main(["filter", str(folder), *RULES_ONLY, "--rules", str(tmp_path / "robots.toml")]) == 0
    assert kept(folder) == ["5", "6", "7"]
    assert [row["reason"] for row in read_table(folder, "rejects/filter")] == ["robots"]
    folder = write_folder(tmp_path / "silent", anchors, pages[1:])
    assert main(["filter", str(folder), *RULES_ONLY, "--rules", str(tmp_path / "robots.toml")]) == 0
    assert kept(folder) == ["1", "5", "6", "7"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], ["0", "3", "4"]),
        (["--same-site", "host"], ["0", "2", "3", "4"]),
        (["--same-site", "off"], ["0", "1", "2", "3", "4"]),
        (["--rules", "anchor-dr-code"], ["0", "2", "3", "4"]),
    ],
)
def test_the_site_that_links_lead_to_in_the_end(
    tmp_path: Path, options: list[str], expected: list[str]
) -> None:
    """A redirect may lead out of a site, or back to it, in whatever order the pages are."""
    pages = [
        page("web:1"),
        page("web:2")._replace(
            url="http://museum.org/lamps", redirects_from=["http://www.one.co.uk/out?to=1"]
        ),
        page("web:3")._replace(url=f"{SOURCE}s", redirects_from=["http://short.io/x"]),
        page("web:4")._replace(url="http://shop.one.co.uk/", redirects_from=["http://short.io/y"]),
        page("web:5")._replace(url="http://two.org/", redirects_from=[]),
    ]
    anchors = [
        link(0, "History of lamps", "http://www.one.co.uk/out?to=1", destination_page_id="web:2"),
        link(1, "More lamps", "http://short.io/x", destination_page_id="web:3"),
        link(2, "Our shop", "http://short.io/y", destination_page_id="web:4"),
        link(3, "Second site", "http://two.org/", destination_page_id="web:5"),
        link(4, "Unknown site", "http://short.io/z"),
    ]
    for name, ordered in (("there", pages), ("back", pages[::-1])):
        folder = write_folder(tmp_path / name, anchors, ordered)
        assert main(["filter", str(folder), *RULES_ONLY, *options]) == 0
        assert kept(folder) == expected


def test_only_the_pages_that_others_lead_to_are_elsewhere(tmp_path: Path) -> None:
    """Of 40 pages, those of even number stand at the end of a redirect, into the site or out of it."""
    into_it, on_it, out_of_it, off_it = 0, 1, 2, 3  # of the number, modulo 4
    written = {
        into_it: "http://short.io/{}",
        on_it: "http://www.one.co.uk/{}",
        out_of_it: "http://www.one.co.uk/out?to={}",
        off_it: "http://two.org/{}",
    }
    ends = {into_it: "http://www.one.co.uk/{}", out_of_it: "http://museum.org/{}"}
    pages, anchors = [page("web:1")], []
    for number in range(40):
        target = written[number % 4].format(number)
        leads_on = number % 4 in ends
        url = ends[number % 4].format(number) if leads_on else target
        one = page(f"web:p{number}")._replace(url=url, redirects_from=[target] if leads_on else [])
        pages.append(one)
        region = "footer" if number % 5 == 4 else "body"
        anchors.append(
            link(number, f"History, part {number}", target, destination_page_id=one.page_id, region=region)
        )
    folder = write_folder(tmp_path / "folder", anchors, pages)
    assert main(["filter", str(folder), *RULES_ONLY]) == 0
    rejects = [(row["reason"], row["record_id"]) for row in read_table(folder, "rejects/filter")]
    judged = {"kept": kept(folder)}
    for reason, record_id in rejects:
        judged.setdefault(reason, []).append(record_id.partition("#a")[2])
    assert {reason: " ".join(numbers) for reason, numbers in judged.items()} == {
        "kept": "2 3 6 7 10 11 15 18 22 23 26 27 30 31 35 38",
        "header_footer": "4 9 14 19 24 29 34 39",
        "same_site": "0 1 5 8 12 13 16 17 20 21 25 28 32 33 36 37",
    }


def test_help_says_what_a_site_is(capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        main(["filter", "--help"])
    assert (
        "--same-site {domain,host,code,off} what one site is (a registered domain; host and port; or these "
        "as Anchor-DR's program has them), or off, over what the rules say"
    ) in " ".join(capsys.readouterr().out.split())

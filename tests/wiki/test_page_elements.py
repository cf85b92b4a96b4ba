"""Cutting a dump into its pages, and what is said about the bytes outside them."""

from __future__ import annotations

import tracemalloc

import pytest

from anchormine.archives.compression import Damage
from anchormine.wiki.page_elements import page_elements
from tests.growth import LINEAR, growth_of
from tests.wiki.small_dumps import FOOT, HEAD, page

ONE = page(1, "Pier", "A [[quay]].").strip()
END = "</mediawiki>"
NO_HEAD = "no <mediawiki> element at the start"
BETWEEN = "neither a page nor white space"
CUT_OFF = "cut off: no </mediawiki> at the end"


def cut(xml: str, size: int = 1 << 20, **options: bool) -> tuple[list[str], list[Damage]]:
    """The pages and damages of XML that comes in pieces of so many bytes."""
    damages: list[Damage] = []
    data = xml.encode()
    chunks = [data[start : start + size] for start in range(0, len(data), size)]
    elements = [element.xml.decode() for element in page_elements(chunks, damages, **options)]
    return elements, damages


@pytest.mark.parametrize("size", [1, 2, 7, 1 << 20])
@pytest.mark.parametrize(
    ("xml", "pages", "damages"),
    [
        (HEAD + ONE + "\n" + ONE + FOOT, 2, []),
        (HEAD + FOOT, 0, []),
        (HEAD + ONE + FOOT + HEAD + ONE + FOOT, 2, []),
        (HEAD + ONE, 1, [(len(HEAD + ONE), 0, CUT_OFF)]),
        (ONE + FOOT, 1, [(0, 0, NO_HEAD)]),
        (" odd head \n" + ONE + FOOT, 1, [(0, len("odd head"), NO_HEAD)]),
        (HEAD + ONE + " junk " + ONE + FOOT, 2, [(len(HEAD + ONE), 6, BETWEEN)]),
        (HEAD + ONE + END + ONE + END, 2, [(len(HEAD + ONE), len(END), BETWEEN)]),
        (HEAD + ONE + END + "junk", 1, [(len(HEAD + ONE), 4, BETWEEN)]),
        ("", 0, [(0, 0, NO_HEAD), (0, 0, CUT_OFF)]),
        (END, 0, [(0, 0, NO_HEAD)]),
    ],
)
def test_what_stands_outside_pages(
    xml: str, pages: int, damages: list[tuple[int, int, str]], size: int
) -> None:
    found = cut(xml, size)
    assert found == ([ONE] * pages, [Damage(*damage, "xml") for damage in damages])


def test_a_part_that_starts_and_ends_within_a_page() -> None:
    """What stands before the first page is the part's before; the end of the file is seen all the same."""
    text = "text of a page</text></revision></page>\n"
    assert cut(text + FOOT, 5, has_start=False, within_page=True) == ([], [])
    assert cut(text + ONE + FOOT, 5, has_start=False, within_page=True) == ([ONE], [])
    missing = [Damage(len(text), 0, CUT_OFF, "xml")]
    assert cut(text, 5, has_start=False, within_page=True) == ([], missing)


@pytest.mark.parametrize(
    ("xml", "pages", "read"),
    [
        ("-" * 60, 0, 25),  # a tag may go on behind the part's last byte
        ("-" * 20 + ONE + "-" * 60, 0, 25),
        ("-" * 19 + ONE + " " * 60, 1, 19 + len(ONE) + 60),
    ],
)
def test_a_part_without_pages_is_not_read_beyond_its_end(xml: str, pages: int, read: int) -> None:
    damages: list[Damage] = []
    rest = iter([xml[start : start + 1].encode() for start in range(len(xml))])
    elements = page_elements(rest, damages, has_start=False, has_end=False, within_page=True, until=20)
    assert [element.xml.decode() for element in elements] == [ONE] * pages
    assert (damages, len(xml) - len(list(rest))) == ([], read)


def test_megabytes_without_a_page_are_not_kept() -> None:
    damages: list[Damage] = []
    chunk = b"junk " * 13_000
    tracemalloc.start()
    assert list(page_elements((chunk for _ in range(500)), damages)) == []
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert damages == [
        Damage(0, 500 * len(chunk) - 1, NO_HEAD, "xml"),
        Damage(500 * len(chunk), 0, CUT_OFF, "xml"),
    ]
    assert peak < 20 * len(chunk)


def test_time_is_linear_in_pages_that_are_never_closed() -> None:
    def read(pages: int) -> None:
        damages: list[Damage] = []
        xml = (HEAD + "<page>" * pages + ONE + FOOT).encode()
        assert len(list(page_elements([xml], damages))) == pages + 1
        assert len(damages) == pages

    assert growth_of(read) <= LINEAR


@pytest.mark.parametrize("size", [1, 5, 1 << 20])
def test_pages_that_are_never_closed(size: int) -> None:
    reason = "a page without </page>"
    pages = ["<page>", "<page> a ", ONE, ONE]
    damages = [Damage(len(HEAD), 6, reason, "xml"), Damage(len(HEAD) + 6, 9, reason, "xml")]
    assert cut(HEAD + "".join(pages) + FOOT, size) == (pages, damages)

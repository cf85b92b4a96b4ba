"""What each element is to the text of a page, as a browser shows it if no style says otherwise."""

from __future__ import annotations

import pytest

from anchormine.web.page.tags import tag_of
from tests.web.case_files import read_case

# HTML, 15.3: what has lines of its own, and stands in a body by itself.
BLOCKS = (
    "address article aside blockquote button center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup legend li listing main menu nav ol p pre search "
    "section summary table ul".split()
)
IN_LINES = (
    "abbr b bdi bdo big cite code data del dfn em font i ins kbd label map mark nobr object output picture q "
    "rp rt ruby s samp slot small span strike strong sub sup time tt u var x-own".split()
)
HIDDEN = "script style template noscript noembed noframes xmp datalist".split()
BOXES = "iframe select textarea meter progress audio video canvas".split()


@pytest.mark.parametrize("name", BLOCKS)
def test_elements_in_lines_of_their_own(name: str) -> None:
    assert tag_of(f'{name} role="none" open=""').block


@pytest.mark.parametrize("name", IN_LINES)
def test_elements_in_a_line(name: str) -> None:
    assert read_case(f"One<{name}>two</{name}>three").text == "Onetwothree"


@pytest.mark.parametrize("name", HIDDEN)
def test_elements_whose_text_is_not_read(name: str) -> None:
    assert read_case(f"One<{name}>two</{name}>three").text == "Onethree"


@pytest.mark.parametrize("name", BOXES)
def test_boxes_in_a_line_part_words(name: str) -> None:
    assert read_case(f"One<{name}>two</{name}>three<{name}></{name}>.").text == "One three ."
    assert read_case(f"One<span hidden><{name}></{name}></span>two").text == "Onetwo"
    assert read_case(f"One<{name} hidden></{name}>two").text == "Onetwo"


@pytest.mark.parametrize(
    ("tag", "parted"),
    [
        ("<input>", "One two"),
        ("<input type=text size=3>", "One two"),
        ("<embed src=x>", "One two"),
        ("<input type=Hidden>", "Onetwo"),
        ("<input hidden>", "Onetwo"),
        ("<input style='display: none'>", "Onetwo"),
        ("<input style='display: block'>", "One\ntwo"),
        ("<wbr>", "Onetwo"),
    ],
)
def test_controls_part_words(tag: str, parted: str) -> None:
    assert read_case(f"One{tag}two").text == parted
    assert read_case(f"<p>{tag}One<p>Two{tag}").text == "One\nTwo"


@pytest.mark.parametrize(
    ("region", "tags"),
    [
        ("header", ["header", 'div role="banner"']),
        ("footer", ["footer", 'div role="contentinfo"', 'nav role="ContentInfo"']),
        ("nav", ["nav", 'ul role="x navigation"']),
        ("aside", ["aside", 'p role="complementary nav"']),
        ("table", ["table", 'div role="table"', 'div role="grid"', 'div role="treegrid"']),
        ("caption", ["caption", "figcaption"]),
        ("list", ["ul", "ol", "dl", "menu", "dir", 'div role="list"']),
        ("body", ["main", "section", 'table role="presentation"', 'ul role="none"', 'div role="form"']),
    ],
)
def test_regions(region: str, tags: list[str]) -> None:
    assert [tag_of(tag).region for tag in tags] == [region] * len(tags)

"""Each rule by itself, and the built-in sets."""

from __future__ import annotations

import pytest

from anchormine.errors import UsageError
from anchormine.filters.cleaning import clean_anchor
from anchormine.filters.decisions import Candidate, Decision, judge
from anchormine.filters.header_footer import header_footer
from anchormine.filters.keywords import keywords
from anchormine.filters.length import count_words, length
from anchormine.filters.nofollow import nofollow
from anchormine.filters.robots import robots
from anchormine.filters.rule_set import BUILT_IN, RuleSet
from anchormine.filters.same_site import host_of, same_site
from anchormine.schemas.anchors import REGIONS
from tests.growth import LINEAR, growth_of


def test_header_footer() -> None:
    dropped = [region for region in REGIONS if header_footer(region)]
    assert dropped == ["header", "footer", "nav", "aside"]
    assert header_footer("nav", ("header", "footer")) is None
    assert header_footer("nav") == "header_footer"
    assert header_footer("header", is_wiki=True) is None
    assert header_footer("table", ("header", "table"), is_wiki=True) == "header_footer"


@pytest.mark.parametrize(
    ("source", "target", "by_domain", "by_host"),
    [
        ("http://a.com/x", "http://a.com/y", True, True),
        ("http://a.com/x", "https://www.a.com/y", True, False),
        ("http://a.com/x", "http://a.com:8080/", True, False),
        ("http://A.com./x", "http://a.com/", True, False),
        ("http://shop.one.co.uk/", "http://www.one.co.uk/", True, False),
        ("http://one.co.uk/", "http://two.co.uk/", False, False),
        ("http://a.github.io/", "http://b.github.io/", False, False),
        ("http://a.com@b.com/", "http://a.com/", False, False),
        ("http://10.0.0.1/", "http://10.0.0.1:81/", True, False),
        ("http://10.0.0.1/", "http://10.0.0.2/", False, False),
        ("http://localhost/a", "http://localhost/b", True, True),
        ("http://intranet/a", "http://wiki.intranet/b", False, False),
        ("http://[::1]:80/a", "http://[::1]/b", True, False),
        ("http://münchen.de/", "http://www.münchen.de/", True, False),
        ("http://xn--mnchen-3ya.de/", "https://www.MÜNCHEN.de/", True, False),
        ("http://a.com/x", "Some title", False, False),
        (None, "http://a.com/", False, False),
    ],
)
def test_same_site(source: str | None, target: str, by_domain: bool, by_host: bool) -> None:
    assert same_site(source, target) == ("same_site" if by_domain else None)
    assert same_site(source, target, "host") == ("same_site" if by_host else None)
    assert same_site(source, target, "off") is None


@pytest.mark.parametrize(
    ("source", "target", "is_dropped"),
    [
        ("http://a.com/x", "https://a.com/y", True),
        ("http://a.com/x", "http://www.a.com/y", False),
        ("http://a.com:80/x", "http://a.com/y", False),
        ("http://A.com/x", "http://a.com/y", False),
        ("http://u@a.com/x", "http://a.com/y", False),
        ("http://a.com?x", "http://a.com/", False),
        ("http://a.com/to?https://b.com/", "http://a.com/", False),
        ("http://a.com/to?https://b.com/", "https://.com/", True),
        ("ftp://a.com/", "http://b.com/", True),
        ("http://a.com/x", "Some title", True),
        ("http://a.com/x", "http:///y", True),
        ("", "http://a.com/", True),
        (None, "http://a.com/", False),
    ],
)
def test_same_site_as_the_released_program_has_it(source: str | None, target: str, is_dropped: bool) -> None:
    assert same_site(source, target, "code") == ("same_site" if is_dropped else None)


def test_hosts() -> None:
    assert host_of("https://user:pw@www.a.com:8080/x?y=//b") == "www.a.com:8080"
    assert host_of("http://a.com?x") == "a.com"
    assert host_of("http://a.com?x@b.com/") == host_of("http://a.com#x@b.com/") == "a.com"
    assert [host_of(url) for url in ("", "a.com/x", "mailto:a@b.c")] == ["", "", ""]


def test_many_marks_take_linear_time() -> None:
    """Unicode has them in an order, of which these are the opposite."""
    marks = "\u094d\u0301"

    def drop(pieces: int) -> None:
        text = "a" + marks * (4 * pieces) + "b"
        assert clean_anchor(text).endswith(marks + "b")
        assert keywords(text) is None

    assert growth_of(drop) <= LINEAR


def test_length() -> None:
    assert length("word " * 64) is None
    assert length("word " * 65) == "length"
    assert length("one two three", 2) == "length"
    assert length("語" * 128) is None
    assert length("語" * 129) == "length"
    assert length("語" * 129, unspaced=False) is None


def test_words_without_spaces() -> None:
    assert [count_words(text) for text in ("", "two words", "北京大学", "北京大", "WARC形式の file")] == [
        0,
        2,
        2,
        2,
        4,
    ]
    assert count_words("ภาษาไทย") == 2
    assert count_words("「北京、大学」（ＷＡＲＣ）！") == 3  # two of them in Chinese letters
    assert count_words("漢字、" * 40) == 40
    assert count_words("北京、大学", unspaced=False) == 1
    assert count_words("한국어 위키백과") == 2
    assert count_words("北京 大学", unspaced=False) == 2


def test_permission() -> None:
    assert [nofollow(rel) for rel in (None, "", "noopener", "noopener NoFollow", "ugc")] == [
        None, None, None, "nofollow", "nofollow",
    ]  # fmt: skip
    assert nofollow("ugc", ("nofollow",)) is None
    said = (None, "", "index,follow", "noindex, follow", "NONE", "noimageai")
    assert [robots(directives) for directives in said] == [None, None, None, "robots", "robots", None]
    # Pages keep "none" as the two that it stands for.
    kept = ("none", "nofollow,noindex", "noai,nofollow,noindex", "noindex", "nofollow", "noai")
    assert [robots(directives, ("none",)) for directives in kept] == ["robots"] * 3 + [None] * 3


def test_headings_of_a_wiki_stand_on_one_page() -> None:
    of_wiki = Candidate("a pier", "Pier", "header", None, "en", None, of_wiki=True)
    assert judge(of_wiki, BUILT_IN["anchor-dr"]).reason is None
    of_crawl = of_wiki._replace(target="http://a.com/", of_wiki=False)
    assert judge(of_crawl, BUILT_IN["anchor-dr"]).reason == "header_footer"


def test_the_first_reason_counts() -> None:
    rules = RuleSet("all", (*BUILT_IN["anchor-dr"].rules, "nofollow", "robots"))
    row = Candidate("home", "http://a.com/x", "nav", "nofollow", "en", "http://a.com/", refused=True)
    found = [judge(row, rules)]
    for better in (
        {"region": "body"}, {"target": "http://b.com/"}, {"anchor": "house"}, {"rel": None},
        {"refused": False},
    ):  # fmt: skip
        row = row._replace(**better)
        found.append(judge(row, rules))
    assert found == [
        Decision("home", "header_footer", 0),
        Decision("home", "same_site", 1),
        Decision("home", "keywords", 3),
        Decision("house", "nofollow", 5),
        Decision("house", "robots", 6),
        Decision("house", None, 7),
    ]


def test_rules_see_the_text_as_it_is_where_they_stand() -> None:
    row = Candidate("Click here!", "t", "body", None, "en", None)
    assert judge(row, RuleSet("x", ("keywords", "cleaning"))) == Decision("Click here", None, 2)
    assert judge(row, RuleSet("x", ("cleaning", "keywords"))) == Decision("Click here", "keywords", 1)
    assert judge(row, BUILT_IN["none"]) == Decision("Click here!", None, 0)


def test_built_in_sets() -> None:
    anchor_dr = ("header_footer", "same_site", "cleaning", "keywords", "length")
    assert {name: rules.rules for name, rules in BUILT_IN.items()} == {
        "anchor-dr": anchor_dr,
        "anchor-dr-code": anchor_dr,
        "wikipedia": ("cleaning", "keywords", "length"),
        "none": (),
    }
    assert BUILT_IN["anchor-dr-code"].to_json() == {
        "header_footer": {"regions": ["header", "footer", "nav", "aside"]},
        "same_site": {"scope": "code"},
        "cleaning": {"profile": "code"},
        "keywords": {"lists": "english", "own": {}},
        "length": {"max_words": 64, "unspaced": False},
    }


def test_rule_sets_check_themselves() -> None:
    for fields, message in (
        ({"rules": ("length", "length")}, "rules: length is there twice"),
        ({"rules": ("size",)}, "rules: 'size' is none of"),
        ({"rules": (), "max_words": 0}, "max_words 0: give 1 or more"),
        ({"rules": (), "regions": ("head",)}, "regions: 'head' is none of"),
        ({"rules": (), "same_site": "off"}, "same_site: 'off' is none of domain, host, code"),
    ):
        with pytest.raises(UsageError, match=message):
            RuleSet("x", **fields)

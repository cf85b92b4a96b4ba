"""URLs: joined, in canonical form, their pages' ids and registered domains."""

from __future__ import annotations

import pytest

from anchormine.web.link_targets import LinkTargets, Target
from anchormine.web.urls import (
    TRACKING,
    canonical_of_joined,
    canonical_url,
    fragment_of,
    join,
    page_id_of,
    registered_domain,
)

CANONICAL = {
    "HTTP://Example.COM:80/a/./b/../c": "http://example.com/a/c",
    "https://example.com:443": "https://example.com/",
    "https://example.com:80/": "https://example.com:80/",
    "http://example.com#top": "http://example.com/",
    "http://example.com/?": "http://example.com/",
    "http://example.com/?#": "http://example.com/",
    "http://user:word@example.com/@": "http://example.com/@",
    "http://example.com/%7ejoe/%c3%a9/%2f%41": "http://example.com/~joe/%C3%A9/%2FA",
    "http://example.com/é?é": "http://example.com/%C3%A9?%C3%A9",
    "http://example.com/a b": "http://example.com/a%20b",
    "http://example.com/%%341": "http://example.com/%%341",
    "http://example.com/100%": "http://example.com/100%",
    "http://münchen.de/": "http://xn--mnchen-3ya.de/",
    "http://0x7f.1/": "http://127.0.0.1/",
    "http://[::0:1]/": "http://[::1]/",
    "http:\\\\example.com\\a": "http://example.com/a",
    " http://example.com/\n": "http://example.com/",
    "http://example.com/a/": "http://example.com/a/",
    "http://example.com/a?b=1&a=2": "http://example.com/a?b=1&a=2",
    "http://example.com/?utm_source=x": "http://example.com/",
    "http://example.com/?a=1&utm_source=x&b=&UTM_Medium=y": "http://example.com/?a=1&b=",
    "http://example.com/?gclid=1&a=?": "http://example.com/?a=?",
    "http://example.com/?agclid=1&gclids=2&x=gclid": "http://example.com/?agclid=1&gclids=2&x=gclid",
    "http://example.com/?gclid&fbclid=": "http://example.com/",
}


@pytest.mark.parametrize(("url", "expected"), CANONICAL.items())
def test_canonical_form(url: str, expected: str) -> None:
    assert canonical_url(url) == expected
    assert canonical_url(expected) == expected == canonical_of_joined(expected)


@pytest.mark.parametrize(
    "url",
    ["", "x", "/x", "mailto:a@b.test", "ftp://a.test/", "http://", "http://a b/", "http://a:x/", "\ud800"],
)
def test_what_is_no_url_of_the_web(url: str) -> None:
    assert canonical_url(url) is None


def test_tracking_parameters_are_a_choice() -> None:
    url = "http://example.com/?utm_source=x&a=1&ref=y"
    assert canonical_url(url, ()) == url
    assert canonical_url(url, ("ref",)) == "http://example.com/?utm_source=x&a=1"
    assert canonical_url(url, (*TRACKING, "ref")) == "http://example.com/?a=1"


def test_join() -> None:
    assert join("http://a.test/b/c?d#e", "../f#g") == "http://a.test/f#g"
    assert join("http://a.test/b", "") == "http://a.test/b"
    assert join("http://a.test/", "mailto:x@y") == "mailto:x@y"
    assert join("http://a.test/", "http://[") is None
    assert join("", "x") is None
    assert join("http://a.test/", "\udc80") is None


def test_fragments() -> None:
    assert [fragment_of(url) for url in ("http://a/#b#c", "http://a/#", "http://a/")] == ["b#c", None, None]


def test_page_ids_are_fixed() -> None:
    assert page_id_of("http://example.com/") == "web:fb2241160c9dad06"
    assert page_id_of("http://example.com/a") != page_id_of("https://example.com/a")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.bbc.co.uk:443/news?x#y", "bbc.co.uk"),
        ("http://user:word@Example.COM./", "example.com"),
        ("http://a.b.github.io/", "b.github.io"),
        ("http://127.0.0.1:8080/", "127.0.0.1"),
        ("http://[::1]:8080/", "::1"),
        ("http://localhost:99/", "localhost"),
        ("http://co.uk/", "co.uk"),
        ("http://forum.boats.example/", "boats.example"),
        ("http://xn--mnchen-3ya.de/", "xn--mnchen-3ya.de"),
        ("http://example.com?x", "example.com"),
        ("mailto:a@b.test", ""),
        ("", ""),
    ],
)
def test_registered_domain(url: str, expected: str) -> None:
    assert registered_domain(url) == expected


@pytest.mark.parametrize("base", ["http://a.test/b/c.html?d=/e#/f", "http://a.test", "https://a.test/b/"])
@pytest.mark.parametrize(
    "href",
    [
        "x",
        "./x/../y",
        "/x",
        "?x",
        "#x",
        "",
        " #x",
        "\x01?x",
        "//b.test",
        "http:x",
        "\\x",
        "x:y",
        "..",
        "%2e/x",
    ],
)
def test_targets_do_not_depend_on_what_is_remembered(base: str, href: str) -> None:
    """Links are remembered by the base's folder: the same as joined with the base itself."""
    found = LinkTargets(base).find(href)
    joined = join(base, href)
    address = canonical_url(joined) if joined else None
    if isinstance(found, Target):
        assert joined is not None
        assert address is not None
        assert found == Target(joined.partition("#")[0], address, fragment_of(joined))
    else:
        expected = {"empty_href": not href, "self": address == canonical_url(base), "scheme": address is None}
        assert expected[found]


def test_links_of_a_page_without_a_usable_url() -> None:
    targets = LinkTargets("urn:uuid:1")
    assert targets.find("x") == "bad_url"
    assert targets.find("http://a.test") == Target("http://a.test/", "http://a.test/", None)
    assert LinkTargets("", "http://b.test/c/").find("x") == "bad_url"

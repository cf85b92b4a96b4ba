"""URLs: joined, in canonical form, their pages' ids and registered domains."""

from __future__ import annotations

import random

import pytest

from anchormine.errors import UsageError
from anchormine.hypertext.page_limits import PageLimits
from anchormine.web import urls
from anchormine.web.html_reader import HtmlReader
from anchormine.web.page.link_targets import LinkTargets, Target
from anchormine.web.tracking import TRACKING
from anchormine.web.urls import (
    MAX_URL_CHARACTERS,
    canonical_of_joined,
    canonical_url,
    fragment_of,
    have_same_domain,
    join,
    join_as_written,
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
    "http://example.com/Ajax_%28band%29%2a%21?q=%28%27%2B": "http://example.com/Ajax_(band)*!?q=(%27%2B",
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


@pytest.mark.parametrize(
    ("name", "tracks"),
    [
        *(("utm_source", True), ("UTM_x.y", True), ("utm_", True), ("gclid", True), ("mtm_a=b", True)),
        *(("xutm_source", False), ("utm", False), ("gclids", False), ("", False), ("a", False)),
    ],
)
def test_tracking_parameters(name: str, tracks: bool) -> None:
    assert (
        canonical_url(f"http://a.test/?b=1&{name}&c") == f"http://a.test/?b=1{'' if tracks else '&' + name}&c"
    )
    assert (
        canonical_url(f"http://a.test/?{name}=utm_x") == f"http://a.test/{'' if tracks else f'?{name}=utm_x'}"
    )


def test_many_names_of_parameters() -> None:
    urls = [f"http://a.test/?p{number}={number}&utm_{number}=1" for number in range(10_000)]
    assert [canonical_url(url) for url in urls * 2] == [url.partition("&")[0] for url in urls * 2]


def test_join() -> None:
    assert join("http://a.test/b/c?d#e", "../f#g") == "http://a.test/f#g"
    assert join("http://a.test/b", "") == "http://a.test/b"
    assert join("http://a.test/", "mailto:x@y") == "mailto:x@y"
    assert join("http://a.test/", "http://[") is None
    assert join("", "x") is None
    assert join("http://a.test/", "\udc80") is None


_HREF_PIECES = [
    *"abZ09_-.~!$&'()*+,;=:@%/?#[]|^ \\\"<>`{}é\t",
    *("%2e", "%2E", "%41", "..", "./", "../", "//", "http://", "https://", "http:", "a.test", "HTTP://"),
    *("xn--a", "1.2", "[::1]", ":80", ":8080", "x:y@", "\u0130", "\x0b"),
]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_only_put_behind_its_base_is_joined_by_the_standard(seed: int) -> None:
    rng = random.Random(seed)
    joined = 0
    for _ in range(20_000):
        href = "".join(rng.choices(_HREF_PIECES, k=rng.randint(1, 8)))
        folders = ["http://a.test/"] if href[0] == "/" else ["http://a.test/", "https://b.test:8080/c/d/"]
        folder = rng.choice(folders)
        found = join_as_written(folder, href)
        if found is not None:
            joined += 1
            assert found == join(folder, href), (folder, href)
    assert joined > 500


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("x/y.html?a=b&c#d", "http://a.test/b/x/y.html?a=b&c#d"),
        ("/x:y/(z)", "http://a.test/x:y/(z)"),
        ("../x", "http://a.test/x"),
        ("../../../x", "http://a.test/x"),
        ("../", "http://a.test/"),
        ("../Help:x", "http://a.test/Help:x"),
        ("https://c.test/d%20e", "https://c.test/d%20e"),
        *((href, None) for href in ("", ".", "x/../y", "..//x", "x:y", "?a", "#b", "//c.test/", "x%2e")),
        *(
            (href, None)
            for href in ("http://c.test", "HTTP://c.test/", "http://c.test:80/", "/x y", "/é", "?'")
        ),
    ],
)
def test_joins_of_most_links(href: str, expected: str | None) -> None:
    assert join_as_written("http://a.test/" if href[:1] == "/" else "http://a.test/b/", href) == expected
    assert expected is None or join("http://a.test/b/", href) == expected


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


@pytest.mark.parametrize(
    ("url", "other", "expected"),
    [
        ("http://www.a.co.uk/x", "https://b.a.co.uk:8080/y", True),
        ("http://a.co.uk/", "http://b.co.uk/", False),
        ("http://User@A.test:80/x?y", "http://a.test:80#z", True),
        ("http://a.github.io/", "http://b.github.io/", False),
        ("http://10.0.0.1/", "http://10.0.0.2/", False),
        ("mailto:a", "urn:b", True),
        ("http://a.test/", "urn:b", False),
        ("http://wiki.a.com./", "http://a.com:8080/", True),
        ("http://a.com/", "http://a.org/", False),
        ("http://a.org/", "http://localhost/", False),
        ("http://[::1]/", "http://[::1]:80/", True),
        ("http://[::1]/", "http://[::2]/", False),
    ],
)
def test_same_domain(url: str, other: str, expected: bool) -> None:
    assert have_same_domain(url, other) is have_same_domain(other, url) is expected
    assert (registered_domain(url) == registered_domain(other)) is expected


def test_hosts_with_other_last_labels_need_no_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urls, "_suffix_list", None)  # it cannot be called
    assert not have_same_domain("http://wiki.a.com/", "http://wiki.localhost:80/")


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


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        *(
            ("http:?x", "http://a.test/b/c?x"),
            ("http:y", "http://a.test/b/y"),
            ("HTTP:/y", "http://a.test/y"),
        ),
        *(("\u00e9", "http://a.test/b/%C3%A9"), (".", "http://a.test/b/"), ("../", "http://a.test/")),
    ],
)
def test_links_that_only_the_standard_can_join(href: str, expected: str) -> None:
    assert LinkTargets("http://a.test/b/c?d").find(href) == Target(expected, expected, None)
    assert LinkTargets("http://a.test/b/c?d").find("http:#f") == "self"


def test_hosts_of_any_length() -> None:
    host = "y" * 400
    found = LinkTargets("http://a.test/").find(f"http://{host}/x")
    assert found == Target(f"http://{host}/x", f"http://{host}/x", None)
    assert join_as_written("http://a.test/", f"http://{host}/x") is None


def test_urls_of_any_length() -> None:
    """What is too long, as written or once joined, leads nowhere; to such a base nothing is relative."""
    longest = "x" * (MAX_URL_CHARACTERS - len("http://a.test/b/"))
    targets = LinkTargets("http://a.test/b/c")
    assert targets.find(longest) == Target(f"http://a.test/b/{longest}", f"http://a.test/b/{longest}", None)
    assert targets.find(f"{longest}x") == targets.find("../" * MAX_URL_CHARACTERS) == "bad_url"
    assert targets.find(f"data:{longest}{longest}") == "scheme"
    of_long_base = LinkTargets("http://a.test/b/c", f"{longest}{longest}/")
    assert [of_long_base.find(href) for href in ("x", "/x", "?x", "//b.test/")] == ["bad_url"] * 4
    assert canonical_url(f"http://a.test/b/{longest}") == f"http://a.test/b/{longest}"
    assert canonical_url(f"http://a.test/b/{longest}x") is None


def test_links_of_a_page_without_a_usable_url() -> None:
    targets = LinkTargets("urn:uuid:1")
    assert targets.find("x") == "bad_url"
    assert targets.find("http://a.test") == Target("http://a.test/", "http://a.test/", None)
    assert LinkTargets("", "http://b.test/c/").find("x") == "bad_url"


def test_tracking_parameters_are_several() -> None:
    """The letters of a text would be taken for names."""
    assert canonical_url("http://a.example/?m=3&utm_source=b", ["utm_source"]) == "http://a.example/?m=3"
    told = r"^tracking is the text 'utm_source'; give the names of parameters, as \('utm_source',\)$"
    with pytest.raises(UsageError, match=told):
        canonical_url("http://a.example/?m=3&utm_source=b", "utm_source")
    with pytest.raises(UsageError, match=told):
        HtmlReader(PageLimits(), tracking="utm_source")  # type: ignore[arg-type]

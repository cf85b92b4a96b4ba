"""What the head of an answer says to robots."""

from __future__ import annotations

import pytest

from anchormine.web.page.robots import header_directives, robots_of


@pytest.mark.parametrize(
    ("values", "robots"),
    [
        ([], None),
        ([""], None),
        (["noindex"], "noindex"),
        (["NoIndex , NOFOLLOW"], "nofollow,noindex"),
        (["none"], "nofollow,noindex"),
        (["noarchive", "noai, noimageai"], "noai,noarchive,noimageai"),
        (["googlebot: noindex, nofollow"], "nofollow,noindex"),
        (["otherbot: noindex, nofollow"], None),
        (["otherbot: noindex, googlebot: nosnippet, noai", "nofollow"], "noai,nofollow,nosnippet"),
        (["*: noai"], "noai"),
        (["max-snippet: 5, max-image-preview:large, noai"], "max-image-preview:large,max-snippet:5,noai"),
        (["googlebot: max-snippet: -1"], "max-snippet:-1"),
        (["max-snippet:, noai", "max-video-preview"], "max-snippet,max-video-preview,noai"),
        (["otherbot: noai", "max-video-preview: 5, noindex"], "max-video-preview:5,noindex"),
        (["otherbot: max-snippet: -1, noindex"], None),
        (["unavailable_after: Sat, 25 Jun 2010 15:00:00 PST, noindex"], "noindex,unavailable_after"),
        (["unavailable_after: 2010-06-25T15:00:00Z"], "unavailable_after"),
        (["googlebot: unavailable_after: 25 Jun 2010 15:00:00 PST"], "unavailable_after"),
        (["index; noai, \x00, 5"], None),
    ],
)
def test_header_directives(values: list[str], robots: str | None) -> None:
    assert robots_of(header_directives(values)) == robots

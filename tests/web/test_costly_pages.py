"""Pages that repeat what costs most: long addresses, names of one address, texts in many pieces."""

from __future__ import annotations

import pytest
from selectolax.lexbor import SelectolaxError

from anchormine.hypertext.page_rejected import PageRejected
from anchormine.web.html_page import read_html
from anchormine.web.markup.markup_tags import UnclearMarkup
from anchormine.web.markup.nesting import check_nesting
from anchormine.web.page import page_tokens as tokens
from anchormine.web.page.answer_facts import UNTOLD, answer_facts
from anchormine.web.page.link_targets import MAX_TARGET_CHARACTERS
from anchormine.web.page.page_facts import MAX_HREFS
from anchormine.web.urls import canonical_url
from tests.growth import least_seconds
from tests.web.case_files import URL, model_of

ESCAPED = "http://a.test/" + "%7E" * 2600 + "/"  # no URL may be much longer
CANONICAL = "http://a.test/" + "~" * 2600 + "/"
MAX_LINKS = MAX_TARGET_CHARACTERS // len(ESCAPED)
SECONDS = 10.0  # each takes a second or two, and took half a minute or more


def test_links_of_a_page_to_itself_count_with_the_others() -> None:
    read = read_html("<a href=.></a>" * MAX_LINKS, ESCAPED, model_of)
    assert read.dropped == [("self", ".")] * MAX_LINKS
    with pytest.raises(PageRejected, match="links to more than 32000000 characters of URLs"):
        read_html("<a href=.></a>" * (MAX_LINKS + 1), ESCAPED, model_of)


@pytest.mark.parametrize(
    ("html", "url"),
    [
        ("<a href=.></a>" * 100_000, ESCAPED),
        (f"<base href='{ESCAPED}'>" + "<a href=x>y</a>" * 100_000, URL),
        ("<base href='http://a.test/?" + "&" * 7900 + "'>" + "<a href=#>y</a>" * 100_000, URL),
    ],
    ids=["to the page itself", "in a long folder", "with a long query"],
)
def test_long_addresses_take_bounded_time(html: str, url: str) -> None:
    def work() -> None:
        with pytest.raises(PageRejected, match="characters of URLs"):
            read_html(html, url, model_of)

    assert least_seconds(work, SECONDS) < SECONDS


def test_a_canonical_address_is_looked_at_once() -> None:
    html = f"<base href='{ESCAPED}'>" + "<link rel=canonical href=x>" * 10_000 + "<p>y"

    def work() -> None:
        assert read_html(html, URL, model_of).canonical == f"{ESCAPED}x"
        assert answer_facts([("Link", "<x>;rel=canonical," * 10_000)], ESCAPED, "utf-8").canonical == (
            f"{ESCAPED}x"
        )

    assert least_seconds(work, SECONDS) < SECONDS


@pytest.mark.parametrize(("hrefs", "canonical"), [(MAX_HREFS, "http://a.test/b/x"), (MAX_HREFS + 1, None)])
def test_of_many_names_of_one_canonical_address_none_counts(hrefs: int, canonical: str | None) -> None:
    names = [f"x#{number}" for number in range(hrefs)]
    links = "".join(f"<link rel=canonical href={name}>" for name in (*names, *names))
    assert read_html(f"{links}<p>y", URL, model_of).canonical == canonical
    fields = [("Link", f"<{name}>;rel=canonical") for name in (*names, *names)]
    assert answer_facts(fields, URL, "utf-8") == UNTOLD._replace(canonical=canonical)


@pytest.mark.parametrize(
    ("escaped", "plain"),
    [
        ("%7e%7E%c3%A9%2f%41", "~~%C3%A9%2FA"),
        ("%%41%4%31%c3", "%%41%4%31%C3"),
        ("%2541%25%34%31", "%2541%2541"),
        ("%zz%7e%", "%zz~%"),
    ],
)
def test_escapes_in_canonical_addresses(escaped: str, plain: str) -> None:
    assert canonical_url(f"http://a.test/{escaped}") == f"http://a.test/{plain}"


def test_escapes_of_a_long_address() -> None:
    assert canonical_url(ESCAPED) == CANONICAL


@pytest.mark.parametrize(
    "html",
    [
        "<TABLE>" + "xxxx<!>" * 40_000,
        "<table>" + "<!---->x" * 40_000,
        "<table>" + "<?>xxxx" * 40_000,
        "<table>" + "<Input type=hidden>x" * 40_000,
        "aaaaaaaaaaaaaaaa<col b=c>" * 20_000,
        "aaaaaaaaaaaaaaaa<FRAME b=c>" * 20_000,
        "aaaaaaaaaaaaaaaa<head\nb=c>" * 20_000,
    ],
)
def test_texts_in_many_pieces_are_left_to_a_process_that_is_bounded(html: str) -> None:
    with pytest.raises(UnclearMarkup, match="text in many pieces"):
        check_nesting(html)


@pytest.mark.parametrize(
    "html",
    [
        "<table>" + "xxxx<!>" * 8_000,
        "xxxx<!---->" * 40_000,
        "<table>" + "<tr><td>xxxxxxxxxxxxxxxx<!--a--></td></tr>" * 3_000,
        "<colgroup>" + "<header>a</header>" * 40_000,
    ],
)
def test_other_comments_and_tags_are_not(html: str) -> None:
    check_nesting(html)


def test_a_page_for_whose_tree_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(*_: object, **__: object) -> None:
        raise SelectolaxError("Can't parse HTML.")

    monkeypatch.setattr(tokens, "LexborHTMLParser", no_room)
    with pytest.raises(PageRejected) as caught:
        read_html("<p>x", URL, model_of)
    assert (caught.value.reason, str(caught.value)) == (
        "memory",
        "the parser has no room for its tree: Can't parse HTML.",
    )

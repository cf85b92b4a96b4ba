"""What the head of an answer says of its page, and where that counts."""

from __future__ import annotations

import pytest

from anchormine.web.html_page import WebExtraction, read_html
from anchormine.web.page.answer_facts import UNTOLD, AnswerFacts, answer_facts
from tests.web.case_files import URL, model_of

HERE = "http://a.test/x"
LINK = f'<{HERE}>; rel="canonical"'


@pytest.mark.parametrize(
    ("headers", "facts"),
    [
        ([], UNTOLD),
        ([("Link", LINK)], AnswerFacts(canonical=HERE)),
        ([("LINK", '</y>; rel=next, </x#f>;title="a; b, c";REL="x Canonical"')], AnswerFacts(canonical=HERE)),
        ([("Link", LINK), ("Link", "</y>; rel=canonical")], UNTOLD),
        ([("Link", LINK), ("Link", "</x>; rel=canonical")], AnswerFacts(canonical=HERE)),
        ([("Link", '</canonical>; rel=next; rel="canonical", <mailto:x>; rel=canonical')], UNTOLD),
        ([("Link", "<</x; rel=canonical"), ("Link", "canonical")], UNTOLD),
        ([("Link", '</x>; rel=canonical; anchor="/y"')], UNTOLD),
        ([("Link", '</x>; title="a, <y>"; rel="canonical"')], AnswerFacts(canonical=HERE)),
        ([("Link", '</y>; title="; rel=canonical", </x>; rel=canonical')], AnswerFacts(canonical=HERE)),
        (
            [("Link", '</y>; title="\\"; rel=canonical'), ("Link", "</x>; REL=Canonical")],
            AnswerFacts(canonical=HERE),
        ),
        ([("Refresh", "5; url=/x")], AnswerFacts(refresh=HERE)),
        ([("Refresh", "5;\xa0url=/x")], AnswerFacts(refresh="http://a.test/b/%C2%A0url=/x")),
        ([("Refresh", "5\xa0;url=/x")], UNTOLD),
        ([("Refresh", "60; url=/x")], UNTOLD),
        ([("Content-Language", "de-AT")], AnswerFacts(language="de")),
        ([("Content-Language", "de, en")], UNTOLD),
        ([("Content-Language", "utf-8")], UNTOLD),
    ],
)  # fmt: skip
def test_fields(headers: list[tuple[str, str]], facts: AnswerFacts) -> None:
    assert answer_facts(headers, URL, "utf-8") == facts


def read(html: str, answer: AnswerFacts) -> WebExtraction:
    return read_html(html, URL, model_of, answer=answer)


def test_a_page_goes_before_its_answer() -> None:
    answer = AnswerFacts("utf-8", "de", f"{HERE}1", f"{HERE}2")
    bare = read("<p>x", answer)
    assert (bare.language, bare.canonical, bare.refresh) == answer[1:]
    own = read(
        "<html lang=fr><link rel=canonical href=/a><meta http-equiv=refresh content='0;url=/b'><p>x", answer
    )
    assert (own.language, own.canonical, own.refresh) == ("fr", "http://a.test/a", "http://a.test/b")


@pytest.mark.parametrize(
    ("href", "encoding", "expected"),
    [
        ("/s?q=日本&r=%20é b#日", "utf-8", "/s?q=%E6%97%A5%E6%9C%AC&r=%20%C3%A9%20b#%E6%97%A5"),
        ("/日?q=日本&r=%20 b'#日?日", "euc-jp", "/%E6%97%A5?q=%C6%FC%CB%DC&r=%20%20b%27#%E6%97%A5?%E6%97%A5"),
        ("?q=é日é", "euc-jp", "/b/page.html?q=%26%23233%3B%C6%FC%26%23233%3B"),
        ("?q=表", "shift_jis", "/b/page.html?q=%95\\"),
        ("?q=éя", "windows-1251", "/b/page.html?q=%26%23233%3B%FF"),
        ("?q=€ǹ😀", "gbk", "/b/page.html?q=%80%A8%BF%26%23128512%3B"),
        ("?q=€\ue5e5😀", "gb18030", "/b/page.html?q=%A2%E3%26%2358853%3B%949%FC6"),
        ("?q=約翰‧史密斯", "big5", "/b/page.html?q=%AC%F9%BF%AB%A1E%A5v%B1K%B4%B5"),
        ("?q=é€十", "big5", "/b/page.html?q=%26%23233%3B%A3%E1%A4Q"),
        ("?q=～－①㈱", "euc-jp", "/b/page.html?q=%A1%C1%A1%DD%AD%A1%AD%EA"),
        (
            "?q=～－①a㈱¥é~ｱ",
            "iso-2022-jp",
            "/b/page.html?q=%1B$B!A!]-!%1B(Ba%1B$B-j%1B(J\\%26%23233%3B%1B(B~%1B$B%%22%1B(B",
        ),
        ("?q=ⅰ髙−¥‾", "shift_jis", "/b/page.html?q=%FA@%FB%FC%81|\\~"),
        ("?q=ў", "koi8-u", "/b/page.html?q=%AE"),
        ("?q=“\x9d", "windows-1252", "/b/page.html?q=%93%9D"),
        ("?q=日", "utf-16le", "/b/page.html?q=%E6%97%A5"),
        ("日", "euc-jp", "/b/%E6%97%A5"),
    ],
)
def test_queries_are_in_the_encoding_of_the_page(href: str, encoding: str, expected: str) -> None:
    """One site, one page after the other: what is remembered of it is of one encoding, too."""
    html = f'<ul><li><a href="{href}">x</a></ul>'
    for told in (AnswerFacts(encoding), AnswerFacts(encoding), UNTOLD, AnswerFacts(encoding)):
        (anchor,) = read(html, told).anchors
        target = anchor.target + (f"#{anchor.fragment}" if anchor.fragment else "")
        assert target == "http://a.test" + expected or told is UNTOLD


@pytest.mark.parametrize(
    ("href", "encoding", "expected"),
    [
        ("?q=привет", "windows-1251", "http://a.test/b/page.html?q=%EF%F0%E8%E2%E5%F2"),
        ("/日?q=日#日", "euc-jp", "http://a.test/%E6%97%A5?q=%C6%FC"),
        ("?q=é", "windows-1251", "http://a.test/b/page.html?q=%26%23233%3B"),
        ("?q=é", "utf-8", "http://a.test/b/page.html?q=%C3%A9"),
        ("?q=é", "utf-16le", "http://a.test/b/page.html?q=%C3%A9"),
        ("?q=e", "windows-1251", "http://a.test/b/page.html?q=e"),
    ],
)
def test_what_a_page_says_is_in_its_encoding_too(href: str, encoding: str, expected: str) -> None:
    head = f'<link rel=canonical href="{href}"><meta http-equiv=refresh content="0; url={href}">'
    page = read(f"{head}<p>x", AnswerFacts(encoding))
    assert (page.canonical, page.refresh) == (expected, expected)

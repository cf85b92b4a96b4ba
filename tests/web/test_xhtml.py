"""Pages that are served as XML."""

from __future__ import annotations

import time

import pytest

from anchormine.hypertext.drafts import PageContent
from anchormine.hypertext.page_limits import PageLimits
from anchormine.hypertext.page_rejected import PageRejected
from anchormine.web.captures import Capture, read_capture
from anchormine.web.html_reader import HtmlReader
from anchormine.web.http.media_types import XHTML
from anchormine.web.markup.xhtml import written_out
from tests.growth import LINEAR, growth_of
from tests.web.crawl_files import read, response, warc

BODY = """<head><script type="text/javascript" src="a.js"/><title/></head><body><iframe src='x'/>
<p>One <a href="http://b.test/">two</a><a href="http://b.test/q"/>three <![CDATA[<4> & five]]>.</p><br/>
</body>"""


def read_page(body: str, media_type: str) -> PageContent | None:
    page = f'<html xmlns="http://www.w3.org/1999/xhtml">{body}</html>'.encode()
    (record,), _ = read(warc(response(page, f"Content-Type: {media_type}; charset=utf-8\r\n")))
    return read_capture(Capture(0, 0, "a.warc", record), HtmlReader(PageLimits())).content


def test_elements_that_end_themselves() -> None:
    page = read_page(BODY, XHTML)
    assert page is not None
    assert page.text == "One twothree <4> & five."
    assert [anchor.anchor for anchor in page.anchors] == ["two"]
    assert page.dropped == [("no_text", "http://b.test/q")]


def test_in_html_nothing_ends_itself() -> None:
    page = read_page(BODY, "text/html")
    assert page is not None
    assert (page.text, page.anchors, page.dropped) == ("", [], [])


@pytest.mark.parametrize(
    ("xhtml", "html"),
    [
        ("<p>x</p>", "<p>x</p>"),
        ("<p/><P class='a/b' id=\"c>d\" />", "<p></p><P class='a/b' id=\"c>d\" ></P>"),
        ("<br/><hr /><IMG alt='x'/>", "<br/><hr /><IMG alt='x'/>"),
        ("<svg:g/><a/b/>", "<svg:g></svg:g><a/b></a>"),
        ("<!-- <p/> --><p/>", "<!-- <p/> --><p></p>"),
        ("<!-- <p/>", "<!-- <p/>"),
        ("<![CDATA[<p/>&amp;]]><![CDATA[<b", "&lt;p/&gt;&amp;amp;&lt;b"),
        ("<p a='<q/>", "<p a='<q></q>"),
        ("<?xml version='1.0'?><p>x</p>", "<p>x</p>"),
        (
            """<!DOCTYPE html PUBLIC "a>b" 'c' [ <!-- ] " --> <!ENTITY co "M &amp; S"><!ENTITY m 'x > "y"'>
            <?x ]?><!ENTITY % p ']'><!ENTITY m "z"> ] ><p>&m; &co; &amp; &amp;m; &n;</p>""",
            """<!DOCTYPE html PUBLIC "a>b" 'c' ><p>x &gt; &quot;y&quot; M &amp; S &amp; &amp;m; &n;</p>""",
        ),
        (
            "<x xmlns:h = 'http://www.w3.org/1999/xhtml'><h:p><h:br/><h:a/></h:p><hh:p/></x>",
            "<x xmlns:h = 'http://www.w3.org/1999/xhtml'><p><br/><a></a></p><hh:p></hh:p></x>",
        ),
        ("<!DOCTYPE html [ <!ENTITY m 'x'> <p>&m;</p>", "<!DOCTYPE html [ <!ENTITY m 'x'> <p>&m;</p>"),
        ("<!doctype html [<!ENTITY m 'x'>]><p><![CDATA[&m;]]>&m;", "<!doctype html ><p>&amp;m;x"),
        ("<p><?php echo $a->b > 1 ?>x</p><?php", "<p>x</p><?php"),
        ("<?xml:namespace prefix = o /><p/><?x?>", "<?xml:namespace prefix = o /><p></p>"),
        ("a < b /> c", "a < b /> c"),
        ("<a>/><b", "<a>/><b"),
        ("<abc> /><abc def> /><abc<d/>", "<abc> /><abc def> /><abc<d></d>"),
        ("<a'b>'/><a\n/>", "<a'b>'></a><a\n></a>"),
    ],
)
def test_written_out(xhtml: str, html: str) -> None:
    assert written_out(xhtml) == html


def test_pages_of_too_many_characters() -> None:
    reader = HtmlReader(PageLimits(characters=20))
    for xhtml, length in (("<?xml?>" * 3, 21), ("<p/><q/><b/><i/>", 28)):
        with pytest.raises(PageRejected) as found:
            reader.read(xhtml, "http://a.test/", is_xml=True)
        assert (found.value.reason, str(found.value)) == (
            "too_large",
            f"{length} characters, the limit is 20",
        )
    assert reader.read("<?xml?><p>One</p>", "http://a.test/", is_xml=True).text == "One"


def test_unclear_pages_are_read_in_a_process_of_their_own() -> None:
    reader = HtmlReader(PageLimits())
    xhtml = "<p/><svg><style><b>x</b></style></svg><iframe/><a href='/y'>y</a>" * 1000
    try:
        found = reader.read(xhtml, "http://a.test/", is_xml=True)
    finally:
        reader.close()
    assert [anchor.anchor for anchor in found.anchors] == ["y"] * 1000


@pytest.mark.parametrize(
    ("start", "piece", "end"),
    [
        ("<", "a", "> />"),
        ("<", "a", " b> />"),
        ("<", "a", ""),
        ("<a", " ", "> />"),
        ("<a ", "b ", "> />"),
        ("<a ", "b='c' ", "> />"),
        ("<a ", "'", "> />"),
        ("<a", "/", "> />"),
        ("<", "a" * 50 + "<", "/>"),
        ("<!DOCTYPE a [", "<!--", ""),
        ("<!DOCTYPE a [", "<?", ""),
        ("<!DOCTYPE a [", "<!ENTITY a ", "]>"),
        ("<!DOCTYPE a [<!ENTITY b '", "&amp;", "'>]>"),
        ("", '<!DOCTYPE "', ""),
        ("", "<!DOCTYPE a [", ""),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]>", "&b;", ""),
    ],
)
def test_time_is_linear_in_a_tag(start: str, piece: str, end: str) -> None:
    assert growth_of(lambda count: written_out(start + piece * count + end)) <= LINEAR


def test_long_names_cost_no_more_than_their_time() -> None:
    started = time.process_time()
    names = f"<{'a' * 4000}> />" * 40
    page = read_page(f"<p>One <a href='http://b.test/'>two</a></p>{names}", XHTML)
    assert page is not None
    assert [anchor.anchor for anchor in page.anchors] == ["two"]
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "piece", ["<!--", "<?", "<![CDATA[", "<p a='", '<p a="b/', "<p ", "<p / ", "<", "<p/"]
)
def test_time_is_linear(piece: str) -> None:
    started = time.process_time()
    written_out(piece * (2_000_000 // len(piece)) + "/>")
    assert time.process_time() - started < 5

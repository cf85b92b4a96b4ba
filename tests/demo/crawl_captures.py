# SPDX-License-Identifier: Apache-2.0
"""What the demo crawl has captured, in the order of its file: pages, and all that crawls hold beside pages.

The pages are in `tests/demo/crawl/`, by host and path, all in UTF-8; `SERVED` says which are sent otherwise.
What has no page of its own is listed below.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

PAGES = Path(__file__).parent / "crawl"
HTML = "text/html; charset=utf-8"
OK = "HTTP/1.1 200 OK"
FIRST_DAY, SECOND_DAY, YEAR_BEFORE = "2025-06-01", "2025-06-02", "2024-06-01"

# A PNG image of one pixel, and a PDF file without pages.
_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
    "0000000a4944415478da6360000000020001e527defc0000000049454e44ae426082"
)
_PDF = b"%PDF-1.4\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n2 0 obj <</Type /Pages /Count 0>> endobj\n"
_DEPTH = 5000


class Capture(NamedTuple):
    """What was found at a URL.

    Attributes:
        url: that was asked for.
        body: of the answer, before it is coded; of a revisit what is not stored again.
        content_type: of the answer, None if it says nothing.
        codings: content codings, in the order in which they are applied.
        chunked: whether it is sent in chunks.
        status: the status line.
        location: where a redirect leads to, None for none.
        robots: what its X-Robots-Tag says, None without.
        kind: of the record: "response", "resource", "conversion" or "revisit".
        day: of the capture.
        form: in which its record is written, one of `tests.demo.record_forms.FORMS`, or "".
        broken: whether its gzip member is damaged.
    """

    url: str
    body: bytes
    content_type: str | None = HTML
    codings: tuple[str, ...] = ()
    chunked: bool = False
    status: str = OK
    location: str | None = None
    robots: str | None = None
    kind: str = "response"
    day: str = FIRST_DAY
    form: str = ""
    broken: bool = False


class Serving(NamedTuple):
    """How a page is sent; the fields are those of `Capture`.

    Attributes:
        charset: Python's name of the encoding that its bytes are in.
    """

    charset: str = "utf-8"
    content_type: str | None = HTML
    codings: tuple[str, ...] = ()
    chunked: bool = False
    status: str = OK
    robots: str | None = None
    kind: str = "response"
    form: str = ""
    broken: bool = False


SERVED = {
    # Encodings: as declared, by the page alone, by neither (a byte order mark), and two that are told wrong.
    "leuchtturm.example/index.html": Serving("cp1252", "text/html; charset=ISO-8859-1"),
    "toudai.example/index.html": Serving("cp932", "text/html"),
    "phares.example/index.html": Serving("utf-8-sig", "text/html"),
    "harbour.example/guide/pilots.html": Serving("cp1252", "text/html; charset=utf-8"),
    "signals.example/cardinal-marks.html": Serving("utf-8", "text/html; charset=iso-8859-1"),
    # Codings of the body
    "lighthouse.example/optics/fresnel-lens.html": Serving(codings=("gzip",)),
    "lighthouse.example/optics/orders.html": Serving(codings=("br",)),
    "tides.example/why.html": Serving(chunked=True),
    "tides.example/index.html": Serving(codings=("gzip",), chunked=True),
    "tides.example/gauge.html": Serving(codings=("deflate",)),
    "signals.example/index.html": Serving(codings=("zstd",)),
    "lighthouse.example/index.html": Serving(codings=("gzip", "gzip")),
    # Heads
    "www.boats.example/index.html": Serving(status="HTTP/2 200"),
    "www.boats.example/oars.html": Serving(status="HTTP/1.1 200"),
    "tides.example/spring-and-neap.html": Serving(robots="googlebot: noai"),
    "signals.example/bells.html": Serving(content_type=None),
    "www.boats.example/knots/bowline.html": Serving(content_type="text/html", kind="resource"),
    "www.boats.example/sculling.html": Serving(broken=True),
    # Records
    "tides.example/bores.html": Serving(form="wget"),
    "signals.example/buoys.html": Serving(form="clueweb09"),
}
# The page of another year has the address of this year's.
_OLDER = "tides.example/almanac.2024.html"


def captures() -> list[Capture]:
    """All captures of the demo crawl, in order."""
    names = sorted(path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*.html"))
    pages = [_page(name, SERVED.get(name, Serving())) for name in names if name != _OLDER]
    return [*_before(), *pages, *_others(), *_again()]


def url_of(name: str) -> str:
    """The URL of a page by its name in `PAGES`."""
    scheme = "http" if name.startswith("harbour.example/") else "https"
    return f"{scheme}://{name.removesuffix('index.html')}"


def _page(name: str, serving: Serving) -> Capture:
    return Capture(
        url_of(name),
        _text(name).encode(serving.charset),
        serving.content_type,
        serving.codings,
        serving.chunked,
        serving.status,
        robots=serving.robots,
        kind=serving.kind,
        form=serving.form,
        broken=serving.broken,
    )


def _text(name: str) -> str:
    return (PAGES / name).read_text("utf-8")


def _before() -> list[Capture]:
    hosts = sorted(path.name for path in PAGES.iterdir())
    return [
        Capture(url_of(f"{host}/robots.txt"), b"User-agent: *\nDisallow:\n", "text/plain") for host in hosts
    ]


def _others() -> list[Capture]:
    """Redirects, errors, and what is no page."""
    deep = b"<!DOCTYPE html><title>A deep page</title>" + b"<div>" * _DEPTH + b"<a href=/>top</a>"
    lost = b"<!DOCTYPE html><title>Not found</title><p>Nothing is here. <a href=/>Home</a></p>"
    return [
        # A chain of three, a loop of two, one to a page that was not captured, one that does not say where to
        _redirect("http://lighthouse.example/fresnel", 301, "https://lighthouse.example/fresnel"),
        _redirect("https://lighthouse.example/fresnel", 302, "/lens"),
        _redirect("https://lighthouse.example/lens", 308, "optics/fresnel-lens.html#lens"),
        _redirect("http://harbour.example/berths", 302, "/berths/"),
        _redirect("http://harbour.example/berths/", 302, "/berths"),
        _redirect("https://tides.example/storms.html", 301, "https://storms.example/"),
        _redirect("https://tides.example/tomorrow", 302, None),
        Capture("https://lighthouse.example/old/index.html", lost, status="HTTP/1.1 404 Not Found"),
        Capture("https://signals.example/signs.html", lost, status="HTTP/2 404"),
        Capture("https://tides.example/today", b"", None, status="HTTP/1.1 500 Internal Server Error"),
        Capture("http://harbour.example/plan.png", _PIXEL, "image/png"),
        Capture("http://harbour.example/rules.pdf", _PDF, "application/pdf"),
        Capture("https://signals.example/deep.html", deep),
        Capture("https://www.boats.example/subscribe", b"", HTML),
        Capture("https://tides.example/why.html", b"What causes the tides", "text/plain", kind="conversion"),
    ]


def _redirect(url: str, status: int, location: str | None) -> Capture:
    return Capture(url, b"", None, status=f"HTTP/1.1 {status} Moved", location=location)


def _again() -> list[Capture]:
    """A page that was captured a year before, and one that had not changed on the next day."""
    return [
        Capture(url_of("tides.example/almanac.html"), _text(_OLDER).encode(), day=YEAR_BEFORE),
        Capture(
            url_of("lighthouse.example/index.html"),
            _text("lighthouse.example/index.html").encode(),
            kind="revisit",
            day=SECOND_DAY,
        ),
    ]

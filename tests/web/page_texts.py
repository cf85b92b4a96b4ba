"""Paragraphs, and the pages that tests of the main text make of them."""

from anchormine.text.sentences import sentence_model
from anchormine.web.html_page import WebExtraction, read_html

# Of two pages' main texts; each is a paragraph.
TEA = "Tea is made of the leaves of a bush that grows on hills where it rains often."
CUPS = "Cups are made of clay, which is dug out of river banks and fired in a kiln for a day."
NOTE = "This note is as long as a paragraph is, and stands beside the text of its page."

SHORT = "A paragraph of a hundred characters or so, which is about as long as a sentence of a page."


def page_of(body: str) -> WebExtraction:
    return read_html(f"<body>{body}", "http://pier.example/", lambda _: sentence_model("en"))


def text_of(body: str) -> str:
    return page_of(body).text


def text_above(body: str) -> str:
    """The main text of a page that ends with the paragraph SHORT."""
    return text_of(f"{body}<p>{SHORT}</p>")


def links(count: int, form: str = "{}", of: str = "/") -> list[str]:
    """HTML of so many links, each in `form`, to places `of` a site or page."""
    return [form.format(f"<a href={of}{n}>Entry {n}</a>") for n in range(count)]

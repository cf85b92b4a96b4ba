"""Paragraphs, and the pages that tests of the main text make of them."""

from anchormine.text.sentences import sentence_model
from anchormine.web.page.html_page import WebExtraction, read_html

# Of two pages' main texts; each is a paragraph.
TEA = "Tea is made of the leaves of a bush that grows on hills where it rains often."
CUPS = "Cups are made of clay, which is dug out of river banks and fired in a kiln for a day."
NOTE = "This note is as long as a paragraph is, and stands beside the text of its page."


def page_of(body: str) -> WebExtraction:
    return read_html(f"<body>{body}", "http://pier.example/", lambda _: sentence_model("en"))


def text_of(body: str) -> str:
    return page_of(body).text

"""What negatives are taken from: a page's main text, its lead, or its passages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from anchormine.negatives.options import PASSAGES, NegativeOptions
from anchormine.text.passages import split_passages
from anchormine.text.sentences import sentence_model

EMPTY_DOCUMENT = "empty_document"  # the page has no such text
_PASSAGE = re.compile(r"#p\d+$")


class MinedDocument(NamedTuple):
    """A text that can be a negative.

    Attributes:
        document_id: page_id, and for a passage "#p" and its number.
        page_id: of its page.
        text: as it stands.
    """

    document_id: str
    page_id: str
    text: str


def document_maker(options: NegativeOptions) -> Callable[[str, str, str], Iterator[MinedDocument]]:
    """The function that makes documents of a page.

    Returns:
        A function of page_id, text (of the column that `source_column` names) and language code, which yields
        none for a page without text.
    """
    if options.form != PASSAGES:
        return _whole

    def passages(page_id: str, text: str, language: str) -> Iterator[MinedDocument]:
        spans = split_passages(text, sentence_model(language), options.passage_words)
        for number, (start, end) in enumerate(spans):
            yield MinedDocument(f"{page_id}#p{number}", page_id, text[start:end])

    return passages


def page_of(document_id: str) -> str:
    """The page_id of the page that a document is, or is a passage of."""
    return _PASSAGE.sub("", document_id)


def source_column(form: str) -> str:
    """The column of `pages/` that documents of a form are made of."""
    return "lead" if form == "lead" else "text"


def _whole(page_id: str, text: str, language: str) -> Iterator[MinedDocument]:
    if text.strip():
        yield MinedDocument(page_id, page_id, text)

"""The texts of a folder's pages as documents, and their words."""

from collections.abc import Iterator
from typing import NamedTuple

from anchormine.tasks.documents import document_problem
from anchormine.text.term_rules import TermReader, TermRules
from anchormine.transforms.table_slices import TableSlice, read_slice


class DocumentColumn(NamedTuple):
    """Which documents pages are.

    Attributes:
        name: "text" or "lead".
        min_words: pages whose text has fewer words are no documents.
        language: of all pages, over what the table says.
    """

    name: str = "text"
    min_words: int = 0
    language: str | None = None


class DocumentText(NamedTuple):
    """A page as a document, and why it cannot be one, or ""."""

    page_id: str
    text: str
    language: str | None
    reason: str


def read_texts(part: TableSlice, column: DocumentColumn) -> Iterator[DocumentText]:
    """Yields the documents of a slice of `pages/`, in order."""
    names = ["page_id", column.name, "language", *(["text"] if column.min_words else [])]
    for table in read_slice(part, list(dict.fromkeys(names))):
        for page_id, text, language, *whole in zip(*(table[name].to_pylist() for name in names), strict=True):
            reason = document_problem(text, "".join(whole), column.min_words)
            yield DocumentText(page_id, text, column.language or language, reason)


class TermReaders:
    """Readers of terms, one for each language that texts are in."""

    def __init__(self, rules: TermRules) -> None:
        self._rules = rules
        self._readers: dict[str | None, TermReader] = {}

    def of(self, language: str | None) -> TermReader:
        """The reader for a language."""
        if language not in self._readers:
            self._readers[language] = TermReader(self._rules, language)
        return self._readers[language]

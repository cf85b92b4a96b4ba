"""A training pair: one row of `pairs/<task>/`."""

from typing import NamedTuple

import pyarrow as pa

from anchormine.schemas.tables import schema_of

HARP_TASKS = ("rqp", "qdm", "rdp", "acm")
# Two queries or two documents are compared; the others have no negative side yet.
PREFERENCE_TASKS = (*HARP_TASKS, "rop", "bprop")
PASSAGE_TASKS = ("ict", "bfs", "wlp", "codoc")
TASKS = (*PREFERENCE_TASKS, *PASSAGE_TASKS, "anchor_document")


class Pair(NamedTuple):
    """A preference: (query, document) is to be ranked above (negative_query, negative_document).

    In ict, bfs, wlp, codoc and anchor_document there is no negative side, and its columns are null.

    Attributes:
        pair_id: task, ":" and what it was made of.
        task: one of `TASKS`.
        query: of the positive side.
        document: of the positive side.
        negative_query: the other query (rqp, rop, bprop), or the query again (qdm, rdp, acm).
        negative_document: the other document (qdm, rdp, acm), or the document again (rqp, rop, bprop).
        document_id: page_id of the document.
        negative_document_id: page_id of the negative document.
        sentence_id: the sentence it was made of; None where it was made of a page.
        anchor_id: the anchor whose words are in the query (acm), of the positive page (rdp), of the
            occurrence (rqp, qdm); of one link to the page with this text, drawn from all (anchor_document);
            of the link from the document's page to the query's (wlp).
        query_terms: the words drawn for the query, as {term, weight}.
        negative_query_terms: the words drawn for the negative query.
        occurrences: in anchor_document, how many links lead to the page with this text.
    """

    pair_id: str
    task: str
    query: str
    document: str
    negative_query: str | None
    negative_document: str | None
    document_id: str
    negative_document_id: str | None
    sentence_id: str | None
    anchor_id: str | None
    query_terms: list[dict[str, object]]
    negative_query_terms: list[dict[str, object]] | None
    occurrences: int | None = None


def positive_pair(
    task: str,
    pair_id: str,
    query: str,
    document: str,
    document_id: str,
    *,
    sentence_id: str | None = None,
    anchor_id: str | None = None,
    occurrences: int | None = None,
) -> Pair:
    """Makes a pair without a negative side."""
    return Pair(
        pair_id=pair_id,
        task=task,
        query=query,
        document=document,
        negative_query=None,
        negative_document=None,
        document_id=document_id,
        negative_document_id=None,
        sentence_id=sentence_id,
        anchor_id=anchor_id,
        query_terms=[],
        negative_query_terms=None,
        occurrences=occurrences,
    )


TERM_WEIGHTS = pa.list_(pa.struct([("term", pa.string()), ("weight", pa.float32())]))
PAIRS = schema_of(Pair, query_terms=TERM_WEIGHTS, negative_query_terms=TERM_WEIGHTS)

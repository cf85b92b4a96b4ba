"""What tables and columns hold, in words: the columns' from the docstrings of their records."""

from __future__ import annotations

import inspect
import re
import sys

from anchormine.schemas.anchors import Anchor
from anchormine.schemas.contrastive import Contrastive
from anchormine.schemas.filtered import Judgement
from anchormine.schemas.pages import Page
from anchormine.schemas.pair_origins import PairOrigin
from anchormine.schemas.pairs import Pair
from anchormine.schemas.rejects import Reject
from anchormine.schemas.terms import TermShare, TermStatistics

_TABLES = {
    "pages": "The pages: plain text, title, address, and where they were read.",
    "anchors": "One row for each occurrence of a link: its text, its sentence and the page it leads to.",
    "filtered": "The anchors that the filters kept, each with its text as it is after the rules.",
    "pairs/rqp": "Representative query prediction: of two queries for the same page, the one drawn from the "
    "sentence that links to it is to be ranked above the one drawn from the page itself.",
    "pairs/qdm": "Query disambiguation: of two pages that the same anchor text leads to, the one that is "
    "meant here is to be ranked higher.",
    "pairs/rdp": "Representative document prediction: of two pages that a sentence links to, the one whose "
    "anchor matters more in the sentence is to be ranked higher.",
    "pairs/acm": "Anchor co-occurrence: a page linked in the same sentence is to be ranked above a page that "
    "is not.",
    "pairs/rop": "Representative words prediction: of two sets of words drawn for a page, the one that its "
    "language model gives the higher likelihood is to be ranked higher.",
    "pairs/bprop": "The same with words drawn by an encoder's attention: of two sets of words of a page, the "
    "one of more weight is to be ranked higher.",
    "pairs/ict": "Inverse cloze task: the query is a sentence of a passage, the document the passage without "
    "it.",
    "pairs/bfs": "Body first selection: the query is a sentence of a page's first section, the document a "
    "passage of the same page, from behind that section where there is one.",
    "pairs/wlp": "Wiki link prediction: the query is a sentence of a page's first section, the document a "
    "passage of another page, which links to it.",
    "pairs/codoc": "Two passages of one page: of each pair one is the query, the other the document.",
    "pairs/anchor_document": "The text of a link and the page it leads to; links of equal texts to a page "
    "make one pair.",
    "terms/rop": "How often the words occur that rop's queries are drawn from, and in how many documents.",
    "terms/bprop": "How much attention the words have that bprop's queries are drawn from.",
    "provenance/anchor_document": "Where each pair of anchor_document comes from: the page that links. Its "
    "rows are in another order; `pair_id` joins them.",
}
_FAMILIES = {
    "pairs": "Training pairs of the task {}.",
    "contrastive": "Training pairs of the task {} with mined negatives.",
    "rejects": "What `anchormine {}` set aside, why, and where it came from.",
}
_RECORDS: dict[str, tuple[type, ...]] = {
    "pages": (Page,),
    "anchors": (Anchor,),
    "filtered": (Anchor, Judgement),
    "pairs": (Pair,),
    "contrastive": (Contrastive,),
    "provenance": (PairOrigin,),
    "terms/rop": (TermStatistics,),
    "terms/bprop": (TermShare,),
    "rejects": (Reject,),
}
_ENTRY = re.compile(r"^    (\w+): (.*(?:\n {8,}.*)*)", re.MULTILINE)


def describe_table(folder: str) -> str:
    """Returns what a row of a table is.

    Args:
        folder: of the table, such as "pairs/rqp".
    """
    family, _, rest = folder.partition("/")
    return _TABLES.get(folder) or _FAMILIES.get(family, "{}").format(rest)


def column_meanings(folder: str) -> dict[str, str]:
    """Returns what the columns of a table mean; a column that no record describes is not in it.

    Args:
        folder: of the table, such as "pairs/rqp".
    """
    records = _RECORDS.get(folder) or _RECORDS.get(folder.partition("/")[0], ())
    return {name: text for record in records for name, text in _meanings(record).items()}


def _meanings(record: type) -> dict[str, str]:
    if not record.__doc__:
        return {}
    attributes = inspect.cleandoc(record.__doc__).partition("Attributes:\n")[2]
    values = vars(sys.modules[record.__module__])
    return {name: _sentence(text, values) for name, text in _ENTRY.findall(attributes)}


def _sentence(text: str, values: dict[str, object]) -> str:
    """One line that begins with a capital; a constant's name is replaced by what it stands for."""

    def listed(match: re.Match[str]) -> str:
        value = values.get(match[1])
        return ", ".join(f'"{item}"' for item in value) if isinstance(value, tuple) else match[0]

    line = re.sub(r"`([A-Z_]+)`", listed, " ".join(text.split()))
    starts_with_name = re.match(r"\w*_", line)
    return line if starts_with_name else line[:1].upper() + line[1:]

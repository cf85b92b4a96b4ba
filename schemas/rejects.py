"""A reject: something that was read and set aside, a row of `rejects/<step>/`."""

from typing import NamedTuple

from anchormine.schemas.tables import schema_of


class Reject(NamedTuple):
    """What was set aside, why, and where it came from.

    Attributes:
        step: the command that read it.
        reason: one word; the funnel counts by it.
        unit: what the funnel counts it as: "files", "records", "pages", "links", "anchors", "sentences", or
            what was to be made, such as "pairs-rqp".
        record_id: of the thing itself, where it has an id.
        origin: file and byte offset, or the id of the page it stood on.
        excerpt: its first characters.
        records: how many the row stands for: 1, but the records of a crawl file that tell of no page share a
            row for each kind, and so do the candidates beyond a cap of a sentence, string or page, as there
            may be thousands.
    """

    step: str
    reason: str
    unit: str
    record_id: str | None
    origin: str
    excerpt: str
    records: int = 1


REJECTS = schema_of(Reject)
EXCERPT_CHARACTERS = 200

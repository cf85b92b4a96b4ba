"""The texts of the links that lead to each page, with how many links have each."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from anchormine.export.job import ExportJob
from anchormine.export.link_tables import divide_links, link_table
from anchormine.export.page_register import page_register
from anchormine.export.text_files import text_file

FILE = "anchors.jsonl"
_ROW = pa.schema(
    {"id": pa.string(), "anchors": pa.list_(pa.struct({"text": pa.string(), "count": pa.int64()}))}
)
_TEXTS = {"anchors": "anchor", "filtered": "anchor_clean"}


def write_anchors_by_destination(job: ExportJob) -> None:
    """Writes `anchors.jsonl`: {id, anchors: [{text, count}]} for each page that a link leads to.

    The texts of a page are those of most links first. Of `filtered/` they are the cleaned ones. Left out are
    links to what is not in the folder (`no_destination`).
    """
    config = link_table(job.folder, job.options.source, "filtered")
    text = _TEXTS[config]
    schema = pa.schema([(text, pa.string()), ("destination_page_id", pa.string())])
    with page_register(job) as register, text_file(job.output, FILE) as file:
        links = divide_links(job, config, schema, "destination_page_id", register, "no_destination")
        for place, page in enumerate(job.rows("pages", ("page_id",), job.options.limit)):
            texts = links.of_page(place).column(text)
            if len(texts):
                counts = pc.value_counts(texts).to_pylist()
                ordered = sorted(counts, key=lambda entry: (-entry["counts"], entry["values"]))
                anchors = [{"text": entry["values"], "count": entry["counts"]} for entry in ordered]
                file.json({"id": page["page_id"], "anchors": anchors})
                job.count(config, None, len(texts))
            job.count("pages", None if len(texts) else "no_links")
    job.add_lines("anchors", _ROW, {"train": FILE})

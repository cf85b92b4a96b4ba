"""anchor_document in `pairs`: the links to each page are gathered, and joined with its text."""

import argparse
from dataclasses import asdict, fields
from functools import partial
from typing import Any

import apache_beam as beam

from anchormine.pipelines.mining_options import MAX_PER_PAGE, positive_to
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.pair_families.family import TaskFamily, Tasks
from anchormine.pipelines.pair_run import Made, PairRun
from anchormine.pipelines.pair_source import PairSource
from anchormine.schemas.anchors import REGIONS
from anchormine.tasks.anchor_document import (
    ANCHOR_DOCUMENT,
    DOCUMENTS,
    AnchorDocumentOptions,
    link_by_text,
)
from anchormine.tasks.in_links import IN_LINKS_PER_PAGE
from anchormine.transforms.files import join
from anchormine.transforms.link_sources import FindLinkSources
from anchormine.transforms.read_documents import ReadDocuments
from anchormine.transforms.read_in_links import ReadInLinks
from anchormine.transforms.write_origins import WriteOrigins
from anchormine.transforms.write_pairs import WritePairs, finish_in_links

_NAME = "anchor_documents"
_TASKS = (ANCHOR_DOCUMENT,)


def _add_arguments(parser: StepParser) -> None:
    """Adds what documents and queries are."""
    parser.add_argument(
        "--document",
        choices=DOCUMENTS,
        default=DOCUMENTS[0],
        help="of anchor_document, rop and bprop: the page's main text, or its lead (default: %(default)s)",
    )
    parser.add_argument(
        "--in-links",
        type=positive_to(MAX_PER_PAGE),
        default=IN_LINKS_PER_PAGE,
        metavar="N",
        help="anchor_document's pairs of a page, at most (default: %(default)s)",
    )
    parser.add_argument(
        "--regions",
        nargs="+",
        choices=REGIONS,
        metavar="REGION",
        help=f"where anchor_document's links stand, of {', '.join(REGIONS)} (default: anywhere)",
    )


def _read_options(args: argparse.Namespace) -> AnchorDocumentOptions:
    return AnchorDocumentOptions(args.document, args.in_links, args.regions and tuple(args.regions))


def _describe_options(options: AnchorDocumentOptions) -> dict[str, Any]:
    return {**asdict(options), "regions": None if options.regions is None else list(options.regions)}


def _wire(pipeline: beam.Pipeline, scratch: str, run: PairRun, counts_anchors: bool) -> Made:
    """Gathers the links of each page, joins the pages, writes, tells where the links stand."""
    source, options, args = run.source, run.options[_NAME], run.args
    links = pipeline | "Read in-links" >> ReadInLinks(
        source.links,
        source.table == "filtered",
        ANCHOR_DOCUMENT,
        partial(link_by_text, options=options),
        options.in_links,
        args.seed,
        source.buckets,
        counts_anchors=counts_anchors,
        progress=join(scratch, "progress"),
    )
    documents = pipeline | "Read documents" >> ReadDocuments(
        source.pages, options.document, source.buckets, args.min_words
    )
    written = (links.in_links, documents) | "Write anchor_document" >> WritePairs(
        partial(finish_in_links, most=options.in_links),
        source.buckets,
        join(scratch, "parts"),
        traced=True,
    )
    linked = written.linked
    if source.from_anywhere:
        linked = linked | "Find who links" >> FindLinkSources(ANCHOR_DOCUMENT, source.links, source.buckets)
    origins = linked | "Write provenance" >> WriteOrigins(
        ANCHOR_DOCUMENT, source.pages, source.buckets, join(scratch, "parts")
    )
    return Made([written.reports, origins], [links.rejects, written.rejects], [links.counts])


def _stages(source: PairSource, tasks: Tasks) -> list[str]:
    return [f"gather the links of {source.table}", "join pages"]


def _shuffled_bytes(source: PairSource, tasks: Tasks) -> int:
    return 2 * source.page_bytes  # texts of pages are about as large there as in their files


def _tables(tasks: Tasks) -> list[str]:
    return [f"provenance/{ANCHOR_DOCUMENT}"]


ANCHOR_DOCUMENTS = TaskFamily(
    name=_NAME,
    tasks=_TASKS,
    anchor_tasks=_TASKS,
    concerns=dict.fromkeys((field.name for field in fields(AnchorDocumentOptions)), _TASKS),
    defaults={field.name: field.default for field in fields(AnchorDocumentOptions)},
    add_arguments=_add_arguments,
    read_options=_read_options,
    describe_options=_describe_options,
    wire=_wire,
    stages=_stages,
    shuffled_bytes=_shuffled_bytes,
    tables=_tables,
)

"""The tasks of passages in `pairs`: those of a page are paired, and in wlp pages that are linked."""

import argparse
from dataclasses import asdict, fields
from functools import partial

import apache_beam as beam

from anchormine.pipelines.fields import add_fields, read_fields
from anchormine.pipelines.mining_options import MAX_PER_PAGE, positive_to
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.pair_families.family import TaskFamily, Tasks
from anchormine.pipelines.pair_run import Made, PairRun
from anchormine.pipelines.pair_source import PairSource
from anchormine.schemas.pairs import PASSAGE_TASKS
from anchormine.tasks.ict import ICT
from anchormine.tasks.page_passages import PassageOptions
from anchormine.tasks.wlp import WLP, link_by_source
from anchormine.transforms.ask_linking_pages import AskLinkingPages
from anchormine.transforms.files import join
from anchormine.transforms.pair_passages import PageSlice, PairPassages
from anchormine.transforms.read_in_links import ReadInLinks
from anchormine.transforms.repeated_sentences import RepeatedSentences
from anchormine.transforms.write_pairs import WritePairs, finish_linked, finish_pairs

_NAME = "passages"
_QUERY_TASKS = tuple(task for task in PASSAGE_TASKS if task != "codoc")  # whose queries are sentences
_BYTES_PER_PAGE = 1_000  # about two passages
_CONCERNS = {
    "passage_words": PASSAGE_TASKS,
    "pairs_per_page": PASSAGE_TASKS,
    "query_words": _QUERY_TASKS,
    "keep_sentence": (ICT,),
    "pairs_per_passage": (WLP,),
    "query_pages": _QUERY_TASKS,
}


def _add_arguments(parser: StepParser) -> None:
    """Adds what passages and queries are."""
    texts = {
        "passage_words": "passages of ict, bfs, wlp and codoc have so many, at most",
        "pairs_per_page": "of ict, bfs, wlp and codoc, of each at most",
        "query_words": "shorter sentences are no queries of ict, bfs and wlp",
        "query_pages": "sentences that more pages have are no queries of ict, bfs and wlp",
        "keep_sentence": "share of ict's documents that keep the query's sentence; ICT's authors have 0.1",
        "pairs_per_passage": "wlp's pairs whose document is the same passage, at most",
    }
    add_fields(parser, PassageOptions, texts, integer=positive_to(MAX_PER_PAGE))


def _read_options(args: argparse.Namespace) -> PassageOptions:
    """Without a task that has queries, passages may be shorter than these."""
    if set(args.task) & set(_QUERY_TASKS):
        return read_fields(PassageOptions, args)
    return read_fields(PassageOptions, args, query_words=min(args.query_words, args.passage_words))


def _wire(pipeline: beam.Pipeline, scratch: str, run: PairRun, counts_anchors: bool) -> Made:
    """Pairs the passages of each page, has pages that link give theirs, writes."""
    source, args = run.source, run.args
    found = _repeated_sentences(pipeline, run) | "Pair passages" >> PairPassages(
        _page_slices(run),
        run.options[_NAME],
        args.seed,
        source.buckets,
        args.min_words,
        args.language,
        join(scratch, "progress"),
    )
    written = (found.pairs,) | "Write passages" >> WritePairs(
        finish_pairs, source.buckets, join(scratch, "parts")
    )
    made = Made([written.reports], [found.rejects, written.rejects], [found.counts])
    if WLP in run.tasks.made:
        linked = _wire_links(pipeline, scratch, run, found, counts_anchors)
        return Made(*(own + others for own, others in zip(made, linked, strict=True)))
    return made


def _wire_links(
    pipeline: beam.Pipeline,
    scratch: str,
    run: PairRun,
    found: beam.pvalue.DoOutputsTuple,
    counts_anchors: bool,
) -> Made:
    """wlp: sends the queries of pages to those that link to them, and pairs them with passages there."""
    source, options = run.source, run.options[_NAME]
    links = pipeline | "Read linking pages" >> ReadInLinks(
        source.links,
        source.table == "filtered",
        WLP,
        link_by_source,
        options.pairs_per_page,
        run.args.seed,
        source.buckets,
        counts_anchors=counts_anchors,
        progress=join(scratch, "progress"),
    )
    asked = (links.in_links, found.queries) | "Ask linking pages" >> AskLinkingPages(
        options.pairs_per_page, source.buckets
    )
    written = (asked.asked, found.passages) | "Write wlp" >> WritePairs(
        partial(finish_linked, most=options.pairs_per_passage, seed=run.args.seed),
        source.buckets,
        join(scratch, "parts"),
    )
    return Made(
        [written.reports], [links.rejects, asked.rejects, written.rejects], [links.counts, asked.counts]
    )


def _repeated_sentences(pipeline: beam.Pipeline, run: PairRun) -> beam.PCollection:
    """What no query may be: counted over all pages, as wlp needs, for tasks may be made in several runs."""
    source, tasks = run.source, run.tasks.made
    counted = source.pages if set(tasks) & set(_QUERY_TASKS) else ()
    rows = sum(part.end - part.start for part in source.pages)
    return pipeline | "Repeated sentences" >> RepeatedSentences(
        tuple(counted), rows, run.options[_NAME], run.args.language
    )


def _page_slices(run: PairRun) -> tuple[PageSlice, ...]:
    """What is read for what: wlp needs all pages even where others are limited; else one reading does."""
    source, tasks = run.source, run.tasks.made_of(PASSAGE_TASKS)
    if source.first_pages == source.pages:
        return tuple(PageSlice(part, tasks) for part in source.pages)
    of_pages = tuple(task for task in tasks if task != WLP)
    limited = [PageSlice(part, of_pages) for part in source.first_pages if of_pages]
    return (*limited, *(PageSlice(part, (WLP,)) for part in source.pages if WLP in tasks))


def _stages(source: PairSource, tasks: Tasks) -> list[str]:
    stages = ["count the pages that have a sentence"] if set(tasks) & set(_QUERY_TASKS) else []
    stages += ["pair passages of pages"]
    return [*stages, f"gather the pages that link in {source.table}", "ask them"] if WLP in tasks else stages


def _shuffled_bytes(source: PairSource, tasks: Tasks) -> int:
    """Texts of pages are about as large in a grouping as in their files."""
    return max(
        2 * source.page_bytes if WLP in tasks else 0,
        source.page_rows * _BYTES_PER_PAGE * sum(task != WLP for task in tasks),
    )


def _packages(tasks: Tasks, options: PassageOptions) -> list[str]:
    return ["nltk"]  # where sentences end


def _read_counts(run: PairRun) -> dict[str, int]:
    """Every page is to give as many pairs as a page may; wlp's are counted by links."""
    pairs = run.source.page_rows * run.options[_NAME].pairs_per_page
    return {f"pairs-{task}.read": pairs for task in run.tasks.made_of(PASSAGE_TASKS) if task != WLP}


PASSAGES = TaskFamily(
    name=_NAME,
    tasks=PASSAGE_TASKS,
    anchor_tasks=(WLP,),
    concerns=_CONCERNS,
    defaults={field.name: field.default for field in fields(PassageOptions)},
    add_arguments=_add_arguments,
    read_options=_read_options,
    describe_options=asdict,
    wire=_wire,
    stages=_stages,
    shuffled_bytes=_shuffled_bytes,
    packages=_packages,
    read_counts=_read_counts,
)

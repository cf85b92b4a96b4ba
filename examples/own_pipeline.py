"""Our transforms inside a pipeline of one's own: which titles a dump's links lead to under which words.

    python examples/own_pipeline.py DUMP OUTPUT [BEAM OPTION...]

Writes lines "words, tab, title, tab, number of links" to OUTPUT, for words that lead to more than one title:
what a disambiguator would be trained on. Any runner does: `--runner=FlinkRunner --flink_master=...`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions

from anchormine.hypertext.drafts import PageRead
from anchormine.text.sentences import sentence_model
from anchormine.transforms.dump_plan import plan_dump
from anchormine.transforms.parse_articles import ParseArticles
from anchormine.transforms.read_dump import ReadDump
from anchormine.wiki.site import Site


def links(page: PageRead) -> Iterator[tuple[str, str]]:
    """Yields (words, title) for each link of a page that is an article."""
    if page.content is not None:
        for anchor in page.content.anchors:
            yield anchor.anchor.casefold(), anchor.address


def ambiguous(element: tuple[str, Iterable[tuple[str, int]]]) -> Iterator[str]:
    """Yields a line for each title that the words lead to, if there is more than one."""
    words, found = element
    counts = sorted(found)
    if len(counts) > 1:
        for title, count in counts:
            yield f"{words}\t{title}\t{count}"


def main(arguments: list[str]) -> int:
    """Plans the dump here, and reads it wherever the pipeline runs."""
    dump, output, *beam_arguments = arguments
    plan = plan_dump([dump])
    sites = tuple(Site(file.info) for file in plan.files)
    models = {site.language: sentence_model(site.language) for site in sites}
    # FnApiRunner is what Beam's DirectRunner falls back to, after it has looked for another engine on the
    # internet.
    options = PipelineOptions(["--runner=FnApiRunner", *beam_arguments])
    with beam.Pipeline(options=options) as pipeline:
        (
            (pipeline | "Read" >> ReadDump(plan)).pages
            | "Parse" >> ParseArticles(sites, models)
            | "Links" >> beam.FlatMap(links)
            | "Count" >> beam.combiners.Count.PerElement()
            | "By words" >> beam.MapTuple(lambda link, count: (link[0], (link[1], count)))
            | "Group" >> beam.GroupByKey()
            | "Ambiguous" >> beam.FlatMap(ambiguous)
            | "Write" >> beam.io.WriteToText(output, num_shards=1, shard_name_template="")
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

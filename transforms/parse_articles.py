"""Reads the wikitext of a dump's pages."""

from collections.abc import Iterator, Mapping
from dataclasses import field

import apache_beam as beam
from apache_beam.coders import registry

from anchormine.hypertext.drafts import PageRead
from anchormine.hypertext.page_limits import PageLimits
from anchormine.text.sentences import SentenceModel
from anchormine.transforms.coders import NestedRecordCoder
from anchormine.transforms.options import transform_options
from anchormine.wiki.dump_page import DumpPage, read_dump_page
from anchormine.wiki.page_reader import PageReader
from anchormine.wiki.site import Site

registry.register_coder(PageRead, NestedRecordCoder)


@transform_options
class ParseArticles(beam.PTransform):
    """Reads wikitext: `DumpPage` in, `PageRead` out, one for one.

    Attributes:
        sites: the wiki of each file, by the file's number.
        models: where sentences end, by language.
        limits: what one page may cost.
    """

    sites: tuple[Site, ...]
    models: Mapping[str, SentenceModel]
    limits: PageLimits = field(default_factory=PageLimits)

    def expand(self, pages: beam.PCollection) -> beam.PCollection:
        parse = beam.ParDo(_ParsePage(self.sites, dict(self.models), self.limits))
        return pages | "Parse" >> parse.with_input_types(DumpPage).with_output_types(PageRead)


class _ParsePage(beam.DoFn):
    def __init__(self, sites: tuple[Site, ...], models: dict[str, SentenceModel], limits: PageLimits) -> None:
        self._sites = sites
        self._models = models
        self._limits = limits

    def setup(self) -> None:
        self._reader = PageReader(self._limits)

    def teardown(self) -> None:
        self._reader.close()

    def process(self, element: DumpPage) -> Iterator[PageRead]:
        site = self._sites[element.file]
        yield read_dump_page(element, site, self._models[site.language], self._reader)

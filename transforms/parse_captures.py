"""Reads the pages of a crawl's captures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

import apache_beam as beam
from apache_beam.coders import registry

from anchormine.hypertext.drafts import PageRead
from anchormine.hypertext.page_limits import PageLimits
from anchormine.transforms.coders import NestedRecordCoder
from anchormine.transforms.options import transform_options
from anchormine.web.captures import Capture, read_capture
from anchormine.web.html_reader import HtmlReader
from anchormine.web.tracking import TRACKING

registry.register_coder(PageRead, NestedRecordCoder)


@transform_options
class ParseCaptures(beam.PTransform):
    """Reads HTML: `Capture` in, `PageRead` out, one for one.

    Attributes:
        limits: what one page may cost.
        language: of all pages, over what they say themselves.
        tracking: parameters that canonical URLs leave out.
    """

    limits: PageLimits = field(default_factory=PageLimits)
    language: str | None = None
    tracking: tuple[str, ...] = TRACKING

    def expand(self, captures: beam.PCollection) -> beam.PCollection:
        parse = beam.ParDo(_ParseCapture(self.limits, self.language, self.tracking))
        return captures | "Parse" >> parse.with_input_types(Capture).with_output_types(PageRead)


class _ParseCapture(beam.DoFn):
    def __init__(self, limits: PageLimits, language: str | None, tracking: tuple[str, ...]) -> None:
        self._limits = limits
        self._language = language
        self._tracking = tracking

    def setup(self) -> None:
        self._reader = HtmlReader(self._limits, self._language, self._tracking)

    def teardown(self) -> None:
        self._reader.close()

    def process(self, capture: Capture) -> Iterator[PageRead]:
        yield read_capture(capture, self._reader)

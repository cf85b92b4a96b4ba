"""Reads what rules ask of pages: which refuse their links to robots, and on which sites others lead to."""

from collections.abc import Iterable

import apache_beam as beam
import numpy as np
from apache_beam.coders import registry

from anchormine.filters.permission import robots
from anchormine.filters.sites import origin_of
from anchormine.transforms.coders import NestedRecordCoder
from anchormine.transforms.judge_slices import page_hash
from anchormine.transforms.options import transform_options
from anchormine.transforms.table_slices import TableSlice, read_slice

registry.register_coder(TableSlice, NestedRecordCoder)
_COLUMNS = ("page_id", "url", "robots", "redirects_from")


@transform_options
class ReadPageFacts(beam.PTransform):
    """Gives one `PageFacts`, as a tuple.

    It has 8 bytes for each page that is in it, 16 for those with a site: all workers hold it.

    Attributes:
        slices: of the table of pages; none where no rule asks.
        directives: for which a page is one that refuses; none where the rule `robots` is not applied.
        with_sites: whether the rule `same_site` is applied.
    """

    slices: tuple[TableSlice, ...]
    directives: tuple[str, ...]
    with_sites: bool

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection:
        return (
            pipeline
            | "Page slices" >> beam.Create(self.slices, reshuffle=False).with_output_types(TableSlice)
            | "Spread pages" >> beam.Reshuffle()
            | "Read facts" >> beam.Map(_read, self.directives, self.with_sites)
            | "Join" >> beam.CombineGlobally(_join)
        )


_Facts = tuple[np.ndarray, np.ndarray, tuple[str, ...]]  # `PageFacts`, whose class Beam's coders would lose


def _read(part: TableSlice, directives: tuple[str, ...], with_sites: bool) -> _Facts:
    refusing: list[int] = []
    sites: list[tuple[int, str]] = []
    for table in read_slice(part, _COLUMNS):
        for page_id, url, said, others in zip(*(table[name].to_pylist() for name in _COLUMNS), strict=True):
            if directives and robots(said, directives):
                refusing.append(page_hash(page_id))
            if with_sites and others:
                sites.append((page_hash(page_id), origin_of(url)))
    return _sorted(refusing, sites)


def _join(parts: Iterable[_Facts]) -> _Facts:
    found = list(parts)
    refusing = [page for part in found for page in part[0].tolist()]
    sites = [site for _, led_to, origins in found for site in zip(led_to.tolist(), origins, strict=True)]
    return _sorted(refusing, sites)


def _sorted(refusing: list[int], sites: list[tuple[int, str]]) -> _Facts:
    sites = sorted(sites)
    led_to = np.array([page for page, _ in sites], np.uint64)
    return np.array(sorted(refusing), np.uint64), led_to, tuple(origin for _, origin in sites)

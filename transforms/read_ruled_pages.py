"""Reads what rules ask of pages: which refuse their links to robots, and on which sites others lead to."""

from collections.abc import Iterable

import apache_beam as beam
import numpy as np

from anchormine.filters.robots import robots
from anchormine.filters.same_site import origin_of
from anchormine.transforms.judge_slices import RuledPages, page_hash
from anchormine.transforms.options import transform_options
from anchormine.transforms.table_slices import TableSlice, read_slice

_COLUMNS = ("page_id", "url", "robots", "redirects_from")


@transform_options
class ReadRuledPages(beam.PTransform):
    """Gives one `RuledPages`, as a tuple.

    It has 8 bytes for each page that refuses, 12 for those that other addresses lead to, and the distinct
    origins of the latter: all workers hold it.

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
            | "Gather" >> beam.CombineGlobally(_Gather())
        )


# Of a slice: the pages that refuse, those that other addresses lead to, and the origins of these.
_Part = tuple[np.ndarray, np.ndarray, list[str]]


def _read(part: TableSlice, directives: tuple[str, ...], with_sites: bool) -> _Part:
    refusing, led_to, origins = [], [], []
    for table in read_slice(part, _COLUMNS):
        for page_id, url, said, others in zip(*(table[name].to_pylist() for name in _COLUMNS), strict=True):
            if directives and robots(said, directives):
                refusing.append(page_hash(page_id))
            if with_sites and others:
                led_to.append(page_hash(page_id))
                origins.append(origin_of(url))
    return np.array(refusing, np.uint64), np.array(led_to, np.uint64), origins


class _Gather(beam.CombineFn):
    """Gathers the parts, and makes `RuledPages` of them, as a tuple: Beam's coders would lose its class."""

    def create_accumulator(self) -> list[_Part]:
        return []

    def add_input(self, parts: list[_Part], part: _Part) -> list[_Part]:
        parts.append(part)
        return parts

    def merge_accumulators(self, gathered: Iterable[list[_Part]]) -> list[_Part]:
        return [part for parts in gathered for part in parts]

    def extract_output(self, parts: list[_Part]) -> tuple:
        refusing = np.concatenate([np.empty(0, np.uint64), *(part[0] for part in parts)])
        led_to = np.concatenate([np.empty(0, np.uint64), *(part[1] for part in parts)])
        written = [origin for _, _, of_slice in parts for origin in of_slice]
        origins = sorted(set(written))
        places = {origin: place for place, origin in enumerate(origins)}
        sites = np.array([places[origin] for origin in written], np.uint32)
        order = np.argsort(led_to)
        return tuple(RuledPages(np.sort(refusing), led_to[order], sites[order], origins))

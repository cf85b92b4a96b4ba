"""What `anchormine wiki` knows of a dump before it reads it."""

import argparse
from collections.abc import Sequence
from typing import NamedTuple

from anchormine.text.sentences import SentenceModel, needs_sample, sentence_model
from anchormine.transforms.dump_plan import DumpPlan
from anchormine.transforms.sample_text import sample_text
from anchormine.wiki.licences import licence_of
from anchormine.wiki.site import Site

_MIN_GROUP_BYTES, _MAX_GROUP_BYTES, _GROUPS_OF_SMALL_DUMPS = 40 << 20, 640 << 20, 8


class WikiDump(NamedTuple):
    """The input: its plan, and of each file its wiki and licence; where sentences end in each language."""

    plan: DumpPlan
    sites: tuple[Site, ...]
    licences: tuple[str | None, ...]
    models: dict[str, SentenceModel]


def look_at_wikis(plan: DumpPlan, args: argparse.Namespace) -> WikiDump:
    """Tells by the heads of a dump's files which wikis they are of; what the user says comes first."""
    sites = tuple(Site(file.info, args.wiki, args.language) for file in plan.files)
    licences = tuple(args.licence or licence_of(site.info.base) for site in sites)
    return WikiDump(plan, sites, licences, _models(plan, sites))


def _models(plan: DumpPlan, sites: Sequence[Site]) -> dict[str, SentenceModel]:
    """Where sentences end in each language; learned from the dump's first pages where nothing is shipped."""
    models: dict[str, SentenceModel] = {}
    for number, (file, site) in enumerate(zip(plan.files, sites, strict=True)):
        if not file.unreadable and site.language not in models:
            sample = sample_text(plan, number, site) if needs_sample(site.language) else None
            models[site.language] = sentence_model(site.language, sample)
    return models


def shard_groups(plan: DumpPlan) -> tuple[int, ...]:
    """Returns the group of each range: the rows of a group are written by one worker, in input order."""
    sizes = [
        plan.files[part.file].xml_bytes * (part.end - part.start) // max(1, plan.files[part.file].size)
        for part in plan.ranges
    ]
    step = min(max(sum(sizes) // _GROUPS_OF_SMALL_DUMPS, _MIN_GROUP_BYTES), _MAX_GROUP_BYTES)
    groups, before = [], 0
    for size in sizes:
        groups.append(before // step)
        before += size
    return tuple(groups)

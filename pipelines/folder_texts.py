"""The small files of a dataset folder: the funnel, the card, Croissant, the attribution."""

import json
import posixpath
from collections.abc import Mapping
from typing import Any

from anchormine.datasets.attribution import attribution
from anchormine.datasets.card import dataset_card
from anchormine.datasets.croissant import croissant
from anchormine.datasets.distributions import DISTRIBUTIONS, TableDistributions, distributions_json
from anchormine.datasets.facts import TableFacts, facts_of
from anchormine.datasets.table_file import TableFile
from anchormine.transforms.files import join, open_file


def folder_texts(
    path: str,
    manifest: dict[str, Any],
    distributions: Mapping[str, TableDistributions],
    unplaced: Mapping[str, str],
) -> dict[str, str]:
    """Returns the texts of a folder, by their path below it.

    Args:
        path: the folder.
        manifest: of all steps that are done.
        distributions: of all tables.
        unplaced: where files of the manifest are that are not in their place yet.
    """
    facts = facts_of(manifest, _tables(path, manifest, unplaced))
    return {
        "stats/funnel.json": json.dumps(facts.funnel, indent=2, ensure_ascii=False) + "\n",
        DISTRIBUTIONS: distributions_json(distributions),
        "README.md": dataset_card(facts),
        "croissant.json": croissant(facts),
        "ATTRIBUTION.md": attribution(facts),
    }


def _tables(path: str, manifest: dict[str, Any], unplaced: Mapping[str, str]) -> tuple[TableFacts, ...]:
    """The tables that are published as configs: what was set aside is not among them."""
    files: dict[str, list[dict[str, Any]]] = {}
    for section in manifest["steps"].values():
        for output in section["outputs"]:
            folder = posixpath.dirname(output["path"])
            if output["rows"] and not folder.startswith("rejects/"):
                files.setdefault(folder, []).append(output)
    firsts = {folder: outputs[0]["path"] for folder, outputs in files.items()}
    return tuple(
        _table(unplaced.get(first) or join(path, first), folder, files[folder])
        for folder, first in firsts.items()
    )


def _table(first: str, folder: str, outputs: list[dict[str, Any]]) -> TableFacts:
    with open_file(first) as stream:
        file = TableFile(stream, first)
        schema = file.schema
        example = next(file.batches(None, 1)).to_pylist()[0]
    splits = dict.fromkeys(posixpath.basename(output["path"]).partition("-")[0] for output in outputs)
    return TableFacts(folder.replace("/", "-"), folder, tuple(splits), schema, example, tuple(outputs))

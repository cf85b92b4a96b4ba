"""The small files of a dataset folder: the funnel, the card, Croissant, the attribution."""

import json
from typing import Any


def folder_texts(path: str, manifest: dict[str, Any]) -> dict[str, str]:
    """Returns the texts of a folder whose tables are in place, by their path below it.

    Args:
        path: the folder.
        manifest: of all steps that are done.
    """
    funnel = [row for section in manifest["steps"].values() for row in section["funnel"]]
    return {"stats/funnel.json": json.dumps(funnel, indent=2, ensure_ascii=False) + "\n"}

"""Names and addresses of licences: SPDX identifiers, and what Hugging Face calls them."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Identifiers of huggingface.co/docs/hub/repositories-licenses that a wiki's text can be under.
_HUGGING_FACE = frozenset(
    ("cc0-1.0", "cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0",
     "cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nd-4.0", "cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0",
     "cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0", "apache-2.0", "mit",
     "unlicense", "pddl", "odbl", "odc-by")
)  # fmt: skip
_OTHER_NAMES = {"pddl-1.0": "pddl", "odbl-1.0": "odbl", "odc-by-1.0": "odc-by"}
_CREATIVE_COMMONS = re.compile(r"CC-(BY[A-Z-]*)-(\d\.\d)")
_SPDX = re.compile(r"(?!LicenseRef-|Other$|Unknown$)[A-Za-z0-9]+[A-Za-z0-9.+-]*", re.IGNORECASE)
OTHER = "other"


def hugging_face_licences(licences: Iterable[str | None]) -> list[str]:
    """Returns the `license` of a dataset card; ["other"] where one of the licences has no name there.

    Args:
        licences: SPDX identifiers; None where a licence is not known.
    """
    found = {_hugging_face(licence) for licence in licences}
    return sorted(found) if found and OTHER not in found else [OTHER]


def licence_url(licence: str | None) -> str | None:
    """Returns where a licence is read; None where it is not known.

    Args:
        licence: an SPDX identifier such as "CC-BY-SA-4.0".
    """
    if licence is None or not _SPDX.fullmatch(licence):
        return None
    if licence.upper() == "CC0-1.0":
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    parts = _CREATIVE_COMMONS.fullmatch(licence.upper())
    if parts:
        return f"https://creativecommons.org/licenses/{parts[1].lower()}/{parts[2]}/"
    return f"https://spdx.org/licenses/{licence}.html"


def _hugging_face(licence: str | None) -> str:
    name = (licence or "").lower()
    if name.startswith("gfdl-"):
        return "gfdl"
    name = _OTHER_NAMES.get(name, name)
    return name if name in _HUGGING_FACE else OTHER

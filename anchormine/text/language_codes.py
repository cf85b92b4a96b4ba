"""Codes of languages that are written for others, on pages and in names of wikis."""

from typing import Final

# IANA's registry of language subtags: those with a preferred value.
REPLACED: Final = {"iw": "he", "in": "id", "ji": "yi"}
# Of countries, which pages declare for their language.
OF_COUNTRIES: Final = {
    "jp": "ja", "cn": "zh", "gr": "el", "ua": "uk", "cz": "cs", "dk": "da", "vn": "vi", "sp": "es",
}  # fmt: skip

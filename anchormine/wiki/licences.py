"""The licence of a wiki's text, where it is known: dumps do not say it."""

from anchormine.wiki.siteinfo import host_of

# The projects of the Wikimedia Foundation whose text is under one licence (its terms of use, section 7,
# June 2023).
_CC_BY_SA = ("wikipedia", "wiktionary", "wikiquote", "wikibooks", "wikisource", "wikiversity", "wikivoyage")
_OTHERS = {"wikinews.org": "CC-BY-4.0", "www.wikidata.org": "CC0-1.0", "indieweb.org": "CC0-1.0"}


def licence_of(base: str | None) -> str | None:
    """Returns the SPDX identifier of a wiki's licence; None where it is not known.

    Args:
        base: the address of the wiki's main page, as its siteinfo gives it.
    """
    host = host_of(base)
    if any(host.endswith(f".{project}.org") for project in _CC_BY_SA):
        return "CC-BY-SA-4.0"
    return next(
        (licence for name, licence in _OTHERS.items() if host == name or host.endswith(f".{name}")), None
    )

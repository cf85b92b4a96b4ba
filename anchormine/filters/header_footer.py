"""Rule `header_footer`: links that stand on every page of a site, in its head, foot, menu or margin."""

from collections.abc import Collection

HEADER_FOOTER = "header_footer"
# Of the nearest such ancestor: Anchor-DR's flag (SIGIR 2023, section 3.1) says header or footer, and HTML has
# two more of the kind.
PAGE_FRAME = ("header", "footer", "nav", "aside")


def header_footer(region: str, regions: Collection[str] = PAGE_FRAME, is_wiki: bool = False) -> str | None:
    """The reason to drop a link for where it stands, or None.

    Args:
        region: of the link, one of `anchormine.schemas.anchors.REGIONS`.
        regions: those that are dropped.
        is_wiki: whether "header" is a section's heading, which stands on one page.
    """
    is_heading = is_wiki and region == "header"
    return HEADER_FOOTER if region in regions and not is_heading else None

"""What a block says by itself, wherever it stands: found once, as the pages of a site share most of theirs.

`PageBlock.traits` is one number for all of it: the bits `FOUND` and `NAVIGATION`; `LABELLED` where
it was asked for, and then from `LABEL` on which kind of label it is; and from `ENTRIES` on how many entries
of a menu.
"""

from typing import Final

from anchormine.web.page.page_blocks import PageBlock

FOUND: Final = 1  # so that it is not 0
NAVIGATION: Final = 2  # it leads to other pages, and is no text
LABELLED: Final = 4
LABEL: Final = 3
LABELS: Final = 3  # bits of the kind, as in `site_labels`
ENTRIES: Final = 5


def entries_of(block: PageBlock) -> int:
    """Returns how many entries of a menu a block is, whose traits are found."""
    return block.traits >> ENTRIES

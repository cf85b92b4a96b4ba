"""Which destinations are held out: a page is on one side in every table, whatever the seed."""

from anchormine.sampling.draws import uniform

TRAIN = "train"
VALIDATION = "validation"
HELD_OUT = 0.05


def split_of(page_id: str) -> str:
    """The side of a page, by a hash of its id alone: 5 in 100 are held out.

    Args:
        page_id: of a pair's document, not of its source.

    Returns:
        "train" or "validation".
    """
    return VALIDATION if uniform(0, "validation", page_id) < HELD_OUT else TRAIN

"""What is told of texts in letters that a query classifier does not know."""

from anchormine.numerals import counted

_MIN_SHARE = 0.05  # of the texts: nothing is told of fewer


def unknown_letters(unknown: int, texts: int, unit: tuple[str, str]) -> str | None:
    """What is to be told where too many texts are `mostly_unknown`, as the start of a sentence; else None.

    Args:
        unknown: how many are.
        texts: of how many.
        unit: what they are called, one and several.
    """
    if unknown <= _MIN_SHARE * texts:
        return None
    verb = "is" if unknown == 1 else "are"
    return f"{unknown:,} of {counted(texts, *unit)} {verb} in letters that the classifier does not know"

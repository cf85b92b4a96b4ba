"""Numbers with the nouns that they count, as a person reads them."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number and its noun, such as "1 query" and "1,200 queries".

    Args:
        number: 0 or more.
        one: the noun for one.
        many: for any other number; None for `one` with an s.
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"

"""Texts without what they do not differ by when they are compared: capitals and white space."""

DOTTED = "i\u0307"  # the capital "İ" of Turkish, in small letters


def folded(text: str) -> str:
    """Returns a text with its case folded and single spaces.

    The capitals of Turkish are those of its "i" and "ı", too, of which none is told from the other then:
    "İstanbul" is "istanbul", and "IŞIK" both "ışık" and "işik".
    """
    plain = " ".join(text.casefold().split())
    return plain if plain.isascii() else plain.replace(DOTTED, "i").replace("ı", "i")

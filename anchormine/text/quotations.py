"""Quotations and titles that end in a stop: whether a sentence of Han, Kana or Hangul goes on behind them."""

FIRST_IDEOGRAPH = "\u2e80"

_PARTNERS = dict(zip('”’」』》〉）)"', '“‘「『《〈（("', strict=True))
_BEFORE_SPEECH = frozenset("：:，,、；;")
_PARTICLES = frozenset("をがのにはへ")  # of Japanese
_YES = "はい"  # begins as if it were one of them
# How far back the partner of what closes is looked for, and the end of white space before it, in characters:
# without a limit, hostile text would take quadratic time.
REACH, _SPACES = 4000, 9


def is_quoted_within(text: str, start: int, begin: int, end: int, after: int) -> bool:
    """Tells whether a quotation that ends in a stop is a part of its sentence, in Han, Kana and Hangul.

    In these no capital says where the next one starts. It is where a particle follows. A question or
    exclamation is, as a title, unless it opens the sentence or follows a colon or comma, as speech does.

    Args:
        text: the paragraph.
        start: where the sentence starts.
        begin: where the stop is.
        end: where the stop and what closes behind it ends.
        after: where text goes on after white space.
    """
    opening = _PARTNERS.get(text[end - 1])
    following = text[after]
    if opening is None or not following.isalnum():
        return False
    if after == end and "가" <= following <= "힣":
        return True
    if after > end and is_particle(text, after):
        return True
    if text[begin] not in "?!？！":
        return False
    quotation = text.rfind(opening, max(start, begin - REACH), begin)
    before = text[max(start, quotation - _SPACES) : quotation].rstrip()[-1:] if quotation > start else ""
    return before != "" and before not in _BEFORE_SPEECH


def is_particle(text: str, place: int) -> bool:
    """Tells whether a particle of Japanese stands at a place, behind a title: wo, ga, no, ni, ha or he."""
    return text[place] in _PARTICLES and not text.startswith(_YES, place)


def is_open(text: str, end: int, quote: str) -> bool:
    """Tells whether a straight quotation mark at a place closes one that stands before it."""
    opening = " '" if quote == "'" else quote  # others are apostrophes
    return bool(text.count(opening, max(0, end - REACH), end) & 1)

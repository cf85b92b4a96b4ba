"""Which script a language is written in: the rules for sentences serve four of them."""

from __future__ import annotations

import re

# For a class of a pattern: scripts in which no sign ends a sentence, Thai and Lao; those of letters without
# spaces between words, with Burmese and Khmer; and all without these, with Kana and Han.
STOPLESS = "\u0e00-\u0eff"
UNSPACED_LETTERS = STOPLESS + "\u1000-\u109f\u1780-\u17ff"
UNSPACED = UNSPACED_LETTERS + "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af"

# Languages of Wikipedias and their like that are not written in Latin, Cyrillic, Han or Kana.
_OTHER_SCRIPTS = frozenset(
    """
    aeb ajp apc ar arc arq ary arz azb bcc bgn bqi ckb dv fa glk he jrb khw ks lki lrc luz mzn nqo pnb prs ps
    sd sdh skr syc syr ug ur yi
    cop cpg el got grc hy hyw ka ko lzz pnt xmf
    am gez ti tig
    anp as awa bgc bh bho bn bpy brx doi dty gom gu hi hne kn kok mag mai ml mni mr mwr ne new or pa pi sa sat
    si syl ta tcy te
    blk bo ccp dz khb kjp km ksw lo mnc mnw my nod rki shn tdd th tts
    chr cr iu tzm vai zgh
    """.split()
)
_RULED_SUBTAGS = frozenset(("latn", "cyrl", "hans", "hant", "hani", "jpan", "hira", "kana"))
_RULED_LETTERS = re.compile(
    "[A-Za-zªºÀ-ʯḀ-ỿЀ-ԯᲀ-\u1c8f⺀-⿕々-〇ぁ-ヿㄅ-ㆿㇰ-ㇿ㐀-䶿一-鿿豈-\ufaffＡ-Ｚａ-ｚｦ-ﾟ]"
)
_LETTERS = re.compile(r"[^\W\d_]")


def writes_other_script(language: str) -> bool:
    """Tells whether a language's code says that it is not written in Latin, Cyrillic, Han or Kana.

    Args:
        language: A code in lower case with hyphens, such as ``ur`` or ``kk-arab``.
    """
    primary, *subtags = language.split("-")
    for subtag in subtags:
        if len(subtag) == 4 and subtag.isalpha():
            return subtag not in _RULED_SUBTAGS
    return primary in _OTHER_SCRIPTS


def mostly_other_script(text: str) -> bool:
    """Tells whether most letters of a text are neither Latin, Cyrillic, Han nor Kana."""
    return 2 * len(_RULED_LETTERS.findall(text)) < len(_LETTERS.findall(text))

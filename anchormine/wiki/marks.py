"""Characters that stand for things inside wikitext while it is read.

XML 1.0 forbids them, so no dump can hold them; `clean_input` removes them from text that comes otherwise.
"""

import re

GAP = "\x01"  # a template, formula or piece of code was taken out here
BREAK = "\x02"  # <br>: a sentence does not cross it
BOX = "\x05"  # like GAP, while it is not known whether the template had its line to itself
NOTHING = "\x03"  # <nowiki/>: shows nothing, but keeps what stands left and right of it apart
CAPTION = "\x04"  # starts a line that is the caption of a picture

# The characters that are markup, as they are written inside <nowiki>: read as plain text, restored in
# the end. NOTHING stands before them. Entities are read within <nowiki> too, but once: an "&" that comes of
# one starts no other.
_MARKUP = "[]{}<>|'=*#:;!~_-&"
# None is white space, as "\x1c" to "\x1f" are: that goes at the ends of lines, cells and labels.
_STAND_INS = (*range(0x0E, 0x1C), 0x06, 0x07, 0x08, 0xFFFE)
PROTECT = {ord(char): chr(code) for char, code in zip(_MARKUP, _STAND_INS, strict=True)}
RESTORE = {code: char for char, code in zip(_MARKUP, _STAND_INS, strict=True)} | {ord(NOTHING): ""}

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def clean_input(wikitext: str) -> str:
    """Returns the text without what XML forbids, and with every line end as a line feed."""
    if "\r" in wikitext:
        wikitext = wikitext.replace("\r\n", "\n").replace("\r", "\n")
    return _FORBIDDEN.sub("", wikitext) if _FORBIDDEN.search(wikitext) else wikitext

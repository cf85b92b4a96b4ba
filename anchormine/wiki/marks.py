"""Control characters that stand for things inside wikitext while it is read.

XML 1.0 forbids them, so no dump can hold them; `clean_input` removes them from text that comes otherwise.
"""

import re

GAP = "\x01"  # a template, formula or piece of code was taken out here
BREAK = "\x02"  # <br>: a sentence does not cross it
BOX = "\x05"  # like GAP, while it is not known whether the template had its line to itself
NOTHING = "\x03"  # <nowiki/>: shows nothing, but keeps what stands left and right of it apart
CAPTION = "\x04"  # starts a line that is the caption of a picture

# The characters that are markup, as they are written inside <nowiki>: read as plain text, restored in
# the end. NOTHING stands before them.
_MARKUP = "[]{}<>|'=*#:;!~_-"  # entities are read within <nowiki> too
PROTECT = {ord(char): chr(0x0E + n) for n, char in enumerate(_MARKUP)}
RESTORE = {0x0E + n: char for n, char in enumerate(_MARKUP)} | {ord(NOTHING): ""}

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


def clean_input(wikitext: str) -> str:
    """Returns the text without control characters, and with every line end as a line feed."""
    if "\r" in wikitext:
        wikitext = wikitext.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", wikitext) if _CONTROL.search(wikitext) else wikitext

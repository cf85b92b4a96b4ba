"""Markup that is opened and never closed, and how the time to read it grows with its length."""

from __future__ import annotations

import contextlib
import gc
import math
import time

from anchormine.hypertext.page_rejected import PageRejected
from anchormine.wiki.article import read_article
from anchormine.wiki.site import Site

OPEN = [
    *("{{", "{{a|", "{{{1|", "[[", "[[a|", "[[a|[[b]]", "[[File:a.png|", "<ref>", "<b>", "<!--", "\n{|\n|"),
    *("[http://a ", "<nowiki>", "'''a''", "-{", "\n* [[a", "{{x}} ", "{{x}}'"),
]
LINEAR = 2.5
_SITE = Site.of_language("en")


def growth(piece: str, times: int = 2, max_runs: int = 25, linear: float = LINEAR) -> float:
    """CPU seconds for a text over those for one `times` shorter: `times` where time is linear.

    The best of several runs each: a busy machine takes longer now and then, but never less.

    Args:
        piece: what is repeated, 8,000 times in the longer text.
        times: how much longer that is.
        max_runs: how often each is read at most.
        linear: what ends the runs early.
    """
    short = long = math.inf
    for runs in range(max_runs):
        short = min(short, _seconds(piece * (8000 // times)))
        long = min(long, _seconds(piece * 8000))
        if runs >= 4 and long <= linear * short:
            break
    return long / short


def _seconds(wikitext: str) -> float:
    gc.disable()  # it looks through all that the process holds, now and then
    started = time.process_time()
    with contextlib.suppress(PageRejected):
        read_article(wikitext, "Page", _SITE)
    taken = time.process_time() - started
    gc.enable()
    return taken

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


def growth(piece: str, most_runs: int = 25) -> float:
    """CPU seconds for 8,000 repeats over those for 4,000: 2 where time is linear.

    The best of several runs each: a busy machine takes longer now and then, but never less.
    """
    short = long = math.inf
    for runs in range(most_runs):
        short, long = min(short, _seconds(piece * 4000)), min(long, _seconds(piece * 8000))
        if runs >= 4 and long <= LINEAR * short:
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

"""What the reader of pages remembers from page to page, and how to make it forget."""

from anchormine.web.page import element_walk, scopes, stretches, tags


def forget() -> None:
    """Forgets all tags and stretches of pages that were met: the next page is read as a process' first."""
    stretches._MEMORY.clear()
    for acts, silent in (element_walk.MET, element_walk.MET_OF_BLOCKS):
        acts.clear()
        silent.clear()
    tags._short_tag.cache_clear()
    scopes._known_inner.cache_clear()

"""How deep and how large a page may be."""

from anchormine.hypertext.page_rejected import PageRejected


def check_size(html: str) -> None:
    if len(html) > 20_000_000:
        raise PageRejected("too_large", "")

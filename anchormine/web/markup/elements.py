"""Elements of HTML of one kind, by name."""

# Elements that the standard writes without an end tag (HTML, 13.3).
VOID_ELEMENTS = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track "
    "wbr".split()
)
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))

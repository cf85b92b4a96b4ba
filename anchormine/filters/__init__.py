"""Which anchors are fit to be queries: Anchor-DR's rules, each a function of its own, and its classifier."""

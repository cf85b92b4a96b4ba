"""Pages with links, whatever they come from: drafts, their tables on disk, and what the links lead to."""

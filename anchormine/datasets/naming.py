"""What a dataset is called, and what it is in one paragraph: the card and Croissant say the same."""

from __future__ import annotations

from anchormine.datasets.facts import FolderFacts, source_name, unique

_MAX_NAMES = 3


def pretty_name(facts: FolderFacts) -> str:
    """Returns the title of a dataset."""
    kind = "Links and training pairs" if facts.tasks else "Links"
    return f"{kind} of {_names(facts)}"


def what_it_is(facts: FolderFacts) -> str:
    """Returns the first paragraph, in plain text: what the rows are and what they are for."""
    origin = "the pages that HARP's files name" if facts.extraction == "harp" else _names(facts)
    sentences = [f"The links of {origin}, each with its sentence, its place in it and the page it leads to."]
    if facts.tasks:
        tasks = ", ".join(facts.tasks)
        sentences.append(f"Made of them: training pairs for search models ({tasks}).")
    sentences.append("Written by anchormine.")
    return " ".join(sentences)


def _names(facts: FolderFacts) -> str:
    names = unique(source_name(source) for source in facts.sources) or [facts.name]
    return ", ".join(names) if len(names) <= _MAX_NAMES else f"{len(names)} wikis"

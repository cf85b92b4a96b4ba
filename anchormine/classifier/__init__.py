"""The small query classifier that the package carries; its model card, README.md, says how it was made."""

from pathlib import Path

from anchormine.encoder import DEFAULT


def classifier_path(name: str) -> str:
    """The folder of the shipped classifier for "default"; any other name, a folder or an id, as it is."""
    return str(Path(__file__).parent) if name == DEFAULT else name

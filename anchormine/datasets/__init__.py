"""Dataset folders: what is in them, and how their rows are read."""

from anchormine.datasets.folder import DatasetFolder, iter_rows

__all__ = ["DatasetFolder", "iter_rows"]

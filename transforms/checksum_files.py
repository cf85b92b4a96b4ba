"""Checksums of the input, for the manifest."""

import hashlib
from typing import Any

import apache_beam as beam

from anchormine.transforms.options import transform_options
from anchormine.transforms.resumed_reads import ReadStopped, ResumedFile

_READ_BYTES = 1 << 20


@transform_options
class ChecksumFiles(beam.PTransform):
    """Gives a report for each file: {"sha256": [path, hex digits]}; None for one that cannot be read whole.

    Attributes:
        paths: of the files.
    """

    paths: tuple[str, ...]

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection:
        return pipeline | "Files" >> beam.Create(self.paths) | "Checksum" >> beam.Map(_report)


def _report(path: str) -> dict[str, Any]:
    return {"sha256": [path, checksum(path)]}


def checksum(path: str) -> str | None:
    """Returns the SHA-256 of a file in hex; None if it cannot be read to its end."""
    digest = hashlib.sha256()
    try:
        with ResumedFile(path) as stream:
            while data := stream.read(_READ_BYTES):
                digest.update(data)
    except ReadStopped:
        return None
    return digest.hexdigest()

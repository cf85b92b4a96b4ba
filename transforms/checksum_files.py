"""Checksums of the input, for the manifest."""

import hashlib
from typing import Any

import apache_beam as beam

from anchormine.transforms.files import open_file
from anchormine.transforms.options import transform_options

_READ_BYTES = 1 << 20


@transform_options
class ChecksumFiles(beam.PTransform):
    """Gives a report for each file: {"sha256": [path, hex digits]}.

    Attributes:
        paths: of the files.
    """

    paths: tuple[str, ...]

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection:
        return pipeline | "Files" >> beam.Create(self.paths) | "Checksum" >> beam.Map(_report)


def _report(path: str) -> dict[str, Any]:
    return {"sha256": [path, checksum(path)]}


def checksum(path: str) -> str:
    """Returns the SHA-256 of a file in hex."""
    digest = hashlib.sha256()
    with open_file(path) as stream:
        while data := stream.read(_READ_BYTES):
            digest.update(data)
    return digest.hexdigest()

"""What the manifest says of an encoder: all that scores move with."""

from pathlib import Path

from anchormine.encoder import checked_path
from anchormine.model_checksum import model_checksum
from anchormine.pipelines.worker_compute import compute_facts
from anchormine.sampling.weighers import WeighingOptions

FACTS = ("encoder", "encoder_sha256", "encoder_revision", "device", "dtype")


def encoder_facts(weighing: WeighingOptions) -> dict[str, str | None]:
    """The name, checksum and version of an encoder, and where and in which precision it is used.

    Args:
        weighing: by attention.

    Returns:
        A value for each of `FACTS`.
    """
    from anchormine.sampling.encoder import hub_revision

    return {
        "encoder": _encoder_name(weighing.encoder),
        "encoder_sha256": model_checksum(weighing.encoder),
        "encoder_revision": hub_revision(checked_path(weighing.encoder)),
        **compute_facts(weighing),
    }


def _encoder_name(encoder: str) -> str:
    """The encoder without a path, which says nothing to others."""
    return encoder.rstrip("/").rpartition("/")[2] if Path(encoder).is_dir() else encoder

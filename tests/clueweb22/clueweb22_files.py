"""Files in the form of ClueWeb22's, made in the test: nobody may pass on the collection itself."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def page_id(number: int, stem: str = "en0000-00") -> str:
    return f"clueweb22-{stem}-{number:05}"


def text(number: int, url: str, clean: str, stem: str = "en0000-00", language: str = "en") -> bytes:
    """A record of a file of texts. URLs end in a line feed there."""
    return line(
        {
            "URL": f"{url}\n",
            "URL-hash": f"{number:032X}",
            "Language": language,
            "ClueWeb22-ID": page_id(number, stem),
            "Clean-Text": clean,
        }
    )


def links(
    kind: str, number: int, url: str, rows: Sequence[Any], stem: str = "en0000-00", language: str = "en"
) -> bytes:
    """A record of a file of links."""
    return line(
        {
            "url": url,
            "urlhash": f"{number:032X}",
            "language": language,
            "ClueWeb22-ID": page_id(number, stem),
            {"inlink": "anchors", "outlink": "outlinks"}[kind]: rows,
        }
    )


def line(record: Any) -> bytes:
    return json.dumps(record).encode() + b"\n"


def members(*lines: bytes) -> list[bytes]:
    return [gzip.compress(one, mtime=0) for one in lines]


def offsets(packed: Sequence[bytes]) -> bytes:
    """The `.offset` file: where each member starts, and where the last ends."""
    places = [sum(map(len, packed[:number])) for number in range(len(packed) + 1)]
    return b"".join(b"%010d\n" % place for place in places)


def write_file(root: Path, kind: str, stem: str, *lines: bytes) -> Path:
    """Writes a file of the collection, and its list of offsets, to their folder."""
    name, language = stem.partition("-")[0], stem.rstrip("0123456789-")
    folder = root / kind / language / name[:-2] / name
    folder.mkdir(parents=True, exist_ok=True)
    packed = members(*lines)
    (folder / f"{stem}.offset").write_bytes(offsets(packed))
    path = folder / f"{stem}.json.gz"
    path.write_bytes(b"".join(packed))
    return path

# SPDX-License-Identifier: Apache-2.0
"""The ways in which other programs than warcio write a record of WARC."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_HEAD_END = b"\r\n\r\n"
_DIGESTS = rb"(?m)^WARC-[A-Za-z]+-Digest: .*\n"  # they do not fit what is written anew


def _of_wget(record: bytes) -> bytes:
    """Puts the address between < and >, as older versions of wget do."""
    return re.sub(rb"(?m)^(WARC-Target-URI: )(.*)\r$", rb"\1<\2>\r", record, count=1)


def _of_clueweb09(record: bytes) -> bytes:
    """Writes WARC/0.18 with LF at the end of lines, and the length that the record had with CR LF."""
    head, http, body = record.split(_HEAD_END, 2)
    older = b"WARC/0.18" + head.removeprefix(b"WARC/1.1")
    heads = [re.sub(_DIGESTS, b"", part.replace(b"\r\n", b"\n") + b"\n") for part in (older, http)]
    return b"\n".join((*heads, body.removesuffix(_HEAD_END))) + b"\n\n"


FORMS: Mapping[str, Callable[[bytes], bytes]] = {"wget": _of_wget, "clueweb09": _of_clueweb09}

"""What texts are compared by: a hash for equal ones, MinHash (Broder 1997) for near-duplicates.

The signatures are datasketch's, with CRC-32 as the hash of a shingle: the default, SHA-1, takes four times as
long and tells no more of 32 bits. They do not leave a run, so its version may change them.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

import numpy as np

from anchormine.sampling.draws import hash64
from anchormine.text.scripts import UNSPACED

# With 64 permutations the estimate of a similarity of 0.8 has a standard deviation of 0.05.
PERMUTATIONS = 64
SHINGLE_WORDS = 3
_SEED = 1
_BY_CHANCE = 1 / 256  # bytes of different numbers that are equal
# Each character of a script without spaces stands for a word.
_WORD = re.compile(rf"[^\W{UNSPACED}]+|\w")


def text_hash(text: str) -> int:
    """What texts have in common that differ in case and white space alone, 64 bits."""
    return hash64(0, "text", " ".join(text.casefold().split()))


def signatures(texts: Sequence[str]) -> np.ndarray:
    """MinHash signatures of texts, of which a byte of each number is kept (b-bit, Li and König 2010).

    Args:
        texts: n of them, in any script.

    Returns:
        [n, 64] uint8. Rows of texts without words are all equal.
    """
    from datasketch import MinHash

    made = MinHash.bulk(map(_shingles, texts), num_perm=PERMUTATIONS, seed=_SEED, hashfunc=zlib.crc32)
    numbers = np.array([sketch.hashvalues for sketch in made], np.uint64)
    return numbers.reshape(len(texts), PERMUTATIONS).astype(np.uint8)


def similarity(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Estimated Jaccard similarities of the texts' sets of three words in a row.

    Args:
        one: signatures [n, 64].
        other: as many.

    Returns:
        [n] float64; of texts with nothing in common about 0, sometimes a little below.
    """
    alike = np.count_nonzero(one == other, axis=-1) / PERMUTATIONS
    return (alike - _BY_CHANCE) / (1 - _BY_CHANCE)


def _shingles(text: str) -> list[bytes]:
    words = _WORD.findall(text.casefold())
    if len(words) <= SHINGLE_WORDS:
        return [" ".join(words).encode()]
    runs = (words[start:] for start in range(SHINGLE_WORDS))
    return [shingle.encode() for shingle in set(map(" ".join, zip(*runs, strict=False)))]

"""What texts are compared by: a hash for equal ones, MinHash (Broder 1997) for near-duplicates.

The signatures are rensa's: of all kept libraries for Python the only one that hashes outside the interpreter,
a hundred times faster than datasketch. They do not leave a run, so its version may change them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from anchormine.sampling.draws import hash64

# With 64 permutations the estimate of a similarity of 0.8 has a standard deviation of 0.05.
PERMUTATIONS = 64
SHINGLE_WORDS = 3
_SEED = 1
_BY_CHANCE = 1 / 256  # bytes of different numbers that are equal
# Scripts without spaces: Thai to Burmese, Khmer, Kana, Han. Each of their characters stands for a word.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af"
)
_WORD = re.compile(rf"[^\W{_UNSPACED}]+|\w")


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
    from rensa import RMinHash

    sets = [_shingles(text) for text in texts]
    rows = RMinHash.digest_matrix_from_token_sets(sets, PERMUTATIONS, _SEED).to_rows()
    return np.array(rows, np.uint32).reshape(len(texts), PERMUTATIONS).astype(np.uint8)


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


def _shingles(text: str) -> list[str]:
    words = _WORD.findall(text.casefold())
    if len(words) <= SHINGLE_WORDS:
        return [" ".join(words)]
    runs = (words[start:] for start in range(SHINGLE_WORDS))
    return list(set(map(" ".join, zip(*runs, strict=False))))

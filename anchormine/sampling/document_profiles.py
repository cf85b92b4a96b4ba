"""What PROP's paper says, what its program does, and what anchormine does by default, as options.

Paper: Ma et al., PROP: Pre-training with Representative Words Prediction for Ad-hoc Retrieval, WSDM 2021,
section 3. Program: github.com/Albert-Ma/PROP; the scores that come with its toy corpus show that it takes
P(w|C) from document frequencies, counts stems but draws words, and knows the letters a to z alone.

Word2vec's subsampling keeps a word of relative frequency f with the probability sqrt(t / f) + t / f. The
program applies it to the document before the draw, which leaves less of the document and more of the
collection to be drawn: with t = 1e-5, of the words drawn for its toy wiki 41 % are the document's. By default
it is applied to what is drawn, from either part: words come by P(w|D) times that probability, and 54 % of
them are the document's.

The program draws ten pairs of sets of each document and keeps four or five; all profiles draw five.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from anchormine.errors import UsageError
from anchormine.text.term_rules import Stem, Words

Background = Literal["counts", "documents"]
Thinned = Literal["draws", "document"]
Sampling = Literal["model", "random"]
SAMPLINGS: tuple[Sampling, ...] = get_args(Sampling)


@dataclass(frozen=True)
class DocumentProfile:
    """How word sets are drawn from the model of a document.

    Attributes:
        name: as in `--profile`, and in the manifest.
        words: see `anchormine.text.term_rules.TermRules`.
        stem: the same.
        left_out: the same.
        min_count: rarer terms of the corpus are never drawn; they count for lengths all the same.
        background: P(w|C) from the counts of terms, or from their document frequencies.
        subsample: t of word2vec's subsampling; 0 for none.
        thinned: what is subsampled: the words that are drawn, or those of the document before the draw.
        sampling: sets are drawn from the model of the document, or uniformly from the vocabulary (PROP's
            ablation).
        sets: pairs of word sets of a document.
    """

    name: str
    words: Words = "letters"
    stem: Stem = "none"
    left_out: frozenset[str] = frozenset()
    min_count: int = 50
    background: Background = "counts"
    subsample: float = 1e-5
    thinned: Thinned = "draws"
    sampling: Sampling = "model"
    sets: int = 5

    def __post_init__(self) -> None:
        if self.min_count < 1:
            raise UsageError(f"--min-count {self.min_count}: give 1 or more")
        if not 0 <= self.subsample < float("inf"):
            raise UsageError(f"--subsample {self.subsample}: give 0 (none) or more, such as 1e-5")
        if self.sets < 1:
            raise UsageError(f"--word-sets {self.sets}: give 1 or more")
        for name, known in (("background", Background), ("thinned", Thinned), ("sampling", Sampling)):
            if getattr(self, name) not in get_args(known):
                raise UsageError(f"{name} {getattr(self, name)}: one of {', '.join(get_args(known))}")


# What the program's second list, NLTK's for English, adds to INQUERY's: most are halves of contractions.
_HALVES = frozenset(
    "ain aren couldn d did didn doesn don hadn hasn haven having isn ll m ma mightn mustn needn o re s shan "
    "shouldn t theirs ve wasn weren won wouldn y".split()
)

OURS = DocumentProfile("ours")
PAPER = DocumentProfile("paper", thinned="document")
CODE = DocumentProfile(
    "code",
    words="ascii",
    stem="porter",
    left_out=_HALVES,
    min_count=10,
    background="documents",
    subsample=1e-4,
    thinned="document",
)
DOCUMENT_PROFILES = {profile.name: profile for profile in (OURS, PAPER, CODE)}

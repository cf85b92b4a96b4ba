"""A WordPiece tokenizer of one's own, lower-cased, as BERT's."""

import importlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

SPECIAL = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
# Characters that are pieces of their own take at most this part of the vocabulary, in either form ("x" and
# "##x").
ALPHABET_SHARE = 0.1
# ... but for a small one, which may give up to half of itself to so many: a language's letters, digits and
# stops.
SMALLEST_ALPHABET = 80
# A piece that a corpus has once is no help to it.
MIN_COUNT = 2


def train_tokenizer(texts: Callable[[], Iterator[str]], vocab_size: int, length: int) -> Any:
    """Learns pieces from texts; the same texts always give the same vocabulary, in the same order.

    Args:
        texts: starts a pass over the texts; there are two.
        vocab_size: pieces at most, with the five special ones.
        length: tokens of the longest input, kept in the tokenizer.

    Returns:
        A fast tokenizer of transformers; AutoTokenizer loads what its save_pretrained writes.
    """
    normalizer, splitter = normalizers.BertNormalizer(lowercase=True), pre_tokenizers.BertPreTokenizer()
    learner = Tokenizer(models.WordPiece(unk_token=SPECIAL["unk"]))
    learner.normalizer, learner.pre_tokenizer = normalizer, splitter
    # The trainer numbers characters in the order of a hash table, and breaks ties between merges by number:
    # two runs differ. It keeps the order of its special tokens, so they bring the alphabet, and it finds
    # none of its own.
    letters = max(round(ALPHABET_SHARE * vocab_size / 2), min(SMALLEST_ALPHABET, vocab_size // 4))
    alphabet = _alphabet(texts(), normalizer, letters)
    trainer = trainers.WordPieceTrainer(
        vocab_size=vocab_size,
        min_frequency=MIN_COUNT,
        special_tokens=[*SPECIAL.values(), *alphabet, *(f"##{character}" for character in alphabet)],
        limit_alphabet=0,
        show_progress=False,
    )
    learner.train_from_iterator(texts(), trainer)
    tokenizer = Tokenizer(
        models.WordPiece(learner.get_vocab(), unk_token=SPECIAL["unk"], max_input_chars_per_word=100)
    )
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, splitter
    return _wrap(tokenizer, length)


def _alphabet(texts: Iterator[str], normalizer: normalizers.Normalizer, size: int) -> list[str]:
    """The most frequent characters, sorted."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(normalizer.normalize_str(text))
    frequent = sorted(counts, key=lambda character: (-counts[character], character))
    return sorted([character for character in frequent if not character.isspace()][:size])


def _wrap(tokenizer: Tokenizer, length: int) -> Any:
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(SPECIAL[name], tokenizer.token_to_id(SPECIAL[name])) for name in ("cls", "sep")],
    )
    names = {f"{name}_token": token for name, token in SPECIAL.items()}
    # transformers 4 and 5 both know this class by name, and write it into the folder; 5 has no such type
    tokenizer_class = importlib.import_module("transformers").BertTokenizerFast
    return tokenizer_class(tokenizer_object=tokenizer, model_max_length=length, **names)

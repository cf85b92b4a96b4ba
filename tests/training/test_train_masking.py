import numpy as np
import pytest

from anchormine.errors import UsageError
from anchormine.training.masking import NO_LABEL, NO_WORD, WordMasking

MASK = 4
ORDINARY = np.arange(5, 100)


def masking(**options) -> WordMasking:
    return WordMasking(MASK, ORDINARY, **options)


def rows_of_words(rows: int, words: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of [CLS], words of two pieces each, [SEP]; a piece is 10 + its place."""
    numbers = np.repeat(np.arange(words), 2)
    one = np.concatenate(([NO_WORD], numbers, [NO_WORD]))
    return np.tile(10 + np.arange(len(one)) % 80, (rows, 1)), np.tile(one, (rows, 1))


def test_whole_words_are_hidden():
    ids, words = rows_of_words(200, 20)
    masked = masking()(ids, words, np.random.default_rng(0))
    hidden = masked.labels.numpy() != NO_LABEL
    assert (hidden.sum(1) == 6).all()  # 15 % of 20 words, of two pieces
    assert (hidden[:, 1:-1:2] == hidden[:, 2:-1:2]).all()
    assert not hidden[:, [0, -1]].any()
    assert (masked.labels.numpy()[hidden] == ids[hidden]).all()
    assert (masked.ids.numpy()[~hidden] == ids[~hidden]).all()


def test_what_becomes_of_hidden_pieces():
    ids, words = rows_of_words(2000, 20)
    masked = masking()(ids, words, np.random.default_rng(0))
    hidden = masked.labels.numpy() != NO_LABEL
    now, before = masked.ids.numpy()[hidden], ids[hidden]
    shares = [(now == MASK).mean(), (now == before).mean(), ((now != MASK) & (now != before)).mean()]
    assert shares == pytest.approx([0.8, 0.1, 0.1], abs=0.01)
    assert np.isin(now, [MASK, *ORDINARY]).all()


def test_at_most_so_many_pieces():
    ids, words = rows_of_words(20, 600)
    masked = masking()(ids, words, np.random.default_rng(0))
    assert ((masked.labels.numpy() != NO_LABEL).sum(1) == 60).all()


def test_each_draw_is_another_and_the_seed_decides():
    ids, words = rows_of_words(4, 20)
    rng = np.random.default_rng(7)
    first, second = masking()(ids, words, rng), masking()(ids, words, rng)
    again = masking()(ids, words, np.random.default_rng(7))
    assert not first.labels.equal(second.labels)
    assert first.ids.equal(again.ids)
    assert first.labels.equal(again.labels)


def test_row_without_words_stays():
    ids, words = rows_of_words(1, 0)
    masked = masking()(ids, words, np.random.default_rng(0))
    assert masked.ids.tolist() == ids.tolist()
    assert masked.labels.tolist() == [[NO_LABEL, NO_LABEL]]


def test_bad_share():
    with pytest.raises(UsageError, match=r"--share 1\.5: must be from 0\.0 to 1\.0"):
        masking(share=1.5)

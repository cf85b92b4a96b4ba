"""The top k is exact, and the same for any size of block."""

import numpy as np
import pytest

from anchormine.negatives.top_k import top_k


def _vectors(count: int, seed: int, width: int = 48) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((count, width)).astype(np.float32)


def _whole_order(queries: np.ndarray, documents: np.ndarray, k: int) -> np.ndarray:
    """By sums in float64, whose errors are far below the distances of these scores."""
    scores = queries.astype(np.float64) @ documents.astype(np.float64).T
    return np.argsort(-scores, axis=1, kind="stable")[:, :k]


def test_it_is_the_head_of_the_whole_order() -> None:
    queries, documents = _vectors(33, 1), _vectors(700, 2)
    found = top_k(queries, documents, 20)
    assert np.array_equal(found.documents, _whole_order(queries, documents, 20))
    exact = (queries.astype(np.float64) @ documents.T.astype(np.float64)).astype(np.float32)
    np.testing.assert_allclose(
        found.scores, np.take_along_axis(exact, found.documents, 1), rtol=1e-4, atol=1e-5
    )
    assert found.documents.dtype == np.int64
    assert found.scores.dtype == np.float32


@pytest.mark.parametrize(("query_block", "document_block"), [(1, 1), (7, 13), (33, 699), (128, 10_000)])
def test_any_size_of_block_gives_the_same_bits(query_block: int, document_block: int) -> None:
    distinct = _vectors(300, 3)
    documents = np.concatenate(
        [distinct, distinct[::-1], distinct[:150]]
    )  # copies of one score exactly alike
    queries = _vectors(33, 4)
    whole = top_k(queries, documents, 25)
    cut = top_k(queries, documents, 25, query_block=query_block, document_block=document_block)
    assert np.array_equal(cut.documents, whole.documents)
    assert np.array_equal(cut.scores, whole.scores)


def test_equal_documents_are_in_their_order() -> None:
    one = _vectors(1, 5)
    documents = np.concatenate([_vectors(40, 6) * 0.01, np.repeat(one, 400, axis=0)])
    found = top_k(one, documents, 60, document_block=37)
    assert found.documents.tolist() == [list(range(40, 100))]
    assert len(set(found.scores[0].tolist())) == 1


def test_scores_of_both_signs_and_zeros_are_ordered() -> None:
    documents = np.array([[-1.0], [0.0], [2.0], [-0.0], [1.0]], np.float32)
    found = top_k(np.array([[1.0], [-1.0]], np.float32), documents, 5)
    assert found.documents.tolist() == [[2, 4, 1, 3, 0], [0, 1, 3, 4, 2]]
    assert found.scores.tolist() == [[2, 1, 0, 0, -1], [1, 0, 0, -1, -2]]


def test_blocks_can_be_given_one_by_one() -> None:
    queries, documents = _vectors(9, 7), _vectors(90, 8)
    parts = (documents[start : start + 31] for start in range(0, 90, 31))
    assert np.array_equal(top_k(queries, parts, 12).documents, top_k(queries, documents, 12).documents)


def test_fewer_documents_than_k_are_all_given() -> None:
    queries, documents = _vectors(4, 9), _vectors(3, 10)
    assert np.array_equal(top_k(queries, documents, 200).documents, _whole_order(queries, documents, 3))


def test_nothing_to_search_in_or_for() -> None:
    assert top_k(_vectors(4, 11), _vectors(0, 11), 5).documents.shape == (4, 0)
    assert top_k(_vectors(0, 11), _vectors(4, 11), 3).documents.shape == (0, 3)


def test_wrong_input_is_refused() -> None:
    broken = _vectors(5, 12)
    broken[3, 1] = np.nan
    with pytest.raises(ValueError, match="not finite"):
        top_k(_vectors(2, 12), broken, 2)
    with pytest.raises(ValueError, match="k is 0"):
        top_k(_vectors(2, 12), _vectors(5, 12), 0)
    with pytest.raises(ValueError, match="queries of 48 numbers, documents of 8"):
        top_k(_vectors(2, 12), _vectors(5, 12, width=8), 2)

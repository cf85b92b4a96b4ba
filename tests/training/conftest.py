"""Fixtures that the tests of a run share; none of them writes into one."""

from collections.abc import Sequence

import pytest

from tests.training.tiny_inputs import make_model, pages, pairs, write_collection, write_folder


@pytest.fixture(scope="session")
def data(tmp_path_factory) -> str:
    """A folder with pages and the pairs of two tasks."""
    tables: dict[str, Sequence[tuple]] = {
        "pages": pages(40),
        "pairs/rqp": pairs("rqp", 24),
        "pairs/qdm": pairs("qdm", 8),
    }
    return write_folder(tmp_path_factory.mktemp("data"), tables)


@pytest.fixture(scope="session")
def collection(tmp_path_factory) -> str:
    return write_collection(tmp_path_factory.mktemp("collections") / "small")


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory) -> str:
    """A masked language model of random weights with its tokenizer."""
    return make_model(tmp_path_factory.mktemp("models") / "tiny")

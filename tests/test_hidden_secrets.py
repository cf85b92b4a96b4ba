"""Credentials among the words of a command line."""

from __future__ import annotations

import pytest

from anchormine.hidden_secrets import is_sealed_by, seal, without_secrets
from anchormine.training.model_card import command

SHOWN = [
    ["--set", "tokenizer=bert", "--set", "max_tokens=5", "--batch-size", "3"],
    ["--tokens", "5", "--passage-words=7", "gs://bucket/a@b", "me@host", "passages=9"],
]
HIDDEN = [
    (
        ["--s3_secret_access_key=a=b", "--s3_access_key_id=c"],
        ["--s3_secret_access_key=***", "--s3_access_key_id=***"],
    ),
    (["--s3_session_token", "a", "b"], ["--s3_session_token", "***", "b"]),
    (["--s3_session_token", "--strict"], ["--s3_session_token", "--strict"]),
    (["--azure_connection_string=AccountKey=a;b"], ["--azure_connection_string=***"]),
    (["--set", "token=a", "--set=apiKey=b\nc"], ["--set", "token=***", "--set=apiKey=***"]),
    (["--set", "hf-token=a", "PASSWORD=a"], ["--set", "hf-token=***", "PASSWORD=***"]),
    (["https://me:a@host/x@y", "--to=https://a@host"], ["https://***@host/x@y", "--to=https://***@host"]),
]


@pytest.mark.parametrize("words", SHOWN)
def test_other_words_are_shown(words) -> None:
    assert without_secrets(words) == words
    assert seal(words) is None
    assert is_sealed_by(words, None)


@pytest.mark.parametrize(("words", "shown"), HIDDEN)
def test_credentials_are_hidden(words, shown) -> None:
    assert without_secrets(words) == shown
    assert without_secrets(shown) == shown


def test_a_seal_tells_whether_words_are_the_same() -> None:
    words = ["--s3_session_token=a", "b"]
    first, second = seal(words), seal(words)
    assert first != second
    for sealed in (first, second):
        assert is_sealed_by(words, sealed)
        assert not is_sealed_by(["--s3_session_token=b", "b"], sealed)
        assert not is_sealed_by(["b"], sealed)
    assert not is_sealed_by(words, None)


def test_model_cards_have_none(monkeypatch) -> None:
    monkeypatch.setattr("sys.argv", ["/bin/anchormine", "run", "my file.toml", "--set", "token=a"])
    assert command() == "anchormine run 'my file.toml' --set 'token=***'"

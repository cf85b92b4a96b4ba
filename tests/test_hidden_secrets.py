"""Credentials among the words of a command line."""

from __future__ import annotations

import pytest

from anchormine.hidden_secrets import is_sealed_by, seal, without_secrets
from anchormine.training.model_card import command
from tests.growth import LINEAR, growth_of

SHOWN = [
    ["--set", "tokenizer=bert", "--set", "max_tokens=5", "--batch-size", "3"],
    ["--tokens", "5", "--passage-words=7", "gs://bucket/a@b", "me@host", "passages=9"],
    ["--output", "data/key=2024/out", "--set", "monkey=3", "--query", "key=value pairs in caches"],
    ["https://host/a?page=2&size=3", "--monkey=3", "--set", "key=", "keys"],
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
    (["--set", "APIKeys=a", "--set", "hf_auth=b=c"], ["--set", "APIKeys=***", "--set", "hf_auth=***"]),
    (["az://a/b?sv=1&sig=c%2B"], ["az://a/b?sv=1&sig=***"]),
    (["https://a/b?X-Amz-Signature=c&x=d#e"], ["https://a/b?X-Amz-Signature=***&x=d#e"]),
    (["https://me:a@host/x@y", "--to=https://a@host"], ["https://***@host/x@y", "--to=https://***@host"]),
]


@pytest.mark.parametrize("words", SHOWN)
def test_other_words_are_shown(words) -> None:
    assert without_secrets(words) == words


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
    for other in ("", ":", "no seal", "\ud800:00"):
        assert not is_sealed_by(words, other)


def test_known_values_are_hidden_wherever_they_stand() -> None:
    words = ["--job_name=x-12345678-y", "1234567", "data/12345678/9"]
    assert without_secrets(words, ["12345678", "1234567", "12345678/9", ""]) == [
        "--job_name=x-***-y",
        "1234567",
        "data/***",
    ]


@pytest.mark.parametrize("part", ["secret", "key_", "://a", "?key=", "a=", "&a.b-", "--"])
def test_long_words_take_linear_time(part: str) -> None:
    assert growth_of(lambda count: without_secrets([part * count, "--set", part * count])) <= LINEAR


def test_model_cards_have_none(monkeypatch) -> None:
    monkeypatch.setattr("sys.argv", ["/bin/anchormine", "run", "my file.toml", "--set", "token=a"])
    assert command() == "anchormine run 'my file.toml' --set 'token=***'"

"""Files beside a model that say how its vectors are made, and are damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from anchormine.errors import UsageError
from anchormine.retrieval.encoder_form import FORM, MODULES, EncoderForm, Head, read_form


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (FORM, "{}"),
        (FORM, "[]"),
        (FORM, '{"poolings": 7}'),
        (MODULES, '{"0": {}}'),
        (MODULES, '[{}, {"path": "1_Pooling"}]'),
        (MODULES, '[{}, {"type": 7, "path": "1_Pooling"}]'),
    ],
)
def test_damaged_files(tmp_path: Path, file: str, text: str) -> None:
    (tmp_path / file).write_text(text)
    with pytest.raises(UsageError) as caught:
        read_form(str(tmp_path))
    assert str(caught.value) == (
        f"{tmp_path}: modules.json, a file that it names, or dual_encoder.json is damaged; save the model "
        "again"
    )


def test_no_json(tmp_path: Path) -> None:
    (tmp_path / FORM).write_text("{")
    with pytest.raises(UsageError) as caught:
        read_form(str(tmp_path))
    assert str(caught.value).startswith(f"{tmp_path / FORM}: not JSON (Expecting property name")
    assert str(caught.value).endswith("; save the model again")
    (tmp_path / FORM).write_text("[" * 100_000)
    with pytest.raises(UsageError, match="maximum recursion depth exceeded"):
        read_form(str(tmp_path))


def test_whole_files(tmp_path: Path) -> None:
    assert read_form(str(tmp_path)) == EncoderForm()
    (tmp_path / MODULES).write_text('[{}, {"type": "st.models.Normalize", "path": "2_Normalize"}]')
    normalised = EncoderForm((), (Head("Normalize", "2_Normalize"),), "cosine")
    assert read_form(str(tmp_path)) == normalised
    (tmp_path / FORM).write_text('{"poolings": ["cls"], "query_length": 32, "unknown": 1}')
    assert read_form(str(tmp_path)) == normalised._replace(poolings=("cls",), query_length=32)

"""The pairs without a negative side train what others have written: loaded by `datasets`, two steps each."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.pipelines.command_runs import QUIET, main, read_table


@pytest.fixture(scope="module")
def folder(demo_wiki: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = shutil.copytree(demo_wiki, tmp_path_factory.mktemp("trainers") / "folder")
    assert main(["pairs", str(folder), "--task", "anchor_document", "codoc", *QUIET]) == 0
    return folder


def small_model(path: Path):
    """A sentence encoder with the shipped encoder's tokenizer and almost no weights."""
    from sentence_transformers import SentenceTransformer
    from transformers import AutoTokenizer, BertConfig, BertModel

    from anchormine.encoder import encoder_path

    tokenizer = AutoTokenizer.from_pretrained(encoder_path("default"))
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
    )
    BertModel(config).save_pretrained(path)
    tokenizer.save_pretrained(path)
    model = SentenceTransformer(str(path), device="cpu")  # with the mean of the last layer
    model.max_seq_length = 32
    return model


def check_two_steps(folder: Path, task: str, tmp_path: Path) -> None:
    """Loads the pairs of a task and trains on their two texts."""
    datasets = pytest.importorskip("datasets")
    library = pytest.importorskip("sentence_transformers")
    losses = pytest.importorskip("sentence_transformers.losses")
    pytest.importorskip("accelerate")  # its trainer asks for it
    rows = datasets.load_dataset(
        str(folder), f"pairs-{task}", split="train", cache_dir=str(tmp_path / "cache")
    )
    assert rows.num_rows == len(read_table(folder, f"pairs/{task}")) > 16
    model = small_model(tmp_path / "model")
    settings = library.SentenceTransformerTrainingArguments(
        output_dir=str(tmp_path / "out"),
        max_steps=2,
        per_device_train_batch_size=8,
        logging_steps=1,
        use_cpu=True,
        report_to=[],
        save_strategy="no",
    )
    trainer = library.SentenceTransformerTrainer(
        model=model,
        args=settings,
        train_dataset=rows.select_columns(["query", "document"]),
        loss=losses.MultipleNegativesRankingLoss(model),
    )
    assert trainer.train().global_step == 2
    logged = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    assert len(logged) == 2
    assert all(0 < loss < 20 for loss in logged)


@pytest.mark.slow
@pytest.mark.parametrize("task", ["anchor_document", "codoc"])
def test_two_steps_of_sentence_transformers(folder: Path, task: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    check_two_steps(folder, task, tmp_path)

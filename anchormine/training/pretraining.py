"""`train pretrain`: a cross-encoder on mined pairs, with masked words beside them (HARP, section 3.5)."""

from dataclasses import asdict
from pathlib import Path

from anchormine.datasets import DatasetFolder
from anchormine.training.learning_rate import chosen_rate
from anchormine.training.loop import Task
from anchormine.training.losses import PAIR_LOSSES
from anchormine.training.masked_head import MaskedHead
from anchormine.training.masking import WordMasking
from anchormine.training.model_card import ModelCard
from anchormine.training.model_run import LeftOut, Preparation, train_model
from anchormine.training.models import load_masked_model
from anchormine.training.options import PretrainOptions
from anchormine.training.pair_encoding import PairEncoder
from anchormine.training.pair_stream import PairStream, choose_tasks
from anchormine.training.progress import Progress
from anchormine.training.ranker import PairCollator, Ranker, load_ranker
from anchormine.training.ranking_model import RankingModel
from anchormine.training.resumption import result_options, table_checksums
from anchormine.training.settings import Settings

_LINKS = ("links", "links (HARP, CIKM 2021)")
# What else pairs are made of, for the title and the text of a model card.
_ORIGINS = {
    "rop": ("word sets", "the words of pages (PROP, WSDM 2021)"),
    "bprop": ("word sets", "the words of pages (PROP, WSDM 2021; B-PROP, SIGIR 2021)"),
}


def pretrain(options: PretrainOptions, settings: Settings, progress: Progress) -> Path:
    """Pre-trains a cross-encoder, and makes the model folder.

    Args:
        options: what to learn.
        settings: for how long.
        progress: for a person.

    Returns:
        The model folder.

    Raises:
        UsageError, CommandError: as `train_model`.
    """
    return train_model(lambda: _prepare(options, settings), settings, progress)


def _prepare(options: PretrainOptions, settings: Settings) -> Preparation:
    folder = DatasetFolder(options.folder)
    tasks = choose_tasks(folder, options.tasks)
    ranker = _ranker(options, settings, tasks)
    stream = PairStream(folder, tasks, options.mix, settings.seed, ranker.collator.encoder.problem)
    lr = chosen_rate(settings.lr, "pretrain", ranker.module.scorer.config.hidden_size)
    task = Task(
        ranker.module,
        sum(tasks.values()),
        lambda epoch: stream.batches(epoch, settings.batch_size, options.length),
        ranker.collator,
        lr,
    )
    return Preparation(
        task,
        result_options(
            settings,
            asdict(options),
            table_checksums(folder, [f"pairs-{name}" for name in tasks]),
            options.init,
        ),
        f"{options.folder}: {_listed(tasks)}",
        LeftOut(options.folder, ("pair of an epoch", "pairs of an epoch"), stream.left_out),
        ranker.save,
    )


def _ranker(options: PretrainOptions, settings: Settings, tasks: dict[str, int]) -> Ranker:
    scorer, tokenizer = load_ranker(options.init, options.length, settings.seed)
    head = MaskedHead(load_masked_model(options.init), scorer.base_model) if options.mlm_weight else None
    module = RankingModel(scorer, PAIR_LOSSES[options.loss], head, options.mlm_weight)
    masking = WordMasking.of(tokenizer) if head else None
    collator = PairCollator(PairEncoder(tokenizer, options.length), masking)
    return Ranker(module, tokenizer, collator, _card(options, tasks))


def _listed(tasks: dict[str, int]) -> str:
    return ", ".join(f"{count} pairs of {task}" for task, count in tasks.items())


def _card(options: PretrainOptions, tasks: dict[str, int]) -> ModelCard:
    origins = dict(_ORIGINS.get(task, _LINKS) for task in tasks)
    return ModelCard(
        title=f"A cross-encoder pre-trained on {' and '.join(origins)}",
        what=(
            "Scores how well a document answers a query; it was pre-trained on pairs that anchormine mined "
            f"from {' and from '.join(origins.values())} with the {options.loss} loss, and is meant to be "
            "fine-tuned on judgements."
        ),
        data=f"{_listed(tasks)} in {options.folder}",
        base=options.init,
        licence=options.licence,
        tags=("cross-encoder", "text-ranking", "anchormine"),
    )

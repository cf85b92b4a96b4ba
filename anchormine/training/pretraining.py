"""`train pretrain`: a cross-encoder on mined pairs, with masked words beside them (HARP, section 3.5)."""

from dataclasses import asdict
from pathlib import Path

import torch

from anchormine.datasets import DatasetFolder
from anchormine.training.compute import choose_compute
from anchormine.training.losses import PAIR_LOSSES
from anchormine.training.masked_head import MaskedHead
from anchormine.training.masking import WordMasking
from anchormine.training.model_card import ModelCard
from anchormine.training.models import check_length, load_masked_model, load_scorer, load_tokenizer
from anchormine.training.options import PretrainOptions
from anchormine.training.pair_encoding import PairEncoder
from anchormine.training.pair_stream import PairStream, choose_tasks
from anchormine.training.progress import Progress
from anchormine.training.ranker import PairCollator, RankerRun, train_ranker
from anchormine.training.ranking_model import RankingModel
from anchormine.training.resumption import result_options, table_checksums
from anchormine.training.run_folder import RunFolder
from anchormine.training.settings import Settings


def pretrain(options: PretrainOptions, settings: Settings, progress: Progress) -> Path:
    """Trains, and makes the model folder.

    Args:
        options: what to learn.
        settings: for how long.
        progress: for a person.

    Returns:
        The model folder.

    Raises:
        UsageError: data, model or options are not as they must be; nothing was touched.
        CommandError: the training failed; its checkpoint stays.
    """
    compute = choose_compute(settings.device, settings.dtype)
    run = RunFolder(settings.output, settings.resume, settings.overwrite)
    if run.finished:
        progress.note(f"{settings.output}: is complete; there is nothing to resume")
        return run.output
    folder = DatasetFolder(options.folder)
    tasks = choose_tasks(folder, options.tasks)
    ranker = _prepare(options, settings, folder, tasks)
    checksums = table_checksums(folder, [f"pairs-{task}" for task in tasks])
    chosen = result_options(settings, asdict(options), checksums)
    run.begin(chosen)
    progress.note(
        f"{options.folder}: " + ", ".join(f"{count} pairs of {task}" for task, count in tasks.items())
    )
    return train_ranker(ranker, settings, compute, run, progress)


def _prepare(
    options: PretrainOptions, settings: Settings, folder: DatasetFolder, tasks: dict[str, int]
) -> RankerRun:
    tokenizer = load_tokenizer(options.init)
    torch.manual_seed(settings.seed)  # heads that the checkpoint does not have are drawn
    scorer = load_scorer(options.init, new_head=True)
    check_length(options.length, scorer, tokenizer, options.init)
    head = MaskedHead(load_masked_model(options.init), scorer.base_model) if options.mlm_weight else None
    module = RankingModel(scorer, PAIR_LOSSES[options.loss], head, options.mlm_weight)
    encoder = PairEncoder(tokenizer, options.length)
    stream = PairStream(folder, tasks, options.mix, settings.seed, encoder.problem)
    return RankerRun(
        module,
        tokenizer,
        PairCollator(encoder, WordMasking.of(tokenizer) if head else None),
        sum(tasks.values()),
        lambda epoch: stream.batches(epoch, settings.batch_size, options.length),
        lambda: [
            f"{options.folder}: left out {count} pairs of an epoch: {reason}"
            for reason, count in sorted(stream.left_out.items())
        ],
        _card(options, tasks),
    )


def _card(options: PretrainOptions, tasks: dict[str, int]) -> ModelCard:
    return ModelCard(
        title="A cross-encoder pre-trained on links",
        what=(
            "Scores how well a document answers a query; it was pre-trained on pairs that anchormine mined "
            f"from links (HARP, CIKM 2021) with the {options.loss} loss, and is meant to be fine-tuned on "
            "judgements."
        ),
        data=", ".join(f"{count} pairs of {task}" for task, count in tasks.items()) + f" in {options.folder}",
        base=options.init,
        licence=options.licence,
        tags=("cross-encoder", "text-ranking", "anchormine"),
    )

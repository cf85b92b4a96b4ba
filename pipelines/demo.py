"""`anchormine demo`: every step on the small wiki and the small crawl inside the package."""

import argparse
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import anchormine
from anchormine.errors import CommandError, UsageError
from anchormine.pipelines.extras import ENCODERS, require
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.standard_streams import tell
from anchormine.schemas.pairs import HARP_TASKS, PASSAGE_TASKS

DEMO = Path(anchormine.__file__).parent / "demo"
_COLLECTION = str(DEMO / "collection")
# Small enough for two cores and a few minutes; real runs take the defaults of the steps. 64 tokens hold
# a query and the first words of a page. The judgements are few: four negatives make more of each.
_TRAINING = "--batch-size 16 --gradient-accumulation 1 --length 64"
_PRETRAIN = tuple(f"{_TRAINING} --max-steps 300 --mix equal --lr 1e-3".split())
# A dual encoder sees few pairs here: a cosine and a high rate get the most out of them.
_CONTRASTIVE = tuple(
    "--similarity cosine --lr 1e-3 --batch-size 32 --document-length 64 --negatives 1 --max-steps 40".split()
)
_RERANK = tuple(f"{_TRAINING} --epochs 10 --loss hinge --negatives 4 --lr 5e-4".split())


# What the dual encoder learns from: anchors with mined negatives, and sentences of passages without.
_DUAL_TASKS = ("anchor_document", "ict")


class DemoStep(NamedTuple):
    """One command of the demo: its name, and its arguments."""

    name: str
    arguments: tuple[str, ...]


def add_arguments(parser: StepParser) -> None:
    """Adds the options of the command."""
    parser.add_argument(
        "--output", default="demo-output", metavar="DIR", help="folder to write (default: %(default)s)"
    )
    parser.add_argument(
        "--overwrite", action="store_true", help="replace what an earlier demo has left there"
    )
    parser.add_argument(
        "--workers", default="1", metavar="N", help="processes of the mining steps (default: %(default)s)"
    )
    parser.add_argument("--seed", default="42", help="of all that is drawn (default: %(default)s)")
    parser.add_argument(
        "--progress",
        choices=("auto", "plain", "none"),
        default="auto",
        help="on standard error (default: %(default)s)",
    )
    parser.add_argument("--config", metavar="FILE", help="a TOML file with the same names; flags win")


def run(args: argparse.Namespace) -> int:
    """Runs the steps, one after the other, each as its command would."""
    from anchormine.pipelines.cli import main

    output = Path(args.output)
    if output.exists() and not output.is_dir():
        raise UsageError(f"{output}: is a file; give a folder")
    if output.exists() and any(output.iterdir()) and not args.overwrite:
        raise UsageError(f"{output}: is not empty; give --overwrite, or --output another folder")
    require("anchormine demo", (*ENCODERS, "bm25s", "ir_measures"))
    started = time.monotonic()
    for step in demo_steps(output, args):
        _run_step(step, main)
    print(f"\nThe dataset is in {output}, with the models in models/ and the runs in runs/.")
    print(f"That of the crawl is in {crawl_folder(output)}; two records of its file are faulty on purpose.")
    print("The dual encoder has learnt from links and passages alone; default is what it started from.")
    print("The ranker has learnt from the judgements of the train split; the scores are of the test split.")
    tell(f"anchormine: the demo took {time.monotonic() - started:.0f} s")
    return 0


def demo_steps(output: Path, args: argparse.Namespace) -> list[DemoStep]:
    """The commands of the demo, in order."""
    return [*wiki_steps(output, args), *crawl_steps(output, args), score_step(output, args)]


def models(output: Path) -> tuple[str, str, str]:
    """Folders of the pre-trained ranker, the one that has learnt from judgements, and the dual encoder."""
    folder = output / "models"
    return str(folder / "pretrained"), str(folder / "ranker"), str(folder / "dual")


def score_step(output: Path, args: argparse.Namespace) -> DemoStep:
    """The command that compares the models."""
    pretrained, ranker, dual = models(output)
    systems = ("bm25", "ql", pretrained, ranker, "default", dual)
    where = ("--collection", _COLLECTION, "--output", str(output / "runs"))
    return DemoStep("evaluate", (*systems, "--pooling", "mean", *where, "--progress", args.progress))


def crawl_folder(output: Path) -> Path:
    """Where the dataset of the crawl is written."""
    return output / "crawl"


def crawl_steps(output: Path, args: argparse.Namespace) -> list[DemoStep]:
    """The commands that mine the crawl."""
    crawl, folder = str(DEMO / "crawl.warc.gz"), str(crawl_folder(output))
    mining = ("--seed", args.seed, "--overwrite", "--progress", args.progress, "--workers", args.workers)
    return [
        DemoStep("web", (crawl, "--output", folder, "--licence", "CC0-1.0", *mining)),
        DemoStep("filter", (folder, *mining)),
        DemoStep("pairs", (folder, "--task", "anchor_document", *PASSAGE_TASKS, *mining)),
    ]


def wiki_steps(output: Path, args: argparse.Namespace) -> list[DemoStep]:
    """The commands from the wiki's dump to the models."""
    folder = str(output)
    pretrained, ranker, dual = models(output)
    common = ("--seed", args.seed, "--overwrite", "--progress", args.progress)
    mining = (*common, "--workers", args.workers)
    return [
        DemoStep("wiki", (str(DEMO / "wiki.xml"), "--output", folder, "--licence", "CC0-1.0", *mining)),
        DemoStep("pairs", (folder, "--task", *HARP_TASKS, *_DUAL_TASKS, *mining)),
        DemoStep("negatives", (folder, "--task", "anchor_document", "--from", "bm25", *mining)),
        DemoStep(
            "train", ("pretrain", folder, "--init", "default", "--output", pretrained, *_PRETRAIN, *common)
        ),
        DemoStep(
            "train",
            ("rerank", "--collection", _COLLECTION, "--init", pretrained, "--output", ranker, *_RERANK,
             *common),
        ),
        DemoStep(
            "train", ("contrastive", folder, "--task", *_DUAL_TASKS, "--output", dual, *_CONTRASTIVE, *common)
        ),
    ]  # fmt: skip


def _run_step(step: DemoStep, main: Callable[[list[str]], int]) -> None:
    print(f"\n$ {shlex.join(['anchormine', step.name, *step.arguments])}\n", flush=True)
    status = main([step.name, *step.arguments])
    if status == UsageError.exit_status:
        raise UsageError(f"nothing more was done: the demo's `anchormine {step.name}` was refused")
    if status:
        raise CommandError(f"the demo's `anchormine {step.name}` ended with status {status}")

"""What a run of `anchormine filter` is about, and what comes of it: counts, table of filters, warnings."""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from anchormine.datasets.funnel import funnel_row
from anchormine.errors import CommandError
from anchormine.filters.classifier_options import ClassifierOptions
from anchormine.filters.keywords import KEYWORDS
from anchormine.filters.query_threshold import CLASSIFIER, TextCounts
from anchormine.filters.rule_set import RuleSet
from anchormine.filters.same_site import SAME_SITE
from anchormine.filters.survival_table import ALL, classifier_line, survival_table
from anchormine.filters.unknown_letters import unknown_letters
from anchormine.numerals import counted
from anchormine.pipelines.filter_source import FilterSource
from anchormine.pipelines.mining import Outcome
from anchormine.transforms.load_classifier import load_classifier
from anchormine.transforms.report import Report

if TYPE_CHECKING:
    from anchormine.filters.query_classifier import QueryClassifier

# Beyond this part of the distinct texts it is told that more are kept than the share that was asked for: they
# have the score at which that is reached.
_TIED_SHARE = 0.05


class FilterRun(NamedTuple):
    """All that a run of the step is about."""

    source: FilterSource
    rules: RuleSet
    classifier: ClassifierOptions | None
    options: Mapping[str, Any]
    args: argparse.Namespace

    @property
    def filters(self) -> tuple[str, ...]:
        """Their names in order, that of all anchors before any filter first."""
        return (ALL, *self.rules.rules, *((CLASSIFIER,) if self.classifier else ()))


def filter_outcome(report: Report, run: FilterRun) -> Outcome:
    """Makes the outcome of a run.

    Raises:
        CommandError: nothing is left.
    """
    counts = report.counts
    # Known before the run, and so a check on what was counted in it.
    counts["anchors.read"] = run.source.rows
    if not report.rows("filtered"):
        remedies = {SAME_SITE: "--same-site off", KEYWORDS: "other --keywords" if run.args.keywords else ""}
        given = [remedy for rule, remedy in remedies.items() if counts.get(f"anchors.rejected.{rule}")]
        remedy = ", or ".join([*filter(None, given), "other --rules"])
        raise CommandError(
            f"{run.args.folder}: of {counted(run.source.rows, 'anchor')} the rules {run.rules.name} leave "
            f"none ({_reasons(counts)}), and nothing was published; give {remedy}"
        )
    counts["anchors.written"] = report.rows("filtered")
    tables: list[tuple[str, str, Any]] = [
        ("filters", *survival_table(run.rules.rules, run.classifier is not None, counts))
    ]
    warnings = []
    if run.classifier is not None:
        classifier = load_classifier(run.classifier.on_launcher())
        (found,) = report.notes["texts"]
        tables.append(("classifier", *classifier_line(TextCounts(*found), classifier.held_out)))
        counts["texts.read"], counts["texts.kept"], _ = found
        warnings = _warnings(run, classifier, counts)
    return Outcome(
        funnel=[funnel_row("filter", "anchors", counts)],
        inputs=run.source.inputs,
        counts=counts,
        options=run.options,
        packages=_packages(run),
        warnings=warnings,
        tables=tables,
    )


def _reasons(counts: Mapping[str, int]) -> str:
    rejected = funnel_row("filter", "anchors", counts).rejected
    return ", ".join(f"{reason} {count:,}" for reason, count in rejected.items())


def _warnings(run: FilterRun, classifier: "QueryClassifier", counts: Mapping[str, int]) -> list[str]:
    warnings = []
    if classifier.guessed_label is not None:
        warnings.append(
            f"no label of the classifier is called `query`: {classifier.guessed_label} is taken for it"
        )
    used = run.rules.cleaning if "cleaning" in run.rules.rules else "none"
    if classifier.cleaning not in (None, used):
        warnings.append(
            f"the classifier learnt from texts that were cleaned by {classifier.cleaning}, and the rules "
            f"{run.rules.name} clean by {used}: its scores are less sure"
        )
    unknown, texts, kept = (counts.get(f"texts.{name}", 0) for name in ("unknown", "read", "kept"))
    asked = run.classifier.keep_share if run.classifier else 1
    if kept > (asked + _TIED_SHARE) * texts + 1:
        warnings.append(
            f"{kept:,} of {counted(texts, 'distinct text')} are kept, more than the share of {asked:g}: "
            "texts of the score at which that is reached stay together; a classifier that gives so many the "
            "same one hardly tells them apart"
        )
    if doubt := unknown_letters(unknown, texts, ("distinct text", "distinct texts")):
        warnings.append(
            f"{doubt}, so that scores of such texts say little: train one from a model that does "
            "(`anchormine train classifier --init MODEL`), or give --classifier none"
        )
    return warnings


def _packages(run: FilterRun) -> tuple[str, ...]:
    """The packages that decide what is kept."""
    scoring = ("torch", "transformers", "tokenizers") if run.classifier else ()
    return ("tldextract", *scoring)

"""The options of `filter`, and what the manifest says of them."""

import argparse
from typing import Any

from anchormine.encoder import DEFAULT
from anchormine.errors import UsageError
from anchormine.filters.classifier_options import NO_CLASSIFIER, ClassifierOptions
from anchormine.filters.keyword_files import read_keywords
from anchormine.filters.query_threshold import KEEP_SHARE
from anchormine.filters.rule_file import rule_set
from anchormine.filters.rule_set import BUILT_IN, RuleSet
from anchormine.filters.same_site import OFF, SAME_SITE, SCOPES
from anchormine.model_checksum import model_checksum
from anchormine.pipelines.mining_options import language_tag, positive, said
from anchormine.pipelines.options import StepParser
from anchormine.pipelines.worker_compute import add_compute_options, asked_place, compute_facts

# What a crawl's and a wiki's anchors are filtered by, if nothing else is said.
CRAWL_RULES, WIKI_RULES = "anchor-dr", "wikipedia"
_SUGGESTIONS = 100


def add_filter_options(parser: StepParser) -> None:
    """Adds the options of the step."""
    parser.add_argument(
        "folder", nargs="?", default=argparse.SUPPRESS, metavar="DIR", help="dataset folder with anchors"
    )
    parser.add_argument(
        "--rules",
        type=said,
        metavar="SET",
        help=f"{', '.join(BUILT_IN)}, or a TOML file (default: {CRAWL_RULES} for a crawl, {WIKI_RULES} for a "
        "wiki)",
    )
    parser.add_argument(
        "--same-site",
        choices=SCOPES,
        help="what one site is (a registered domain; host and port; or these as Anchor-DR's program has "
        "them), or off, over what the rules say",
    )
    parser.add_argument(
        "--language",
        type=language_tag,
        metavar="CODE",
        help="of all anchors, over what the folder says: whose keywords",
    )
    parser.add_argument(
        "--keywords",
        type=said,
        metavar="FILE",
        help="more functional anchors to drop: one a line, or the table of --suggest-keywords with its ticks",
    )
    _add_classifier_options(parser)
    add_compute_options(parser)
    _add_suggestion_options(parser)


def _add_classifier_options(parser: StepParser) -> None:
    parser.add_argument(
        "--classifier",
        type=said,
        metavar="MODEL",
        help=f"{DEFAULT} (the small one in the package, English), a folder, or {NO_CLASSIFIER} "
        f"(default: {DEFAULT} for a crawl, {NO_CLASSIFIER} for a wiki)",
    )
    parser.add_argument(
        "--keep-share",
        type=float,
        default=KEEP_SHARE,
        metavar="N",
        help="of the distinct texts, what the classifier keeps (default: %(default)s)",
    )


def _add_suggestion_options(parser: StepParser) -> None:
    parser.add_argument(
        "--suggest-keywords",
        type=_number_or_folder,
        nargs="?",
        const=_SUGGESTIONS,
        metavar="N",
        help="filter nothing, but write the N most frequent anchors of each language to a table to be "
        f"ticked, for --keywords (default: {_SUGGESTIONS})",
    )
    parser.add_argument(
        "--suggestions",
        type=said,
        metavar="FILE",
        help="that table (default: stats/keywords.tsv in the folder)",
    )


def _number_or_folder(text: str) -> int | str:
    """`--suggest-keywords DIR` is what people type, too: what is no number is the folder."""
    return positive(text) if text.isdigit() else text


def take_folder(args: argparse.Namespace) -> None:
    """Gives the folder that `--suggest-keywords` was told its place.

    Raises:
        UsageError: there is another one, or none at all.
    """
    if isinstance(args.suggest_keywords, str):
        if hasattr(args, "folder"):
            raise UsageError(f"unexpected argument {args.suggest_keywords!r}")
        args.folder, args.suggest_keywords = args.suggest_keywords, _SUGGESTIONS
    if not hasattr(args, "folder"):
        raise UsageError("the following arguments are required: DIR (see `anchormine filter --help`)")


def chosen_rules(args: argparse.Namespace, crawl: bool, with_keywords: bool = True) -> RuleSet:
    """The rules that the options ask for.

    Args:
        args: of the step.
        crawl: whether the anchors are of a crawl.
        with_keywords: whether those of `--keywords` are read.

    Raises:
        UsageError: there are no such rules, or options that do not go with them.
    """
    rules = rule_set(args.rules or (CRAWL_RULES if crawl else WIKI_RULES))
    if args.same_site:
        rules = rules.with_same_site(args.same_site)
    if args.keywords and with_keywords:
        rules = rules.with_keywords(read_keywords(args.keywords, rules.keyword_cleaning))
    return rules


def chosen_classifier(args: argparse.Namespace, crawl: bool) -> ClassifierOptions | None:
    """The classifier that the options ask for; None for none.

    Raises:
        UsageError: the share is none, or there is nothing that it is of.
    """
    model = args.classifier if args.classifier is not None else (DEFAULT if crawl else NO_CLASSIFIER)
    options = ClassifierOptions(model, args.keep_share, **asked_place(args))
    if model != NO_CLASSIFIER:
        return options
    plain = ClassifierOptions(model)
    for name in ("keep_share", "device", "dtype"):
        given = getattr(args, name)
        if given != getattr(plain, name):
            raise UsageError(
                f"--{name.replace('_', '-')} {given}: goes with a classifier only; give --classifier "
                f"{DEFAULT} or a folder"
            )
    return None


def filter_options(
    rules: RuleSet, classifier: ClassifierOptions | None, args: argparse.Namespace
) -> dict[str, Any]:
    """What the manifest says: all that the rows depend on."""
    constants = rules.to_json()
    if args.same_site == OFF:  # else it would only be missing among the rules of a set that has it
        constants[SAME_SITE] = {"scope": OFF}
    return {
        "rules": rules.name,
        "constants": constants,
        **_classifier(classifier),
        "limit": args.limit,
        "language": args.language,
    }


def _classifier(options: ClassifierOptions | None) -> dict[str, Any]:
    if options is None:
        names = ("classifier_sha256", "keep_share", "device", "dtype")
        return {"classifier": NO_CLASSIFIER, **dict.fromkeys(names)}
    checksum = model_checksum(options.path)
    return {
        "classifier": options.model.rstrip("/").rpartition("/")[2] if checksum else options.model,
        "classifier_sha256": checksum,
        "keep_share": options.keep_share,
        **compute_facts(options),
    }


def check_usage(args: argparse.Namespace) -> None:
    """Refuses options of suggestions where none are asked for.

    Raises:
        UsageError: see above.
    """
    if args.suggestions is not None and args.suggest_keywords is None:
        raise UsageError(f"--suggestions {args.suggestions}: goes with --suggest-keywords only")

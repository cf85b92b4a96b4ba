"""ATTRIBUTION.md: under which licence each source is, how to name it, and what was changed."""

from __future__ import annotations

from typing import Any

from anchormine.datasets.facts import FolderFacts, source_name
from anchormine.datasets.licence_names import licence_url
from anchormine.datasets.manifest import CRAWLS
from anchormine.datasets.markdown import address, code, escaped, table

_UNKNOWN = "not known"
_HOW_TASKS = {
    "rqp": "each query of the positive side is words of one sentence and the anchor's text, each negative "
    "one words of the page's first section",
    "qdm": "each query is words of one sentence and the anchor's text",
    "rdp": "each query is a whole sentence",
    "acm": "each query is words of a page's first section and an anchor's text",
    "rop": "both queries are words drawn for a page, from its text and from those of all pages",
    "bprop": "both queries are words of the page's text",
    "ict": "each query is a sentence of a passage, and each document the passage without it",
    "bfs": "each query is a sentence of a page's first section, and each document a passage of the page",
    "wlp": "each query is a sentence of a page's first section, and each document a passage of a page that "
    "links to it",
    "codoc": "query and document are passages of one page",
    "anchor_document": "each query is an anchor's text, and each document the text of the page it leads to",
}
_EXTRACTIONS = {
    "wiki": "wiki markup was removed and the text divided into sentences; templates, references, galleries, "
    "comments and formulas were left out, tables and captions too except for sentences with links; of each "
    "page the latest revision was kept; redirects were followed",
    "web": "HTML markup was removed, with what pages do not show, and the text divided into sentences; of "
    "each address the latest capture was kept; redirects and canonical links were followed",
    "clueweb22": "clean texts and links were taken as they are distributed, with white space made single",
    "harp": "sentences, anchors and passages were taken over as the file has them",
}
_CLUEWEB22 = (
    "ClueWeb22 is given out under an agreement that keeps its text with those who have signed it. What may "
    "leave this folder are ids and places (`page_id`, `source_page_id`, `destination_page_id`, `warc_file`, "
    "`warc_offset`): whoever has the collection finds the text by them."
)
_WHERE_READ = {
    "wiki": "Each row of `pages` has the `url` of its page, where the history names the authors, and the "
    "`revision` that was read, where the source states it.",
    "web": "Each row of `pages` has the `url` of its page, the date of its capture (`timestamp`), and the "
    "file and the byte where that stands (`warc_file`, `warc_offset`).",
    "clueweb22": "Each row of `pages` has the ClueWeb22-ID (`page_id`) and the `url` of its page, and the "
    "file and the byte where its text stands (`warc_file`, `warc_offset`). An in-link has its `anchor_id` "
    "from the page that it leads to, and its `source_page_id` may be of a page that is not here.",
}


def attribution(facts: FolderFacts) -> str:
    """Returns the text of ATTRIBUTION.md.

    Args:
        facts: of the folder.
    """
    return "\n".join(
        [
            f"# Attribution of {escaped(facts.name)}",
            "",
            f"The text in this dataset was written by the people who {_work(facts)} the sources below, and "
            "stays under the sources' licences. Only text and links were taken: no images or other media.",
            "",
            "## Sources",
            "",
            *source_table(facts),
            "",
            *_unknown_licences(facts),
            *_pages_and_versions(facts),
            "## Changes",
            "",
            changes(facts),
            "",
            "## How to attribute",
            "",
            *_how_to_attribute(facts),
        ]
    )


def _work(facts: FolderFacts) -> str:
    return "write on" if facts.extraction in CRAWLS else "edit"


def version_of_page(facts: FolderFacts) -> str:
    """What a version of a page is called where the folder's pages come from."""
    return "capture" if facts.extraction in CRAWLS else "revision"


def source_table(facts: FolderFacts) -> list[str]:
    """Returns the sources with their licences, as lines of a Markdown table."""
    rows = [
        [
            escaped(source_name(source)),
            address(source["base"]) if source["base"] else "",
            escaped(source["language"] or ""),
            licence_link(source["licence"]),
            escaped(source["newest"] or ""),
        ]
        for source in facts.sources
    ]
    return table(["source", "address", "language", "licence", f"newest {version_of_page(facts)}"], rows)


def licence_link(licence: str | None) -> str:
    """Returns a licence with a link to its text, in Markdown."""
    url = licence_url(licence)
    return f"[{licence}]({url})" if url else escaped(licence or _UNKNOWN)


def changes(facts: FolderFacts) -> str:
    """Returns what was done to the text, in a sentence for each step that was run."""
    sentences = [sentence for step in facts.steps for sentence in _changes_of(step, facts)]
    return " ".join(sentence[:1].upper() + sentence[1:] + "." for sentence in sentences)


def _changes_of(step: str, facts: FolderFacts) -> list[str]:
    options = facts.steps[step]["options"]
    if step in _EXTRACTIONS:
        limit = options.get("limit")
        part = [f"only the first {limit:,} records of the input were read"] if limit is not None else []
        return [*part, _EXTRACTIONS[step], *_set_aside(facts, step, "pages", "pages")]
    if step == "filter":
        cleaned = "anchor texts were cleaned in a column of their own, beside the text as shown"
        changed = [cleaned] if "cleaning" in options["constants"] else []
        return [*changed, *_set_aside(facts, step, "anchors", "anchors")]
    if step == "pairs":
        made = [f"in {task}, {_HOW_TASKS[task]}" for task in facts.tasks if task in _HOW_TASKS]
        return ["training pairs were made of the text" + "".join(f"; {how}" for how in made)]
    return ["pairs were given mined negatives"] if step == "negatives" else []


def _set_aside(facts: FolderFacts, step: str, unit: str, noun: str) -> list[str]:
    rejected = facts.rejected(step, unit)
    if not rejected:
        return []
    counts = ", ".join(f"{reason} {count:,}" for reason, count in sorted(rejected.items()))
    return [f"{noun} were left out by reason ({counts})"]


def _unknown_licences(facts: FolderFacts) -> list[str]:
    unknown = [escaped(source_name(source)) for source in facts.sources if not source["licence"]]
    if not unknown:
        return []
    if facts.extraction == "clueweb22":
        return [_CLUEWEB22, ""]
    return [
        f"The licence of {', '.join(unknown)} is not known: the input does not state it. Find it out before "
        f"you pass the text on, and give it to `anchormine {facts.extraction}` with `--licence`.",
        "",
    ]


def _pages_and_versions(facts: FolderFacts) -> list[str]:
    """How the page and its version of a row are found: they are the credit that CC BY-SA asks for."""
    if not any(row.folder == "pages" for row in facts.tables):
        return []
    lines = [
        f"## Page and {version_of_page(facts)} of every row",
        "",
        _WHERE_READ.get(facts.extraction, _WHERE_READ["wiki"]) + " The other tables name their pages by id: "
        "`source_page_id`, `destination_page_id`, `document_id` and `negative_document_id` are a `page_id` "
        "of `pages`; a `sentence_id` or `anchor_id` is the `page_id` up to the `#`.",
        "",
        *_pages_of_negatives(facts),
    ]
    links = [(source_name(source), _revision_link(source)) for source in facts.sources]
    lines += [f"- {escaped(name)}: a revision is at {code(link)}" for name, link in links if link]
    return [*lines, ""] if lines[-1] else lines


def _pages_of_negatives(facts: FolderFacts) -> list[str]:
    if not any(row.folder.startswith("contrastive/") for row in facts.tables):
        return []
    return [
        "In `contrastive`, `positive_id` and each of `negative_ids` are a `page_id`, for a passage up to the "
        "`#`, and a `query_id` is a `pair_id`.",
        "",
    ]


def _revision_link(source: dict[str, Any]) -> str | None:
    """Where a MediaWiki shows an old revision, whatever the language."""
    base = source["base"]
    if not base or "?" in base:
        return None
    return f"{base.rpartition('/')[0]}/Special:PermanentLink/REVISION"


def _how_to_attribute(facts: FolderFacts) -> list[str]:
    lines = [
        "Keep this file with the data and with what you make from it. Where you show text of a page, name "
        "the page with its `url`, the licence with its address, and say that the text was changed. For the "
        "whole dataset:",
        "",
    ]
    for source in facts.sources:
        place = f" {address(source['base'])}" if source["base"] else ""
        url = licence_url(source["licence"])
        licence = f"{escaped(source['licence'] or _UNKNOWN)}{f' <{url}>' if url else ''}"
        lines.append(
            f"> Text from {escaped(source_name(source))}{place}, by its contributors; licence: {licence}. "
            "Changed: see ATTRIBUTION.md."
        )
        lines.append("")
    if any("-SA-" in (source["licence"] or "").upper() for source in facts.sources):  # users write them small
        lines += [
            "Share-alike: what you make from this text and pass on has to be under the same licence.",
            "",
        ]
    return lines

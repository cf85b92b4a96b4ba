"""What to do where a folder lacks the pairs that a command needs, or the pages that negatives need."""

from collections.abc import Collection, Iterable, Mapping

from anchormine.datasets.folder import DatasetFolder
from anchormine.negatives.guards import GUARDS

# What an extraction without links has read.
_LINKLESS = {
    "wiki": "its dump had no links to articles",
    "web": "its crawl had no links",
    "clueweb22": "its files had no links",
    "harp": "its files had no anchors",
}


def linkless(folder: DatasetFolder) -> str | None:
    """Says why a folder has no anchors; None where nothing was read that could have some."""
    found = (reason for step, reason in _LINKLESS.items() if step in folder.manifest["steps"])
    return None if "anchors" in folder.configs() else next(found, None)


def pairs_remedy(folder: DatasetFolder, tasks: Iterable[str]) -> str:
    """Returns the end of a message: the command that makes the pairs, or, where it has made none, why.

    Args:
        folder: that lacks them.
        tasks: whose pairs are missing; none stands for the command's own choice.
    """
    wanted = list(tasks)
    counted = [section.get("counts", {}) for section in folder.manifest["steps"].values()]
    tried = [task for task in wanted if any(f"pairs-{task}.written" in counts for counts in counted)]
    if tried:
        why = f"`anchormine rejects {folder.path}` says why"
        return f"`anchormine pairs` made none of {', '.join(tried)}; {why}"
    chosen = f" --task {' '.join(wanted)}" if wanted else ""
    return f"make them with `anchormine pairs {folder.path}{chosen}`"


def negatives_remedy(tasks: Collection[str], counts: Mapping[str, int]) -> str:
    """Returns the end of a message: why no query has a negative, and what may give some.

    Args:
        tasks: that negatives were sought for.
        counts: of each task "negatives.<task>.dropped.<guard>" and "negatives.<task>.candidates".
    """

    def total(name: str) -> int:
        return sum(counts.get(f"negatives.{task}.{name}", 0) for task in tasks)

    if not total("candidates"):
        return (
            "no document of a query's split has a word of it; make the folder of more pages, or search by a "
            "model (--from default)"
        )
    dropped = {guard: total(f"dropped.{guard}") for guard in GUARDS}
    found = ", ".join(f"{name} {count:,}" for name, count in dropped.items() if count)
    why = f"guards dropped all that was found: {found}"
    guard = max(GUARDS[1:], key=lambda name: dropped[name])  # one is always the positive
    if guard == "near_duplicate" and dropped[guard]:
        return f"{why}; give a higher --similarity, or make the folder of pages that differ more"
    if guard == "margin" and dropped[guard]:
        return f"{why}; give a smaller --margin, or a larger --depth"
    return f"{why}; make the folder of more pages, or give a larger --depth"

"""What to say where a folder lacks the links or the pairs that a command needs."""

from collections.abc import Iterable
from shlex import quote

from anchormine.datasets.folder import DatasetFolder

# What an extraction without links has read.
_LINKLESS = {
    "wiki": "its dump had no links to articles",
    "web": "its crawl had no links",
    "clueweb22": "its files had no links",
    "harp": "its files had no anchors",
}
# Tasks of pairs that can be made without links, and on a base install.
_NO_LINKS = ("rop", "ict", "bfs", "codoc")


def lost_tasks(linking: Iterable[str], remedy: str = "give tasks", others: Iterable[str] = ()) -> str:
    """Returns the end of a message on links that lack: the pairs that cannot be made, and those that can.

    Args:
        linking: tasks that need links.
        remedy: what to do, up to the tasks that need none.
        others: these, as far as some were asked for.
    """
    tasks = " ".join(others) or " ".join(_NO_LINKS)
    return f"so there are no pairs of {', '.join(linking)} to make; {remedy} that need none: --task {tasks}"


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
        why = f"`anchormine rejects {quote(folder.path)}` says why"
        return f"`anchormine pairs` made none of {', '.join(tried)}; {why}"
    chosen = f" --task {' '.join(wanted)}" if wanted else ""
    return f"make them with `anchormine pairs {quote(folder.path)}{chosen}`"

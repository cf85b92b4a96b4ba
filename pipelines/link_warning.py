"""What is said of input of which no link leads to a page: which pairs it gives all the same."""

from anchormine.datasets.remedies import lost_tasks


def no_destinations(remedy: str) -> str:
    """The warning.

    Args:
        remedy: what gives links that lead to pages, such as "give the whole dump".
    """
    from anchormine.pipelines.pair_families import ANCHOR_TASKS  # all that makes pairs comes with it

    tasks = lost_tasks(ANCHOR_TASKS, f"{remedy}, or `anchormine pairs` tasks")
    return f"no link leads to a page of the input, {tasks}"

"""TREC run files: a line "query_id Q0 doc_id rank score tag" for each ranked document."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from anchormine.errors import CommandError
from anchormine.evaluation.ranking import Rankings


def write_run(path: Path, rankings: Rankings, doc_ids: list[str], tag: str) -> None:
    """Writes a run; the file appears when it is complete, and where it is not nothing is left of it.

    Scores have the nine digits that bring a float32 back, so that a reader that sorts again gets the same
    order.

    Args:
        path: of the file; one that is there is replaced.
        rankings: by query_id.
        doc_ids: by document number.
        tag: name of the system.

    Raises:
        CommandError: an id with white space, which the format cannot hold; or the file system refuses.
    """
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with unfinished.open("w", encoding="utf-8") as lines:
            lines.writelines(_run_lines(rankings, doc_ids, re.sub(r"\s+", "_", tag)))
        unfinished.replace(path)
    except OSError as error:
        raise CommandError(
            f"{path}: cannot be written ({error.strerror}); see that it can be written, and has room, or "
            "give another --output"
        ) from None
    finally:
        with suppress(OSError):
            unfinished.unlink()


def _run_lines(rankings: Rankings, doc_ids: list[str], tag: str) -> Iterator[str]:
    for query_id, ranking in rankings.items():
        for rank, (document, score) in enumerate(
            zip(ranking.documents, ranking.scores, strict=True), start=1
        ):
            doc_id = doc_ids[document]
            if len((query_id + "|" + doc_id).split()) > 1:
                raise CommandError(
                    f"query {query_id!r}, document {doc_id!r}: a run file cannot hold ids with white space"
                )
            yield f"{query_id} Q0 {doc_id} {rank} {score:.9g} {tag}\n"

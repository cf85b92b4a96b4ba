"""A test collection in BEIR layout: corpus.jsonl, queries.jsonl and qrels/<split>.tsv."""

from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from anchormine.errors import CommandError, UsageError
from anchormine.evaluation.judgements import Qrels, read_judgements
from anchormine.json_lines import parse_json


class Topics(NamedTuple):
    """The judged queries of a split.

    Attributes:
        queries: text by query_id, in the file's order.
        qrels: grade by query_id and doc_id, of these queries only.
        warnings: what is odd about the split, a sentence each.
    """

    queries: dict[str, str]
    qrels: Qrels
    warnings: list[str]


class Collection:
    """The documents of a folder, read from disk as they are asked for.

    In memory are the ids and 8 bytes a document, never the texts.

    Attributes:
        path: the folder.
        doc_ids: in the corpus' order; a document's number is its place here.
    """

    def __init__(self, path: str) -> None:
        """Reads the ids.

        Raises:
            UsageError: a file of the layout is missing.
            CommandError: a line of the corpus is malformed, or an id is there twice.
        """
        self.path = Path(path)
        for name in ("corpus.jsonl", "queries.jsonl", "qrels"):
            if not (self.path / name).exists():
                raise UsageError(
                    f"{path}: no {name}; a collection has corpus.jsonl, queries.jsonl and "
                    "qrels/<split>.tsv (BEIR layout)"
                )
        self.doc_ids: list[str] = []
        self._offsets = array("q")
        self._scan()
        self._corpus: BinaryIO | None = None

    def _scan(self) -> None:
        corpus = self.path / "corpus.jsonl"
        for number, offset, record in _json_lines(corpus):
            self.doc_ids.append(_field(record, "_id", corpus, number))
            _document_text(record, corpus, number)
            self._offsets.append(offset)
        if not self.doc_ids:
            raise CommandError(f"{corpus}: holds no document")
        self._refuse_repeated_ids(corpus)

    def _refuse_repeated_ids(self, corpus: Path) -> None:
        seen: set[str] = set()
        for doc_id in self.doc_ids:
            if doc_id in seen:
                raise CommandError(f"{corpus}: document {doc_id} is there more than once; ids must be unique")
            seen.add(doc_id)

    def __len__(self) -> int:
        return len(self.doc_ids)

    def texts(self) -> Iterator[str]:
        """Yields every document's title and text, joined by a space, in the corpus' order."""
        corpus = self.path / "corpus.jsonl"
        for number, _, record in _json_lines(corpus):
            yield _document_text(record, corpus, number)

    def text(self, document: int) -> str:
        """Title and text of one document, joined by a space.

        Args:
            document: its number.
        """
        if self._corpus is None:
            self._corpus = (self.path / "corpus.jsonl").open("rb")
        self._corpus.seek(self._offsets[document])
        return _document_text(parse_json(self._corpus.readline()), self.path / "corpus.jsonl", document + 1)

    def topics(self, split: str) -> Topics:
        """The queries that a split judges.

        Judgements of unknown queries are left out; those of unknown documents stay and can never be found.

        Raises:
            UsageError: there is no such split.
            CommandError: a malformed line, or no judged query in queries.jsonl.
        """
        judgements = read_judgements(self.path, split)
        queries = self._queries(judgements.qrels)
        if not queries:
            raise CommandError(f"{self.path}: qrels/{split}.tsv judges no query of queries.jsonl")
        qrels = {query_id: judgements.qrels[query_id] for query_id in queries}
        return Topics(
            queries, qrels, list(self._oddities(split, judgements.qrels, queries, judgements.has_header))
        )

    def _queries(self, wanted: Qrels) -> dict[str, str]:
        path = self.path / "queries.jsonl"
        queries: dict[str, str] = {}
        for number, _, record in _json_lines(path):
            query_id, text = _field(record, "_id", path, number), _field(record, "text", path, number)
            if query_id in queries:
                raise CommandError(f"{path}, line {number}: query {query_id} is there twice")
            if query_id in wanted:
                queries[query_id] = text
        return queries

    def _oddities(self, split: str, qrels: Qrels, queries: dict[str, str], has_header: bool) -> Iterator[str]:
        place = f"{self.path}/qrels/{split}.tsv"
        if not has_header:
            yield (
                f"{place}: no header line; its first line was read as a judgement. Other readers of this "
                "layout skip it: put `query-id<TAB>corpus-id<TAB>score` first"
            )
        unknown_queries = [query_id for query_id in qrels if query_id not in queries]
        if unknown_queries:
            yield (
                f"{place}: {len(unknown_queries)} queries are not in queries.jsonl, such as "
                f"{unknown_queries[0]}; left out"
            )
        doc_ids = set(self.doc_ids)
        unknown = [doc_id for query_id in queries for doc_id in qrels[query_id] if doc_id not in doc_ids]
        if unknown:
            yield (
                f"{place}: {len(unknown)} judgements name documents that are not in corpus.jsonl, such as "
                f"{unknown[0]}"
            )


def _json_lines(path: Path) -> Iterator[tuple[int, int, dict]]:
    """Yields (line number, byte offset, record) of each line that is not blank."""
    offset = 0
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield number, offset, _parse(line, path, number)
            offset += len(line)


def _parse(line: bytes, path: Path, number: int) -> dict:
    try:
        record = parse_json(line)
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path}, line {number}: not JSON ({error})") from None
    if not isinstance(record, dict):
        raise CommandError(f"{path}, line {number}: not a JSON object but {type(record).__name__}")
    return record


def _field(record: dict, name: str, path: Path, number: int) -> str:
    value = record.get(name)
    if not isinstance(value, str):
        raise CommandError(
            f"{path}, line {number}: no string {name!r}; a line is {{_id, title, text}} or {{_id, text}}"
        )
    return value


def _document_text(record: dict, path: Path, number: int) -> str:
    title = record.get("title") or ""
    return f"{title} {_field(record, 'text', path, number)}".strip()

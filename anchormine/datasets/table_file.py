"""One Parquet file of a table, checked while it is read."""

from collections.abc import Iterator, Sequence
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from anchormine.errors import CommandError

_REMEDY = "run the step that wrote it again"


class TableFile:
    """A file that is open.

    The checksums of its pages are compared as they are read, where it has some: a flipped bit would give
    other rows, or a text that is none.

    Attributes:
        path: as errors name it.
        schema: of its rows.
        group_rows: rows of each row group.
    """

    def __init__(self, stream: IO[bytes], path: str) -> None:
        """Reads its foot.

        Raises:
            CommandError: it is no whole Parquet file.
        """
        self.path = path
        try:
            self._file = pq.ParquetFile(stream, page_checksum_verification=True)
            self.schema: pa.Schema = self._file.schema_arrow
            metadata = self._file.metadata
            self.group_rows = [metadata.row_group(n).num_rows for n in range(metadata.num_row_groups)]
            types = dict(zip(self.schema.names, self.schema.types, strict=True))
        except (OSError, pa.ArrowException, UnicodeDecodeError) as error:  # the last of a column's name
            raise self._error(str(error)) from None
        if untyped := [name for name, kind in types.items() if pa.types.is_binary(kind)]:  # no table has such
            raise self._error(f"it has bytes for text in column {', '.join(untyped)}")

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return sum(self.group_rows)

    def batches(
        self, columns: Sequence[str] | None, batch_rows: int, groups: Sequence[int] | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Yields rows in order, a bounded number at a time.

        Args:
            columns: which; None for all.
            batch_rows: at most, of each batch.
            groups: row groups; None for all.

        Raises:
            CommandError: they are damaged, or some are missing.
        """
        missing = set(columns or ()).difference(self.schema.names)
        if missing:
            raise self._error(f"it has no column {', '.join(sorted(missing))}")
        numbers = range(len(self.group_rows)) if groups is None else groups
        left = sum(self.group_rows[number] for number in numbers)
        batches = self._file.iter_batches(batch_rows, row_groups=list(numbers), columns=columns)
        while left:
            try:
                batch = next(batches, None)
            except (OSError, pa.ArrowException) as error:
                raise self._error(str(error)) from None
            if batch is None:
                raise self._error("it ends too early")
            left -= batch.num_rows
            yield batch

    def _error(self, reason: str) -> CommandError:
        return CommandError(f"{self.path}: cannot be read ({' '.join(reason.split())}); {_REMEDY}")

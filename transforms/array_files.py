"""Arrays and texts in files of the scratch folder, on any file system: what is too large for a shuffle."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from anchormine.transforms.files import create_file, open_file


def write_arrays(path: str, arrays: Iterable[np.ndarray]) -> None:
    """Writes arrays, one after the other."""
    with create_file(path) as stream:
        for array in arrays:
            np.lib.format.write_array(stream, np.ascontiguousarray(array), allow_pickle=False)


def read_arrays(path: str, count: int) -> list[np.ndarray]:
    """Reads the first arrays of a file."""
    with open_file(path) as stream:
        return [np.lib.format.read_array(stream, allow_pickle=False) for _ in range(count)]


def write_texts(path: str, texts: Iterable[str]) -> None:
    """Writes texts so that each can be read alone: where they end, and then their bytes."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    with create_file(path) as stream:
        np.lib.format.write_array(stream, ends, allow_pickle=False)
        for data in encoded:
            stream.write(data)


def read_texts(path: str, numbers: Sequence[int]) -> Iterator[str]:
    """Yields some texts of a file.

    Args:
        path: of the file.
        numbers: of the texts, rising: the file is read in one direction.
    """
    with open_file(path) as stream:
        ends = np.lib.format.read_array(stream, allow_pickle=False)
        first = stream.tell()
        for number in numbers:
            start, end = int(ends[number]), int(ends[number + 1])
            stream.seek(first + start)
            yield stream.read(end - start).decode("utf-8", "surrogatepass")

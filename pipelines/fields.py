"""Options of the command line that are the fields of an options record."""

import argparse
from collections.abc import Callable
from typing import Any

from anchormine.pipelines.options import StepParser


def add_fields(
    parser: StepParser, record: Any, texts: dict[str, str], integer: Callable[[str], int] = int
) -> None:
    """Adds an option for each named field, with the field's default.

    Args:
        parser: of the step.
        record: a dataclass whose named fields are of type int, float or str.
        texts: what `--help` says, by field.
        integer: reads the fields of type int.
    """
    for name, text in texts.items():
        default = getattr(record, name)
        kind = integer if isinstance(default, int) else type(default)
        flag, metavar = f"--{name.replace('_', '-')}", "TEXT" if isinstance(default, str) else "N"
        parser.add_argument(
            flag, type=kind, default=default, metavar=metavar, help=f"{text} (default %(default)s)"
        )


def read_fields(record: Any, args: argparse.Namespace, **more: Any) -> Any:
    """Makes a record of the options that bear its fields' names.

    Args:
        record: a dataclass.
        args: as parsed.
        **more: values of fields that are no options.
    """
    given = {name: getattr(args, name) for name in record.__dataclass_fields__ if hasattr(args, name)}
    return record(**{**given, **more})

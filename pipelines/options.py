"""Options of the command line: errors that name the nearest known one, and values from a TOML file."""

import argparse
import difflib
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from anchormine.errors import UsageError
from anchormine.toml_file import read_toml

_TYPED_ONLY = ("help", "config")  # in a file they would change nothing
# Of these each rules out the others: where one is typed, it wins over another in a file.
_RIVALS = ("overwrite", "resume", "refresh")
# What options take of which the second may be meant beside the first, and not over it.
_TAKEN_ONCE = ("FILE", "DIR", "SET")
_WRONG_CHOICE = re.compile(r"argument (--[\w-]+): invalid choice: '(.+?)' \(")


class StepParser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, and that takes `--config FILE.toml`.

    Attributes:
        takes_tables: an option that takes another TOML file, one of tables; "" if there is none.
    """

    takes_tables = ""

    def __init__(self, **options: Any) -> None:
        options.setdefault("allow_abbrev", False)
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(**options)
        self._given: Sequence[str] = ()
        self._beam_options: list[str] = []

    def error(self, message: str) -> NoReturn:
        names = self.option_names()
        for argument in self._given:  # a misspelt option is why a required one is missing
            name = argument.partition("=")[0]
            if name.startswith("--") and name not in names and difflib.get_close_matches(name, names, 1, 0.7):
                raise unknown_option(name, names)
        wrong = _WRONG_CHOICE.match(message)
        if wrong and Path(wrong[2]).exists():  # as the last of what an option takes that takes several
            message = f"{wrong[1]} takes all that is behind it; write {wrong[2]} before the options"
        raise UsageError(f"{message} (see `{self.prog} --help`)")

    def format_help(self) -> str:
        """What `--help` prints; its first line has files and folders before the options."""
        self.usage = self.usage or self._usage()
        return super().format_help()

    def _usage(self) -> str:
        """What must be given: of the options there are too many for a line, and all are explained below."""
        places, required, last = ["%(prog)s"], [], "[OPTION ...]"
        for action in self._actions:
            name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
            if action.nargs == argparse.ONE_OR_MORE:
                name = f"{name} [{name} ...]"
            elif action.nargs in (argparse.PARSER, argparse.REMAINDER):  # which has options of its own
                name, last = name if action.help != argparse.SUPPRESS else "", "..."
            if action.required and action.option_strings:
                required.append(f"{action.option_strings[-1]} {name}")
            elif name and not action.option_strings:
                places.append(f"[{name}]" if action.nargs == argparse.OPTIONAL else name)
        return " ".join([*places, *required, last])

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        arguments = list(sys.argv[1:] if args is None else args)
        self._given = arguments
        self._refuse_no_kind(arguments)
        self._refuse_repeated(arguments)
        if any("--config" in action.option_strings for action in self._actions):
            self._read_config(arguments)
        args, rest = super().parse_known_args(arguments, namespace)
        return args, [*self._beam_options, *rest]

    def _refuse_no_kind(self, arguments: Sequence[str]) -> None:
        """Sub-commands come first: argparse would take the value of an option before them for one."""
        kinds = [name for action in self._kinds() for name in action.choices]
        first = arguments[0] if arguments else "-"
        if kinds and first.startswith("-") and first not in ("-h", "--help"):
            raise UsageError(f"{self.prog}: no kind given; write one of {', '.join(kinds)} right behind it")

    def _refuse_repeated(self, arguments: Sequence[str]) -> None:
        """Of an option that is given twice argparse keeps the last values: of a number that one is meant, but
        of files and rule sets all may be, and where several values are taken.
        """
        given = Counter(each.partition("=")[0] for each in arguments if each.startswith("-"))
        for action in self._actions:
            takes_several = action.nargs == argparse.ONE_OR_MORE
            if not takes_several and action.metavar not in _TAKEN_ONCE:
                continue
            if sum(given[name] for name in action.option_strings) > 1:
                name = action.option_strings[-1]
                remedy = "it takes one"
                if takes_several:
                    remedy = f"give all its values at once: {name} ONE ANOTHER"
                raise UsageError(f"{name} is given twice; {remedy}")

    def _kinds(self) -> list[argparse._SubParsersAction]:
        return [action for action in self._actions if isinstance(action, argparse._SubParsersAction)]

    def of_kind(self, args: argparse.Namespace) -> "StepParser":
        """The parser of the sub-command that was given; this one, where there are none."""
        for action in self._kinds():
            return action.choices[getattr(args, action.dest)]
        return self

    def option_names(self) -> list[str]:
        """All options of this parser and of its sub-commands."""
        names = [name for action in self._actions for name in action.option_strings]
        for action in self._kinds():
            names += [name for parser in action.choices.values() for name in parser.option_names()]
        return names

    def _read_config(self, arguments: list[str]) -> None:
        probe = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
        probe.add_argument("--config", nargs=argparse.OPTIONAL)  # that there is none behind it is told later
        path = probe.parse_known_args(arguments)[0].config
        if path is None:
            return
        by_name = {
            string.lstrip("-").replace("-", "_"): action
            for action in self._actions
            for string in action.option_strings
        }
        for name, value in read_toml(path).items():
            if isinstance(value, dict):
                raise UsageError(f"{path}: [{name}] is a table; {self._remedy(value)}")
            if name in _TYPED_ONLY:
                raise UsageError(f"{path}: {name} is for the command line only; leave it out")
            action = by_name.get(name.replace("-", "_"))
            if action is None and self.get_default("takes_beam_options"):
                self._beam_options += self._as_beam_options(name, value, path)  # flags come behind, and win
                continue
            if action is None:
                raise unknown_option(f"--{name}", self.option_names(), f"{path}: ")
            action.required = False
            checked = self._checked(action, value, path)
            rivals = {f"--{rival}" for rival in _RIVALS if rival != action.dest}
            if action.dest not in _RIVALS or not rivals.intersection(arguments):
                self.set_defaults(**{action.dest: checked})

    def _remedy(self, table: dict[str, Any]) -> str:
        """What to do about a table in a file of options, which may be meant for the one that takes such."""
        has_options = any(f"--{name.replace('_', '-')}" in self.option_names() for name in table)
        if self.takes_tables and not has_options:
            return f"if the file is meant for {self.takes_tables}, give it to that"
        return f"write its options without it: {_flat(table)}"

    def _as_beam_options(self, name: str, value: Any, path: str) -> list[str]:
        """Checks an option here, where the file that has it is known."""
        from anchormine.pipelines.beam_options import beam_options

        flags = as_flags(name, value)
        try:
            beam_options(flags or [f"--{name}"], self.option_names())
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from None
        return flags

    def _checked(self, action: argparse.Action, value: Any, path: str) -> Any:
        """The value of a flag as the command line would have read it."""
        if action.nargs == 0:
            if not isinstance(value, bool):
                raise UsageError(f"{path}: {action.option_strings[-1]} is true or false, not {value!r}")
            return value
        if action.nargs == argparse.OPTIONAL and isinstance(value, bool):  # a flag that may stand bare
            return action.const if value else action.default
        items = value if isinstance(value, list) else [value]
        if len(items) != 1 and action.nargs in (None, argparse.OPTIONAL):
            raise UsageError(f"{path}: {action.option_strings[-1]} is one value, not {value!r}")
        if not items:  # as the command line it would be a flag with nothing behind it
            raise UsageError(f"{path}: {action.option_strings[-1]} is one value or more, not {value!r}")
        if not all(isinstance(item, str | int | float) for item in items):
            raise UsageError(
                f"{path}: {action.option_strings[-1]} is a value or a list of values, not a table"
            )
        texts = [str(item) for item in items]
        try:
            return self._get_values(action, texts)
        except (argparse.ArgumentError, UsageError) as error:
            raise UsageError(f"{path}: {error}") from None


def _flat(table: dict[str, Any]) -> str:
    return ", ".join(f"{name} = ..." for name in table) or "name = value"


def as_flags(name: str, value: Any) -> list[str]:
    """What a user would have typed for an option of Beam, by its name and value in a file."""
    flag = f"--{name.replace('-', '_')}"
    if isinstance(value, bool):
        return [flag] if value else []
    return [f"{flag}={item}" for item in (value if isinstance(value, list) else [value])]


def unknown_option(
    option: str, known: Iterable[str], place: str = "", others: Iterable[str] = ()
) -> UsageError:
    """The error for an option that does not exist; names the nearest that does.

    Args:
        option: as given.
        known: options of the step.
        place: of the option, if that is a file.
        others: options that a step passes on; one of them must be nearer to be named.
    """
    name = option.split("=", 1)[0]
    nearest = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    nearest = difflib.get_close_matches(name, [*nearest, *others], n=1, cutoff=0.8) or nearest
    hint = f"; did you mean {nearest[0]}?" if nearest else ""
    return UsageError(f"{place}unknown option {name}{hint}")


def refuse_unknown(parser: StepParser, rest: Sequence[str]) -> None:
    """Raises for arguments that a parser did not know.

    Raises:
        UsageError: there are some.
    """
    if rest:
        if rest[0].startswith("-"):
            raise unknown_option(rest[0], parser.option_names())
        raise UsageError(f"unexpected argument {rest[0]!r} (see `{parser.prog} --help`)")

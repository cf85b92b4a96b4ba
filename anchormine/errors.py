"""Errors that end a command with one line for its user, and with the exit status that goes with them."""


class CommandError(Exception):
    """What the user reads; names the file, the place and the remedy."""

    exit_status = 1


class UsageError(CommandError):
    """Wrong usage or configuration: nothing was touched."""

    exit_status = 2


class MissingExtra(UsageError):
    """A step that needs the packages of an extra which is not installed."""

    def __init__(self, step: str, module: str, extra: str = "train") -> None:
        super().__init__(f"{step} needs {module}, which is not installed: pip install anchormine[{extra}]")

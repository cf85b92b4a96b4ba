"""Errors that end a command with one line for its user, and with the exit status that goes with them."""

from anchormine.control_characters import one_line


class CommandError(Exception):
    """What the user reads, on one line whatever the names in it; names the file, the place and the remedy."""

    exit_status = 1

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class UsageError(CommandError):
    """Wrong usage or configuration: nothing was touched."""

    exit_status = 2


class MissingPackage(UsageError):
    """A step needs a package that is not installed.

    Args:
        step: what the user typed, such as "anchormine train".
        module: the top-level name that cannot be imported.
        extra: of anchormine, that brings the package; "" if anchormine itself does.
    """

    def __init__(self, step: str, module: str, extra: str = "") -> None:
        wanted = f"anchormine[{extra}]" if extra else "anchormine"
        super().__init__(f"{step} needs {module}, which is not installed: pip install {wanted}")


class BrokenPackage(CommandError):
    """A step needs a package that is installed, but fails where it is imported.

    Args:
        module: the top-level name that cannot be imported.
        reason: what Python says, in one line.
        distribution: that brings it, as pip calls it.
    """

    def __init__(self, module: str, reason: str, distribution: str) -> None:
        super().__init__(
            f"{module} is installed, but cannot be imported ({reason}); install it again: "
            f"pip install --force-reinstall {distribution}"
        )

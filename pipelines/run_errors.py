"""What went wrong, as one line: runners wrap errors, worker processes send text, and stores have theirs."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.error import URLError

from anchormine.errors import CommandError, UsageError
from anchormine.pipelines.broken_packages import broken_package

# The last line of a traceback that a worker process sends.
_ERROR_LINE = re.compile(
    r"^(?:[a-z_]+\.)*(CommandError|UsageError|MissingPackage|\w*OSError|\w+NotFoundError|PermissionError|BeamIOError):"
    r" (.*)$",
    re.MULTILINE,
)
# The same from a worker where anchormine is of another version.
_OTHER_VERSION = re.compile(
    r"^(?:ImportError: cannot import name .* from|AttributeError: Can't get attribute .* on <module)"
    r" 'anchormine.*$",
    re.MULTILINE,
)
# The clients of object stores, whose errors are no OSErrors.
_CLIENTS = ("apache_beam.io.", "azure.", "botocore.", "google.", "hdfs.")
_CLIENT_LINE = re.compile(r"^(?:apache_beam\.io|azure|botocore|google|hdfs)\.[\w.]+: (.*)$", re.MULTILINE)
# What torch says where a GPU is full, alone or as the last line of a traceback.
_GPU_FULL = re.compile(
    r"^(?:(?:torch\.[\w.]+|RuntimeError): )?(CUDA (?:error: )?out of memory)\b", re.MULTILINE
)
# What Python and Arrow say where memory is full.
_MEMORY_LINE = re.compile(r"^(?:[a-z_]+\.)*(?:Arrow)?MemoryError\b", re.MULTILINE)
NO_THREAD = "can't start new thread"  # in Python's words, for memory and for a limit of processes
NO_ROOM = "there is no memory for another thread, or no room by a limit of processes (`ulimit -u`)"
_UNCONNECTED = "Channel closed prematurely"  # in Beam's, of a worker process that may open no more files
FEWER = "give fewer --workers, or raise the limit"
_ADDED = " [while running"  # by Beam, before the name of the step
_NUMBER = re.compile(r"^\[Errno \d+\] ")
# What a write may meet behind the first, which says the name of no file, and the remedies.
_ROOM = "; make room, or give a folder that has it"
_REMEDIES = {
    os.strerror(errno.ENOSPC): _ROOM,
    os.strerror(errno.EDQUOT): _ROOM,
    os.strerror(errno.EFBIG): "; raise the limit of a file's size (`ulimit -f`), or give another folder",
}

# What a file system refuses before anything is written.
_REFUSALS = {
    errno.EACCES: "see that you may read and write it",
    errno.EROFS: "give a folder of another file system",
    errno.ENAMETOOLONG: "give a shorter name",
}

# What Beam's portable runner raises.
_FAILED = re.compile(r"Pipeline .+? failed in state (\w+): (.*)", re.DOTALL)
_TRACEBACK = "Traceback (most recent call last)"
# What Beam says of a job server that it starts itself, and that ends at once.
_UNSTARTED = re.compile(r"Service failed to start up with error (-?\d+)")
_SERVERS = "--flink_job_server_jar, --spark_job_server_jar or --prism_location, as the runner is"
# What Flink and Spark say where something does not answer, and what that is.
_WORKERS = "the workers of --environment_config"
_UNREACHED = {
    "ConnectException": f"the master (--flink_master, --spark_master_url) and {_WORKERS}",
    "Cannot call methods on a stopped SparkContext": "the master (--spark_master_url)",
    "StatusRuntimeException: UNAVAILABLE: io exception": _WORKERS,
}
_UNPUBLISHED = "nothing was published"
_INSTALL = "every worker needs anchormine in the same version as here, with the same extras"


@contextmanager
def plain_errors(folder: str) -> Iterator[None]:
    """Gives an error of ours back as it was raised, and one of a file system as one of ours.

    Args:
        folder: that the run writes to, named where a file system says that it is full and not what.
    """
    try:
        yield
    except Exception as error:
        ours = own_error(error, folder)
        if ours is not None:
            raise ours from None
        raise


def own_error(error: BaseException | None, folder: str) -> CommandError | None:
    """Finds an error for the user in what a runner raises; None where it is an error of the program."""
    if broken := broken_package(error):
        return broken
    while error is not None:
        if isinstance(error, CommandError):
            return _as_written(error)
        if isinstance(error, URLError):
            return _job_error(error)
        if isinstance(error, OSError):
            return _of_file_system(str(error), folder)
        if type(error).__module__.startswith(_CLIENTS):
            return _of_file_system(_told(error), folder)
        if full := _full(error, f"; {_UNPUBLISHED}"):
            return full
        found = list(_ERROR_LINE.finditer(str(error)))
        if found:
            kind, text = found[-1][1], found[-1][2].partition(_ADDED)[0]
            if kind in ("CommandError", "UsageError", "MissingPackage"):
                return CommandError(text) if kind == "CommandError" else UsageError(text)
            if kind == "ModuleNotFoundError":
                return CommandError(f"{text}, on a worker; {_INSTALL}; {_UNPUBLISHED}")
            return _of_file_system(text, folder)
        if of_version := _OTHER_VERSION.findall(str(error)):
            return CommandError(f"{of_version[-1]}, on a worker; {_INSTALL}; {_UNPUBLISHED}")
        if of_client := _CLIENT_LINE.findall(str(error)):
            return _of_file_system(of_client[-1], folder)
        if of_job := _job_error(error):
            return of_job
        error = error.__cause__ or error.__context__
    return None


def _full(error: BaseException, consequence: str = "") -> CommandError | None:
    """The error for the user where the machine or its GPU has no more to give; None for any other."""
    text = str(error)
    if isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and _MEMORY_LINE.search(text)):
        return CommandError(f"there is no more memory{consequence}; {FEWER} if there is one (`ulimit -v`)")
    if not isinstance(error, RuntimeError):
        return None
    if NO_THREAD in text:
        return CommandError(f"{NO_ROOM}{consequence}; {FEWER}")
    if _UNCONNECTED in text:
        words = f"a worker process is not reached ({_UNCONNECTED})"
        return CommandError(f"{words}{consequence}; {FEWER} of open files (`ulimit -n`)")
    if full := _GPU_FULL.search(text):
        return CommandError(
            f"the GPU is full ({full[1]}){consequence}; use it with fewer --workers, or a smaller "
            "--batch-size where there is one, or give --device cpu"
        )
    return None


def _job_error(error: BaseException) -> CommandError | None:
    """The error for the user where a job has ended on its cluster; None for any other, as of the program.

    Args:
        error: that a runner has raised.
    """
    if isinstance(error, URLError):
        return CommandError(
            f"the runner's job server cannot be fetched ({error.reason}); give {_SERVERS}; {_UNPUBLISHED}"
        )
    if isinstance(error, RuntimeError) and (ended := _UNSTARTED.fullmatch(str(error))):
        return CommandError(
            f"the runner's job server has ended with status {ended[1]} as it started; see that it is one "
            f"which is given by {_SERVERS}; {_UNPUBLISHED}"
        )
    if type(error).__module__.startswith("grpc"):
        details = " ".join((getattr(error, "details", str)() or type(error).__name__).split())
        return CommandError(
            f"the job server answers no more ({details}); see whether its job goes on; {_UNPUBLISHED}"
        )
    failed = _FAILED.fullmatch(str(error)) if isinstance(error, RuntimeError) else None
    if failed is None or _TRACEBACK in failed[2]:
        return None
    told = failed[2].strip().partition("\n")[0] or "unknown error"
    unreached = next((what for words, what in _UNREACHED.items() if words in told), None)
    remedy = f"see that it reaches {unreached}" if unreached else "see its log"
    return CommandError(f"the job has ended in state {failed[1]} ({told}); {remedy}; {_UNPUBLISHED}")


@contextmanager
def told_refusals() -> Iterator[None]:
    """Gives what a file system says that refuses something, or a package that fails, as an error of ours."""
    try:
        yield
    except Exception as error:
        if broken := broken_package(error):
            raise broken from None
        if isinstance(error, OSError):
            # A PermissionError that a library raises may have no number.
            number = errno.EACCES if isinstance(error, PermissionError) else error.errno
            if number in _REFUSALS:
                raise CommandError(f"{file_reason(error)}; {_REFUSALS[number]}") from None
        if type(error).__module__.startswith(_CLIENTS):
            raise CommandError(_told(error)) from None
        if full := _full(error):
            raise full from None
        raise


def _told(error: BaseException) -> str:
    told = error.args[0] if error.args and isinstance(error.args[0], str) else str(error)
    return " ".join(told.split())


def file_reason(error: OSError) -> str:
    """What a file system says, in one line; Beam's own wrap the errors of several files."""
    details = getattr(error, "exception_details", None) or {}
    for cause in (*details.values(), *error.args[:1]):
        if isinstance(cause, OSError):
            return file_reason(cause)
    if error.strerror is None:
        return " ".join(str(error).split()).removesuffix(" with exceptions None")
    name = error.filename2 or error.filename  # of a move, where it was to go
    return f"{error.strerror}: {name}" if name else error.strerror


def _as_written(error: CommandError) -> CommandError:
    text, added, _ = str(error).partition(_ADDED)
    if not added:
        return error
    return UsageError(text) if isinstance(error, UsageError) else CommandError(text)


def _of_file_system(text: str, folder: str) -> CommandError:
    """An error of a file system; the system's own text names the file, but for that of a write."""
    told = _NUMBER.sub("", text.partition(_ADDED)[0]).strip()
    remedy = next((remedy for reason, remedy in _REMEDIES.items() if reason in told), "")
    if told in _REMEDIES:
        told = f"{folder}: cannot be written ({told})"
    return CommandError(f"{told}; nothing was published{remedy}")

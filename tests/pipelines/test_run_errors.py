"""What runners make of an error is one line again."""

from __future__ import annotations

from urllib.error import URLError

import pytest
from apache_beam.io.filesystem import BeamIOError

from anchormine.errors import CommandError, MissingPackage, UsageError
from anchormine.pipelines.run_errors import file_reason, own_error, plain_errors, told_refusals

ADDED = " [while running 'Read/Read']"


class StoreError(Exception):
    """As the clients of object stores raise them."""


StoreError.__module__ = "apache_beam.io.aws.clients.s3.messages"
DENIED = StoreError("An error occurred (AccessDenied)\nwhen calling PutObject", 403)


class GpuError(RuntimeError):
    """As torch raises it where a GPU is full."""


GPU_ROOM = "use it with fewer --workers, or a smaller --batch-size where there is one, or give --device cpu"
MEMORY = "give fewer --workers, or raise the limit if there is one (`ulimit -v`)"
THREADS = "there is no memory for another thread, or no room by a limit of processes (`ulimit -u`)"
ROOM = "nothing was published; make room, or give a folder that has it"


def wrapped(error: Exception, text: str) -> Exception:
    outer = RuntimeError(text)
    outer.__cause__ = error
    return outer


@pytest.mark.parametrize(
    ("error", "kind", "text"),
    [
        (CommandError("a: broken"), CommandError, "a: broken"),
        (CommandError(f"a: broken{ADDED}"), CommandError, "a: broken"),
        (UsageError(f"--a: wrong{ADDED}"), UsageError, "--a: wrong"),
        (wrapped(CommandError("a: broken"), "failed"), CommandError, "a: broken"),
        (
            wrapped(MissingPackage("anchormine x", "torch", "train"), "failed"),
            MissingPackage,
            "anchormine x needs torch, which is not installed: pip install anchormine[train]",
        ),
        (
            RuntimeError(f"Traceback ...\n  raise\nanchormine.errors.UsageError: --a: wrong{ADDED}\n"),
            UsageError,
            "--a: wrong",
        ),
        (
            GpuError(f"CUDA out of memory. Tried to allocate 2.00 MiB.\nMore{ADDED}"),
            CommandError,
            f"the GPU is full (CUDA out of memory); nothing was published; {GPU_ROOM}",
        ),
        (
            RuntimeError(
                f"Traceback ...\ntorch.AcceleratorError: CUDA error: out of memory\nSearch for{ADDED}"
            ),
            CommandError,
            f"the GPU is full (CUDA error: out of memory); nothing was published; {GPU_ROOM}",
        ),
        (
            RuntimeError("Traceback ...\nRuntimeError: CUDA error: out of memory\nCUDA kernel errors might"),
            CommandError,
            f"the GPU is full (CUDA error: out of memory); nothing was published; {GPU_ROOM}",
        ),
        (
            MemoryError(f"malloc failed{ADDED}"),
            CommandError,
            f"there is no more memory; nothing was published; {MEMORY}",
        ),
        (
            RuntimeError(f"Traceback ...\npyarrow.lib.ArrowMemoryError: malloc of size 64 failed{ADDED}"),
            CommandError,
            f"there is no more memory; nothing was published; {MEMORY}",
        ),
        (
            RuntimeError("Traceback ...\nMemoryError\n"),
            CommandError,
            f"there is no more memory; nothing was published; {MEMORY}",
        ),
        (
            RuntimeError("can't start new thread"),
            CommandError,
            f"{THREADS}; nothing was published; give fewer --workers, or raise the limit",
        ),
        (
            RuntimeError("Traceback ...\nRuntimeError: Channel closed prematurely.\n"),
            CommandError,
            "a worker process is not reached (Channel closed prematurely); nothing was published; give fewer "
            "--workers, or raise the limit of open files (`ulimit -n`)",
        ),
        (
            FileNotFoundError(2, "No such file or directory", "a.parquet"),
            CommandError,
            "No such file or directory: 'a.parquet'; nothing was published",
        ),
        (
            RuntimeError(f"Traceback ...\nPermissionError: [Errno 13] Permission denied: 'a'{ADDED}"),
            CommandError,
            "Permission denied: 'a'; nothing was published",
        ),
        (
            wrapped(OSError(28, "No space left on device"), "failed"),
            CommandError,
            f"out: cannot be written (No space left on device); {ROOM}",
        ),
        (
            OSError(28, "No space left on device", "out/a"),
            CommandError,
            f"No space left on device: 'out/a'; {ROOM}",
        ),
        (
            RuntimeError(f"Traceback ...\nOSError: [Errno 122] Disk quota exceeded{ADDED}\n"),
            CommandError,
            f"out: cannot be written (Disk quota exceeded); {ROOM}",
        ),
        (
            OSError(27, "File too large"),
            CommandError,
            "out: cannot be written (File too large); nothing was published; raise the limit of a file's "
            "size (`ulimit -f`), or give another folder",
        ),
        (
            wrapped(DENIED, "failed"),
            CommandError,
            "An error occurred (AccessDenied) when calling PutObject; nothing was published",
        ),
        (
            RuntimeError(f"Traceback ...\nbotocore.errors.ClientError: access denied{ADDED}\n"),
            CommandError,
            "access denied; nothing was published",
        ),
    ],
)
def test_an_error_for_the_user(error: Exception, kind: type, text: str) -> None:
    found = own_error(error, "out")
    assert (type(found), str(found)) == (kind, text)
    with pytest.raises(kind), plain_errors("out"):
        raise error


def failed(state: str, told: str) -> RuntimeError:
    """As Beam's portable runner says it."""
    return RuntimeError(f"Pipeline BeamApp-root-1_2 failed in state {state}: {told}")


class Gone(Exception):
    """As gRPC says that a server has gone."""

    __module__ = "grpc._channel"

    def details(self) -> str:
        return "Stream removed (Socket closed)"


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (
            failed("CANCELLED", "unknown error"),
            "the job has ended in state CANCELLED (unknown error); see its log",
        ),
        (
            failed(
                "FAILED", "java.io.IOException: Insufficient number of network buffers\n\tat x.Y(Y.java:1)"
            ),
            "the job has ended in state FAILED (java.io.IOException: Insufficient number of network buffers)"
            "; see its log",
        ),
        (
            failed("FAILED", "java.net.ConnectException: Connection refused"),
            "the job has ended in state FAILED (java.net.ConnectException: Connection refused); see that it "
            "reaches the master (--flink_master, --spark_master_url) and the workers of --environment_config",
        ),
        (
            failed(
                "FAILED",
                "java.lang.IllegalStateException: Cannot call methods on a stopped SparkContext.\nIt",
            ),
            "the job has ended in state FAILED (java.lang.IllegalStateException: Cannot call methods on a "
            "stopped SparkContext.); see that it reaches the master (--spark_master_url)",
        ),
        (
            failed(
                "FAILED",
                "java.lang.RuntimeException: Error received from SDK harness for instruction 1: Traceback "
                '(most recent call last):\n  File "a.py", line 1, in find_class\n'
                "ModuleNotFoundError: No module named 'anchormine.transforms'\n",
            ),
            "No module named 'anchormine.transforms', on a worker; every worker needs anchormine in the same "
            "version as here, with the same extras",
        ),
        (
            failed(
                "FAILED",
                'java.lang.RuntimeException: Traceback (most recent call last):\n  File "a.py", line 1\n'
                "AttributeError: Can't get attribute 'Old' on <module 'anchormine.x' from '/a/x.py'>\n",
            ),
            "AttributeError: Can't get attribute 'Old' on <module 'anchormine.x' from '/a/x.py'>, on a "
            "worker; every worker needs anchormine in the same version as here, with the same extras",
        ),
        (
            failed(
                "FAILED",
                "Task 1 in stage 0.0 failed 4 times, most recent failure: Lost task 1.3 in stage 0.0: "
                "io.grpc.StatusRuntimeException: UNAVAILABLE: io exception\n\tat x.Y(Y.java:1)",
            ),
            "the job has ended in state FAILED (Task 1 in stage 0.0 failed 4 times, most recent failure: "
            "Lost task 1.3 in stage 0.0: io.grpc.StatusRuntimeException: UNAVAILABLE: io exception); see "
            "that it reaches the workers of --environment_config",
        ),
        (
            Gone(),
            "the job server answers no more (Stream removed (Socket closed)); see whether its job goes on",
        ),
        (
            URLError(OSError(-2, "Name or service not known")),
            "the runner's job server cannot be fetched ([Errno -2] Name or service not known); give "
            "--flink_job_server_jar, --spark_job_server_jar or --prism_location, as the runner is",
        ),
        (
            RuntimeError("Service failed to start up with error 1"),
            "the runner's job server has ended with status 1 as it started; see that it is one which is "
            "given by --flink_job_server_jar, --spark_job_server_jar or --prism_location, as the runner is",
        ),
    ],
)
def test_the_end_of_a_job_on_a_cluster(error: Exception, text: str) -> None:
    found = own_error(error, "out")
    assert (type(found), str(found)) == (CommandError, f"{text}; nothing was published")


def test_an_error_of_the_program_stays_as_it_is() -> None:
    assert own_error(KeyError("x"), "out") is None
    of_worker = failed("FAILED", "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'")
    assert own_error(of_worker, "out") is None
    with pytest.raises(KeyError), plain_errors("out"):
        raise KeyError("x")


FULL = OSError(28, "No space left on device", "a", None, "b")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (OSError(28, "No space left on device"), "No space left on device"),
        (PermissionError(13, "Permission denied", "a"), "Permission denied: a"),
        (BeamIOError("Rename failed", {("a", "b"): OSError(FULL)}), "No space left on device: b"),
        (BeamIOError("a: no such\n object"), "a: no such object"),
    ],
)
def test_what_a_file_system_says(error: OSError, text: str) -> None:
    assert file_reason(error) == text


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (DENIED, "An error occurred (AccessDenied) when calling PutObject"),
        (
            PermissionError(13, "Permission denied", "a/manifest.json"),
            "Permission denied: a/manifest.json; see that you may read and write it",
        ),
        (PermissionError("no access to a"), "no access to a; see that you may read and write it"),
        (OSError(36, "File name too long", "aaa"), "File name too long: aaa; give a shorter name"),
        (
            OSError(30, "Read-only file system", "a"),
            "Read-only file system: a; give a folder of another file system",
        ),
        (GpuError("CUDA out of memory. Tried"), f"the GPU is full (CUDA out of memory); {GPU_ROOM}"),
        (MemoryError(), f"there is no more memory; {MEMORY}"),
    ],
)
def test_what_is_refused(error: Exception, text: str) -> None:
    with pytest.raises(CommandError) as found, told_refusals():
        raise error
    assert str(found.value) == text
    for other in (KeyError("x"), FULL):
        with pytest.raises(type(other)), told_refusals():
            raise other

"""From crawl files to Parquet: `anchormine web` beside plain loops, and its memory.

    python tests/bench/web_pipeline.py [--rounds N] [--json]

* Through Beam: CPU seconds of all processes, start-up included, of a plain loop (warcio, selectolax or
  BeautifulSoup, urllib, Punkt, Parquet) over those of `anchormine web --workers 1`, on files of mtawiki; and
  without targets on two other crawls, which are smaller: of these start-up is a larger part.
* In process: the same from the file to links with their sentences, without Beam, Parquet and start-up, on
  three crawls, each and all together; the sides take turns. Python's collector is at work as in any program.
* Both also, without targets, beside a loop by selectolax that splits only the blocks with links, as we
  do, which is most of what a plain loop can save; and beside loops that ask for the text around each link by
  itself, and find the link there by its text, so that its place may be that of another.
* All of that for plain Python, as it is installed, and for the wheel with compiled modules, which is built
  first where there is a C compiler.
* The peak memory of `anchormine web --workers 1` on the largest file; on that file ten times over, whose
  pages supersede each other; on ten copies that are of ten hosts, all of whose pages are written; and on
  100,000 small pages, of whose addresses and links the local runner has some in memory.

The crawls are in the folder `warc` of the one that ANCHORMINE_DATA names; without it nothing is measured.
The exit status is 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench import plain_web_loop
from tests.bench.made_crawls import of_other_host, small_pages
from tests.bench.measured_runs import ENVIRONMENT, ROOT, children_seconds
from tests.house.wheels import unpack_compiled, why_not_compiled

DATA = Path(os.environ.get("ANCHORMINE_DATA") or "nowhere").resolve() / "warc"
BEAM_TARGETS = {"selectolax": 1.2, "BeautifulSoup": 10.0}
BEAM_CRAWLS: dict[str, dict[str, float]] = {
    "mtawiki-*.warc.gz": BEAM_TARGETS,
    "contextwiki-*.warc.gz": {},
    "blackbook.warc.gz": {},
}
PROCESS_TARGETS = {"selectolax": 1.45, "BeautifulSoup": 12.0}
MEMORY_TARGET_MB = 1000.0
CRAWLS = ("mtawiki-00000.warc.gz", "contextwiki-00000.warc.gz", "blackbook.warc.gz")
_TIMES_LONGER = 10
_PASSES = 3  # over a crawl in process, for each round of whole commands: a second or two is a noisy measure
# The loop as a program of its own; a file that can be run would be one of the benches.
_LOOP = """
import sys
from tests.bench import plain_web_loop
plain_web_loop.main(*sys.argv[1:])
"""
# A pass in process, with the imports that its side needs and no others, as a program of its own has them.
# Of ours what is imported first is the package of the folder that it starts in.
_OUR_PASS = """
import sys
import anchormine
from tests.bench import crawl_links
from tests.bench.measured_runs import pass_seconds
print(pass_seconds(crawl_links.read_file, sys.argv[2]))
"""
_LOOP_PASS = """
import sys
from tests.bench import plain_web_loop
from tests.bench.measured_runs import pass_seconds
plain_web_loop.import_library(sys.argv[1])
print(pass_seconds(plain_web_loop.count_links, sys.argv[2], sys.argv[1]))
"""
_MEMORY_NOISE = 1.1
_SMALL_PAGES, _LINKS = 100_000, 10


def forms_of_anchormine(folder: Path) -> dict[str, Path]:
    """Where to start a program that is to run each form: plain, and compiled where that can be made."""
    forms = {"anchormine": ROOT}
    reason = why_not_compiled()
    if reason is None:
        forms["anchormine compiled"] = unpack_compiled(folder)
    else:
        print(f"not compiled: {reason}")
    return forms


def through_beam(paths: Sequence[Path], forms: dict[str, Path], rounds: int) -> dict[str, float]:
    """CPU seconds of the command in each form, and of the loop by each library."""
    seconds: dict[str, list[float]] = {name: [] for name in (*forms, *plain_web_loop.READERS)}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            for name, package in forms.items():
                command = our_command(paths, Path(folder) / f"{name} {number}")
                seconds[name].append(children_seconds(command, package)[0])
            for name in plain_web_loop.READERS:
                if is_once(name, number):
                    continue
                output = f"{folder}/{name}.parquet"
                command = [sys.executable, "-c", _LOOP, name, output, *map(str, paths)]
                seconds[name].append(children_seconds(command)[0])
    return medians(seconds)


def medians(seconds: dict[str, list[float]]) -> dict[str, float]:
    return {name: statistics.median(taken) for name, taken in seconds.items()}


def is_once(name: str, number: int) -> bool:
    """Whether a side has its figure already: BeautifulSoup takes minutes, and no noise is of its size."""
    return name.startswith("BeautifulSoup") and number > 0


def our_command(paths: Sequence[Path], folder: Path) -> list[str]:
    command = [sys.executable, "-m", "anchormine", "web", *map(str, paths)]
    return [*command, "--output", str(folder), "--workers", "1", "--progress", "none"]


def in_process(path: Path, forms: dict[str, Path], rounds: int) -> dict[str, float]:
    """CPU seconds of our functions in each form, and of the loop by each library; a process for every pass.

    Nothing is known of the crawl at the start: anchormine remembers what repeats.
    """
    seconds: dict[str, list[float]] = {name: [] for name in (*forms, *plain_web_loop.READERS)}
    for number in range(rounds):
        for name, passes in seconds.items():
            if not is_once(name, number):
                program, package = (_OUR_PASS, forms[name]) if name in forms else (_LOOP_PASS, ROOT)
                command = [sys.executable, "-c", program, name, str(path)]
                passes.append(float(subprocess.check_output(command, cwd=package, env=ENVIRONMENT)))
    return medians(seconds)


def peak_memory(copies: Iterable[bytes]) -> float:
    """Of the command on a file that is made of others, in MB."""
    with tempfile.TemporaryDirectory() as folder:
        long = Path(folder) / "long.warc.gz"
        with long.open("wb") as stream:
            for copy in copies:
                stream.write(copy)
        return children_seconds(our_command([long], Path(folder) / "out"))[1]


def memory_figures(largest: Path) -> Iterator[tuple[str, float, float, str]]:
    """Yields the title, value, target and unit of each figure of memory; all targets are upper ones."""
    once = peak_memory([largest.read_bytes()])
    yield f"peak memory on {largest.name}", once, MEMORY_TARGET_MB, " MB"
    for pages, copies in (
        ("the same pages", (largest.read_bytes() for _ in range(_TIMES_LONGER))),
        ("other pages", (of_other_host(largest, number) for number in range(_TIMES_LONGER))),
    ):
        title = f"peak memory, {_TIMES_LONGER} times as long, {pages}"
        yield title, peak_memory(copies) / once, _MEMORY_NOISE, ""
    small = peak_memory(small_pages(_SMALL_PAGES, _LINKS))
    yield f"peak memory, {_SMALL_PAGES:,} small pages", small, MEMORY_TARGET_MB, " MB"


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures; exit status 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    logging.disable(logging.CRITICAL)
    if not DATA.is_dir():
        print("no crawls: set ANCHORMINE_DATA")
        return 0
    missed = False

    def show(figure: str, value: float, target: float | None, met: bool, unit: str = "") -> None:
        nonlocal missed
        missed |= not met
        row = {"figure": figure, "value": round(value, 2), "target": target}
        aim = "no target" if target is None else f"target {target:g}{unit}"
        print(json.dumps(row) if options.json else f"{figure}: {value:.2f}{unit} ({aim})")

    def show_ratios(title: str, taken: dict[str, float], targets: dict[str, float]) -> None:
        for form, name in product(forms, plain_web_loop.READERS):
            ratio, target = taken[name] / taken[form], targets.get(name)
            show(f"{title}, {name} / {form}", ratio, target, target is None or ratio >= target)

    paths = sorted(DATA.glob("mtawiki-*.warc.gz"))
    with tempfile.TemporaryDirectory() as folder:
        forms = forms_of_anchormine(Path(folder))
        for names, targets in BEAM_CRAWLS.items():
            taken = through_beam(sorted(DATA.glob(names)), forms, options.rounds)
            show_ratios(f"{names} to Parquet", taken, targets)
        together = dict.fromkeys((*forms, *plain_web_loop.READERS), 0.0)
        for crawl in CRAWLS:
            taken = in_process(DATA / crawl, forms, _PASSES * options.rounds)
            show_ratios(f"{crawl} in process", taken, {})
            together = {name: seconds + taken[name] for name, seconds in together.items()}
        show_ratios("the three in process", together, PROCESS_TARGETS)
    largest = max(paths, key=lambda path: path.stat().st_size)
    for title, value, target, unit in memory_figures(largest):
        show(title, value, target, value <= target, unit)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())

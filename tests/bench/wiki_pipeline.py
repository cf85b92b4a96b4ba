"""From a dump to Parquet: `anchormine wiki` against WikiExtractor with Punkt, and against a plain loop.

    python tests/bench/wiki_pipeline.py [--rounds N] [--peer-python PYTHON] [--dump FILE]
        [--large FILE] [--json]

Four figures, each a ratio of two sides that take turns in one run (medians), or a peak:

* WikiExtractor `--links --json --processes 1`, then Punkt over every line that holds a link, then
  pages and anchor sentences to Parquet: CPU seconds of all processes, start-up included, over those of
  `anchormine wiki --workers 1`. Punkt's parameters are trained before, outside the measured time.
* Beam over a plain loop that calls the same functions: reading, parsing and writing chunks (one fused stage),
  and the same with the join of titles and the final tables. CPU seconds of this process, without start-up.
* The peak memory of `anchormine wiki --workers 1` on the large dump.

The dumps are found in the folder `wiki` of the one that ANCHORMINE_DATA names; without it they are the demo
wiki. The exit status is 1 where a target is missed on real dumps.
"""

from __future__ import annotations

import argparse
import gc
import html
import json
import logging
import os
import pickle
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.measured_runs import ROOT, children_seconds, ratio_of

DATA = Path(os.environ.get("ANCHORMINE_DATA") or "nowhere") / "wiki"
DEMO = ROOT / "anchormine" / "demo" / "wiki.xml"
TARGETS = {"peer": 1.7, "fused": 1.25, "joined": 1.5, "memory": 1500.0}
_LINK = re.compile(r'<a href="([^"]*)">(.*?)</a>')


def found(pattern: str) -> Path:
    """A real dump, or the demo wiki where there is none."""
    return next(iter(sorted(DATA.glob(pattern))), DEMO)


# --- the other side: WikiExtractor, Punkt, Parquet


def train_punkt(dump: Path, path: Path) -> None:
    """Trains Punkt's parameters on the dump's text, and keeps them."""
    from nltk.tokenize.punkt import PunktTrainer

    from tests.wiki.real_dumps import read_dump

    _, articles = read_dump(dump)
    text = "\n".join(article.wikitext for article, _ in zip(articles, range(300), strict=False))
    path.write_bytes(pickle.dumps(PunktTrainer(text).get_params()))


def run_peer(dump: Path, folder: Path, punkt: Path) -> None:
    """The whole other side, in the peer's interpreter."""
    command = [
        *(sys.executable, "-m", "wikiextractor.WikiExtractor", "--links", "--json"),
        *("--processes", "1", "--quiet", "-o", str(folder / "text"), str(dump)),
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    write_peer_tables(folder, pickle.loads(punkt.read_bytes()))


def write_peer_tables(folder: Path, parameters: Any) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    tokenizer = PunktSentenceTokenizer(parameters)
    pages: list[dict[str, Any]] = []
    anchors: list[dict[str, Any]] = []
    for path in sorted(folder.glob("text/*/wiki_*")):
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                page = json.loads(line)
                text, found_links = without_links(page["text"])
                pages.append(
                    {"page_id": page["id"], "title": page["title"], "url": page["url"], "text": text}
                )
                anchors += linked_sentences(page["id"], text, found_links, tokenizer)
    for name, rows in (("pages", pages), ("anchors", anchors)):
        pq.write_table(pa.Table.from_pylist(rows), folder / f"{name}.parquet", compression="zstd")


def without_links(text: str) -> tuple[str, list[tuple[int, int, str]]]:
    """WikiExtractor's text without its <a> elements, and (start, end, target) of each."""
    text = html.unescape(text)
    out, links = [], []
    position = length = 0
    for match in _LINK.finditer(text):
        out += [text[position : match.start()], match[2]]
        length += match.start() - position
        links.append((length, length + len(match[2]), match[1]))
        length += len(match[2])
        position = match.end()
    out.append(text[position:])
    return "".join(out), links


def linked_sentences(
    page_id: str, text: str, links: list[tuple[int, int, str]], tokenizer: Any
) -> Iterable[dict[str, Any]]:
    """A row for each link, with the sentence it stands in."""
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        here = [link for link in links if start <= link[0] < end]
        if here:
            for first, last in tokenizer.span_tokenize(line):
                for at, to, target in here:
                    if first <= at - start < last:
                        yield {
                            "source": page_id, "sentence": line[first:last], "start": at - start - first,
                            "end": to - start - first, "anchor": text[at:to], "target": target,
                        }  # fmt: skip
        start = end + 1


# --- Beam, and a plain loop


def in_beam(dump: Path, folder: Path, join: bool) -> int:
    """The pipeline of the command in this process, as far as asked for."""
    import apache_beam as beam

    from anchormine.hypertext.rows import Provenance
    from anchormine.pipelines.runners import make_runner, pipeline_options
    from anchormine.transforms.parse_articles import ParseArticles
    from anchormine.transforms.read_dump import ReadDump
    from anchormine.transforms.resolve_links import ResolveLinks
    from anchormine.transforms.spill_pages import SpillPages
    from anchormine.transforms.write_pages import WritePages

    plan, sites, models = planned(dump)
    options = pipeline_options([], 1)
    ranges = len(plan.ranges)
    with beam.Pipeline(runner=make_runner(options), options=options) as pipeline:
        pages = (pipeline | ReadDump(plan)).pages
        spilled = pages | ParseArticles(sites, models) | SpillPages(sites, 1, str(folder / "pages"))
        if join:
            resolved = (spilled.addresses, spilled.targets) | ResolveLinks(1, str(folder / "addresses"))
            of_wiki = Provenance("wiki", "wiki", sites[0].wiki, None)
            parts = WritePages((of_wiki,) * ranges, (0,) * ranges, str(folder / "parts"))
            (spilled, resolved) | parts
    return ranges


def in_a_loop(dump: Path, folder: Path, join: bool) -> int:
    """The same functions without Beam."""
    from anchormine.hypertext.chunks import ChunkBuilder, write_chunk
    from anchormine.hypertext.page_limits import PageLimits
    from anchormine.transforms.dump_range import read_elements
    from anchormine.wiki.dump_page import DumpPage, read_dump_page
    from anchormine.wiki.page_reader import PageReader
    from anchormine.wiki.revisions import parse_page

    plan, (site,), models = planned(dump)
    reader = PageReader(PageLimits())
    rows: list[Any] = []
    chunks: list[Path] = []
    for part in plan.ranges:
        builder = ChunkBuilder()
        for ordinal, element in enumerate(read_elements(part, [])):
            page = DumpPage(0, part.number, ordinal, "", parse_page(element.xml), None, "")
            read = read_dump_page(page, site, models[site.language], reader)
            builder.add(read)
            if read.redirect is not None or read.content is not None:
                rows.append(address_row(read, site))
        chunks.append(folder / f"{part.number}.arrow")
        with chunks[-1].open("wb") as stream:
            write_chunk(builder.build(), stream)
    reader.close()
    if join:
        join_in_memory(site, rows, chunks, folder)
    return len(chunks)


def address_row(read: Any, site: Any) -> Any:
    """What the join needs of a page."""
    from anchormine.hypertext.address_table import AddressRow

    to = read.redirect
    target = (None, None, None) if to is None else (site.key(to.address), *to)
    return AddressRow(
        site.key(read.address), read.address, read.page_id, read.range, read.ordinal, read.timestamp,
        read.revision, *target,
    )  # fmt: skip


def join_in_memory(site: Any, rows: list, chunks: list[Path], folder: Path) -> None:
    """Looks up the links' titles, and writes the tables."""
    from anchormine.hypertext.address_table import AddressTable
    from anchormine.hypertext.anchor_rows import written_out
    from anchormine.hypertext.chunks import read_chunk
    from anchormine.hypertext.latest_rows import find_duplicates
    from anchormine.hypertext.rows import Provenance, build_rows
    from anchormine.schemas.anchors import ANCHORS
    from anchormine.schemas.arrow_rows import to_table
    from anchormine.schemas.pages import PAGES
    from anchormine.schemas.rejects import REJECTS
    from anchormine.transforms.parquet_shards import ShardWriter
    from anchormine.transforms.resolve_links import DESTINATIONS

    suffixes: dict[int, dict[int, str]] = {}
    for item in find_duplicates(rows):
        suffixes.setdefault(item.range, {})[item.ordinal] = item.suffix
    kept = []
    for row in rows:
        suffix = suffixes.get(row.range, {}).get(row.ordinal)
        if suffix != "":
            kept.append(row._replace(suffix=suffix or ""))
    table = AddressTable(kept)
    ends, redirects = follow_redirects(kept, table)
    tables = (("pages", PAGES), ("anchors", ANCHORS), ("rejects/wiki", REJECTS))
    pages, anchors, rejects = writers = [
        ShardWriter(str(folder / "parts"), name, schema) for name, schema in tables
    ]
    for number, path in enumerate(chunks):
        with path.open("rb") as stream:
            chunk = read_chunk(stream)
        answer = [to_table(destinations(site, chunk, table, ends), DESTINATIONS)]
        made = build_rows(
            chunk,
            answer,
            suffixes.get(number, {}),
            redirects.get(number, {}),
            Provenance("wiki", "wiki", site.wiki, None),
        )
        pages.write(made.pages)
        for some in written_out(made.anchors, made.shared):
            anchors.write(some)
        rejects.write(made.rejects)
    for writer in writers:
        writer.close()


def follow_redirects(rows: list, table: Any) -> tuple[dict[str, Any], dict[int, dict[int, list[str]]]]:
    """Where each redirect ends, and the redirects to each page."""
    from anchormine.hypertext.trails import Trail, follow

    trails = [
        Trail(row.key, row.address, row.target_key, row.target_address, row.fragment)
        for row in rows
        if row.target_key is not None
    ]
    ends: dict[str, Any] = {}
    redirects: dict[int, dict[int, list[str]]] = {}
    for end in follow(trails, lambda questions: {question: table.find(*question) for question in questions}):
        ends[end.address] = end
        if end.page_id is not None:
            redirects.setdefault(end.range, {}).setdefault(end.ordinal, []).append(end.address)
    return ends, redirects


def destinations(
    site: Any, chunk: Any, table: Any, ends: dict[str, Any]
) -> list[tuple[int, str, str | None]]:
    """The rows of `DESTINATIONS` for the titles that a chunk's links have."""
    found: list[tuple[int, str, str | None]] = []
    for place, title in enumerate(chunk.targets["address"].to_pylist()):
        hop = table.find(site.key(title), title)
        if hop is not None and hop.place is not None:
            found.append((place, hop.place.page_id, None))
        elif hop is not None and ends[hop.found].page_id is not None:
            found.append((place, ends[hop.found].page_id, ends[hop.found].fragment))
    return found


def planned(dump: Path) -> tuple[Any, tuple[Any], dict[str, Any]]:
    """The plan of a dump, its site, and where sentences end in its language."""
    from anchormine.text.sentences import needs_sample, sentence_model
    from anchormine.transforms.dump_plan import plan_dump
    from anchormine.transforms.sample_text import sample_text
    from anchormine.wiki.site import Site

    plan = plan_dump([str(dump)])
    site = Site(plan.files[0].info)
    sample = sample_text(plan, 0, site) if needs_sample(site.language) else None
    return plan, (site,), {site.language: sentence_model(site.language, sample)}


# --- measuring


def our_command(dump: Path, folder: Path) -> list[str]:
    return [sys.executable, "-m", "anchormine", "wiki", str(dump), "--output", str(folder),
            "--workers", "1", "--progress", "none"]  # fmt: skip


def against_peer(dump: Path, python: str, rounds: int) -> dict[str, float]:
    """CPU seconds of both sides, dump to Parquet."""
    seconds: dict[str, list[float]] = {"ours": [], "peer": []}
    with tempfile.TemporaryDirectory() as name:
        punkt = Path(name) / "punkt.pickle"
        train_punkt(dump, punkt)
        for number in range(rounds):
            ours, peer = Path(name) / f"ours{number}", Path(name) / f"peer{number}"
            peer.mkdir()
            seconds["ours"].append(children_seconds(our_command(dump, ours))[0])
            command = [python, __file__, "--as-peer", str(dump), str(peer), str(punkt)]
            seconds["peer"].append(children_seconds(command)[0])
    return ratio_of(seconds, "peer", "ours")


def against_loop(dump: Path, join: bool, rounds: int) -> dict[str, float]:
    """CPU seconds of Beam and of the loop, in this process."""
    sides: dict[str, Callable[[Path, Path, bool], int]] = {"beam": in_beam, "loop": in_a_loop}
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    gc.collect()
    for _ in range(rounds):
        for name, run in sides.items():
            with tempfile.TemporaryDirectory() as folder:
                started = time.process_time()
                run(dump, Path(folder), join)
                seconds[name].append(time.process_time() - started)
    return ratio_of(seconds, "beam", "loop")


def peak_memory(dump: Path) -> float:
    """Of the command with one worker, in MB."""
    with tempfile.TemporaryDirectory() as folder:
        return children_seconds(our_command(dump, Path(folder) / "out"))[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures; exit status 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peer-python", default=sys.executable, metavar="PYTHON", help="has WikiExtractor")
    parser.add_argument("--dump", type=Path, default=found("enwiki-samples*-multistream.xml.bz2"))
    parser.add_argument("--large", type=Path, default=found("minwiki-*-multistream.xml.bz2"))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--as-peer", nargs=3, type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    logging.disable(logging.CRITICAL)
    if options.as_peer:
        run_peer(*options.as_peer)
        return 0
    figures: dict[str, dict[str, float]] = {
        "peer": against_peer(options.dump, options.peer_python, options.rounds),
        "fused": against_loop(options.dump, False, options.rounds),
        "joined": against_loop(options.dump, True, options.rounds),
        "memory": {"ratio": peak_memory(options.large)},
    }
    return report(figures, options.dump != DEMO, options.json)


_LINES = {
    "peer": "dump to Parquet: WikiExtractor + Punkt {peer:.2f} s, anchormine {ours:.2f} s: ratio {ratio:.2f} "
    "(at least {target})",
    "fused": "read, parse, spill: Beam {beam:.2f} s, a loop {loop:.2f} s: ratio {ratio:.2f} "
    "(at most {target})",
    "joined": "all, with the join: Beam {beam:.2f} s, a loop {loop:.2f} s: ratio {ratio:.2f} "
    "(at most {target})",
    "memory": "peak memory with one worker: {ratio:.0f} MB (at most {target:.0f})",
}


def report(figures: dict[str, dict[str, float]], real: bool, as_json: bool) -> int:
    """Prints the figures; returns 1 where a target is missed."""
    missed = False
    for name, figure in figures.items():
        target = TARGETS[name]
        missed |= figure["ratio"] < target if name == "peer" else figure["ratio"] > target
        row = {**figure, "target": target}
        print(json.dumps({"figure": name, **row}) if as_json else _LINES[name].format(**row))
    return int(missed and real)


if __name__ == "__main__":
    sys.exit(main())

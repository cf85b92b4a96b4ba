"""A collection of three stems in two languages, with records of every kind."""

from __future__ import annotations

from pathlib import Path

from tests.clueweb22.clueweb22_files import line, links, page_id, text, write_file

PIER, PILE, QUAY = "http://harbour.example/pier", "http://harbour.example/pile", "http://quay.example/"
KAI, MOLE = "http://hafen.example/kai", "http://hafen.example/mole"
FAR = "http://far.example/"
TEXTS = {
    "en0000-00": (
        text(0, PIER, "A pier stands on  piles.\n\n It is\tlong. \n"),
        text(1, PILE, "A pile is driven into the ground."),
        text(2, "http://harbour.example/blank", " \n\n"),
        text(0, PIER, "The same again."),
        text(4, "http://harbour.example/other", "Of another file.", stem="en0000-07"),
        b"{broken\n",
        line({"URL": FAR, "ClueWeb22-ID": page_id(6)}),
    ),
    "en0000-01": (text(0, QUAY, "A quay is a wall.", "en0000-01", "en"),),
    "zh_chs0000-00": (text(0, KAI, "码头。\n第二段。", "zh_chs0000-00", "zh_chs"),),
}
IN_LINKS = {
    "en0000-00": (
        links(
            "inlink",
            0,
            PIER,
            [
                [PILE, "H", "the\n pier", "", "en", page_id(1)],
                [QUAY, "H", "piers", "0", "en", page_id(0, "en0000-01")],
                ["HTTP://far.example:80/#top", "H", "Ein Pier", "1", "de", None],
                [FAR, "H", "Pier", "", "de"],
                [FAR, "H", " ", "0", "de", None],
                [FAR, "H", None, "0", "de", None],
                [PIER, "H", "above", "0", "en", page_id(0)],
                [PIER + "#deck", "H", "deck", "0", "en", None],
                ["", "H", "nowhere", "0", "en", None],
                [FAR, "H", "four"],
                [FAR, "H", "seven", "", "en", None, 1],
                "no list",
                ["mailto:pier@harbour.example", "H", "by mail", "", "en", None],
                ["not a url", "H", "by nothing", "", "en"],
            ],
        ),
        b"\n",
        links("inlink", 2, "http://harbour.example/blank", [[FAR, "H", "blank page", 0, "xx-long", None]]),
        links("inlink", 0, PIER, [[FAR, "H", "again", "", "en", None]]),
        line({"ClueWeb22-ID": page_id(9), "url": FAR}),
    ),
    "zh_chs0000-00": (
        links(
            "inlink",
            0,
            KAI,
            [
                [FAR, "H", "码头 \ud83d", "", "zh_chs", None],
                ["HTTP://Quay.example#wall", "H", "harbour wall", "", "en"],
            ],
            "zh_chs0000-00",
            "zh_chs",
        ),
    ),
    "de0000-00": (links("inlink", 3, MOLE, [[FAR, "H", "Mole", "", "de", None]], "de0000-00", "de"),),
}
OUT_LINKS = {
    "en0000-00": (
        links(
            "outlink",
            0,
            PIER,
            [
                [PILE, "H", "piles", "", "en", page_id(1)],
                [QUAY + "#kinds", "H", "quays", "1", "en", page_id(0, "en0000-01")],
                [KAI, "H", "Kai", "", "de", page_id(0, "zh_chs0000-00")],
                [FAR, "H", "far away", "0", "en", None],
                [MOLE, "H", "moles", "0", "de", page_id(3, "de0000-00")],
                ["http://harbour.example/blank", "H", "blank", "0", "en", page_id(2)],
                [PIER, "H", "above", "0", "en", page_id(0)],
                [PIER, "H", "here", "0", "en", None],
                [PIER, "H", "", "0", "en", None],
                [PILE.replace("http://h", "HTTP://H") + "#oak", "H", "five fields", "", "en"],
                ["mailto:pier@harbour.example", "H", "write", "", "en", None],
            ],
        ),
        b"\n",
    ),
    "en0000-01": (links("outlink", 0, QUAY, [[PIER, "H", "a pier", "", "en", page_id(0)]], "en0000-01"),),
    "de0000-00": (links("outlink", 3, MOLE, [[QUAY, "H", "Kai", "", "de", None]], "de0000-00", "de"),),
}


def write_collection(root: Path, *kinds: str) -> Path:
    for kind, stems in (("txt", TEXTS), ("inlink", IN_LINKS), ("outlink", OUT_LINKS)):
        if kind in kinds:
            for stem, lines in stems.items():
                write_file(root, kind, stem, *lines)
    return root

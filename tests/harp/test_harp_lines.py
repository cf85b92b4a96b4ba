"""HARP's lines: places of anchors, wrong places, malformed lines, and the rows made of them."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence

import pytest

from anchormine.harp.lines import (
    INVERTED,
    LOST_TOKEN,
    OTHER_TEXT,
    OUT_OF_RANGE,
    HarpLineError,
    HarpLink,
    HarpSentence,
    read_line,
)
from anchormine.harp.rows import harp_rows, passage_id
from anchormine.schemas.anchors import Anchor
from anchormine.schemas.pages import Page
from anchormine.schemas.rejects import Reject

SENTENCE = "Prior to 1948, US\xa019 ran between Ela and (Waynesville). Ela grew."
TOKENS = SENTENCE.replace("\xa0", " ").split()


def line(*anchors: object, sentence: str = SENTENCE, tokens: Sequence[object] = TOKENS) -> str:
    return json.dumps({"sentence": sentence, "tokenized_sentence": [*tokens], "anchors": list(anchors)})


def anchor(text: str, first: int, last: int, passage: str = "A passage.") -> dict:
    return {"text": text, "pos": [first, last], "passage": passage}


@pytest.mark.parametrize(
    ("given", "written", "reason"),
    [
        (anchor("1948", 2, 2), "1948", None),
        (anchor("waynesville", 9, 9), "Waynesville", None),  # without the brackets and the full stop
        (anchor("us 19", 3, 4), "US\xa019", None),
        (anchor("ela", 7, 7), "Ela", None),
        (anchor("Waynesville", 9, 8), "Waynesville", INVERTED),
        (anchor("Waynesville", 9, 30), "Waynesville", OUT_OF_RANGE),
        (anchor("Waynesville", -1, 9), "Waynesville", OUT_OF_RANGE),
        (anchor("US 19", 5, 5), "US\xa019", OTHER_TEXT),
        (anchor("Ela", 0, 0), None, OTHER_TEXT),  # twice in the sentence
        (anchor("El", 7, 7), None, OTHER_TEXT),  # part of a word
        (anchor("nowhere", 0, 0), None, OTHER_TEXT),
        (anchor(" ", 0, 0), None, OTHER_TEXT),
    ],
)
def test_places(given: dict, written: str | None, reason: str | None) -> None:
    sentence, links = read_line(line([given]), 1)
    (link,) = links
    found = link.span and sentence[link.span[0] : link.span[1]]
    assert (found, link.text, link.passage, link.reason) == (written, given["text"], "A passage.", reason)
    assert read_line(line(given), 1) == read_line(line([given]).encode(), 1) == (sentence, links)


def test_the_right_one_of_two_equal_words() -> None:
    starts = [read_line(line(anchor("Ela", at, at)), 1).links[0].span for at in (7, 10)]
    assert starts == [
        (SENTENCE.index("Ela"), SENTENCE.index("Ela") + 3),
        (SENTENCE.rindex("Ela"), SENTENCE.rindex("Ela") + 3),
    ]


def test_tokens_that_the_sentence_does_not_have() -> None:
    tokens = [*TOKENS[:3], "lost", *TOKENS[3:]]
    sentence, links = read_line(line(anchor("1948", 2, 2), anchor("Waynesville", 10, 10), tokens=tokens), 1)
    assert [link.reason for link in links] == [None, LOST_TOKEN]
    assert [sentence[slice(*(link.span or ()))] for link in links] == ["1948", "Waynesville"]


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("{", "not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        (b"\xff\xfe\x00", "not JSON: "),
        (b'{"sentence": "\xed\xa0\xbd"}', "not JSON: 'utf-8' codec can't decode byte 0xed in position 14"),
        (b"[" * 100_000, "not JSON: maximum recursion depth exceeded"),
        ("[]", "expected an object, got list"),
        ('{"sentence": 3}', "sentence: expected str, got int"),
        ('{"sentence": "x"}', "tokenized_sentence: expected list, got nothing"),
        (line([]), "anchors: expected lists of one anchor, got one of 0"),
        (
            line(anchor("x", 1, 2), [anchor("y", 1, 1), 3]),
            "anchors: expected lists of one anchor, got one of 2",
        ),
        (line({"text": "x", "passage": "y", "pos": [1]}), "pos: expected two integers, got [1]"),
        (line({"text": "x", "passage": "y", "pos": [True, 1]}), "pos: expected two integers, got [True, 1]"),
        (line({"pos": [1, 1], "passage": "y"}), "text: expected str, got nothing"),
        (line(tokens=[3]), "tokenized_sentence: expected strings, got int"),
    ],
)
def test_malformed_lines(text: str | bytes, detail: str) -> None:
    with pytest.raises(HarpLineError) as caught:
        read_line(text, 7)
    assert str(caught.value).startswith(f"line 7: {detail}")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.number, again.detail) == (7, caught.value.detail)


def test_halves_of_characters_are_replaced() -> None:
    tokens = ["Tea", "\ud83d", "cups\udfff"]
    link = {"text": "cups\udfff", "pos": [2, 2], "passage": "\ud83d\ude00 \ud800\ud800 Cups"}
    read = read_line(line(link, sentence="Tea \ud83d cups\udfff", tokens=tokens), 1)
    assert read == HarpSentence(
        "Tea \ufffd cups\ufffd", [HarpLink("cups\ufffd", (6, 11), "\U0001f600 \ufffd\ufffd Cups", None)]
    )


ALASKA = HarpLink("Alaska", (4, 10), "The State.", None)
SENTENCES = [
    HarpSentence("The Alaska ran.", [ALASKA]),
    HarpSentence("no links", []),
    HarpSentence("the alaska ran.", [HarpLink("alaska", (4, 10), "the state.", OTHER_TEXT)]),
    HarpSentence("A ran.", [HarpLink("Ela", None, "A town.", INVERTED)]),
]
PAGE = Page(
    passage_id("The State."),
    "harp",
    "en",
    "",
    "",
    "The State.",
    "The State.",
    None,
    None,
    [],
    False,
    None,
    None,
    None,
)
LINK = Anchor(
    anchor_id="harp:demo.txt:1#a0",
    anchor="Alaska",
    sentence="The Alaska ran.",
    start=4,
    end=10,
    sentence_id="harp:demo.txt:1#s0",
    sentence_start=None,
    source_page_id="harp:demo.txt:1",
    target="Alaska",
    fragment=None,
    destination_page_id=PAGE.page_id,
    region="body",
    rel=None,
    language="en",
    gaps=0,
)
OTHER_PAGE = PAGE._replace(page_id=passage_id("the state."), lead="the state.", text="the state.")
OTHER_LINK = LINK._replace(
    anchor_id="harp:demo.txt:3#a0",
    anchor="alaska",
    sentence="the alaska ran.",
    sentence_id="harp:demo.txt:3#s0",
    source_page_id="harp:demo.txt:3",
    target="alaska",
    destination_page_id=OTHER_PAGE.page_id,
)


def test_rows() -> None:
    rows = harp_rows(enumerate(SENTENCES, 1), "demo.txt", "en")
    assert rows.pages == [PAGE, OTHER_PAGE]
    assert rows.anchors == [LINK, OTHER_LINK]
    assert rows.rejects == [Reject("harp", INVERTED, "links", "harp:demo.txt:4#a0", "demo.txt@line 4", "Ela")]
    assert rows.counts == {
        "links.read": 3,
        "links.written": 2,
        f"links.rejected.{INVERTED}": 1,
        f"places.repaired.{OTHER_TEXT}": 1,
    }

"""Blocks and sentences that are too long for one row: where they are cut."""

from __future__ import annotations

import pytest

from anchormine.text.sentences import sentence_model
from anchormine.web.html_page import WebExtraction, read_html
from tests.growth import LINEAR, growth_of
from tests.web.case_files import URL, read_case

ANCHOR = "anchor " * 99 + "anchor"  # longer than a block may be


@pytest.mark.parametrize("stop", [". ", "? ", "! ", "... ", "." + chr(0x201D) + " ", "。", "？"])
def test_a_stop_makes_running_text(stop: str) -> None:
    page = read_case(f"<p>See the <a href=x>pier</a>{stop}And the quay")
    assert page.sentences == [(f"See the pier{stop.strip()}", 0, 0)]
    assert [draft.context for draft in page.anchors] == ["sentence"]


@pytest.mark.parametrize(("language", "stop"), [("hy", ":"), ("el", ";"), ("el-GR", "\u037e")])
def test_stops_of_a_language(language: str, stop: str) -> None:
    """They look like marks that end no sentence in others."""
    html = f"<p>Φρ <a href=x>Αα</a> ββ{stop} Γγ <a href=y>Δδ</a>{stop}<p><a href=x>Αα</a> ββ{stop}"
    page = read_html(html, URL, lambda _: sentence_model(language))
    assert page.sentences == [(f"Φρ Αα ββ{stop}", 0, 0), (f"Γγ Δδ{stop}", 10, 0), (f"Αα ββ{stop}", 17, 0)]
    assert [draft.context for draft in page.anchors] == ["sentence"] * 3
    others = read_html(html.replace("\u037e", ";"), URL, lambda _: sentence_model("ka"))
    assert [draft.context for draft in others.anchors] == ["block"] * 3


@pytest.mark.parametrize(
    ("html", "sentence", "start", "context"),
    [
        (f"{'word ' * 99}<a href=x>ends</a>", "word " * 99 + "ends", 0, "block"),
        (f"{'word ' * 99}ee <a href=x>end</a>", "end", 498, "block"),
        (f"{'word ' * 120}<a href=x>end</a>", "word " * 20 + "end", 500, "block"),
        (f"{'w' * 501} <a href=x>end</a>", "w end", 500, "block"),
        (f"{'word ' * 399}<a href=x>ends</a>.", "word " * 399 + "ends.", 0, "sentence"),
        (f"{'A few words. ' * 200}See <a href=x>this</a>.", "See this.", 2600, "sentence"),
        (f"{'word ' * 399}<a href=x>ended</a>.", "ended.", 1995, "block"),
        (f"{'word ' * 99}<a href=x>an anchor</a>{' word' * 120}", f"an anchor{' word' * 98}", 495, "block"),
        (f"One <a href=x>{ANCHOR}</a> end", ANCHOR, 4, "block"),
        (f"{'word ' * 300}<a href=x>{ANCHOR}</a>.", ANCHOR, 1500, "block"),
    ],
)
def test_cuts_of_long_blocks(html: str, sentence: str, start: int, context: str) -> None:
    """Between words, where there are any, and never in an anchor."""
    page = read_case(f"<p>{html}")
    (draft,) = page.anchors
    assert page.sentences == [(sentence, start, 0)]
    assert sentence[draft.start : draft.end] == draft.anchor
    assert draft.context == context


@pytest.mark.parametrize("word", ["word ", "😀 ", "😀"])
def test_time_is_linear_in_a_block_without_a_stop(word: str) -> None:
    """It is cut at every 500 characters, and its only link is in the last piece."""

    def read(pieces: int) -> WebExtraction:
        return read_case(f"<p>{word * (200 * pieces // len(word))}<a href=x>end</a>", is_watched=False)

    page = read(10)
    assert page.sentences == [("end", 2000, 0)]
    assert [(draft.anchor, draft.start, draft.context) for draft in page.anchors] == [("end", 0, "block")]
    assert growth_of(read, max_runs=3) <= LINEAR


def test_time_is_linear_in_long_sentences_of_a_block() -> None:
    """Each is cut by its own links alone, however many others the block has."""
    sentence = f"Of {'<a href=x>it</a> ' * 8}{'w' * 2000}. "

    def read(pieces: int) -> WebExtraction:
        return read_case(f"<p>{sentence * (pieces // 4)}")

    page = read(8)
    assert page.sentences == [(f"Of{' it' * 8}", start, 0) for start in (0, 2029)]
    assert [(draft.sentence, draft.start, draft.context) for draft in page.anchors] == [
        (sentence, start, "block") for sentence in range(2) for start in range(3, 27, 3)
    ]
    assert growth_of(read, max_runs=3) <= LINEAR

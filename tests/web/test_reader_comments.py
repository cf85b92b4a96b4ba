"""What readers say under a text, which is none of it, however much it is; and what only looks like it."""

import pytest

from anchormine.web.page.main_parts import COMMENTED_CHARACTERS
from tests.web.page_texts import CUPS, NOTE, TEA, text_of

_POST = f"<h1>Tea</h1><p>{TEA}<p>{CUPS}<p>{TEA}<p>{CUPS}"
_READ = f"Tea\n{TEA}\n{CUPS}\n{TEA}\n{CUPS}"
_SAID = f"<article class=comment><h3>Ann</h3><p>{NOTE}</article>" * 20


@pytest.mark.parametrize(
    "tags",
    [
        "div id=comments",
        "ol class='commentlist group'",
        "div class=comment-list",
        "section class=postCommentSection",
        "div id=comment_form",
        "div id=respond",
        "div class=disqus-replies",
        "div id=leser-kommentare",
        "div class='box comentarios'",
    ],
)
def test_comments_are_left_out_however_many(tags: str) -> None:
    name = tags.partition(" ")[0]
    assert text_of(f"<div>{_POST}</div><{tags}>{_SAID}</{name}>") == _READ
    # Also where all of it is in one more that is named like boilerplate, or between it and what follows.
    assert text_of(f"<div class=has-sidebar>{_POST}<{tags}>{_SAID}</{name}></div>") == _READ
    assert text_of(f"{_POST}<{tags}>{_SAID}</{name}><p>{NOTE}") == f"{_READ}\n{NOTE}"
    # Nor do they count for what share of the page its article is.
    assert text_of(f"<p>News</p><article>{_POST}</article><{tags}>{_SAID}</{name}>") == _READ


@pytest.mark.parametrize("missing", [0, 1])
def test_comments_on_little_are_the_text_of_the_page(missing: int) -> None:
    """It is a discussion, of which the first post is no more than what it is about."""
    text = "t" * (COMMENTED_CHARACTERS - missing)
    said = f"<div id=comments>{_SAID}</div>"
    assert text_of(f"<h1>Tea</h1><p>{text}</p>{said}").count(NOTE) == (20 if missing else 0)
    assert text_of(f"<h1>Tea</h1>{said}<p>{text * 2}").count(NOTE) == 20  # it stands behind them


def test_a_wrapper_that_is_named_for_its_comments_holds_the_title() -> None:
    page = f"<p>{TEA}<p>{CUPS}<p>{NOTE}<p>{TEA}</p><div class=with-comments>{_POST}{_POST}</div>"
    assert text_of(page) == f"{TEA}\n{CUPS}\n{NOTE}\n{TEA}\n{_READ}\n{_READ}"


def test_a_main_is_in_no_comments() -> None:
    """It has less than half of the paragraphs here, so what stands before it stays, too."""
    main = f"<main>{f'<p>{NOTE}' * 4}</main>"
    page = f"{_POST}<div class=comments>{main}</div>"
    assert text_of(page) == _READ + f"\n{NOTE}" * 4


@pytest.mark.parametrize("tags", ["div class=comment", "div class=comment-body", "div id=comment_17"])
def test_a_single_comment_may_be_a_post_of_a_forum_or_belong_to_a_picture(tags: str) -> None:
    said = f"<{tags}><p>{NOTE}<p>{CUPS}</div>" * 4
    assert text_of(f"{_POST}{said}") == _READ + f"\n{NOTE}\n{CUPS}" * 4

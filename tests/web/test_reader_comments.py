"""What readers say under a text, which is none of it, however much it is; and what only looks like it."""

import pytest

from anchormine.web.main_text.main_parts import COMMENTED_CHARACTERS
from tests.web.page_texts import CUPS, NOTE, TEA, text_of

_POST = f"<h1>Tea</h1><p>{TEA}<p>{CUPS}<p>{TEA}<p>{CUPS}"
_READ = f"Tea\n{TEA}\n{CUPS}\n{TEA}\n{CUPS}"
_UNTITLED, _READ_UNTITLED = _POST.removeprefix("<h1>Tea</h1>"), _READ.removeprefix("Tea\n")
_SAID = f"<article class=comment><h3>Ann</h3><p>{NOTE}</article>" * 20
_COMMENTS = f"<div id=comments>{_SAID}</div>"


@pytest.mark.parametrize(
    "tags",
    [
        "div id=comments",
        "ol class='commentlist group'",
        "div class=comment-list",
        "section class=postCommentSection",
        "div id=comment_form",
        "div class=comment-respond",
        "div class=comment-wrapper",
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


@pytest.mark.parametrize("link", ["<div class=comments-link>20 comments</div>", "<p class=comments>20</p>"])
def test_a_link_to_the_comments_is_none(link: str) -> None:
    head, paragraphs = "<h1>Tea</h1>", _UNTITLED
    assert text_of(f"<article>{head}{link}{paragraphs}</article>{_COMMENTS}") == _READ


def test_comments_may_have_a_title_of_the_highest_level() -> None:
    assert text_of(f"{_POST}<div id=comments><h1>20 comments</h1>{_SAID}</div>") == _READ


@pytest.mark.parametrize("missing", [0, 1])
def test_comments_on_little_are_the_text_of_the_page(missing: int) -> None:
    """It is a discussion, of which the first post is no more than what it is about."""
    text = "t" * (COMMENTED_CHARACTERS - missing)
    assert text_of(f"<h1>Tea</h1><p>{text}</p>{_COMMENTS}").count(NOTE) == (20 if missing else 0)
    assert text_of(f"<h1>Tea</h1>{_COMMENTS}<p>{text * 2}").count(NOTE) == 20  # it stands behind them


@pytest.mark.parametrize("name", ["cookie-notice", "sidebar-left"])
def test_boilerplate_has_no_comments(name: str) -> None:
    read = text_of(f"<div class={name}>{_UNTITLED}</div><h1>Thread</h1>{_COMMENTS}")
    assert read.count(NOTE) == 20


def test_without_a_paragraph_no_text_has_comments() -> None:
    menu, entry = "<li><a href=/>A harbour and its lights</a>" * 20, "Tea and cups at the harbour, at last."
    read = text_of(f"<ul>{menu}</ul><h1>Thread</h1><div id=comments>{f'<p>{entry}' * 30}</div>")
    assert read == "\n".join(["Thread", *[entry] * 30])


def test_what_stands_before_the_main_of_a_page_has_no_comments() -> None:
    read = text_of(f"<div>{_UNTITLED}</div><main><h1>Thread</h1><div class=comments>{_SAID}</div></main>")
    assert read == f"{_READ_UNTITLED}\nThread" + f"\nAnn\n{NOTE}" * 20


def test_a_wrapper_that_is_named_for_its_comments_holds_the_title() -> None:
    page = f"<p>{TEA}<p>{CUPS}<p>{NOTE}<p>{TEA}</p><div class=comments>{_POST}{_POST}</div>"
    assert text_of(page) == f"{TEA}\n{CUPS}\n{NOTE}\n{TEA}\n{_READ}\n{_READ}"


def test_a_main_is_in_no_comments() -> None:
    """It has less than half of the paragraphs here, so what stands before it stays, too."""
    main = f"<main>{f'<p>{NOTE}' * 4}</main>"
    page = f"{_POST}<div class=comments>{main}</div>"
    assert text_of(page) == _READ + f"\n{NOTE}" * 4


@pytest.mark.parametrize(
    "tags",
    [
        "div class=comment",  # a post of a forum, or what is said of a picture
        "div class=comment-body",
        "div id=comment_17",
        "div class='post has-comments'",
        "div class=comments-open",
        "div class=comments-closed",
        "div class='row respond'",
        "div id=respond",
        "div class=official-comments",
        "div id=block-comments",
        "div class=section-comment",
        "div class=commentaires-composes",
        "dd class=comments",
    ],
)
def test_what_has_another_name_is_no_comments(tags: str) -> None:
    said = f"<{tags}><h2>Cups</h2><p>{NOTE}<p>{CUPS}<p>{NOTE}<p>{CUPS}</{tags.partition(' ')[0]}>"
    assert text_of(f"{_POST}{said * 2}") == _READ + f"\nCups\n{NOTE}\n{CUPS}\n{NOTE}\n{CUPS}" * 2

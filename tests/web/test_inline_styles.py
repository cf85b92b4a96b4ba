"""What each value of a style says of its element."""

from __future__ import annotations

import pytest

from anchormine.web.page.inline_styles import PLAIN, InlineStyle, inline_style

BLOCK = InlineStyle(displayed=True, block=True)
IN_LINE = InlineStyle(displayed=True)
OUT = InlineStyle(block=True, is_out=True)
STYLES = {
    "block flow flow-root list-item table table-row table-row-group table-header-group table-footer-group "
    "table-caption table-cell -webkit-box": BLOCK,
    "flex grid -webkit-flex": BLOCK._replace(of_blocks=True),
    "inline contents initial unset": IN_LINE._replace(inline=True),
    "inline-block inline-table run-in ruby ruby-base ruby-text math inherit -webkit-inline-box": IN_LINE,
    "inline-flex inline-grid -webkit-inline-flex": IN_LINE._replace(of_blocks=True),
    "none table-column table-column-group": InlineStyle(gone=True),
    "revert revert-layer -moz-box other": PLAIN,
}


@pytest.mark.parametrize(
    ("value", "style"), [(value, STYLES[row]) for row in STYLES for value in row.split()]
)
def test_display(value: str, style: InlineStyle) -> None:
    assert inline_style(f"display: {value}") == style
    assert inline_style(f"DISPLAY:{value.upper()} ! Important; display: other; display: block") == style or (
        style == PLAIN
    )


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("", PLAIN),
        ("display", PLAIN),
        *((f"display: {words}", PLAIN) for words in ("none none", "none block", "inline-block flow")),
        ("display: inline flow", IN_LINE),
        ("display: inline flex", InlineStyle(displayed=True, of_blocks=True)),
        ("display: block flow", BLOCK),
        ("display: block; display: inline", InlineStyle(displayed=True, inline=True)),
        ("display: none !important; display: block", InlineStyle(gone=True)),
        ("display: none !important; display: block !important", BLOCK),
        ("display: block; display: none !foo", BLOCK),
        ("visibility: hidden", InlineStyle(hidden=True)),
        ("visibility: collapse", InlineStyle(hidden=True)),
        ("visibility: hidden; visibility: visible", PLAIN),
        ("visibility: hidden; visibility: inherit", PLAIN),
        *((f"float: {side}", OUT) for side in ("left", "right", "inline-start", "inline-end")),
        ("float: left; float: none", PLAIN),
        ("float: left right; position: absolute fixed; visibility: hidden collapse", PLAIN),
        ("position: absolute", OUT),
        ("position: fixed", OUT),
        *(
            (f"position: fixed; position: {value}", PLAIN)
            for value in ("static", "relative", "sticky", "unset")
        ),
        ("display: inline; float: left", OUT._replace(displayed=True)),
        ("/* display: none */ color: red", PLAIN),
        ("/* display: none;\n */ float: left", OUT),
        ("display: none /* ; display: block", InlineStyle(gone=True)),
        ("font-family: ';display: none;'", PLAIN),
        ('font-family: ";display: none;"; float: left', OUT),
        (r"font-family: 'it\'s;display: none;'", PLAIN),
        ("font-family: '/*'; display: none; color: '*/'", InlineStyle(gone=True)),
        ("/* don't */ display: none /* can't */", InlineStyle(gone=True)),
        ("font-family: 'never closed; display: none", PLAIN),
        ("display: 'none'", PLAIN),
        ("dis/**/play: none", PLAIN),
        ("display/**/:/**/none", InlineStyle(gone=True)),
    ],
)
def test_styles(style: str, expected: InlineStyle) -> None:
    assert inline_style(style) == expected

"""Bold and italic marks: runs of apostrophes, read as MediaWiki's Parser::doQuotes reads them."""

import re

# A link target is skipped: an apostrophe in it is part of the title.
_QUOTES = re.compile(r"\[\[[^\[\]|\n]*|('{2,})")
_QUOTED_TARGET = re.compile(r"\[\[[^\[\]|\n']*'")
_RUNS = re.compile(r"'{2,}")
_PLAIN = frozenset((2, 3, 5))


def strip_quotes(line: str) -> str:
    """Takes the marks out of one line, and leaves the apostrophes that are meant.

    A run of two is italic, three bold, five both; four are an apostrophe and bold, more are apostrophes and
    both. Where both bold and italic stay open, one bold mark is an apostrophe before an italic one
    ("l'''Iliade''").
    """
    if "[[" not in line or not _QUOTED_TARGET.search(line):
        if "'''" not in line:
            return line.replace("''", "")
        lengths = list(map(len, _RUNS.findall(line)))
        if _PLAIN.issuperset(lengths) and not _is_open(lengths):
            return line.replace("'''''", "").replace("'''", "").replace("''", "")
    runs = [match for match in _QUOTES.finditer(line) if match[1]]
    widths = [match.end() - match.start() for match in runs]
    kept = [width - 5 if width > 5 else int(width == 4) for width in widths]
    marks = [min(width - (width == 4), 5) for width in widths]
    if _is_open(marks):
        apostrophe = _misread_bold(line, runs, marks)
        if apostrophe is not None:
            kept[apostrophe] += 1
    out = []
    position = 0
    for match, extra in zip(runs, kept, strict=True):
        out.append(line[position : match.start()])
        if extra:
            out.append("'" * extra)
        position = match.end()
    out.append(line[position:])
    return "".join(out)


def _is_open(marks: list[int]) -> bool:
    """Tells whether both bold and italic are still on at the end."""
    both = marks.count(5)
    return bool(marks.count(3) + both & 1 and marks.count(2) + both & 1)


def _misread_bold(line: str, runs: list[re.Match[str]], marks: list[int]) -> int | None:
    """Returns which bold mark is really an apostrophe and an italic mark: after a one-letter word, else after
    a longer word, else after a space."""
    word = space = None
    for index, (match, width) in enumerate(zip(runs, marks, strict=True)):
        if width != 3:
            continue
        before = line[max(0, match.start() - 2) : match.start()]
        if before[-1:] == " ":
            space = index if space is None else space
        elif before[:1] == " " and len(before) == 2:
            return index
        elif word is None:
            word = index
    return space if word is None else word

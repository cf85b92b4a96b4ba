"""The lines of a page as blocks: headings, paragraphs, list items, table cells, captions.

A sentence never crosses a block. Lines are read as MediaWiki's BlockLevelPass and Parser::doTableStuff
read them.
"""

import re

from anchormine.wiki.marks import BREAK, CAPTION
from anchormine.wiki.quotes import strip_quotes

# ";term: definition", where the colon stands in no link and no address
_TERM = re.compile(r"((?:\[\[[^\[\]]*\]\]|[^:\[]|\[(?!\[)|:(?=//))*):(.*)")
_TABLE_END = re.compile(r"^ *\|\}", re.MULTILINE)
_BREAK_IN_LINK = re.compile(rf"\[\[[^\[\]{BREAK}]*{BREAK}[^\[\]]*\]\]")


def split_blocks(text: str) -> list[tuple[str, str]]:
    """Splits wikitext without templates and tags into blocks.

    Returns:
        (region, markup) of each, in order; region is "body", "list", "table", "caption" or "header". Only a
        heading's markup may be empty: the page's lead ends there all the same.
    """
    reader = _Reader(text)
    lines = reader.lines
    handlers = _HANDLERS.get
    for line in text.split("\n"):
        if not line:
            if lines:
                reader.flush()
            continue
        handler = handlers(line[0])
        if "''" in line:
            line = strip_quotes(line)
        if handler is None:
            lines.append(line)
        else:
            handler(reader, line)
    reader.flush()
    return reader.blocks


class _Reader:
    """Gathers the lines of a paragraph or of a cell until something ends it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.ends: int | None = None  # of tables in the text, once they are counted
        self.ended = 0  # tables whose end has been read
        self.blocks: list[tuple[str, str]] = []
        self.lines: list[str] = []
        self.tables = 0
        self.region = "body"

    def flush(self) -> None:
        """Ends the paragraph or cell."""
        if self.lines:
            markup = "\n".join(self.lines).strip()
            self.lines.clear()
            self.put(self.region, markup)

    def is_in_table(self) -> bool:
        """Tells whether a heading stands in a table: one that no end follows has ended before it."""
        if self.tables:
            if self.ends is None:
                self.ends = len(_TABLE_END.findall(self.text))
            if self.ended >= self.ends:
                self.tables = 0
                self.region = "body"
        return self.tables > 0

    def put(self, region: str, markup: str) -> None:
        if BREAK in markup:
            markup = _BREAK_IN_LINK.sub(lambda match: match[0].replace(BREAK, " "), markup)
            self.blocks.extend((region, piece.strip()) for piece in markup.split(BREAK) if piece.strip())
        elif markup:
            self.blocks.append((region, markup))


def _heading(reader: _Reader, line: str) -> None:
    line = line.rstrip()
    level = min(len(line) - len(line.lstrip("=")), len(line) - len(line.rstrip("=")), 6, (len(line) - 1) // 2)
    if level < 1:
        reader.lines.append(line)
        return
    reader.flush()
    markup = line[level:-level].strip().strip(f" {BREAK}")
    if reader.is_in_table():
        reader.put(reader.region, markup)
    elif markup:
        reader.put("header", markup)
    else:
        reader.blocks.append(("header", ""))


def _list_item(reader: _Reader, line: str) -> None:
    content = line.lstrip("*#:;").strip()
    if content.startswith("{|"):
        _table(reader, content)
        return
    if reader.lines:
        reader.flush()
    region = reader.region if reader.tables else "list"
    term = _TERM.fullmatch(content) if line[0] == ";" else None
    if term is None:
        reader.put(region, content)
    else:
        reader.put(region, term[1].strip())
        reader.put(region, term[2].strip())


def _indented(reader: _Reader, line: str) -> None:
    """A line that starts with a space is shown as it stands; in a table it may only be the table's layout."""
    stripped = line.strip()
    if reader.tables and stripped[:1] in ("|", "!", "{"):
        _HANDLERS[stripped[:1]](reader, stripped)
        return
    reader.flush()
    reader.put(reader.region if reader.tables else "body", stripped)


def _rule(reader: _Reader, line: str) -> None:
    if line.startswith("----"):
        reader.flush()
        line = line.lstrip("-")
    reader.lines.append(line)


def _caption(reader: _Reader, line: str) -> None:
    reader.put("caption", line[1:].strip())


def _table(reader: _Reader, line: str) -> None:
    if not line.startswith("{|"):
        reader.lines.append(line)
        return
    reader.flush()
    reader.tables += 1
    reader.region = "table"


def _cells(reader: _Reader, line: str) -> None:
    """A line that starts with "|": of a table, or the rest of one whose start is missing."""
    if reader.lines:
        reader.flush()
    if line.startswith("|}"):
        reader.ended += 1
        reader.tables = max(0, reader.tables - 1)
        reader.region = "table" if reader.tables else "body"
        reader.lines.append(line[2:])
    elif line.startswith("|-"):
        reader.region = "table" if reader.tables else "body"
    elif line.startswith("|+"):
        reader.region = "caption"
        _cell(reader, line[2:])
    else:
        reader.region = "table"
        for cell in line[1:].split("||"):
            if reader.lines:
                reader.flush()
            _cell(reader, cell)
    if not reader.tables:
        reader.flush()
        reader.region = "body"


def _header_cells(reader: _Reader, line: str) -> None:
    if not reader.tables and "!!" not in line:
        reader.lines.append(line)
        return
    reader.flush()
    reader.region = "table"
    for cell in line[1:].replace("!!", "||").split("||"):
        reader.flush()
        _cell(reader, cell)
    if not reader.tables:  # the start of the table stood in a template
        reader.flush()
        reader.region = "body"


def _cell(reader: _Reader, cell: str) -> None:
    """Starts a cell; its attributes end at the first "|" that stands in no link."""
    attributes, bar, content = cell.partition("|")
    if bar and "[[" not in attributes:
        cell = content
    if cell and not cell.isspace():
        reader.lines.append(cell)


_HANDLERS = {
    "=": _heading,
    "*": _list_item,
    "#": _list_item,
    ":": _list_item,
    ";": _list_item,
    " ": _indented,
    "-": _rule,
    CAPTION: _caption,
    "{": _table,
    "|": _cells,
    "!": _header_cells,
}

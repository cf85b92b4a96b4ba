"""The text of a file that a user has written, in whatever editor."""

import codecs

from anchormine.errors import UsageError

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def utf8_text(content: bytes, place: str) -> str:
    """Decodes the bytes of a text; a byte order mark before it is none of it.

    Args:
        content: of the file.
        place: what an error begins with, such as the file's path.

    Raises:
        UsageError: it is not UTF-8.
    """
    if content.startswith(_UTF_16):
        raise UsageError(f"{place}: is UTF-16; save it as UTF-8")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{place}: not UTF-8 at byte {error.start}; save it as UTF-8") from None
    if "\0" in text:
        raise UsageError(f"{place}: has zero bytes, as UTF-16 has; save it as UTF-8")
    return text

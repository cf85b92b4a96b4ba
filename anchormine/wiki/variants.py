"""Markup of languages with several scripts, `-{zh-hans:软件;zh-hant:軟體}-`: the first form is taken."""

import re

_VARIANT = re.compile(r"-\{([^{}]*)\}-")
_FLAGS = re.compile(r"([A-Za-z; -]*)\|")
# Codes of variants begin with those of the languages that MediaWiki converts. What else stands before a colon
# is text, "-{Doom: Annihilation}-".
_CODE = r"\s*(?:ban|crh|gan|iu|ike|kk|ku|mni|sh|shi|sr|tg|tly|uz|wuu|zh)(?:-[A-Za-z]+)*\s*:"
_FORM = re.compile(rf"{_CODE}\s*(.*)", re.DOTALL | re.IGNORECASE)
_BETWEEN_FORMS = re.compile(rf";(?={_CODE}|\s*$)", re.IGNORECASE)  # others are of texts: "A&amp;B"
_HIDDEN = frozenset("HT-")  # rules that show nothing: hidden, title, removed (LanguageConverter's flags)
_MAX_DEPTH = 3


def strip_variants(text: str, dropped: list[tuple[str, str]]) -> str:
    """Replaces each piece of variant markup by what it shows.

    Args:
        text: wikitext without templates.
        dropped: receives ("variant", removed text) for the forms that are not shown.
    """
    for _ in range(_MAX_DEPTH):
        if "-{" not in text:
            break
        text = _VARIANT.sub(lambda match: _shown(match[1], dropped), text)
    return text


def _shown(content: str, dropped: list[tuple[str, str]]) -> str:
    flags = _FLAGS.match(content)
    if flags:
        content = content[flags.end() :]
        if set(flags[1]) & _HIDDEN:
            dropped.append(("variant", content))
            return ""
    forms = [form for form in map(_FORM.fullmatch, _BETWEEN_FORMS.split(content)) if form]
    if not forms:
        return content
    dropped.extend(("variant", form[1]) for form in forms[1:])
    return forms[0][1].strip()

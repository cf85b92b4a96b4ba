"""Labels of what sites put around a text, in many languages."""

from pathlib import Path

import pytest

from anchormine.web.main_text import site_labels
from anchormine.web.main_text.site_labels import (
    BELOW,
    LABEL_CHARACTERS,
    LINE,
    NO_LABEL,
    WORD,
    label_form,
    label_kind,
)

LISTS = Path(site_labels.__file__).with_name("label_lists")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Related articles", BELOW),
        ("RELATED ARTICLES:", BELOW),
        ("» Related   articles (12)", BELOW),
        ("You might also like…", BELOW),
        ("Editor’s picks", BELOW),
        ("Editor's picks", BELOW),
        ("Lesen Sie auch: Wie Tee gemacht wird", BELOW),
        ("Читайте также:", BELOW),
        ("İLGİLİ HABERLER", BELOW),
        ("Ayrıca okuyun", BELOW),
        ("関連記事", BELOW),
        ("相关阅读：", BELOW),
        ("संबंधित खबरें", BELOW),
        # Accents, points and vowels that many leave out, or put together otherwise.
        ("A LIRE AUSSI", BELOW),
        ("ΣΧΕΤΙΚΑ ΑΡΘΡΑ", BELOW),
        ("A\u0308hnliche Artikel", BELOW),
        ("Читайте еще", BELOW),
        ("اقرأ أيضًا", BELOW),
        ("آخرین دیدگاه ها", BELOW),
        ('"Related articles"', BELOW),
        ("Advertisement", LINE),
        ("Zurück zur Übersicht »", LINE),
        ("3 Comments", WORD),
        ("Comments (12)", WORD),
        ("Tags: tea, cups", WORD),
        ("More from The Pier", WORD),
        ("Veröffentlicht unter Tee", WORD),
        ("See also", NO_LABEL),  # of the text itself
        ("Related articles of law", NO_LABEL),
        ("On related articles", NO_LABEL),
        ("More from", NO_LABEL),
        ("Categories 1", NO_LABEL),
        ("42", NO_LABEL),
        ("…", NO_LABEL),
        (":", NO_LABEL),
    ],
)
def test_kinds(text: str, kind: int) -> None:
    assert label_kind(text) == kind


def lines_of(name: str) -> list[str]:
    return (LISTS / name).read_text(encoding="utf-8").splitlines()


def test_the_lists_say_nothing_twice() -> None:
    names = sorted(path.name for path in LISTS.iterdir())
    assert names == ["below.txt", "lines.txt", "words.txt"]
    labels = [line for name in names for line in lines_of(name) if not line.startswith("#")]
    forms = [(label_form(line), line.endswith("…")) for line in labels]
    assert all(0 < len(form) <= LABEL_CHARACTERS for form, _ in forms)
    assert len(forms) == len(set(forms))
    assert all(line == line.strip() and line for name in names for line in lines_of(name))


def test_the_lists_are_of_the_same_languages() -> None:
    of_all = [line for line in lines_of("below.txt") if line.startswith("# ")]
    assert len(of_all) == len(set(of_all)) == 35
    for name in ("lines.txt", "words.txt"):
        assert [line for line in lines_of(name) if line.startswith("#")] == of_all

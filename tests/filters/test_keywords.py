"""Rule `keywords`: which texts count in which languages, and the lists that are shipped."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from anchormine import filters
from anchormine.filters.decisions import Candidate, judge
from anchormine.filters.keywords import KEYWORDS, keyword_form, keywords, keywords_for_all, shipped_keywords
from anchormine.filters.rule_set import BUILT_IN

LISTS = Path(filters.__file__).with_name("keyword_lists")
# Besides English.
LISTED = (
    "ar bg bn ca cs da de el es fa fi fr he hi hr hu id it ja ko nl no pl pt ro ru sk sr sv th tr uk vi zh"
).split()
FOR_ALL = ("en_menus", "en_sharing", "language_names")
PAPER = [
    "website", "official website", "original", "view website", "visit website", "visit our website",
    "visit site", "home", "home page", "homepage", "about", "about us", "here", "this", "this article",
    "this page", "click here", "link", "source link", "offsite link", "this link", "more", "more info",
    "more information", "view more", "learn more", "read more", "see more", "find out more", "english", "en",
    "download", "save", "login", "sign in", "sign up", "register", "reply",
]  # fmt: skip
# Keywords by language, and those that count where none is declared; in Latin letters, and in others.
LATIN = [
    ("de", "Weitere Informationen"), ("de-AT", "HIER"), ("fr", "page d’accueil"), ("es", "Leer más"),
    ("it", "Leggi tutto"), ("pt_BR", "Saiba mais"), ("nl", "Lees meer"), ("pl", "Czytaj więcej"),
    ("sv", "Läs mer"), ("ro", "Înainte"), ("ro", "INAINTE"), ("ro", "Citeşte mai mult"),
    ("vi", "Kế tiếp"), ("cs", "Předcházející"), ("cs", "Další"), ("da", "Næste side"),
    ("fi", "Lue lisää"), ("hu", "Következő"), ("id", "Selengkapnya"), ("in", "Halaman Utama"),
    ("nb", "Les mer"), ("nn", "Les meir"), ("tr", "Devamını oku"), ("tr", "İletişim"),
    ("tr", "DEVAMINI OKU"), ("de", "Auf Reddit teilen"), ("de", "Teilen auf WhatsApp"),
    ("de", "Gefällt mir"), ("de", "Auf X teilen"), ("fr", "Partager sur Twitter"),
    ("es", "Compartir en Facebook"), ("it", "Condividi su LinkedIn"), ("nl", "Delen via e-mail"),
    ("pl", "Udostępnij na Facebooku"), ("pt", "Compartilhar no WhatsApp"), ("sv", "Dela på Pinterest"),
    ("tr", "Facebook’ta Paylaş"), ("hr", "Pročitaj više"), ("sr-Latn", "Pročitaj više"),
    ("sr", "Podeli na Fejsbuku"), ("sk", "Čítať ďalej"), ("ca", "Llegir més"), ("ca", "M’agrada"),
    ("po", "Czytaj dalej"), ("de", "Quelltext bearbeiten"), ("es", "editar código"), ("vi", "sửa"),
]  # fmt: skip
OTHER = [
    ("ru", "Читать далее"), ("ja", "続きを読む"), ("zh-Hant", "閱讀更多"), ("zh", "阅读更多"), ("ko", "다음"),
    ("ko-KR", "이전"), ("ar", "التالي"), ("el", "Επόμενη σελίδα"), ("he", "קרא עוד"),
    ("iw", "המשך קריאה"), ("th", "ถัดไป"), ("el", "ΕΠΙΚΟΙΝΩΝΙΑ"), ("uk", "Читати далі"),
    ("ru", "Поделиться в Telegram"), ("ja", "Facebookでシェア"), ("zh", "分享到微信"),
    ("ko", "페이스북에 공유하기"), ("fa", "ادامه مطلب"), ("fa", "بعدی"), ("fa", "ثبت‌نام"),
    ("bg", "Прочети още"), ("hi", "और पढ़ें"),
    ("bn", "আরও পড়ুন"), ("sr", "Прочитај више"), ("zh_chs", "下一页"), ("ja", "編集"), ("ru", "править код"),
]  # fmt: skip
UNDECLARED_LATIN = [
    "Kế tiếp", "Más", "Yukarı", "Tıkla", "İndir", "YANıTLA", "Anmelden", "Über uns", "Startseite",
    "weiterlesen", "Mehr Infos", "Compartir en Facebook", "Condividi su X",
]  # fmt: skip
UNDECLARED_OTHER = ["다음", "ホーム", "下一页", "التالي", "بعدی", "επόμενο", "Главная", "ถัดไป"]


def test_english_keywords_are_the_papers() -> None:
    assert shipped_keywords("en") == {keyword.replace(" ", "") for keyword in PAPER}
    assert all(keywords(keyword.upper(), lists="english") == "keywords" for keyword in PAPER)
    assert keywords("Read  More") == keywords("readmore") == "keywords"
    assert keywords("read more books") is None


@pytest.mark.parametrize(("language", "text"), [*LATIN, *OTHER])
def test_keywords_of_a_language(language: str, text: str) -> None:
    assert keywords(text, language) == "keywords"
    assert keywords(text, "tlh") is None
    assert keywords(text, language, lists="english") is None
    assert keywords("click here", language) == "keywords"
    assert keywords("click here", language, lists="none") is None


@pytest.mark.parametrize(
    "text",
    [
        "Share on Facebook", "Share to X", "Tweet this", "Share by e-mail", "Next", "Prev", "Contact us",
        "Privacy Policy", "Terms of Use", "Skip to content", "Log out", "Search", "Terms & Conditions",
        "Edit", "View history",
    ],
)  # fmt: skip
def test_more_english_counts_for_crawls_but_is_not_in_the_list_of_the_program(text: str) -> None:
    assert [keywords(text, code) for code in ("en", "de", "tlh", None)] == ["keywords"] * 4
    assert [keywords(text, "en", lists=lists) for lists in ("english", "none")] == [None] * 2
    row = Candidate(text, "http://a.com/", "body", None, "en", "http://b.com/")
    reasons = [judge(row, BUILT_IN[name]).reason for name in ("anchor-dr", "wikipedia", "anchor-dr-code")]
    assert reasons == ["keywords", None, None]


@pytest.mark.parametrize(
    "text", ["Français", "日本語", "Deutsch", "SRPSKI", "Português (Brasil)", "ไทย", "Türkçe"]
)
def test_names_of_languages_count_for_crawls(text: str) -> None:
    assert [keywords(text, code) for code in ("en", "zh", "tlh", None)] == ["keywords"] * 4
    assert [keywords(text, "fr", lists=lists) for lists in ("english", "none")] == [None] * 2
    assert keywords(f"{text} 2", "en") is None


@pytest.mark.parametrize("text", [*UNDECLARED_LATIN, *UNDECLARED_OTHER])
def test_keywords_of_every_language_where_none_is_declared(text: str) -> None:
    assert [keywords(text), keywords(text, "")] == ["keywords"] * 2
    assert keywords(text, "tlh") is None
    assert [keywords(text, lists=lists) for lists in ("english", "none")] == [None] * 2


@pytest.mark.parametrize("text", [*UNDECLARED_OTHER, *(text for _, text in OTHER)])
def test_keywords_in_other_letters_count_on_pages_that_say_they_are_english(text: str) -> None:
    assert [keywords(text, code) for code in ("en", "en-US", "simple")] == ["keywords"] * 3
    assert keywords(text, "de") is None
    assert [keywords(text, "en", lists=lists) for lists in ("english", "none")] == [None] * 2


@pytest.mark.parametrize("text", [*UNDECLARED_LATIN, *(text for _, text in LATIN)])
def test_keywords_in_latin_letters_do_not(text: str) -> None:
    assert [keywords(text, code) for code in ("en", "en-US", "simple")] == [None] * 3


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "Plus"), ("fr", "Source"), ("no", "No"), ("vi", "In"), ("sv", "Visa"), ("de", "Start"),
        ("uk", "UK"), ("da", "Log ind"), ("pl", "O nas"), ("ca", "Quant a"), ("ro", "Precedent"),
        ("tr", "Indir"), ("tr", "Yukari"), ("fr", "Accueil"),
        ("pt", "Registrar"), ("es", "Responder"), ("fr", "Connexion"), ("it", "Continua"),
        ("fr", "Modifier"), ("ro", "Modificare"),
    ],
)  # fmt: skip
def test_short_words_and_those_of_english_count_in_their_language_alone(language: str, text: str) -> None:
    assert [keywords(text, code) for code in (language, None)] == ["keywords", None]


def test_lists_for_all_languages_have_each_keyword_once() -> None:
    more = [(LISTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()[1:] for name in FOR_ALL]
    assert [len(lines) for lines in more] == [129, 65, 88]
    assert len(keywords_for_all()) == 129 + 65 + 88
    assert keywords_for_all().isdisjoint(shipped_keywords("en"))


@pytest.mark.parametrize("code", [*FOR_ALL, *LISTED])
def test_a_list_has_each_keyword_once(code: str) -> None:
    title, *lines = (LISTS / f"{code}.txt").read_text(encoding="utf-8").splitlines()
    assert title.startswith("# ")
    assert [(form, count) for form, count in Counter(map(keyword_form, lines)).items() if count > 1] == []
    assert "" not in map(keyword_form, lines)


def test_languages_with_a_list() -> None:
    assert sorted(path.stem for path in LISTS.iterdir()) == sorted(["en", *FOR_ALL, *LISTED])
    assert len(LISTED) + 1 == 35  # as README.md says
    assert all(len(shipped_keywords(code)) > 80 for code in LISTED)
    assert shipped_keywords("../en") == shipped_keywords("tlh") == shipped_keywords("en")


def test_keywords_of_ones_own() -> None:
    own = {"": frozenset(["pier"]), "de": frozenset(["hafen"]), "und": frozenset(["mole"])}
    codes = ("de", "en", "und", None)
    found = {text: [keywords(text, code, own=own) for code in codes] for text in ("Pier", "Hafen", "Mole")}
    assert found == {
        "Pier": [KEYWORDS] * 4, "Hafen": [KEYWORDS, None, None, None],
        "Mole": [None, None, KEYWORDS, KEYWORDS],
    }  # fmt: skip


def test_more_keywords_are_added_to_those_of_a_set() -> None:
    first, second = {"": frozenset(["print"]), "de": frozenset(["drucken"])}, {"de": frozenset(["oben"])}
    found = BUILT_IN["wikipedia"].with_keywords(first).with_keywords(second)
    assert found.own_keywords == {"": {"print"}, "de": {"drucken", "oben"}}

"""Each rule by itself, and the built-in sets."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from anchormine import filters
from anchormine.errors import UsageError
from anchormine.filters.cleaning import clean_anchor, cleaning
from anchormine.filters.header_footer import header_footer
from anchormine.filters.keywords import keyword_form, keywords, keywords_for_all, shipped_keywords
from anchormine.filters.length import count_words, length
from anchormine.filters.nofollow import nofollow
from anchormine.filters.robots import robots
from anchormine.filters.rule_set import BUILT_IN, RuleSet
from anchormine.filters.same_site import host_of, same_site
from anchormine.filters.verdicts import Candidate, Verdict, judge
from anchormine.schemas.anchors import REGIONS
from tests.growth import LINEAR, growth_of

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


def test_header_footer() -> None:
    dropped = [region for region in REGIONS if header_footer(region)]
    assert dropped == ["header", "footer", "nav", "aside"]
    assert header_footer("nav", ("header", "footer")) is None
    assert header_footer("nav") == "header_footer"
    assert header_footer("header", is_wiki=True) is None
    assert header_footer("table", ("header", "table"), is_wiki=True) == "header_footer"


@pytest.mark.parametrize(
    ("source", "target", "by_domain", "by_host"),
    [
        ("http://a.com/x", "http://a.com/y", True, True),
        ("http://a.com/x", "https://www.a.com/y", True, False),
        ("http://a.com/x", "http://a.com:8080/", True, False),
        ("http://A.com./x", "http://a.com/", True, False),
        ("http://shop.one.co.uk/", "http://www.one.co.uk/", True, False),
        ("http://one.co.uk/", "http://two.co.uk/", False, False),
        ("http://a.github.io/", "http://b.github.io/", False, False),
        ("http://a.com@b.com/", "http://a.com/", False, False),
        ("http://10.0.0.1/", "http://10.0.0.1:81/", True, False),
        ("http://10.0.0.1/", "http://10.0.0.2/", False, False),
        ("http://localhost/a", "http://localhost/b", True, True),
        ("http://intranet/a", "http://wiki.intranet/b", False, False),
        ("http://[::1]:80/a", "http://[::1]/b", True, False),
        ("http://münchen.de/", "http://www.münchen.de/", True, False),
        ("http://xn--mnchen-3ya.de/", "https://www.MÜNCHEN.de/", True, False),
        ("http://a.com/x", "Some title", False, False),
        (None, "http://a.com/", False, False),
    ],
)
def test_same_site(source: str | None, target: str, by_domain: bool, by_host: bool) -> None:
    assert same_site(source, target) == ("same_site" if by_domain else None)
    assert same_site(source, target, "host") == ("same_site" if by_host else None)
    assert same_site(source, target, "off") is None


def test_hosts() -> None:
    assert host_of("https://user:pw@www.a.com:8080/x?y=//b") == "www.a.com:8080"
    assert host_of("http://a.com?x") == "a.com"
    assert host_of("http://a.com?x@b.com/") == host_of("http://a.com#x@b.com/") == "a.com"
    assert [host_of(url) for url in ("", "a.com/x", "mailto:a@b.c")] == ["", "", ""]


@pytest.mark.parametrize(
    ("text", "ours", "code"),
    [
        ("Annual Report", "Annual Report", "Annual Report"),
        ("  Annual \n\t Report ", "Annual Report", "Annual Report"),
        ("Read more »", "Read more", "Read more"),
        ("→ Next →", "Next", "Next"),
        ("| Next", "Next", ""),
        ("(band)", "band", "band"),
        ("3 Doors Down (band)", "3 Doors Down (band)", "3 Doors Down band"),
        ("北京《三体》", "北京《三体》", ""),
        ("「天地」 【人】", "「天地」 【人】", ""),
        ("Pier {old} [new]", "Pier {old} [new]", "Pier old new"),
        ("『天地』", "天地", ""),
        ("天『地』", "天『地』", ""),
        ("(I Can't) Dance?", "(I Can't) Dance", "I Cant Dance"),
        ("C# and C++", "C# and C++", "C and C"),
        ("C++", "C++", ""),
        ("Ｆｕｌｌ ｗｉｄｔｈ", "Full width", ""),
        ("caf\u0065\u0301", "café", "cafe"),
        ("Pokémon™", "Pokémon", "Pokmon"),
        ("über uns…", "über uns", "ber uns"),
        ("zero\u200bwidth\ufeff", "zerowidth", "zerowidth"),
        ('"Undefined" error', '"Undefined" error', "Undefined error"),
        ('Ceiling "Tile"', 'Ceiling "Tile"', "Ceiling Tile"),
        ('"Tile"', "Tile", "Tile"),
        ('"A b" or "c"', '"A b" or "c"', "A b or c"),
        ('A 5 inch disk"', "A 5 inch disk", "A 5 inch disk"),
        ("Section 6.7, “Upgrading”.", "Section 6.7, “Upgrading”", "Section 67 Upgrading"),
        ("“Upgrading”", "Upgrading", "Upgrading"),
        ("„Alte“ und „neue“", "„Alte“ und „neue“", "Alte und neue"),
        ("«Home»", "Home", "Home"),
        ("Home »", "Home", "Home"),
        ("« Home", "Home", "Home"),
        ("le « quai »", "le « quai »", "le quai"),
        ("„Solidarność” – historia", "„Solidarność” – historia", "Solidarno historia"),
        ("Tygodnik „Solidarność”", "Tygodnik „Solidarność”", "Tygodnik Solidarno"),
        ("»Der Spiegel« online", "»Der Spiegel« online", "Der Spiegel online"),
        ("»Der Spiegel«", "Der Spiegel", "Der Spiegel"),
        ("”Hej” sa han", "”Hej” sa han", "Hej sa han"),
        ("» Next »", "Next", "Next"),
        ('""Hello""', "Hello", "Hello"),
        ('"" Hello ""', "Hello", "Hello"),
        ('""" Title', "Title", "Title"),
        ('Title """', "Title", "Title"),
        ("“”Hello", "Hello", "Hello"),
        ("«» menu", "menu", "menu"),
        ('""a', "", ""),
        ("print()", "print()", "print"),
        ("cafe\u200b\u0301", "café", "cafe"),
        ("\ue001 Icons", "Icons", "Icons"),
        ("می\u200cخواهم", "می\u200cخواهم", ""),
        ("\u200cمی\u200cخواهم\u200c", "می\u200cخواهم", ""),
        ("क्\u200dष", "क्\u200dष", ""),
        ("അവന്\u200d!", "അവന്\u200d", ""),
        ("👩\u200d🍳 Recipes", "Recipes", "Recipes"),
        ("Recipes 👩🏽\u200d🍳", "Recipes", "Recipes"),
        ("For 👩\u200d🍳 only", "For 👩\u200d🍳 only", "For only"),
        ("👩\u200d💻 Read more\u200d", "Read more", "Read more"),
        ("\u2060\u200eCo\xadop\u200f \u200b\ufeff", "Coop", "Coop"),
        ("*\ufe0f\u20e3 Menu #\ufe0f\u20e3", "Menu", "Menu"),
        ("C#\u200d", "C#", ""),
        ("\u200d(band)\u200d", "band", "band"),
        ("\u200d", "", ""),
        ("北京大学", "北京大学", ""),
        ("1996", "", ""),
        ("[1]", "", ""),
        ("1,234.5 %", "", ""),
        ("(555) 0100", "", ""),
        ("© 2009 - 2010", "", ""),
        ("Q & A", "Q & A", "Q A"),
        ("Q &", "", ""),
        (" | Next", "Next", ""),
        ("no\u00a0break", "no break", "nobreak"),
        ("x", "", ""),
        ("...", "", ""),
        ("", "", ""),
        ("Ⅳ", "IV", ""),
        # Words stay spelled as they are.
        ("Երևան", "Երևան", ""),
        ("กำแพง น้ำ", "กำแพง น้ำ", ""),
        ("ຄຳ ໜັງສື ໝາ", "ຄຳ ໜັງສື ໝາ", ""),
        ("경제ㆍ금융 ㅋㅋㅋ", "경제ㆍ금융 ㅋㅋㅋ", ""),
        ("Β΄ Παγκόσμιος", "Β΄ Παγκόσμιος", ""),
        ("Λεωνίδας Α΄", "Λεωνίδας Α΄", ""),
        ("΄Νέα΄", "Νέα΄", ""),
        ("Школа № 5", "Школа № 5", ""),
        ("№ 1 в мире", "№ 1 в мире", ""),
        ("1ª Guerra", "1ª Guerra", "1 Guerra"),
        ("l´eau ﬁne", "l´eau fine", "leau ne"),
        ("´eau´", "eau", "eau"),
        ("1½ cups", "1½ cups", "1 cups"),
        ("m² of H₂O", "m2 of H2O", "m of HO"),
        ("n\u0303 №", "ñ №", ""),
        ("ｶﾞＡ① ㌔", "ガA1 キロ", ""),
        # Spaces without width stay between words of scripts without spaces.
        ("ការ​​រៀបចំ", "ការ​រៀបចំ", ""),
        ("​ការ​ ​រៀបចំ​", "ការ រៀបចំ", ""),
        ("การ­​​tea", "การtea", "tea"),
    ],
)  # fmt: skip
def test_cleaning(text: str, ours: str, code: str) -> None:
    assert clean_anchor(text) == ours
    assert clean_anchor(text, "code") == code
    assert cleaning(clean_anchor(text)) == (None if ours else "cleaning")


def test_clean_texts_are_clean() -> None:
    """Of one text as it is shown there is one clean form: cleaning that again changes nothing."""
    signs = 'aéN1 ()[]#%.,|+-™®ﬁ①Ａ가क🎣…「」《》"“”„«»‹›\u0e33\u1100\u1161\u11a8\u037a\u2126\ufdfaㅋªก½№΄և'
    marks = "\u0301\u0327\u0345\u094d\u20e3\ufe0f\u200b\u200c\u200d\u00ad\ufeff\ue000\x00\x85\u00a0\u3000"
    rng = random.Random(3)
    for _ in range(20_000):
        text = "".join(rng.choices(signs + marks, k=rng.randint(1, 8)))
        clean = clean_anchor(text)
        assert clean_anchor(clean) == clean, ascii(text)
        without_unseen = re.sub("[\u00ad\ufeff]", "", text)
        assert clean_anchor(without_unseen) == clean, ascii(text)
        assert clean_anchor(without_unseen.replace("\u200b", "\u200b\u200b")) == clean, ascii(text)
        if not re.search("[ก\u0e33]\u200b+[ก\u0e33]", without_unseen):  # there it parts words
            assert clean_anchor(without_unseen.replace("\u200b", "")) == clean, ascii(text)


@pytest.mark.parametrize(
    ("before", "piece", "after"),
    [
        ("", "(", ""),
        ("", '"', ""),
        ("", "“", ""),
        ("", "„“", "”"),
        ("", ")", ""),
        ("", "«", "x"),
        ("a", " -", ""),
        ("", "「", "a"),
        ("a", "」", ""),
        ("a", "\u200d🍳", ""),
        ("", "[}", ""),
    ],
)
def test_cleaning_takes_linear_time_for_long_rubbish(before: str, piece: str, after: str) -> None:
    def clean(pieces: int) -> None:
        assert len(clean_anchor(before + piece * (20 * pieces) + after)) <= 1

    assert growth_of(clean) <= LINEAR


def test_many_marks_take_linear_time() -> None:
    """Unicode has them in an order, of which these are the opposite."""
    marks = "\u094d\u0301"

    def drop(pieces: int) -> None:
        text = "a" + marks * (4 * pieces) + "b"
        assert clean_anchor(text).endswith(marks + "b")
        assert keywords(text) is None

    assert growth_of(drop) <= LINEAR


def test_english_keywords_are_the_papers() -> None:
    assert shipped_keywords("en") == {keyword.replace(" ", "") for keyword in PAPER}
    assert all(keywords(keyword.upper(), lists="english") == "keywords" for keyword in PAPER)
    assert keywords("Read  More") == keywords("readmore") == "keywords"
    assert keywords("read more books") is None


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Weitere Informationen"), ("de-AT", "HIER"), ("fr", "page d’accueil"), ("es", "Leer más"),
        ("it", "Leggi tutto"), ("pt_BR", "Saiba mais"), ("nl", "Lees meer"), ("pl", "Czytaj więcej"),
        ("ru", "Читать далее"), ("ja", "続きを読む"), ("zh-Hant", "閱讀更多"), ("zh", "阅读更多"),
        ("sv", "Läs mer"), ("ko", "다음"), ("ko-KR", "이전"), ("ro", "Înainte"), ("ro", "INAINTE"),
        ("ro", "Citeşte mai mult"), ("vi", "Kế tiếp"), ("cs", "Předcházející"), ("cs", "Další"),
        ("ar", "التالي"), ("da", "Næste side"), ("el", "Επόμενη σελίδα"), ("fi", "Lue lisää"),
        ("he", "קרא עוד"), ("iw", "המשך קריאה"), ("hu", "Következő"), ("id", "Selengkapnya"),
        ("in", "Halaman Utama"), ("nb", "Les mer"), ("nn", "Les meir"), ("th", "ถัดไป"),
        ("tr", "Devamını oku"), ("tr", "İletişim"), ("tr", "DEVAMINI OKU"), ("el", "ΕΠΙΚΟΙΝΩΝΙΑ"),
        ("uk", "Читати далі"), ("de", "Auf Reddit teilen"),
        ("de", "Teilen auf WhatsApp"), ("de", "Gefällt mir"), ("de", "Auf X teilen"),
        ("fr", "Partager sur Twitter"), ("es", "Compartir en Facebook"), ("it", "Condividi su LinkedIn"),
        ("nl", "Delen via e-mail"), ("pl", "Udostępnij na Facebooku"), ("pt", "Compartilhar no WhatsApp"),
        ("ru", "Поделиться в Telegram"), ("sv", "Dela på Pinterest"), ("ja", "Facebookでシェア"),
        ("zh", "分享到微信"), ("ko", "페이스북에 공유하기"), ("tr", "Facebook’ta Paylaş"),
        ("fa", "ادامه مطلب"), ("fa", "بعدی"), ("fa", "ثبت‌نام"), ("bg", "Прочети още"),
        ("hi", "और पढ़ें"), ("bn", "আরও পড়ুন"), ("hr", "Pročitaj više"), ("sr", "Прочитај више"),
        ("sr-Latn", "Pročitaj više"), ("sr", "Podeli na Fejsbuku"), ("sk", "Čítať ďalej"),
        ("ca", "Llegir més"), ("ca", "M’agrada"), ("po", "Czytaj dalej"), ("zh_chs", "下一页"),
    ],
)  # fmt: skip
def test_keywords_of_a_language(language: str, text: str) -> None:
    assert keywords(text, language) == "keywords"
    assert keywords(text, "en") is None
    assert keywords(text, language, lists="english") is None
    assert keywords("click here", language) == "keywords"
    assert keywords("click here", language, lists="none") is None


@pytest.mark.parametrize(
    "text",
    [
        "Share on Facebook", "Share to X", "Tweet this", "Share by e-mail", "Next", "Prev", "Contact us",
        "Privacy Policy", "Terms of Use", "Skip to content", "Log out", "Search", "Terms & Conditions",
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


@pytest.mark.parametrize(
    "text",
    [
        "다음", "ホーム", "下一页", "التالي", "بعدی", "επόμενο", "Kế tiếp", "Главная", "ถัดไป", "Más",
        "Yukarı", "Tıkla", "İndir", "YANıTLA", "Anmelden",
        "Über uns", "Startseite", "weiterlesen", "Mehr Infos", "Compartir en Facebook", "Condividi su X",
    ],
)  # fmt: skip
def test_keywords_of_every_language_where_none_is_declared(text: str) -> None:
    assert [keywords(text), keywords(text, "")] == ["keywords"] * 2
    assert [keywords(text, code) for code in ("en", "tlh")] == [None] * 2
    assert [keywords(text, lists=lists) for lists in ("english", "none")] == [None] * 2


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "Plus"), ("fr", "Source"), ("no", "No"), ("vi", "In"), ("sv", "Visa"), ("de", "Start"),
        ("uk", "UK"), ("da", "Log ind"), ("pl", "O nas"), ("ca", "Quant a"), ("ro", "Precedent"),
        ("tr", "Indir"), ("tr", "Yukari"), ("fr", "Accueil"),
        ("pt", "Registrar"), ("es", "Responder"), ("fr", "Connexion"), ("it", "Continua"),
    ],
)  # fmt: skip
def test_short_words_and_those_of_english_count_in_their_language_alone(language: str, text: str) -> None:
    assert [keywords(text, code) for code in (language, None)] == ["keywords", None]


def test_lists_for_all_languages_have_each_keyword_once() -> None:
    more = [(LISTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()[1:] for name in FOR_ALL]
    assert [len(lines) for lines in more] == [113, 65, 87]
    assert len(keywords_for_all()) == 113 + 65 + 87
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
    own = {"": frozenset(["pier"]), "de": frozenset(["hafen"])}
    found = [keywords(text, code, own=own) for text in ("Pier", "Hafen") for code in ("de", "en", None)]
    assert found == ["keywords"] * 4 + [None] * 2


def test_more_keywords_are_added_to_those_of_a_set() -> None:
    first, second = {"": frozenset(["print"]), "de": frozenset(["drucken"])}, {"de": frozenset(["oben"])}
    found = BUILT_IN["wikipedia"].with_keywords(first).with_keywords(second)
    assert found.own_keywords == {"": {"print"}, "de": {"drucken", "oben"}}


def test_length() -> None:
    assert length("word " * 64) is None
    assert length("word " * 65) == "length"
    assert length("one two three", 2) == "length"
    assert length("語" * 128) is None
    assert length("語" * 129) == "length"
    assert length("語" * 129, unspaced=False) is None


def test_words_without_spaces() -> None:
    assert [count_words(text) for text in ("", "two words", "北京大学", "北京大", "WARC形式の file")] == [
        0,
        2,
        2,
        2,
        4,
    ]
    assert count_words("ภาษาไทย") == 2
    assert count_words("한국어 위키백과") == 2
    assert count_words("北京 大学", unspaced=False) == 2


def test_permission() -> None:
    assert [nofollow(rel) for rel in (None, "", "noopener", "noopener NoFollow", "ugc")] == [
        None, None, None, "nofollow", "nofollow",
    ]  # fmt: skip
    assert nofollow("ugc", ("nofollow",)) is None
    said = (None, "", "index,follow", "noindex, follow", "NONE", "noimageai")
    assert [robots(directives) for directives in said] == [None, None, None, "robots", "robots", None]
    # Pages keep "none" as the two that it stands for.
    kept = ("none", "nofollow,noindex", "noai,nofollow,noindex", "noindex", "nofollow", "noai")
    assert [robots(directives, ("none",)) for directives in kept] == ["robots"] * 3 + [None] * 3


def test_headings_of_a_wiki_stand_on_one_page() -> None:
    of_wiki = Candidate("a pier", "Pier", "header", None, "en", None, of_wiki=True)
    assert judge(of_wiki, BUILT_IN["anchor-dr"]).reason is None
    of_crawl = of_wiki._replace(target="http://a.com/", of_wiki=False)
    assert judge(of_crawl, BUILT_IN["anchor-dr"]).reason == "header_footer"


def test_the_first_reason_counts() -> None:
    rules = RuleSet("all", (*BUILT_IN["anchor-dr"].rules, "nofollow", "robots"))
    row = Candidate("home", "http://a.com/x", "nav", "nofollow", "en", "http://a.com/", refused=True)
    found = [judge(row, rules)]
    for better in (
        {"region": "body"}, {"target": "http://b.com/"}, {"anchor": "house"}, {"rel": None},
        {"refused": False},
    ):  # fmt: skip
        row = row._replace(**better)
        found.append(judge(row, rules))
    assert found == [
        Verdict("home", "header_footer", 0),
        Verdict("home", "same_site", 1),
        Verdict("home", "keywords", 3),
        Verdict("house", "nofollow", 5),
        Verdict("house", "robots", 6),
        Verdict("house", None, 7),
    ]


def test_rules_see_the_text_as_it_is_where_they_stand() -> None:
    row = Candidate("Click here!", "t", "body", None, "en", None)
    assert judge(row, RuleSet("x", ("keywords", "cleaning"))) == Verdict("Click here", None, 2)
    assert judge(row, RuleSet("x", ("cleaning", "keywords"))) == Verdict("Click here", "keywords", 1)
    assert judge(row, BUILT_IN["none"]) == Verdict("Click here!", None, 0)


def test_built_in_sets() -> None:
    anchor_dr = ("header_footer", "same_site", "cleaning", "keywords", "length")
    assert {name: rules.rules for name, rules in BUILT_IN.items()} == {
        "anchor-dr": anchor_dr,
        "anchor-dr-code": anchor_dr,
        "wikipedia": ("cleaning", "keywords", "length"),
        "none": (),
    }
    assert BUILT_IN["anchor-dr-code"].to_json() == {
        "header_footer": {"regions": ["header", "footer", "nav", "aside"]},
        "same_site": {"scope": "host"},
        "cleaning": {"profile": "code"},
        "keywords": {"lists": "english", "own": {}},
        "length": {"max_words": 64, "unspaced": False},
    }


def test_rule_sets_check_themselves() -> None:
    for fields, message in (
        ({"rules": ("length", "length")}, "rules: length is there twice"),
        ({"rules": ("size",)}, "rules: 'size' is none of"),
        ({"rules": (), "max_words": 0}, "max_words 0: give 1 or more"),
        ({"rules": (), "regions": ("head",)}, "regions: 'head' is none of"),
        ({"rules": (), "same_site": "off"}, "same_site: 'off' is none of domain, host"),
    ):
        with pytest.raises(UsageError, match=message):
            RuleSet("x", **fields)

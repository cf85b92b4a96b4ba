"""The language facts: whole values for a spread of languages, and the generator on a small MediaWiki tree."""

from __future__ import annotations

import json
import pickle
import re
import warnings
from pathlib import Path

import pytest

from anchormine.wiki import languages
from anchormine.wiki.languages import (
    LanguageFacts,
    generate,
    language_facts,
    namespace_key,
    wikipedia_languages,
)
from anchormine.wiki.languages.link_patterns import link_prefix, link_trail
from anchormine.wiki.languages.mediawiki_messages import add_extension, read_mediawiki
from anchormine.wiki.languages.mediawiki_messages import language_facts as own_facts
from anchormine.wiki.languages.php_arrays import (
    PhpSyntaxError,
    assignments,
    namespace_constants,
)

DATA = Path(languages.__file__).with_name("languages.json")


def names_of(facts: LanguageFacts, number: int) -> set[str]:
    return {name for name, its_number in facts.namespaces.items() if its_number == number}


def caption(facts: LanguageFacts, options: str) -> str:
    """Returns the caption of a picture as a reader finds it: the last option that is none."""
    found = ""
    for option in (part.strip() for part in options.split("|")):
        known = option in facts.image_options or any(re.fullmatch(p, option) for p in facts.image_parameters)
        found = found if known else option
    return found


# --- codes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("de", "de"),
        ("DE", "de"),
        ("zh-Hans", "zh-hans"),
        ("zh_min_nan", "nan"),
        ("zh-yue", "yue"),
        ("zh_classical", "lzh"),
        ("als", "gsw"),
        ("bat_smg", "sgs"),
        ("fiu-vro", "vro"),
        ("roa_rup", "rup"),
        ("be-x-old", "be-tarask"),
        ("be_x_old", "be-tarask"),
        ("no", "nb"),
        ("nb", "nb"),
        ("simple", "simple"),
        ("nds_nl", "nds-nl"),
        ("map_bms", "map-bms"),
        ("pt-AO", "pt"),
        ("zh-Hant-TW", "zh-tw"),
        ("aa", "aa"),
        ("qq", "en"),
        ("", "en"),
    ],
)
def test_every_spelling_of_a_code_finds_its_language(written: str, code: str) -> None:
    assert language_facts(written).code == code


def test_fallbacks_are_mediawikis_with_english_last() -> None:
    chains = {
        code: language_facts(code).fallbacks for code in ("en", "de", "als", "zh", "sr", "kaa", "min", "frp")
    }
    assert chains == {
        "en": (),
        "de": ("en",),
        "als": ("de", "en"),
        "zh": ("zh-hans", "zh-hant", "zh-cn", "zh-tw", "zh-hk", "en"),
        "sr": ("sr-ec", "en"),
        "kaa": ("kk-latn", "kk-cyrl", "en"),
        "min": ("id", "en"),
        "frp": ("fr", "en"),
    }


def test_every_wikipedia_has_facts_of_its_own() -> None:
    codes = wikipedia_languages()
    assert len(codes) == 364
    assert {"en", "de", "als", "zh-min-nan", "be-tarask", "simple", "tok", "aa"} <= set(codes)
    assert [code for code in codes if code != "en" and language_facts(code).code == "en"] == []


def test_facts_are_made_once_and_survive_a_pickle() -> None:
    facts = language_facts("tr")
    assert language_facts("TR") is facts
    assert pickle.loads(pickle.dumps(facts)) == facts
    assert hash(pickle.loads(pickle.dumps(facts))) == hash(facts)


# --- namespaces --------------------------------------------------------------------------------------------


def test_all_namespaces_of_english() -> None:
    assert language_facts("en").namespaces == {
        "media": -2, "special": -1, "talk": 1, "user": 2, "user talk": 3,
        "project": 4, "wikipedia": 4, "wp": 4, "project talk": 5, "wikipedia talk": 5, "wt": 5,
        "file": 6, "image": 6, "file talk": 7, "image talk": 7, "mediawiki": 8, "mediawiki talk": 9,
        "template": 10, "template talk": 11, "help": 12, "help talk": 13, "category": 14, "category talk": 15,
        "portal": 100, "portal talk": 101, "draft": 118, "draft talk": 119, "mos": 126, "mos talk": 127,
        "timedtext": 710, "timedtext talk": 711, "module": 828, "module talk": 829,
        "event": 1728, "event talk": 1729, "gadget": 2300, "gadget talk": 2301,
        "gadget definition": 2302, "gadget definition talk": 2303,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("code", "file", "category"),
    [
        ("en", set(), set()),
        ("simple", set(), set()),
        ("de", {"datei", "bild"}, {"kategorie"}),
        ("als", {"datei", "bild"}, {"kategorie"}),
        ("nds", {"bild", "datei"}, {"kategorie"}),
        ("fr", {"fichier"}, {"catégorie"}),
        ("frp", {"fichiér", "émâge", "fichier"}, {"catègorie", "catégorie"}),
        ("vls", {"ofbeeldienge", "bestand", "afbeelding"}, {"categorie"}),
        ("min", {"berkas", "gambar"}, {"kategori"}),
        ("tr", {"dosya", "resim"}, {"kategori", "kat"}),
        ("ru", {"файл", "изображение"}, {"категория", "к"}),
        (
            "sr",
            {"датотека", "слика", "datoteka", "slika"},
            {"категорија", "kategorija"},
        ),
        ("be-x-old", {"файл", "выява"}, {"катэгорыя"}),
        ("ar", {"ملف", "صورة"}, {"تصنيف"}),
        ("fa", {"پرونده", "تصویر"}, {"رده"}),
        ("he", {"קובץ", "תמונה", "קו"}, {"קטגוריה", "קט"}),
        ("th", {"ไฟล์", "ภาพ"}, {"หมวดหมู่"}),
        ("ja", {"ファイル", "画像"}, {"カテゴリ"}),
        ("ko", {"파일", "그림"}, {"분류"}),
        (
            "zh",
            {"文件", "档案", "檔案", "图像", "圖像", "图片", "圖片", "f"},
            {"分类", "分類", "cat"},
        ),
    ],
)
def test_names_of_files_and_categories(code: str, file: set[str], category: set[str]) -> None:
    facts = language_facts(code)
    assert names_of(facts, 6) == {"file", "image"} | file
    assert names_of(facts, 14) == {"category"} | category


def test_further_namespaces_belong_to_one_wiki() -> None:
    found = {
        code: {n: names_of(language_facts(code), n) for n in (4, 100, 828)}
        for code in ("de", "als", "fr", "vls")
    }
    assert found == {
        "de": {
            4: {"project", "wikipedia", "wp"},
            100: {"portal", "p"},
            828: {"module", "modul"},
        },
        "als": {
            4: {"project", "wikipedia", "wp"},
            100: {"portal"},
            828: {"module", "modul"},
        },
        "fr": {
            4: {"project", "wikipedia", "wikipédia", "wp"},
            100: {"portail"},
            828: {"module"},
        },
        "vls": {4: {"project", "wikipedia", "wp"}, 100: set(), 828: {"module"}},
    }


def test_gendered_names_and_aliases() -> None:
    assert names_of(language_facts("de"), 2) == {"user", "benutzer", "benutzerin"}
    assert names_of(language_facts("ru"), 3) == {
        "user talk", "обсуждение участника", "обсуждение участницы", "оу", "ut",
    }  # fmt: skip
    assert {"topic", "sujet"} == names_of(language_facts("fr"), 2600)


def test_namespace_key_is_how_names_are_looked_up() -> None:
    assert namespace_key("Benutzer_Diskussion") == "benutzer diskussion"
    assert namespace_key("  USER__talk ") == "user talk"
    assert namespace_key("Cate\u0301gorie") == "cat\u00e9gorie"
    azerbaijani = language_facts(
        "az"
    ).namespaces  # the capital is a dotted I, in lower case an i with a dot above
    assert azerbaijani[namespace_key("İstifadəçi")] == azerbaijani[namespace_key("istifadəçi")] == 2
    turkish = language_facts("tr").namespaces
    assert turkish[namespace_key("Kullanıcı")] == 2
    assert namespace_key("Kullanici") not in turkish


def test_no_namespace_has_a_placeholder_in_its_name() -> None:
    assert [name for name in language_facts("be-x-old").namespaces if "$" in name or "{" in name] == []


# --- redirects ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", ("#REDIRECT",)),
        ("simple", ("#REDIRECT",)),
        ("de", ("#WEITERLEITUNG", "#REDIRECT")),
        ("als", ("#WEITERLEITUNG", "#REDIRECT")),
        ("nds", ("#wiederleiden", "#WEITERLEITUNG", "#REDIRECT")),
        ("fr", ("#REDIRECTION", "#REDIRECT")),
        ("frp", ("#REDIRÈCCION", "#REDIRECTION", "#REDIRECT")),
        ("vls", ("#DOORVERWIJZING", "#REDIRECT")),
        ("min", ("#ALIAH", "#ALIH", "#REDIRECT")),
        ("tr", ("#YÖNLENDİRME", "#YÖNLENDİR", "#REDIRECT")),
        ("ru", ("#перенаправление", "#перенапр", "#REDIRECT")),
        ("be-x-old", ("#перанакіраваньне", "#REDIRECT")),
        ("ar", ("#تحويل", "#REDIRECT")),
        ("fa", ("#تغییر_مسیر", "#تغییرمسیر", "#REDIRECT")),
        ("he", ("#הפניה", "#REDIRECT")),
        ("th", ("#เปลี่ยนทาง", "#REDIRECT")),
        ("ko", ("#넘겨주기", "#REDIRECT")),
        ("ja", ("#転送", "#リダイレクト", "＃転送", "＃リダイレクト", "#REDIRECT")),
        ("zh", ("#REDIRECT", "#重定向", "#重新導向")),
        (
            "sr",
            (
                "#Преусмери", "#преусмери", "#ПРЕУСМЕРИ", "#Преусмјери", "#преусмјери", "#ПРЕУСМЈЕРИ",
                "#redirect", "#REDIRECT",
            ),
        ),
    ],
)  # fmt: skip
def test_redirect_words(code: str, words: tuple[str, ...]) -> None:
    facts = language_facts(code)
    assert facts.redirect_words == words
    assert facts.case_sensitive_words.isdisjoint(words)


def test_turkish_redirects_match_in_any_case() -> None:
    word = re.compile("|".join(language_facts("tr").redirect_words), re.IGNORECASE)
    assert all(map(word.match, ("#YÖNLENDİRME", "#yönlendirme", "#YÖNLENDIR", "#Redirect")))


def test_apostrophes_of_the_chechen_source_are_no_part_of_its_words() -> None:
    assert language_facts("ce").redirect_words[:3] == (
        "#дӀасахьажор",
        "#хьажайо",
        "#REDIRECT",
    )


# --- links -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "trail"),
    [
        ("en", "[a-z]+"),
        ("simple", "[a-z]+"),
        ("de", "[äöüßa-z]+"),
        ("als", "[äöüßa-z]+"),
        ("nds", "[äöüßa-z]+"),
        ("fr", "[a-zàâçéèêîôûäëïöüùÇÉÂÊÎÔÛÄËÏÖÜÀÈÙ]+"),
        ("frp", "[a-zàâçéèêîœôû·’æäåāăëēïīòöōùü‘]+"),
        ("vls", "[a-zäöüïëéèà]+"),
        ("min", "[a-z]+"),
        ("tr", "[a-zÇĞçğİıÖöŞşÜüÂâÎîÛû]+"),
        ("ru", "[a-zабвгдеёжзийклмнопрстуфхцчшщъыьэюя]+"),
        ("sr", "[abvgdđežzijklljmnnjoprstćufhcčdžšабвгдђежзијклљмнњопрстћуфхцчџш]+"),
        ("be-x-old", "[абвгґджзеёжзійклмнопрстуўфхцчшыьэюяćčłńśšŭźža-z]+"),
        (
            "ar",
            r"[a-zء-ي\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]+",
        ),
        ("fa", "[ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیآأئؤة\u200c]+"),
        ("he", "[a-zא-ת]+"),
        ("th", "[a-z]+"),
        ("ja", "[a-z]+"),
        ("ko", "[a-z]+"),
        ("zh", ""),
        ("hi", r"[a-z\u0900-\u0963\u0966-\ua8e0-\ua8ff]+"),
        ("te", "[\u0c01-\u0c6f]+"),
        ("ca", "(?:[a-zàèéíòóúç·ïü]|'(?!'))+"),
        ("br", "(?:c'h|C'H|C'h|c’h|C’H|C’h|[a-zA-ZàâçéèêîôûäëïöüùñÇÉÂÊÎÔÛÄËÏÖÜÀÈÙÑ])+"),
    ],
)
def test_link_trail(code: str, trail: str) -> None:
    assert language_facts(code).link_trail == trail


def test_trails_end_a_link_where_the_wiki_ends_it() -> None:
    def tail(code: str, text: str) -> str:
        match = re.match(language_facts(code).link_trail, text)
        return match[0] if match else ""

    assert tail("en", "es are") == "es"
    assert tail("en", "és") == ""
    assert tail("de", "ßen.") == "ßen"
    assert tail("ca", "'''text") == ""
    assert tail("ca", "'n") == "'n"
    assert tail("zh", "abc") == ""
    assert tail("ja", "です") == ""
    assert tail("ko", "이다") == ""
    assert tail("he", "ים ו") == "ים"
    assert tail("ar", "ات") == "ات"


def test_link_prefixes() -> None:
    with_prefix = {code for code in wikipedia_languages() if language_facts(code).link_prefix}
    assert {"ar", "arz", "uk", "is", "hy", "ka", "uz", "mzn"} <= with_prefix
    assert with_prefix.isdisjoint({"en", "de", "ru", "zh", "he", "fa", "tr", "fr"})
    assert language_facts("uk").link_prefix == "[„«]+"
    assert language_facts("is").link_prefix == "[áÁðÐéÉíÍóÓúÚýÝþÞæÆöÖA-Za-z–-]+"
    assert re.findall(f"(?:{language_facts('ar').link_prefix})$", "في ال") == ["ال"]


# --- pictures ----------------------------------------------------------------------------------------------


def test_all_options_of_pictures_in_english_and_german() -> None:
    english = {
        "thumb", "thumbnail", "frame", "framed", "enframed", "frameless", "border", "left", "right", "center",
        "centre", "none", "baseline", "sub", "super", "sup", "top", "text-top", "middle", "bottom",
        "text-bottom", "upright", "loop", "muted",
    }  # fmt: skip
    assert language_facts("en").image_options == english
    assert language_facts("de").image_options == english | {
        "mini", "miniatur", "gerahmt", "rahmenlos", "rand", "links", "rechts", "zentriert", "ohne",
        "grundlinie", "tief", "tiefgestellt", "hoch", "hochgestellt",
        "oben", "text-oben", "mitte", "unten", "text-unten",
        "hochkant",
    }  # fmt: skip


def test_all_parameters_of_pictures_in_english() -> None:
    number = r"\s*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*"
    assert set(language_facts("en").image_parameters) == {
        "alt=.*", "class=.*", "lang=.*", "link=.*", "lossy=.*", "thumb=.*", "thumbnail=.*",
        r"page=\s*[0-9]+\s*", r"page\ \s*[0-9]+\s*", f"upright={number}", rf"upright\ {number}",
        r"(?:[0-9]+(?:x[0-9]*)?|x[0-9]+)\s*(?:px\s*)?px",
        "disablecontrols=.*", "end=.*", "start=.*", "thumbtime=.*",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("code", "options", "expected"),
    [
        ("en", "thumb|right|200px|alt=A cat|upright=1.2|The cat", "The cat"),
        ("en", "200x150px|x90px|200 px|frameless", ""),
        ("en", "200pxpx|200 px px|upright=1.|upright=.5|upright=+1.25", ""),
        ("en", "200 px p|upright=1.2.3", "upright=1.2.3"),
        ("en", "thumb|upright times|left", "upright times"),
        ("en", "thumb|a 200px", "a 200px"),
        ("en", "Thumb", "Thumb"),
        ("de", "mini|hochkant=1.3|links|alternativtext=Haus|Das Haus", "Das Haus"),
        ("fr", "vignette|redresse|gauche|Une maison", "Une maison"),
        ("vls", "miniatuur|rechts|250px|'t Stadhuus", "'t Stadhuus"),
        ("frp", "figura|drêta|vignette|Bôrg", "Bôrg"),
        ("min", "jmpl|kiri|al=x|Rumah Gadang", "Rumah Gadang"),
        ("nds", "duum|links|dat Huus", "dat Huus"),
        ("als", "mini|rechts|s Huus", "s Huus"),
        ("tr", "küçükresim|sağ|200pik|Ev", "Ev"),
        ("ru", "мини|справа|250пкс|альт=Дом|Дом", "Дом"),
        ("sr", "мини|лево|200пискел|Кућа", "Кућа"),
        ("be-x-old", "значак|зьлева|150пкс|Дом", "Дом"),
        ("ar", "تصغير|يسار|200بك|بديل=س|بيت", "بيت"),
        ("fa", "بندانگشتی|چپ|200پیکسل|خانه", "خانه"),
        ("he", "ממוזער|שמאל|250 פיקסלים|בית", "בית"),
        ("th", "thumb|right|บ้าน", "บ้าน"),
        ("ja", "サムネイル|右|200ピクセル|家", "家"),
        ("ko", "섬네일|왼쪽|200픽셀|집", "집"),
        ("zh", "缩略图|右|200像素|替代=x|房子", "房子"),
        ("zh", "縮圖|左|頁=3|房子", "房子"),
    ],
)
def test_a_caption_is_told_from_options(code: str, options: str, expected: str) -> None:
    assert caption(language_facts(code), options) == expected


# --- switches and disambiguation ---------------------------------------------------------------------------


def test_all_behaviour_switches_of_english() -> None:
    english = language_facts("en")
    assert set(english.behaviour_switches) == {
        "__TOC__", "__NOTOC__", "__FORCETOC__", "__NOEDITSECTION__", "__NEWSECTIONLINK__",
        "__NONEWSECTIONLINK__", "__NOGALLERY__", "__HIDDENCAT__",
        "__EXPECTUNUSEDCATEGORY__", "__NOCONTENTCONVERT__", "__NOCC__",
        "__NOTITLECONVERT__", "__NOTC__", "__INDEX__", "__NOINDEX__", "__STATICREDIRECT__", "__NOGLOBAL__",
        "__EXPECTED_UNCONNECTED_PAGE__",
    }  # fmt: skip
    assert "__NOINDEX__" in english.case_sensitive_words
    assert "__NOTOC__" not in english.case_sensitive_words


def test_switches_in_other_languages() -> None:
    assert {"__KEIN_INHALTSVERZEICHNIS__", "__NOTOC__"} <= set(language_facts("de").behaviour_switches)
    assert {"__AUCUNSOMMAIRE__", "__NOTOC__"} <= set(language_facts("frp").behaviour_switches)
    assert {"__目次非表示__", "＿＿目次非表示＿＿"} <= set(language_facts("ja").behaviour_switches)
    switches = {code: language_facts(code).disambiguation_switches for code in ("en", "de", "es", "zh", "ko")}
    assert switches == {
        "en": ("__DISAMBIG__",),
        "de": ("__BEGRIFFSKLÄRUNG__", "__DISAMBIG__"),
        "es": ("__DISAMBIGUACION__", "__DISAMBIGUACIÓN__", "__DISAMBIG__"),
        "zh": ("__消除歧义__", "__消歧义__", "__DISAMBIG__"),
        "ko": ("__동음이의__", "__DISAMBIG__"),
    }


def test_disambiguation_pages() -> None:
    english = language_facts("en")
    assert {
        "Disambiguation",
        "Disambig",
        "Dab",
        "Hndis",
        "Geodis",
    } <= english.disambiguation_templates
    assert english.disambiguation_categories == {
        "Disambiguation pages",
        "All disambiguation pages",
    }
    assert english.disambiguation_title_suffixes == {"disambiguation"}

    def own(code: str) -> tuple[set[str], set[str], set[str]]:
        facts = language_facts(code)
        return (
            set(facts.disambiguation_templates - english.disambiguation_templates),
            set(facts.disambiguation_categories - english.disambiguation_categories),
            set(facts.disambiguation_title_suffixes - english.disambiguation_title_suffixes),
        )

    assert own("simple") == (set(), set(), set())
    assert own("de") == ({"Begriffsklärung"}, {"Begriffsklärung"}, {"Begriffsklärung"})
    assert own("fr") == ({"Homonymie"}, {"Homonymie"}, {"homonymie"})
    assert own("ja") == ({"Aimai", "曖昧さ回避"}, {"曖昧さ回避"}, {"曖昧さ回避"})
    assert own("ru") == (
        {"Неоднозначность"},
        {"Страницы значений", "Многозначные термины"},
        {"значения"},
    )
    assert own("he") == ({"פירושונים"}, {"פירושונים"}, {"פירושונים"})
    # Georgian titles have no capitals, whatever Python's str.upper makes of their first letter.
    assert own("ka")[0] == {"მრავალმნიშვნელოვანი"}


# --- interwiki ---------------------------------------------------------------------------------------------


def test_interwiki_prefixes() -> None:
    facts = language_facts("de")
    languages_linked = {
        "en",
        "de",
        "simple",
        "zh-min-nan",
        "nan",
        "be-x-old",
        "be-tarask",
        "als",
        "no",
        "nb",
        "zh-cn",
    }
    assert languages_linked <= facts.interlanguage_codes < facts.interwiki_prefixes
    sisters = {
        "w",
        "wikt",
        "s",
        "q",
        "b",
        "n",
        "v",
        "voy",
        "d",
        "m",
        "mw",
        "c",
        "commons",
        "meta",
        "species",
    }
    assert sisters <= facts.interwiki_prefixes
    assert sisters.isdisjoint(facts.interlanguage_codes)
    assert all(prefix == prefix.lower() for prefix in facts.interwiki_prefixes)
    assert facts.interlanguage_codes is language_facts("fr").interlanguage_codes


# --- the file ----------------------------------------------------------------------------------------------


def test_every_language_compiles_its_patterns() -> None:
    codes = json.loads(DATA.read_text(encoding="utf-8"))["languages"]
    assert len(codes) == 479
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for code in codes:
            facts = language_facts(code)
            assert facts.code == code
            for pattern in (
                facts.link_trail,
                facts.link_prefix,
                *facts.image_parameters,
            ):
                re.compile(pattern)
            assert all(isinstance(number, int) for number in facts.namespaces.values())
            assert facts.namespaces["image"] == facts.namespaces["file"] == 6
            assert "#REDIRECT" in facts.redirect_words


def test_the_file_is_as_the_generator_writes_it() -> None:
    text = DATA.read_text(encoding="utf-8")
    assert generate.dumped(json.loads(text)) == text
    assert len(text.encode()) < 1_500_000


# --- the generator -----------------------------------------------------------------------------------------

DEFINES = """<?php
define( 'MW_VERSION', '1.39.17' );
define( 'NS_USER', 2 );
define( 'NS_PROJECT_TALK', 5 );
define( 'NS_FILE', 6 );
"""

ENGLISH = r"""<?php
$fallback = false;
$linkPrefixExtension = false;
$namespaceNames = [ NS_USER => 'User', NS_PROJECT_TALK => '$1_talk', NS_FILE => 'File' ];
$namespaceAliases = [ 'Image' => NS_FILE ];
$magicWords = [
	'redirect' => [ 0, '#REDIRECT' ],
	'notoc'    => [ 0, '__NOTOC__' ],
	'noindex'  => [ 1, '__NOINDEX__' ],
	'img_alt'  => [ 1, 'alt=$1' ],
	'pagename' => [ 1, 'PAGENAME' ],
];
$linkTrail = '/^([a-z]+)(.*)$/sD';
$linkPrefixCharset = 'a-zA-Z\\x{80}-\\x{10ffff}';
"""

MADE_UP = r"""<?php
/** Made-up (m'ade [up]) = a trap for the reader */
$fallback = 'en-gb, de';  # two of them
$linkPrefixExtension = true;
$vowels = 'ä' .
	"\u{F6}"; // joined
$namespaceNames = array(
	NS_USER         => 'Nutzer',
	NS_PROJECT_TALK => '$1-Diskussion', /* a pattern */
	NS_FILE         => "D\"atei_{$x}",
);
$namespaceAliases = [ 'Alte_Datei' => NS_FILE, 'Bild' => 6 ];
$namespaceGenderAliases = [ NS_USER => [ 'male' => 'Nutzer', 'female' => 'Nutzerin' ] ];
$magicWords = [
	'redirect' => [ '0', '#WEITER\'LEITUNG', "'#GEHE'", '#REDIRECT' ],
	'notoc'    => [ 0, '__KEIN_INHALT__', ],
	'img_alt'  => [ 1, 'alternativ=$1' ],
	'pagename' => [ 1, 'SEITENNAME' ],
];
if ( !defined( 'X' ) ) { $notRead[] = f( [ 1 ] ); }
$linkTrail = "/^([a-z\x{0B80}-\x{0BFF}" . $vowels . "]+)(.*)$/sDui";
unset( $vowels );
"""


def write_tree(root: Path) -> Path:
    for name, text in {
        "includes/Defines.php": DEFINES,
        "languages/messages/MessagesEn.php": ENGLISH,
        "languages/messages/MessagesXx_made_up.php": MADE_UP,
        "extensions/Modules/Modules.namespaces.php": "<?php\n$namespaceNames = [];\n"
        "$namespaceNames['xx-made-up'] = [ 828 => 'Modul', 829 => 'Modul_Diskussion' ];\n"
        "$namespaceNames['yy'] = [ 828 => 'Moduul' ];\n",
        "extensions/Pages/Pages.i18n.magic.php": "<?php\n$magicWords = array();\n"
        "$magicWords['en'] = array( 'disambiguation' => array( 1, '__DISAMBIG__' ) );\n"
        "$magicWords['yy'] = array( 'disambiguation' => array( '__KLAR__' ), 'if' => array( 0, 'wenn' ) );\n",
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def test_the_generator_reads_a_mediawiki_tree(tmp_path: Path) -> None:
    assert read_mediawiki(write_tree(tmp_path)) == {
        "en": {
            "namespaces": {"User": 2, "File": 6, "Image": 6},
            "words": {
                "redirect": ["#REDIRECT"],
                "notoc": ["__NOTOC__"],
                "noindex": ["__NOINDEX__"],
                "img_alt": ["alt=$1"],
                "disambiguation": ["__DISAMBIG__"],
            },
            "link_trail": "[a-z]+",
            "link_prefix": r"[a-zA-Z\u0080-\U0010ffff]+",
            "link_prefix_extension": False,
        },
        "xx-made-up": {
            "fallback": ["en-gb", "de"],
            "namespaces": {
                "Nutzer": 2,
                'D"atei {$x}': 6,
                "Nutzerin": 2,
                "Alte Datei": 6,
                "Bild": 6,
                "Modul": 828,
                "Modul Diskussion": 829,
            },
            "words": {
                "redirect": ["#WEITER'LEITUNG", "#GEHE", "#REDIRECT"],
                "notoc": ["__KEIN_INHALT__"],
                "img_alt": ["alternativ=$1"],
            },
            "link_trail": r"(?i:[a-z\u0b80-\u0bffäö]+)",
            "link_prefix_extension": True,
        },
        "yy": {
            "namespaces": {"Moduul": 828},
            "words": {"disambiguation": ["__KLAR__"]},
        },
    }


def test_a_table_that_php_computes_is_an_error_not_a_guess() -> None:
    with pytest.raises(PhpSyntaxError, match="line 2: cannot read 'NS_UNHEARD_OF'"):
        assignments("<?php\n$namespaceNames = [ NS_UNHEARD_OF => 'X' ];")
    with pytest.raises(PhpSyntaxError, match="line 1: cannot read 'strtolower'"):
        assignments("<?php $linkTrail = strtolower( 'X' );")
    with pytest.raises(PhpSyntaxError, match="ends inside an assignment"):
        assignments("<?php $a = [ 'x',")


def test_php_values() -> None:
    source = r"""<?php
class Names { public static $names = [ 'de' => 'Deutsch' ]; private const OLD = [ 'als' => 'gsw' ]; }
$strings = [ 'it\'s', 'back\\slash', 'raw \n', "line\n", "\u{1F600}", "\x41", "\x{0A80}", "\$1", "\'" ];
$mixed = [ 5 => 'five', 'x' => -1, 'y' => [ true, false, null, array() ] ];
$other['key'] = 'value';
"""
    assert assignments(source) == {
        "names": {"de": "Deutsch"},
        "OLD": {"als": "gsw"},
        "strings": [
            "it's",
            "back\\slash",
            r"raw \n",
            "line\n",
            "\U0001f600",
            "A",
            r"\x{0A80}",
            "$1",
            r"\'",
        ],
        "mixed": {5: "five", "x": -1, "y": [True, False, None, []]},
        "other": {"key": "value"},
    }
    assert namespace_constants(DEFINES) == {
        "NS_USER": 2,
        "NS_PROJECT_TALK": 5,
        "NS_FILE": 6,
    }


def test_link_patterns_of_unknown_form_are_errors() -> None:
    assert link_trail("/^()(.*)$/sD") == ""
    assert link_trail("/^([a-zäöüß]+)(.*)$/sDu") == "[a-zäöüß]+"
    assert link_prefix(r"A-\x{10ffff}") == r"[A-\U0010ffff]+"
    with pytest.raises(ValueError, match="is not of the form"):
        link_trail("/^([a-z]+)/")


def test_facts_of_a_file_that_says_nothing_are_empty() -> None:
    assert own_facts(assignments("<?php\n# only a comment\n$rtl = true;\n")) == {}
    found: dict[str, dict[str, object]] = {}
    add_extension(found, {})
    assert found == {}


def test_other_spellings_lead_to_the_language_in_one_step() -> None:
    tables = (
        {"zh-cfr": "zh-min-nan", "nb": "no"},
        {"zh_min_nan": "nan", "de": "de"},
        {"no": "nb"},
    )
    assert generate.other_spellings({"nan": {}, "nb": {}, "de": {}}, *tables) == {
        "no": "nb",
        "zh-cfr": "nan",
        "zh-min-nan": "nan",
    }


def test_the_file_has_one_line_a_language() -> None:
    content = {
        "about": {"b": 1, "a": "ä"},
        "codes": ["x", "y"],
        "languages": {"yy": {"k": 2, "a": [1]}, "xx": {}},
    }
    assert generate.dumped(content) == (
        '{\n"about":{\n"a":"ä",\n"b":1\n},\n"codes":["x","y"],\n'
        '"languages":{\n"xx":{},\n"yy":{"a":[1],"k":2}\n}\n}\n'
    )

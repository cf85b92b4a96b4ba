"""The encoding of a page: declared rightly, wrongly, twice or not at all."""

from __future__ import annotations

import tracemalloc
from random import Random
from time import process_time

import pytest

from anchormine.web.encodings.charsets import DecodedText, decode_text
from anchormine.web.encodings.decoders import WRONG, decode
from anchormine.web.encodings.head_charsets import encoding_in_head
from anchormine.web.encodings.labels import CODECS, encoding_of

GERMAN = "<p>Über dem Fluß liegt die Brücke, die früher größer war. " * 3
RUSSIAN = "<p>Над рекой стоит мост, который раньше был намного больше. " * 3
JAPANESE = "<p>川の上に橋があります。昔はもっと大きかったそうです。東京から来た人が多いです。" * 3
CHINESE = "<p>河上有一座桥，以前比现在大得多。很多人从北京来到这里参观。" * 3
LITHUANIAN = "<p>Per upę eina tiltas, kuris anksčiau buvo daug didesnis. Čia atvažiuoja žmonės. " * 3
KOREAN = "<p>강 위에 다리가 있습니다. 예전에는 훨씬 더 컸다고 합니다. 서울에서 온 사람이 많습니다." * 3


def html(charset: str) -> str:
    return f"text/html; charset={charset}"


@pytest.mark.parametrize(
    ("text", "label", "encoding"),
    [
        (GERMAN, "utf-8", "utf-8"),
        (GERMAN, "ISO-8859-1", "windows-1252"),
        (GERMAN + "„“€", "latin1", "windows-1252"),
        (GERMAN, '"windows-1252"', "windows-1252"),
        (GERMAN, "ISO-8859-15", "iso-8859-15"),
        (RUSSIAN, "windows-1251", "windows-1251"),
        (RUSSIAN, "koi8-r", "koi8-r"),
        (JAPANESE, "Shift_JIS", "shift_jis"),
        (JAPANESE + "①", "x-sjis", "shift_jis"),
        (JAPANESE, "euc-jp", "euc-jp"),
        (JAPANESE, "iso-2022-jp", "iso-2022-jp"),
        (CHINESE, "gb2312", "gbk"),
        (CHINESE + "镕", "GB2312", "gbk"),
        (CHINESE.translate(str.maketrans("桥现参观", "橋現參觀")), "big5", "big5"),
        (KOREAN, "euc-kr", "euc-kr"),
        (GERMAN, "utf-16be", "utf-16be"),
    ],
)
def test_declared(text: str, label: str, encoding: str) -> None:
    text = text if encoding != "big5" else "".join(c for c in text if c.encode("big5", "ignore"))
    body = text.encode(CODECS[encoding])
    assert decode_text(body, html(label)) == DecodedText(text, encoding)
    if encoding != "utf-16be":
        pragma = f'<META http-equiv=Content-Type content="text/html; charset={label}">'
        for meta in (f"<meta charset={label}>", pragma):
            assert decode_text(meta.encode() + body, "text/html") == DecodedText(meta + text, encoding)


@pytest.mark.parametrize(("mark", "encoding"), [("utf-8-sig", "utf-8"), ("utf-16", "utf-16le")])
def test_a_byte_order_mark_decides(mark: str, encoding: str) -> None:
    assert decode_text(GERMAN.encode(mark), html("windows-1251")) == DecodedText(GERMAN, encoding)


@pytest.mark.parametrize("encoding", ["utf-16le", "utf-16be"])
def test_utf_16_that_does_not_say_so(encoding: str) -> None:
    for text in (f"<p>{GERMAN}</p>", f"\r\n\r\n<!doctype html>{GERMAN}"):
        for label in ("", "iso-8859-1", "utf-8", "utf-16"):
            assert decode_text(text.encode(encoding), html(label)) == DecodedText(text, encoding)
    assert decode_text(b"<\0html>Pier", "").encoding == "utf-8"


def test_the_header_goes_before_the_page() -> None:
    text = "<meta charset=koi8-r>" + RUSSIAN
    assert decode_text(text.encode("cp1251"), html("cp1251")) == DecodedText(text, "windows-1251")


def test_wrongly_declared() -> None:
    """UTF-8 that is said to be Latin-1, Latin-1 that is said to be UTF-8, and what nobody knows."""
    for label in ("iso-8859-1", "us-ascii", "koi8-r", "windows-1250"):
        assert decode_text(RUSSIAN.encode(), html(label)) == DecodedText(RUSSIAN, "utf-8")
    assert decode_text(GERMAN.encode("cp1252"), html("utf-8")) == DecodedText(GERMAN, "windows-1252")
    assert decode_text(RUSSIAN.encode("cp1251"), html("utf-8")) == DecodedText(RUSSIAN, "windows-1251")
    assert decode_text(JAPANESE.encode("euc-jp"), html("utf-8")) == DecodedText(JAPANESE, "euc-jp")
    assert decode_text(GERMAN.encode(), html("utf-16")) == DecodedText(GERMAN, "utf-8")
    for label in ("none", "utf-7", "rot13", "\0", "x" * 999):
        assert decode_text(GERMAN.encode(), html(label)) == DecodedText(GERMAN, "utf-8")
    text = "<!-- <meta charset=koi8-r> --><meta charset=utf-16>" + GERMAN
    assert decode_text(text.encode(), "") == DecodedText(text, "utf-8")


@pytest.mark.parametrize(
    ("text", "codec", "encoding"),
    [
        (GERMAN, "utf-8", "utf-8"),
        ("plain", "ascii", "utf-8"),
        (GERMAN, "cp1252", "windows-1252"),
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "koi8-r", "koi8-u"),
        (LITHUANIAN, "cp1257", "windows-1257"),
        (JAPANESE, "cp932", "shift_jis"),
        (JAPANESE, "euc-jp", "euc-jp"),
        (JAPANESE, "iso2022_jp", "iso-2022-jp"),
        (CHINESE, "gb18030", "gb18030"),
        (CHINESE, "gbk", "gb18030"),
        (KOREAN, "cp949", "euc-kr"),
        ("<p>A café — and much English besides. " + "Words, and more words. " * 40, "cp1252", "windows-1252"),
    ],
)
def test_not_declared(text: str, codec: str, encoding: str) -> None:
    assert decode_text(text.encode(codec), "text/html") == DecodedText(text, encoding)


ENGLISH = (
    "We went there by train, stayed in a small hotel near the station, and met the owner of the market. "
)


@pytest.mark.parametrize("copies", [1, 3, 10])
@pytest.mark.parametrize(
    "names",
    [
        "Ask Señor Muñoz, who is naïve.",
        "São Paulo, Þór, Ørsted.",
        "Dvorak’s résumé",
        "Núñez and Ångström: 25°C, ½ cup",
        "«œuvre»",
    ],
)
def test_names_in_english(names: str, copies: int) -> None:
    text = f"<p>{ENGLISH * 2}{names} {ENGLISH}</p>" * copies
    assert decode_text(text.encode("cp1252"), "text/html") == DecodedText(text, "windows-1252")


def test_names_in_other_languages() -> None:
    text = (
        "Jučer smo bili u gradu i kupili knjigu o povijesti grada koja je vrlo zanimljiva za sve ljude. " * 3
    )
    assert decode_text(text.encode("cp1250"), "text/html") == DecodedText(text, "windows-1250")


def test_little_that_is_wrong() -> None:
    body = (RUSSIAN * 3).encode()[:-4] + b"\xff."
    assert decode_text(body, html("utf-8")) == DecodedText(body.decode("utf-8", "replace"), "utf-8")
    assert decode_text(body, "").encoding == "utf-8"
    assert decode_text(b"<p>\x81" + (JAPANESE * 3).encode("euc-jp"), html("euc-jp")).encoding == "euc-jp"


@pytest.mark.parametrize("content_type", ["text/html; charset=utf-8", "text/html"])
@pytest.mark.parametrize(
    "text", ["it’s the frog’s pond, and the toad’s. It’s cut off", "a café, a café, a café", "it’s a café,"]
)
def test_some_letters_of_utf_8_and_one_that_is_cut(text: str, content_type: str) -> None:
    """As a teaser of so many bytes ends."""
    for cut in ("…".encode()[:2], b"\xe9"):
        body = b"<meta charset=utf-8>" + text.encode() + b" (" + cut + b")<p>"
        assert decode_text(body, content_type) == (f"<meta charset=utf-8>{text} (\ufffd)<p>", "utf-8")


@pytest.mark.parametrize(
    ("text", "encoding"), [(JAPANESE, "euc-jp"), (CHINESE, "gb18030"), (RUSSIAN, "koi8-u")]
)
def test_text_between_scripts_that_declares_nothing(text: str, encoding: str) -> None:
    script = b"<script>" + b"a = 1;\n" * 2000 + b"</script>"
    body = script + (text * 10).encode(encoding) + script
    assert decode_text(body, "") == DecodedText(body.decode(encoding), encoding)


@pytest.mark.parametrize("sentences", [1, 120])  # the signs are where a detector looks, or far from it
@pytest.mark.parametrize(
    ("text", "sign", "codec", "encoding"),
    [
        ("Η ταχύτητα του υπολογιστή εξαρτάται από τη. ", "Άλλο — είναι “καλό”… ", "cp1253", "windows-1253"),
        ("A számítógép sebessége a memóriától függ, és jó. ", "A program — “jó”… ", "cp1250", "windows-1250"),
        ("Szybkość zależy od pamięci, ą ę ś ź, więc śmiało. ", "Źle – „tak”… ", "cp1250", "windows-1250"),
        ("Η ταχύτητα του υπολογιστή εξαρτάται από τη μνήμη. ", "Άλλο. ", "iso8859_7", "iso-8859-7"),
    ],
)  # fmt: skip
def test_signs_that_only_windows_has(text: str, sign: str, codec: str, encoding: str, sentences: int) -> None:
    page = f"<p>{text * sentences}{sign}{text * sentences}"
    assert decode_text(page.encode(codec), "text/html") == (page, encoding)


@pytest.mark.parametrize(
    "text",
    [
        "Szybkość zależy od pamięci, ą ę ś ź, więc śmiało. ",
        "Največje pristanišče še živi, če že stoji ob morju, in mornarji še čakajo na ladje. ",
    ],
)
def test_a_control_character_among_letters_that_windows_has_elsewhere(text: str) -> None:
    page = f"<p>{text * 120}\x96 {text * 120}"
    assert decode_text(page.encode("iso8859_2"), "text/html") == (page, "iso-8859-2")


@pytest.mark.parametrize(
    ("text", "label", "encoding"),
    [
        ("BEYONCÉ’S tour, and BEYONCÉ’S album. © 2010", "windows-1252", "windows-1252"),
        ("CLICHÉ… CLICHÉ… ©", "iso-8859-1", "windows-1252"),
        ("спасибо", "ibm866", "ibm866"),
        ("แกง ตอบ", "tis-620", "windows-874"),
    ],
)
def test_what_happens_to_be_utf_8_in_part(text: str, label: str, encoding: str) -> None:
    page = f"<p>{text}</p>"
    assert decode_text(page.encode(CODECS[encoding]), html(label)) == (page, encoding)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"\x1b$B8!:w\x1b(B", "検索"),
        (b"\x1b$@8!:w\x1b(J\\~\x1b(B\\~", "検索¥‾\\~"),
        (b'\x1b$B-!-"\x1b(B \x1b$By!|n\x1b(B', "①② 纊黑"),
        (b"\x1b$B!A!]\x1b(B", "～－"),
        (b"\x1b$B8!:w\x1b(I12\x1b(B", "検索ｱｲ"),
        (b"\x1b$B8!:w\x1b(I!_ `\x1b(B", "検索｡ﾟ\ufffd\ufffd"),
        (b"\x1b$B8!\r\n:w\x1b(B\n-", "検\r\n索\n-"),
        (b"\x1b$B8!:\n:w\x1b(B.", "検\ufffd\n索."),
        (b"\x1b$B8!:w\x1b(I1\n2\x1b(B", "検索ｱ\nｲ"),
        (b"\x1b$B8!\x1b(B\x1b$B:w\x1b(B\x0e.", "検\ufffd索\ufffd."),
        (b"\x1b$B8!:w/~8!\x1b(B.", "検索\ufffd検."),
        (b"\x1b$B8!:w\x1b8!\x1b(B.", "検索\ufffd検."),
        (b"\x1b$B8!:w:", "検索\ufffd"),
        (b"\x1b$B8!:w\x1b(", "検索\ufffd\ufffd"),
    ],
)
@pytest.mark.parametrize("label", ["iso-2022-jp", "utf-8", "x"])
def test_iso_2022_jp(body: bytes, text: str, label: str) -> None:
    assert decode_text(body, html(label)) == DecodedText(text, "iso-2022-jp")


@pytest.mark.parametrize("body", [b"\x1b$", b"\x1b$)Ctext", b"to \x1b$ and \x1b$x", b"\x1b(B\x1b[0m"])
def test_other_escapes(body: bytes) -> None:
    assert decode_text(body, html("x")) == DecodedText(body.decode(), "utf-8")


def test_characters_of_nec() -> None:
    """Those rows of JIS X 0208, and the signs, as in Shift_JIS."""
    text = JAPANESE + "①②㈱№纊黑～－￠"
    body = JAPANESE.encode("euc-jp") + bytes.fromhex("ada1 ada2 adea ade2 f9a1 fcee a1c1 a1dd a1f1")
    assert decode_text(body, html("euc-jp")) == DecodedText(text, "euc-jp")
    assert decode_text(body, "") == DecodedText(text, "euc-jp")
    assert decode_text(text.encode("cp932"), html("shift_jis")) == DecodedText(text, "shift_jis")


def test_all_of_jis_x_0208_is_as_in_shift_jis() -> None:
    leads = (*range(0x81, 0xA0), *range(0xE0, 0xF0))
    trails = (*range(0x40, 0x7F), *range(0x80, 0xFD))
    shift_jis = [bytes((lead, trail)).decode("cp932", "replace") for lead in leads for trail in trails]
    cells = range(0xA1, 0xFF)
    euc_jp = [decode(bytes((row, cell)), "euc-jp").text for row in cells for cell in cells]
    assert euc_jp == ["\ufffd" if "\ufffd" in character else character for character in shift_jis]
    assert len(euc_jp) - euc_jp.count("\ufffd") == 7336  # of the standard's index


def test_a_character_that_is_none_leaves_its_neighbours() -> None:
    for wrong in (b"\xa9\xa1", b"\x8f\xa1\xa1", b"\x8e\xff", b"\x80", b"\xa4"):
        body = JAPANESE.encode("euc-jp") + wrong + b"<p>" + JAPANESE.encode("euc-jp")
        expected = DecodedText(JAPANESE + "\ufffd<p>" + JAPANESE, "euc-jp")
        assert decode_text(body, html("euc-jp")) == expected


@pytest.mark.parametrize(
    ("body", "label", "encoding", "text"),
    [
        (b"\x93Quote\x9d", "windows-1252", "windows-1252", "“Quote\x9d"),
        (b"\x81\x83 \x9aumava", "windows-1250", "windows-1250", "\x81\x83 šumava"),
        (b"\xa1\x81\xdb\xe1", "tis-620", "windows-874", "ก\x81\ufffdแ"),
        (b"\xae\xbe", "koi8-u", "koi8-u", "ўЎ"),
        (b"\xd9\xca", "windows-1255", "windows-1255", "\ufffd\u05ba"),
        (b"\xac\xf9\xbf\xab\xa1\x45\xa5\x76\xb1\x4b\xb4\xb5", "big5", "big5", "約翰‧史密斯"),
        (b"\xa1\xfe\xa2\x41\xa3\xe1\x87\x7a\x88\x62", "big5", "big5", "／∕€㡵Ê̄"),
        (b"\x8f\xa2\xb7~\xa1\xc1", "euc-jp", "euc-jp", "～~～"),
        (b"\xa3\xa0\xa8\xbc\x81\x35\xf4\x37\xa6\xd9", "gb2312", "gbk", "\u3000ḿ\ue7c7︐"),
    ],
)
def test_characters_that_the_standard_has_otherwise(
    body: bytes, label: str, encoding: str, text: str
) -> None:
    assert decode(body, encoding).text == text
    if "\ufffd" not in text:
        assert decode_text(body, html(label)) == DecodedText(text, encoding)


@pytest.mark.parametrize(
    ("encoding", "body", "text"),
    [
        ("gb18030", b"\x810.", "\ufffd0."),
        ("gb18030", b"\x810\x81<", "\ufffd0\ufffd<"),
        ("gb18030", b"\x810\x81A", "\ufffd0丄"),
        ("gb18030", b"\x841\xa50\x841\xa47", "\ufffd\ufffd"),
        ("gb18030", b"\xff\x80\x810", "\ufffd€\ufffd"),
        ("gb18030", b"\x810\x81", "\ufffd"),
        ("gbk", b"\x81\x7f\x81\xff.", "\ufffd\x7f\ufffd."),
        ("big5", b"\x81A\x81\xff\x80<\x81", "\ufffdA\ufffd\ufffd<\ufffd"),
        ("euc-kr", b"\x81[\x81\xff\x80<\x81", "\ufffd[\ufffd\ufffd<\ufffd"),
        (
            "euc-jp",
            b"\x8fA\x8f\xa1A\x8f\x80\x8f\xa1\x80\x8e\xe0\x8f\xa1",
            "\ufffdA\ufffdA\ufffd\ufffd\ufffd\ufffd",
        ),
        (
            "shift_jis",
            b"\x81\xfd\x81\x7f\x80\xa0\xfd.\xf0@\x81",
            "\ufffd\ufffd\x7f\x80\ufffd\ufffd.\ue000\ufffd",
        ),
        ("utf-16le", b"\0\xd8\0\xd8\0\xdc\0\xd8A", "\ufffd\U00010000\ufffd"),
    ],
)
def test_how_many_bytes_are_wrong_together(encoding: str, body: bytes, text: str) -> None:
    assert decode(body, encoding) == (text, text.count("\ufffd"))


def test_the_euro_of_gbk() -> None:
    for label in ("gbk", "gb2312", "gb18030"):
        encoding = "gb18030" if label == "gb18030" else "gbk"
        for end in ("100", "价", ""):
            body = "价格".encode("gbk") + b"\x80" + end.encode("gbk")
            assert decode_text(body, html(label)) == DecodedText(f"价格€{end}", encoding)


@pytest.mark.parametrize("label", ["utf-8", "x"])
@pytest.mark.parametrize(
    ("body", "text"),
    [
        (GERMAN.encode() + b"\xff" + RUSSIAN.encode(), f"{GERMAN}\ufffd{RUSSIAN}"),
        ("Größe".encode() + b"\xc3", "Größe\ufffd"),
    ],
)
def test_little_is_wrong_and_the_page_says_latin_1(body: bytes, text: str, label: str) -> None:
    meta = "<meta charset=iso-8859-1>"
    assert decode_text(meta.encode() + body, html(label)) == DecodedText(meta + text, "utf-8")


@pytest.mark.parametrize("english", [20, 200])
def test_some_korean_in_english_that_declares_nothing(english: int) -> None:
    """Detectors take it for letters of one byte: windows-1257, or a Cyrillic encoding."""
    text = ENGLISH * english + "“이미지 편집 프로그램” “레이어” 메뉴"
    assert decode_text(text.encode("euc-kr"), "") == DecodedText(text, "euc-kr")
    few = ENGLISH * english + "“서울”"
    assert decode_text(few.encode("euc-kr"), "").encoding != "euc-kr"


def test_letters_before_letters_of_ascii_are_no_korean() -> None:
    """Which they would be, byte by byte; what no detector knows is guessed as a language of such letters."""
    text = (
        "Der Leuchtturm steht seit über hundert Jahren an der nördlichen Küste, größer als andere Türme. " * 3
    )
    body = text.encode("mac-roman")
    assert decode_text(body, "") == DecodedText(body.decode("cp1250"), "windows-1250")


def test_any_bytes_are_latin_1() -> None:
    """But hardly any but its own stand each by themselves."""
    meta = "<meta charset=iso-8859-1>"
    for label, text in {"gbk": CHINESE, "euc-jp": JAPANESE, "euc-kr": KOREAN}.items():
        expected = DecodedText(f"{meta}{text}\ufffd", label)
        assert decode_text(expected.text[:-1].encode(label) + b"\xff", html(label)) == expected
    for label in ("utf-8", "gbk", "shift_jis", "euc-kr"):
        expected = DecodedText(meta + GERMAN, "windows-1252")
        assert decode_text(expected.text.encode("cp1252"), html(label)) == expected


@pytest.mark.parametrize(
    ("text", "label", "cut"),
    [
        (GERMAN, "utf-8", "ö"),
        ("Gr", "utf-8", "ö"),
        ("Größe", "x", "€"),
        ("中", "gbk", "文"),
        ("中", "big5", "文"),
        ("日", "shift_jis", "本"),
        ("日", "euc-jp", "本"),
        ("한", "euc-kr", "국"),
    ],
)
def test_a_last_character_that_is_cut_off(text: str, label: str, cut: str) -> None:
    encoding = encoding_of(label) or "utf-8"
    body = (text + cut).encode(CODECS[encoding])[:-1]
    assert decode_text(body, html(label)) == DecodedText(text + "\ufffd", encoding)


def test_a_letter_at_the_end_is_not_cut_off() -> None:
    text = "Words, and more words. " * 40 + "A café"
    assert decode_text(text.encode("cp1252"), "") == DecodedText(text, "windows-1252")


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ("<meta charset=koi8-r>", "koi8-r"),
        ("<META CHARSET = 'KOI8-R'>", "koi8-r"),
        ("<meta/charset='koi8-r'/>", "koi8-r"),
        ("<meta charset=koi8-r/>", "koi8-r"),
        ('<meta content="text/html; charset=koi8-r" http-equiv="Content-Type">', "koi8-r"),
        ("<meta http-equiv=content-type content=text/html;charset=koi8-r>", "koi8-r"),
        ("<meta charset=nothing><meta name=x title='>' charset=koi8-r>", "koi8-r"),
        ("<?xml version='1.0' encoding='koi8-r'?>", "koi8-r"),
        ("<!--><meta charset=koi8-r>", "koi8-r"),
        ("<meta charset=utf-16le>", "utf-8"),
        ("<meta charset=koi8-r charset=utf-8>", "koi8-r"),
        ("<meta data-charset=koi8-r>", None),
        ("<meta name=description content='charset=koi8-r'>", None),
        ("<meta content='text/html; charset=koi8-r'>", None),
        ("<metadata charset=koi8-r>", None),
        ("<a title='<meta charset=koi8-r>'>", None),
        ("<!-- <meta charset=koi8-r>", None),
    ],
)
def test_the_head(head: str, encoding: str | None) -> None:
    assert encoding_in_head(head.encode()) == encoding
    assert encoding_in_head(b" " * 4096 + head.encode()) is None


SCRIPT = "<script>" + "x = 1;\n" * 600 + "x = '<meta charset=gbk>';</script>"


@pytest.mark.parametrize("codec", ["cp1250", "cp1251"])
@pytest.mark.parametrize("scripts", [SCRIPT, SCRIPT * 50, SCRIPT.replace("script>", "style>")])
def test_a_head_that_begins_with_scripts(scripts: str, codec: str) -> None:
    encoding = f"windows-{codec[2:]}"
    word = "Čeština" if codec == "cp1250" else "Журнал"
    page = f"<!doctype html><head>{scripts}<meta charset={encoding}></head><body><p>{word}</p>"
    assert decode_text(page.encode(codec), "text/html") == (page, encoding)
    assert decode_text(page.encode(), "text/html") == (page, "utf-8")


@pytest.mark.parametrize("end", ["</head>", "<body>", "<script>", "<!-- "])
def test_what_is_no_head_declares_nothing(end: str) -> None:
    page = f"<!doctype html><head>{SCRIPT}{end}<meta charset=windows-1250><p>{ENGLISH}Ask Señor Muñoz."
    assert decode_text(page.encode("cp1252"), "text/html") == (page, "windows-1252")


def test_an_empty_page() -> None:
    assert decode_text(b"", "") == DecodedText("", "utf-8")


@pytest.mark.parametrize(
    ("encoding", "codec"),
    [("shift_jis", "cp932"), ("euc-jp", "euc_jp"), ("gb18030", "gb18030"), ("iso-2022-jp", "iso2022_jp")],
)
def test_memory_is_a_few_times_that_of_the_text(encoding: str, codec: str) -> None:
    """Also of pages of which some bytes are wrong, and that are read character by character."""
    text = "岸壁の灯りは港を照らす" * 100_000
    body = text.encode(codec) + b"\xff"
    decode(body[:9], encoding)  # reads its tables
    tracemalloc.start()
    try:
        found = decode(body, encoding)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found == (text + WRONG, 1)
    assert peak < 16 * len(text)


def test_any_bytes() -> None:
    for seed in range(300):
        draws = Random(seed)
        body = draws.randbytes(draws.randrange(3000))
        label = draws.choice([*CODECS, "", "x"])
        assert decode_text(body, html(label)) == decode_text(body, html(label))


@pytest.mark.parametrize(
    "body",
    [
        b"<meta " * 200_000,
        b"<!--" * 200_000,
        b"<\xe4" * 500_000,
        b"\xe4<" * 500_000,
        b"<meta charset" + b" a= '" * 200_000,
        b"<script>\xe4" * 100_000,
        b"<style></style>\xe4" * 100_000,
        b"<meta charset=gbk>" + b"\x80" * 1_000_000,
        b"<meta charset=euc-jp>" + b"\xad\xff" * 500_000,
        b"\x1b$B" * 300_000,
    ],
)
def test_hostile_pages_take_bounded_time(body: bytes) -> None:
    began = process_time()
    decode_text(body, "")
    assert process_time() - began < 5


@pytest.mark.parametrize(
    ("label", "encoding"),
    [
        (" UTF8 ", "utf-8"),
        ("ascii", "windows-1252"),
        ("latin5", "windows-1254"),
        ("iso-8859-11", "windows-874"),
        ("ks_c_5601-1987", "euc-kr"),
        ("unicode", "utf-16le"),
        ("x-mac-roman", "macintosh"),
        ("hz-gb-2312", None),
        ("base64", None),
        ("", None),
    ],
)
def test_labels(label: str, encoding: str | None) -> None:
    assert encoding_of(label) == encoding

"""Words in the scripts of the world, and the stop words of the languages."""

from __future__ import annotations

from importlib.resources import files

import pytest

from anchormine.errors import UsageError
from anchormine.sampling.stop_words import is_stop_word, read_stop_words, stop_words
from anchormine.sampling.terms import count_words, find_words

CASES = {
    "The U.S. bought Alaska, in 1867, for 7.2 million.": "the u.s bought alaska in 1867 for 7.2 million",
    "John's dog didn’t bark; O'Brien's did": "john dog didn't bark o'brien did",
    "semi-arid snake_case C++": "semi arid snake case c",
    "L'eau de l’Île, aujourd'hui": "eau de île aujourd'hui",
    "Dell'Emilia all'opera": "emilia opera",
    "İstanbul ve Ankara": "i̇stanbul ve ankara",
    "Cafe\u0301 Müller Straße": "café müller straße",
    "Москва — столица": "москва столица",
    "ο Πύργος του Άιφελ": "ο πύργος του άιφελ",
    "北京大学的学生": "北京 京大 大学 学生",
    "東京タワーは高い": "東京 タワー は 高 い",
    "서울은 대한민국의": "서울은 대한민국의",
    'עברית צה"ל שלום': 'עברית צה"ל שלום',
    "القاهرة عاصمة مصر": "القاهرة عاصمة مصر",
    "हिन्दी भाषा": "हिन्दी भाषा",
    "ประเทศไทย": "ประ ระเท เทศ ศไท ไทย",
    "ខ្មែរ": "ខ្មែរ",
    "": "",
    "... --- !!!": "",
}


@pytest.mark.parametrize("text", CASES)
def test_words_of_a_text(text: str) -> None:
    assert " ".join(word.term for word in find_words(text)) == CASES[text]
    assert count_words(text) == len(find_words(text))


def test_a_word_stands_where_it_says() -> None:
    text = "L'Île (Ville de Montréal's) 北京大学, İzmir"
    found = [(word.term, text[word.start : word.end]) for word in find_words(text)]
    assert found == [
        ("île", "Île"),
        ("ville", "Ville"),
        ("de", "de"),
        ("montréal", "Montréal"),
        ("北京", "北京"),
        ("京大", "京大"),
        ("大学", "大学"),
        ("i̇zmir", "İzmir"),
    ]


def test_lists_of_languages() -> None:
    sizes = {
        code: len(stop_words(code))
        for code in ("en", "simple", "en-GB", "pt_BR", "pt", "xx", "nb", "no", "po", "pl", "zh_chs", "zh")
    }
    assert sizes["en"] == sizes["simple"] == sizes["en-GB"] == len(stop_words(None)) == 418
    assert sizes["pt_BR"] == sizes["pt"] > 100
    assert sizes["nb"] == sizes["no"] > 100
    assert sizes["po"] == sizes["pl"] > 100
    assert sizes["zh_chs"] == sizes["zh"] > 100
    assert sizes["xx"] == 0


def test_every_language_of_the_file_has_words() -> None:
    lines = files("anchormine.sampling").joinpath("stop_words.tsv").read_text(encoding="utf-8").splitlines()
    codes = [line.partition("\t")[0] for line in lines if not line.startswith("#")]
    assert len(codes) == 58
    assert [code for code in codes if not stop_words(code)] == []


def test_a_pair_of_han_characters_is_left_out_where_both_are() -> None:
    assert is_stop_word("在一", frozenset("在一"))
    assert not is_stop_word("在京", frozenset("在一"))
    assert not is_stop_word("ab", frozenset("ab"))


def test_a_word_of_two_korean_syllables_is_none_for_them() -> None:
    korean = stop_words("ko")
    assert set("영어여자사과") <= korean
    words = "영어 여자 사과 이것 즉".split()
    assert [word for word in words if not is_stop_word(word, korean)] == ["영어", "여자", "사과"]


def test_a_list_of_ones_own(tmp_path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("The\nwe'll\n\n##s\n", encoding="utf-8")
    assert read_stop_words(path) == {"the", "we'll", "we", "##s", "s"}


def test_lists_that_cannot_be_read(tmp_path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(b"ab\xff")
    with pytest.raises(UsageError, match="not UTF-8 at byte 2; save it as UTF-8"):
        read_stop_words(path)
    path.write_bytes("ab".encode("utf-16"))
    with pytest.raises(UsageError, match="is UTF-16; save it as UTF-8"):
        read_stop_words(path)
    path.write_bytes(b"\n")
    with pytest.raises(UsageError, match="no words in it; write one a line"):
        read_stop_words(path)
    with pytest.raises(UsageError, match="No such file"):
        read_stop_words(tmp_path / "none")

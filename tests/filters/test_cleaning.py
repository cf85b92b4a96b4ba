"""Rule `cleaning`: the text of an anchor as a query has it."""

from __future__ import annotations

import random
import re

import pytest

from anchormine.filters.cleaning import clean_anchor, cleaning
from tests.growth import LINEAR, growth_of


@pytest.mark.parametrize(
    ("text", "ours", "code"),
    [
        ("Annual Report", "Annual Report", "Annual Report"),
        ("  Annual \n\t Report ", "Annual Report", "Annual Report"),
        ("Read more »", "Read more", "Read more"),
        ("→ Next →", "Next", "Next"),
        ("| Next", "Next", ""),
        ("(band)", "band", "band"),
        ("<math>E</math> and <code >a</code>", "math>E</math> and <code >a</code", "formula1 and codice1"),
        ("<code>a</code> <CODE x>b</code> <code>a</code>.", "code>a</code> <CODE x>b</code> <code>a</code",
         "codice1 codice2 codice1"),
        ("<code>a", "code>a", "codea"),
        ("((band))", "band", "band"),
        ("((3) Doors (Down))", "(3) Doors (Down)", "3 Doors Down"),
        ("(Doors) and (Down)", "(Doors) and (Down)", "Doors and Down"),
        ("(Doors (Down)", "Doors (Down)", "Doors Down"),
        ("Doors (Down))", "Doors (Down)", "Doors Down"),
        ("Doors) (Down", "Doors) (Down", "Doors Down"),
        ("[Doors (Down)]", "Doors (Down)", "Doors Down"),
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
        ("\u3164\u3164", "", ""),
        ("\u115fRead\u3164more\uffa0", "Readmore", "Readmore"),
        ("a\u034fb \u1160", "ab", "ab"),
        ("辻\U000e0100本", "辻本", ""),
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


@pytest.mark.parametrize("piece", ["<code ", "<code>", "</code><code>", "< "])
def test_cleaning_like_the_program_takes_linear_time(piece: str) -> None:
    assert growth_of(lambda pieces: clean_anchor(f"{piece * pieces}</code>", "code")) <= LINEAR

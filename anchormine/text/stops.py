"""The characters that end, close and open sentences, in every script."""

from functools import cache

# The stops are those of Unicode 17's property Sentence_Terminal, less three that are commas (Burmese U+104A,
# Balinese U+1B5E, Javanese U+A9C8), with the Tibetan shads and the ellipsis, which the property lacks.

# Also found inside words, numbers and names: a sentence ends after them only before white space.
SPACED_STOPS = ".!?…‼‽⁇⁈⁉․﹒﹖﹗"

# Nothing but a stop: the next sentence may follow at once.
UNSPACED_STOPS = (
    "։؝؞؟۔܀܁܂߹࠷࠹࠽࠾।॥။።፧፨᙮᜵᜶།༎។៕᠃᠉᥄᥅᪨᪩᪪᪫\u1b4e\u1b4f᭚᭛᭟᭽᭾\u1b7f᰻᰼᱾᱿⳹⳺⳻⸮⸼⹓⹔\u2e60\u2e61"
    "。꓿꘎꘏꛳꛷꡶꡷꣎꣏꤯꧉꩝꩞꩟꫰꫱꯫︒︕︖！．？｡"
)

_ASTRAL_RANGES = (
    (0x10A56, 0x10A57), (0x10F55, 0x10F59), (0x10F86, 0x10F89), (0x11047, 0x11048), (0x110BE, 0x110C1),
    (0x11141, 0x11143), (0x111C5, 0x111C6), (0x111CD, 0x111CD), (0x111DE, 0x111DF), (0x11238, 0x11239),
    (0x1123B, 0x1123C), (0x112A9, 0x112A9), (0x113D4, 0x113D5), (0x1144B, 0x1144C), (0x115C2, 0x115C3),
    (0x115C9, 0x115D7), (0x11641, 0x11642), (0x1173C, 0x1173E), (0x11944, 0x11944), (0x11946, 0x11946),
    (0x11A42, 0x11A43), (0x11A9B, 0x11A9C), (0x11C41, 0x11C42), (0x11EF7, 0x11EF8), (0x11F43, 0x11F44),
    (0x16A6E, 0x16A6F), (0x16AF5, 0x16AF5), (0x16B37, 0x16B38), (0x16B44, 0x16B44), (0x16D6E, 0x16D6F),
    (0x16E98, 0x16E98), (0x1BC9F, 0x1BC9F), (0x1DA88, 0x1DA88),
)  # fmt: skip
# The same beyond the Basic Multilingual Plane. Apart because they slow a scan down twelvefold, and no text in
# Latin, Cyrillic, Han or Kana holds them.
ASTRAL_STOPS = "".join(chr(point) for first, last in _ASTRAL_RANGES for point in range(first, last + 1))

# Stops of languages that look like other marks. Greek asks with ";"; Armenians type ":" for their full stop.
_LANGUAGE_STOPS = {"el": ";\u037e", "grc": ";\u037e", "pnt": ";\u037e", "hy": ":", "hyw": ":"}

# Brackets and quotation marks that end, in any language.
CLOSERS = "])}’”»›」』）】〉》〕］｝〗〙〟＂＇﹂﹄"
# Quotation marks that end in one language and begin in another, or do both: right after a stop they end.
TURNING_QUOTES = "\"'“‘«‹"

# May stand before the first letter of a sentence.
OPENERS = "[({<\"'‘’“”„‚«»‹›`´*•·—–−-…¿¡「『（【《〈〔"

# Pictographs (U+1F300-1FAFF), hearts and faces with their joiners: they end a sentence of chat and comments.
EMOJI = "\U0001f300-\U0001faff☹☺♡♥❣❤\ufe0f\u200d"


@cache
def own_stops(language: str) -> str:
    """Returns the stops of a language that are none in others, by its code in lower case with hyphens."""
    return _LANGUAGE_STOPS.get(language.partition("-")[0], "")

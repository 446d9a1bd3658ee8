"""The charset of a record: by a byte order mark, by CA, or guessed from the bytes."""

import codecs
import math
import re
from collections import Counter
from dataclasses import dataclass

HEADER_BYTES = 4_000  # where the property CA is looked for
CHARSET = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_.:-]{1,40})\s*\]")
BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
# Python's names of the charsets that CA may name: only real charsets, nothing like zip or punycode.
WESTERN = {"ascii", "utf-8", "iso8859-1", "iso8859-2", "iso8859-15", "cp1250", "cp1251", "cp1252", "koi8-r"}
CHINESE = {"gb2312", "gbk", "gb18030", "hz", "big5", "big5hkscs", "cp950"}
JAPANESE_AND_KOREAN = {"shift_jis", "cp932", "euc_jp", "iso2022_jp", "euc_kr", "cp949"}
KNOWN_CHARSETS = WESTERN | CHINESE | JAPANESE_AND_KOREAN

MOST_CHARACTERS = 4_000  # for a guess
RARE = 5e-7  # the probability of a character outside of all kinds of a charset


@dataclass(frozen=True)
class CharsetGuess:
    """A charset of records without CA.

    kinds -- (first byte from, to, lowest second byte or 0, probability of each character of this kind); the first matching one counts
    prior -- the charset's relative probability before the text is considered
    """

    name: str
    charset: str  # Python's name
    kinds: tuple[tuple[int, int, int, float], ...]
    prior: float = 1.0


# The kinds are the parts that each standard has: common characters, rare ones, symbols. A part's share of ordinary text is divided by
# its number of characters.
GUESSES = (
    CharsetGuess(
        "GB18030",
        "gb18030",
        ((0xB0, 0xD7, 0xA1, 0.95 / 3755), (0xD8, 0xF7, 0xA1, 0.02 / 3008), (0xA1, 0xA9, 0xA1, 0.02 / 682)),
        prior=20.0,  # most records without CA come from Chinese servers
    ),
    CharsetGuess("Big5", "big5", ((0xA4, 0xC6, 0x40, 0.95 / 5401), (0xC9, 0xF9, 0x40, 0.03 / 7652), (0xA1, 0xA3, 0x40, 0.02 / 408))),
    CharsetGuess("EUC-KR", "cp949", ((0xB0, 0xC8, 0xA1, 0.95 / 2350), (0xCA, 0xFD, 0xA1, 0.02 / 4888), (0xA1, 0xAC, 0xA1, 0.02 / 986))),
    CharsetGuess("Shift-JIS", "cp932", ((0x81, 0x83, 0x40, 0.45 / 300), (0x88, 0x97, 0x40, 0.5 / 2965), (0x98, 0xEA, 0x40, 0.02 / 3390))),
    CharsetGuess("Latin-1", "latin-1", ((0xDF, 0xFF, 0, 0.85 / 33), (0xC0, 0xDE, 0, 0.1 / 31))),  # small letters; capitals
)


def decode(data: bytes, warnings: list[str]) -> str:
    """The text of a file: by its byte order mark, by CA, as UTF-8, or in the likeliest charset.

    Appends a sentence to `warnings` if the charset is a guess or differs from the file's CA.
    """
    for mark, charset in BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            return data.decode(charset, "replace")
    named = _named_charset(data, warnings)
    if named:
        try:
            return data.decode(named)
        except UnicodeDecodeError:
            warnings.append(f"the file is not written in {named}, the charset that it names")
    text = _try(data, "utf-8")
    if text is not None:
        return text
    name, text = _guessed(data)
    warnings.append(f"read as {name}, which is a guess: the file names no charset that fits; if a name looks wrong, save it in UTF-8")
    return text


def _named_charset(data: bytes, warnings: list[str]) -> str:
    """Python's name of the charset in CA; empty if it is missing or unknown."""
    match = CHARSET.search(data[:HEADER_BYTES])
    if match is None:
        return ""
    name = match[1].decode("ascii")
    try:
        charset = codecs.lookup(name).name
    except LookupError:
        charset = ""
    if charset not in KNOWN_CHARSETS:
        warnings.append(f"unknown charset {name}: it is guessed; if a name looks wrong, save the record in UTF-8")
        return ""
    # Programs write Microsoft's charsets, which have more characters than the standards of the same names.
    return {"shift_jis": "cp932", "euc_kr": "cp949"}.get(charset, charset)


def _guessed(data: bytes) -> tuple[str, str]:
    """(name, text) for the likeliest charset. Every text is valid Latin-1."""
    texts = {guess: text for guess in GUESSES if (text := _try(data, guess.charset)) is not None}
    best = max(texts, key=lambda guess: _likelihood(texts[guess], guess))
    return best.name, texts[best]


def _likelihood(text: str, guess: CharsetGuess) -> float:
    """The log-likelihood of the text's characters outside ASCII, up to MOST_CHARACTERS."""
    characters = Counter("".join(re.findall(r"[^\x00-\x7f]+", text))[:MOST_CHARACTERS])
    return math.log(guess.prior) + sum(count * math.log(_probability(character, guess)) for character, count in characters.items())


def _probability(character: str, guess: CharsetGuess) -> float:
    """The probability of this character in text of this charset."""
    first, *rest = character.encode(guess.charset)
    second = rest[0] if rest else 0
    kinds = (probability for low, high, least, probability in guess.kinds if low <= first <= high and second >= least)
    return next(kinds, RARE)


def _try(data: bytes, charset: str) -> str | None:
    try:
        return data.decode(charset)
    except UnicodeDecodeError:
        return None

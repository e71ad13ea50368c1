"""Characters that the user's font does not have: another installed font has them, or they are written in words.

matplotlib draws a box for such a character, and warns. Fonts for East Asian letters and emoji are looked for by name;
colour fonts are not among them, because matplotlib cannot draw them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.text import Text

#: fonts with many characters, of Linux, macOS and Windows
FONTS = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans CJK KR", "Noto Sans CJK TC", "Noto Sans JP", "Noto Sans SC",
    "Noto Sans KR", "Source Han Sans", "PingFang SC", "PingFang HK", "Hiragino Sans", "Hiragino Sans GB", "Heiti TC",
    "Apple SD Gothic Neo", "AppleGothic", "Microsoft YaHei", "Yu Gothic", "MS Gothic", "Malgun Gothic", "SimHei",
    "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback", "IPAexGothic", "IPAGothic", "NanumGothic",
    "Arial Unicode MS", "Unifont", "Noto Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Symbola", "Noto Sans Symbols2",
    "Noto Sans Arabic", "Noto Sans Devanagari", "Noto Sans Thai", "Noto Sans Bengali", "Noto Sans Tamil",
)  # fmt: skip
SPELT = ("HANGUL SYLLABLE ", "KATAKANA LETTER ", "HIRAGANA LETTER ")  # their names end with their sound
JOINED = re.compile("(?<=[\U0001f000-\U0001ffff\u2600-\u27bf\ufe0f])\u200d")  # the joiner after an emoji
NOTE = "[ ]: a character that no installed font has"

in_words: set[str] = set()  # the characters of the present picture that are written in words


def dress(text: Text) -> None:
    """Give a text of a picture the fonts for all its characters, or words for those that no font has."""
    if text.get_text().isascii():
        return
    text.set_text(readable(text.get_text()))
    others = dict.fromkeys(filter(None, map(home, text.get_text())))
    family = text.get_fontfamily()
    text.set_fontfamily([*family, *(name for name in others if name not in family)])


def readable(text: str) -> str:
    """Text in which characters that no installed font has are written in words."""
    return text if text.isascii() else "".join(one if home(one) is not None else spelt(one) for one in text)


def in_parts(text: str) -> str:
    """Text in which an emoji that is joined from several is written as these, since matplotlib cannot join them.

    >>> in_parts("\N{WOMAN}\u200d\N{MICROSCOPE}") == "\N{WOMAN}\N{MICROSCOPE}"
    True
    """
    return text if text.isascii() else JOINED.sub("", text)


def spelt(character: str) -> str:
    """The sound, the name or the number of a character; nothing for a mark on the one before.

    >>> spelt("\\N{ROBOT FACE}"), spelt("\\u4e2d"), spelt("\\N{KATAKANA LETTER BO}"), spelt("\\ufe0f")
    ('[robot face]', '[U+4E2D]', 'bo', '')
    """
    if unicodedata.category(character)[0] in "MC":
        return ""
    name = unicodedata.name(character, "")
    sound = next((name.removeprefix(start) for start in SPELT if name.startswith(start)), "")
    if sound.isalpha():
        return sound.lower()
    in_words.add(character)
    return f"[{name.lower()}]" if name and not name.startswith("CJK ") else f"[U+{ord(character):04X}]"


def home(character: str) -> str | None:
    """The family of a font that has the character: empty if it is the user's, None if there is none."""
    import matplotlib as mpl

    return "" if character.isascii() else _home(character, tuple(mpl.rcParams["font.family"]))


@lru_cache(maxsize=10_000)
def _home(character: str, families: tuple[str, ...]) -> str | None:
    from matplotlib.font_manager import FontProperties, findfont

    paths = [findfont(FontProperties(family=[family])) for family in families]
    if any(_has(str(path), character) for path in paths) or character.isspace():
        return ""
    return next((name for name, path in _installed().items() if _has(path, character)), None)


@lru_cache(maxsize=1)
def _installed() -> dict[str, str]:
    """The files of the fonts of `FONTS` that are installed, by family."""
    from matplotlib.font_manager import fontManager

    files = {entry.name: entry.fname for entry in fontManager.ttflist}
    return {name: files[name] for name in FONTS if name in files}


def _has(path: str, character: str) -> bool:
    from matplotlib.font_manager import get_font

    try:
        return bool(get_font(path).get_char_index(ord(character)))
    except (OSError, RuntimeError):  # a file that matplotlib cannot read
        return False

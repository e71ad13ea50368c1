"""Characters that the user's font does not have: other installed fonts have them, which are looked for by name."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pandas_agreement.characters import visible

if TYPE_CHECKING:
    from matplotlib.text import Text

#: fonts with many characters, of Linux, macOS and Windows; no colour fonts, which matplotlib cannot draw
FONTS = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans CJK KR", "Noto Sans CJK TC", "Noto Sans JP", "Noto Sans SC",
    "Noto Sans KR", "Source Han Sans", "PingFang SC", "PingFang HK", "Hiragino Sans", "Hiragino Sans GB", "Heiti TC",
    "Apple SD Gothic Neo", "AppleGothic", "Microsoft YaHei", "Yu Gothic", "MS Gothic", "Malgun Gothic", "SimHei",
    "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback", "IPAexGothic", "IPAGothic", "NanumGothic",
    "Arial Unicode MS", "Unifont", "Noto Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Symbola", "Noto Sans Symbols2",
    "Noto Sans Arabic", "Noto Sans Devanagari", "Noto Sans Thai", "Noto Sans Bengali", "Noto Sans Tamil",
)  # fmt: skip


def dress(text: Text) -> None:
    """Make hidden characters of a text visible, and add the fonts for those that its own font does not have."""
    if text.get_text().isascii() and text.get_text().isprintable():
        return
    text.set_text(visible(text.get_text()))
    family = text.get_fontfamily()
    others = dict.fromkeys(filter(None, (_home(one, tuple(family)) for one in text.get_text())))
    if others:
        text.set_fontfamily([*family, *others])


@lru_cache(maxsize=10_000)
def _home(character: str, family: tuple[str, ...]) -> str | None:
    """The font of `FONTS` that has the character, where those of the family do not."""
    from matplotlib.font_manager import FontProperties, findfont

    if character.isspace() or any(_has(findfont(FontProperties(family=[name])), character) for name in family):
        return None
    return next((name for name, path in _installed().items() if _has(path, character)), None)


@lru_cache(maxsize=1)
def _installed() -> dict[str, str]:
    """The files of the fonts of `FONTS` that are installed, by family."""
    from matplotlib.font_manager import fontManager

    files = {entry.name: entry.fname for entry in fontManager.ttflist}
    return {name: files[name] for name in FONTS if name in files}


def _has(path: str, character: str) -> bool:
    from matplotlib.font_manager import get_font

    return bool(get_font(path).get_char_index(ord(character)))

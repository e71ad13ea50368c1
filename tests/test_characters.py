"""Hidden characters become escapes wherever people read: messages, reports, pictures."""

from __future__ import annotations

import unicodedata

import pandas as pd
import pytest

from pandas_agreement import AgreementWarning, InputError
from pandas_agreement.characters import HIDDEN, in_one_line, visible
from pandas_agreement.errors import counted, warn
from tests.helpers import HOSTILE


@pytest.mark.parametrize("text", [*HOSTILE.values(), "half \ud800"], ids=[*HOSTILE, "half a character"])
def test_hidden_characters_are_escapes(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    assert shown.encode("ascii").decode("unicode_escape") == text  # so nothing is lost
    assert visible(shown) == shown


def test_every_character_without_a_sign_of_its_own_is_hidden() -> None:
    """Control, format and separating characters of Unicode, except those that have a shape."""
    with_a_shape = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, *range(0x13430, 0x13440)}
    for code in range(0x110000):
        letter = chr(code)
        if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") and code not in with_a_shape:
            assert HIDDEN.match(letter) or letter in "\n\t", hex(code)


@pytest.mark.parametrize("text", ["Grüße ✓ 日本語 ❤\ufe0f", "a b\n\tc", "e\u0301", "\u0915\u094d\u0937", "$x_1$ \\n"])
def test_text_that_can_be_read_stays(text: str) -> None:
    assert visible(text) == text


def test_lines() -> None:
    assert visible("a\r\nb") == "a\nb"
    assert in_one_line("a\r\n\tb\x1b") == "a\\n\\tb\\x1b"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_messages_have_none(text: str) -> None:
    assert not HIDDEN.search(str(InputError(f"no {text}", f"use {text}")))
    with pytest.warns(AgreementWarning) as caught:
        warn(f"odd: {text}")
    assert not HIDDEN.search(str(caught[0].message))
    with pytest.raises(KeyError) as error:
        pd.DataFrame({"a": ["x"], "b": ["x"]}).agree.kappa("a", text)
    assert not HIDDEN.search(str(error.value))


def test_a_number_and_its_words() -> None:
    shown = [counted(n, "row has", "rows have") for n in (0, 1, 2)]
    assert shown == ["0 rows have", "1 row has", "2 rows have"]

"""Pictures in a notebook: dark where its theme is dark, whatever the theme of the system.

A figure in matplotlib's usual black on white is shown as an image whose light and dark are exchanged by a rule for the
dark themes of JupyterLab, VS Code, Colab and of pages made from notebooks; hues stay. Where styles are left out, as on
GitHub and in notebooks that are not trusted, it is the usual picture. Any other style of the user stays as it is.
"""

from __future__ import annotations

import functools
from base64 import b64encode
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DARK = (
    '[data-jp-theme-light="false"]',
    "body.vscode-dark",
    "body.vscode-high-contrast:not(.vscode-high-contrast-light)",
    'html[theme="dark"]',
    '[data-theme="dark"]',
)
#: black on the page's own background, hence "screen", which leaves out black
RULE = "%s { filter: invert(1) hue-rotate(180deg); mix-blend-mode: screen; }"
IMAGE = "agreement-picture"
STYLE = RULE % ", ".join(f"{theme} .{IMAGE}" for theme in DARK)
PLAIN = {"text.color": "#000000", "axes.facecolor": "#ffffff", "figure.facecolor": "#ffffff"}


def follow_theme(figure: Figure) -> None:
    """Let a notebook show a new figure in its own theme, if the user draws black on white, or on nothing."""
    import matplotlib as mpl
    from matplotlib.colors import to_hex

    settings: Any = mpl.rcParams
    if all(to_hex(settings[name]) == colour for name, colour in PLAIN.items()):
        setattr(figure, "_repr_html_", functools.partial(_html, figure))  # noqa: B010  (a method: IPython asks for it)


def _html(figure: Figure) -> str | None:
    """The picture with the rule for dark themes; None, so that the usual one is shown, if it is no longer on white."""
    from matplotlib.colors import to_rgba

    *colour, alpha = to_rgba(figure.get_facecolor())
    if alpha and colour != [1, 1, 1]:
        return None
    file = BytesIO()
    figure.savefig(file, format="png", bbox_inches="tight", facecolor="white")
    data = b64encode(file.getvalue()).decode()
    return f'<style>{STYLE}</style><img class="{IMAGE}" alt="{_title(figure)}" src="data:image/png;base64,{data}">'


def _title(figure: Figure) -> str:
    from html import escape

    return escape(" ".join(figure.axes[0].get_title(loc="left").split()) if figure.axes else "")

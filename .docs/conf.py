"""The documentation site: `python -m sphinx -W -b html .docs .site`. Generated pages go to `.docs/generated`."""

from __future__ import annotations

import sys
from pathlib import Path

import myst_nb.sphinx_ext
from sphinx.application import Sphinx

import pandas_agreement

sys.path.insert(0, str(Path(__file__).parent.parent))  # tests.reference
sys.path.insert(0, str(Path(__file__).parent))
import generate

generate.write_pages()
myst_nb.sphinx_ext.OUTPUT_FOLDER = str(generate.OUT / "outputs")  # or it makes a folder beside that of the site

project = "pandas_agreement"
author = "The pandas_agreement developers"
copyright = f"2026, {author}"
version = release = pandas_agreement.__version__

extensions = ["myst_nb", "sphinx.ext.mathjax", "sphinx.ext.linkcode", "sphinx_copybutton", "sphinx_design"]
exclude_patterns = [
    "generated/outputs",
    "generated/codes.md",
    "generated/validation/*",
    "generated/coefficients/*",
    "generated/speed/*",
]
suppress_warnings = ["mystnb.unknown_mime_type"]
default_role = "literal"  # `name` in docstrings
highlight_language = "text"
pygments_style, pygments_dark_style = "default", "github-dark"
smartquotes = False  # quotes in prose are often those of Python, to be copied
add_function_parentheses = False
toc_object_entries_show_parents = "hide"

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # notebooks have stored outputs, and the tests run them
nb_mime_priority_overrides = [("html", "text/html", 0)]

html_theme = "furo"  # asks nothing from outside
html_title = f"pandas_agreement {release}"
html_static_path = ["static", "generated/static"]
html_css_files = ["site.css"]
mathjax_path = "tex-svg.js"  # formulas without a network
mathjax3_config = {"options": {"enableMenu": False}}
copybutton_exclude = ".linenos, .gp, .go"  # prompts and outputs are not copied
html_show_sphinx = False
html_copy_source = False
html_show_search_summary = False  # needs a server: the search works from files
html_theme_options = {"source_repository": "", "navigation_with_keys": True}


linkcode_resolve = generate.source_of


def setup(app: Sphinx) -> None:
    app.connect("source-read", generate.both_themes)

"""The agreement report: everything one asks of a set of labels, on one page.

`build` reads the data and `material` asks the package for the frames. `sections`, `breaks`, `findings` and `methods`
say what they mean, and `pictures` draws them. The result is plain data (`contents`), which `html` and `markdown` lay
out and `document` writes.
"""

from pandas_agreement.report.build import Source, build
from pandas_agreement.report.document import Report

__all__ = ["Report", "Source", "build"]

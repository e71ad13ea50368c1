"""The agreement report: everything one asks of a set of labels, on one page.

`build` reads the frame, and `data` holds every result. `sections`, `breakdowns`, `findings` and `methods` say what they
mean, and `pictures` draws them. The result is plain data (`contents`), which `render_html`, `render_markdown` and
`render_text` lay out and `document` writes.
"""

from pandas_agreement.report.build import Request, Source, gather
from pandas_agreement.report.data import ReportData
from pandas_agreement.report.document import Report
from pandas_agreement.report.sections import write

__all__ = ["Report", "ReportData", "Request", "Source", "gather", "write"]

"""The agreement report: coefficients, findings and breakdowns of a set of labels on one page.

`build` reads the frame, and `data` computes every result. `sections`, `breakdowns`, `findings` and `methods` turn the
results into text and tables, `pictures` into drawings. The report is plain data (`contents`), which `render_html`,
`render_markdown` and `render_text` format and `document` writes.
"""

from pandas_agreement.report.build import ReportSource, gather
from pandas_agreement.report.data import ReportData, Request
from pandas_agreement.report.document import Report
from pandas_agreement.report.judge_section import judge_section
from pandas_agreement.report.sections import write

__all__ = ["Report", "ReportData", "ReportSource", "Request", "gather", "judge_section", "write"]

"""Agreement on spans: who marked what, from where to where. One row per span.

`reading` makes the arrays of `span_set` from a frame; `overlaps` pairs spans of two coders that share positions, of
which `unitizing` makes the sums of alpha and `matching` those of F1; `segments` cuts documents for kappa. `measuring`
computes results and their intervals over documents, `listing` the rows of single documents and spans.
"""

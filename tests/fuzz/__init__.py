"""A seeded fuzzer: every public method on data of every format and dtype, with right and wrong options.

`python -m tests.fuzz --calls 100000` runs it; `frames` makes the data, `calls` the calls, `rules` holds what every call
has to keep. The seed of a call is all that it takes to repeat it.
"""

"""Agreement in chunks or partitions: moments of item statistics give the numbers of the whole frame."""

from pandas_agreement.streaming.chunks import stream

__all__ = ["stream"]

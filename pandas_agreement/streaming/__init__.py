"""Data in pieces: sums of products of item statistics give the numbers of the whole."""

from pandas_agreement.streaming.chunks import stream

__all__ = ["stream"]

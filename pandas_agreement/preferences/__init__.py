"""Verdicts that compare two candidates: how strong each candidate is, and whether the order shown decides.

`verdicts` reads the frame, `position` computes the tables of swaps, `bradley_terry` is the model and `strengths` its
tables.
"""

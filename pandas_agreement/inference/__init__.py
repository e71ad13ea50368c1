"""Estimates, standard errors, confidence intervals, bootstrap and notes, in numpy."""

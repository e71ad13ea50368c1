"""Tests of hypotheses, in numpy: equal margins, a category against chance, what margins allow for kappa."""

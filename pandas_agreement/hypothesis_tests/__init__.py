"""Hypothesis tests in numpy: equal margins, a category against chance; and the bounds of kappa given the margins."""

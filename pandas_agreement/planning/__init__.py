"""Sample sizes: the functions of `pandas_agreement.plan`."""

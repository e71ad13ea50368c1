"""How many items are needed: `pandas_agreement.plan`."""

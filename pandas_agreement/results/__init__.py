"""The shape of results: the schemas, and frames made of them."""

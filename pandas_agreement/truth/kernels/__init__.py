"""Votes and models of the true label, of all groups at once. Only numpy and scipy here."""

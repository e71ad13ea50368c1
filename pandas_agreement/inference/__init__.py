"""From ratings to an estimate, its standard error, its interval and its notes, in numpy."""

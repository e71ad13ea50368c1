"""Results: the columns and index levels of every frame, and the frames themselves."""

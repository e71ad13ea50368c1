"""The label itself: consensus of the coders, how reliable each coder is, and which items to send back.

`kernels` computes votes and models with numpy and scipy.sparse and does not know pandas. `settings` checks the
options of a fit, `reading` turns a reading and the gold labels into ballots, `fitting` runs the method, and `views`
makes the frames.
"""

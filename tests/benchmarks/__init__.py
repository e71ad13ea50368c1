"""Benchmarks: speed and memory in `__main__`, how often intervals hold the true value in `coverage`."""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy: the CPU time of one thread is what is compared

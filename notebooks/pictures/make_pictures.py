"""Draw the pictures of the README from the example data, beside this script.

Run it after a change of the pictures: ``python notebooks/pictures/make_pictures.py``. It needs matplotlib.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import pandas_agreement

HERE = Path(__file__).parent
LOOK = {"dpi": 110, "metadata": {"Software": None}, "pil_kwargs": {"optimize": True}}


def make_pictures(folder: Path = HERE) -> list[Path]:
    """Write both pictures into the folder."""
    df = pandas_agreement.load_example()
    drawn = {
        "forest_by_batch.png": df.agree.plot.forest("ann", "bob", by="batch", metrics="kappa"),
        "by_pair.png": df.agree.plot.by_pair("ann", "bob", "cleo", "dev"),
    }
    for name, ax in drawn.items():
        ax.figure.savefig(folder / name, **LOOK)
    return [folder / name for name in drawn]


if __name__ == "__main__":
    for path in make_pictures():
        print(path, path.stat().st_size)

"""Progress bars: of one loop, and of several loops that may end early."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pandas_agreement.errors import InputError

Bar = Callable[[Iterable[Any]], Iterable[Any]]


def bar_of(progress: bool) -> Bar:
    """What shows a loop as a bar; without `progress` the loop alone."""
    return tqdm_class() if progress else iter


@contextmanager
def shared_bar(progress: bool, n_steps: int) -> Iterator[Bar]:
    """One bar of so many steps for several loops. What a loop leaves out by ending early is not waited for."""
    if not progress:
        yield iter
        return
    with tqdm_class()(total=n_steps) as shown:

        def loop(steps: Sequence[Any]) -> Iterator[Any]:
            left = len(steps)
            try:
                for step in steps:
                    left -= 1
                    shown.update()
                    yield step
            finally:
                shown.total -= left
                shown.refresh()

        yield loop  # type: ignore[misc]


def tqdm_class() -> Any:
    """The bar of tqdm for the terminal or the notebook; an error that names the package to install without it.

    It is shown wherever stderr goes: that of a notebook is no terminal, and a bar that was asked for is wanted there.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # tqdm would like to have ipywidgets
            from tqdm.auto import tqdm
    except ImportError:
        problem = "progress=True needs tqdm. Install it with: pip install 'pandas-agreement[progress]'"
        raise InputError(problem, option="progress", code="missing package") from None
    return tqdm

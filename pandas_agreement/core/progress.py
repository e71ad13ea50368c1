"""Progress bars: of one loop, and of the steps of several loops that may end early."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from pandas_agreement.errors import InputError

Bar = Callable[[Iterable[Any]], Iterable[Any]]
Result = TypeVar("Result")


def bar_of(progress: bool) -> Bar:
    """What shows a loop as a bar; without `progress` the loop alone."""
    return tqdm_class() if progress else iter


class Steps:
    """Counts the steps of a call on a bar, if there is one."""

    def __init__(self, shown: Any = None) -> None:
        self._shown = shown

    def step(self, n: int = 1) -> None:
        """So many steps are done."""
        if self._shown is not None:
            self._shown.update(n)

    def done(self, result: Result, n: int = 1) -> Result:
        """The result of so many steps, which are done."""
        self.step(n)
        return result

    def skip(self, n: int) -> None:
        """So many steps are not needed."""
        if self._shown is not None:
            self._shown.total -= n
            self._shown.refresh()


NO_BAR = Steps()


@contextmanager
def count_steps(progress: bool, n_steps: int) -> Iterator[Steps]:
    """One bar of so many steps for several loops, if `progress`."""
    if not progress:
        yield NO_BAR
        return
    with tqdm_class()(total=n_steps) as shown:
        yield Steps(shown)


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

"""`df.agree.preferences(...)`: verdicts that compare two candidates, one row per verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from pandas_agreement.accessor import docs
from pandas_agreement.accessor.result_plots import ResultPlots
from pandas_agreement.accessor.signatures import groups_of, takes
from pandas_agreement.data.grouping import Groups
from pandas_agreement.errors import UnknownMethodError, nearest
from pandas_agreement.options import Options
from pandas_agreement.preferences.position import position_bias
from pandas_agreement.preferences.strengths import strengths
from pandas_agreement.preferences.verdicts import Columns, Verdicts, read_verdicts
from pandas_agreement.preferences.win_rate import win_rate


@docs.completed
class Preferences:
    """Verdicts that compare two candidates: `df.agree.preferences(first=, second=, winner=)`."""

    __slots__ = ("_columns", "_frame", "_made_groups")

    def __init__(self, frame: pd.DataFrame, columns: Columns, groups: Groups | None = None) -> None:
        self._frame, self._columns, self._made_groups = frame, columns, groups

    def __repr__(self) -> str:
        return f"Verdicts that compare two candidates. Methods: {', '.join(_methods())}."

    def _look_up(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        problem = f"preferences(...) has no method {name!r}"
        raise UnknownMethodError(problem, nearest(name, _methods()), code="unknown method")

    if not TYPE_CHECKING:  # or type checkers would accept any name
        __getattr__ = _look_up

    @property
    def _as_index(self) -> bool:
        return self._made_groups is None or self._made_groups.as_index

    def _read(self, options: Options) -> Verdicts:
        by = groups_of(options, self._made_groups)
        return read_verdicts(self._frame, self._columns, by, options.clusters)

    @takes("by", "ci", "clusters", without=("frequency",))
    def position_bias(self, *, options: Options) -> pd.DataFrame:
        """Whether the position of a candidate influences the verdict.

        Parameters
        ----------
        by : column name, list of names, or anything `groupby` takes, optional
            Return one table per group, such as a judge.
        ci : float or None
            Level of the interval. None computes the estimate alone.
        clusters : column name, optional
            Items that belong together. The tests are then t tests with cluster-robust standard errors.

        Returns
        -------
        DataFrame
            Indexed by `coefficient` (after the group keys), where A is the candidate that comes first in sorted order:

            - `position`: mean score of A shown first minus shown second, above 0 if the first position is favoured
            - `consistency`: share of swaps with the same verdict in both orders
            - `kappa`: Cohen's kappa of the two orders, with the categories win, tie and loss
            - `win_rate`: mean score of A over both orders
            - `win_rate_consistent`: share of wins of A among consistent verdicts without ties

            Columns:

            {POSITION_BIAS}

        Notes
        -----
        The test of `position` is the exact sign test (mid-p) of the swaps whose verdicts favour either position, and
        its interval is that of Agresti and Min, with pseudo-items. Without `item=` two verdicts are a swap if their
        candidates occur once in each order. Without any swap `position` is twice the share of wins of the first
        position minus 1, where ties count half. This is right only if the order was random.

        References
        ----------
        Agresti, A. and Min, Y. (2005). Simple improved confidence intervals for comparing matched proportions.
        Statistics in Medicine 24, 729-740. Fagerland, M. W., Lydersen, S. and Laake, P. (2013). BMC Medical Research
        Methodology 13, 91.

        Examples
        --------
        >>> shown = pd.DataFrame({"prompt": [1, 1, 2, 2, 3, 3], "a": list("xyxyxy"), "b": list("yxyxyx")})
        >>> shown["won"] = ["x", "x", "x", "y", "x", "y"]
        >>> judged = shown.agree.preferences(first="a", second="b", winner="won", item="prompt")
        >>> judged.position_bias(detail=True)[["estimate", "n_first", "n_second", "n_items"]].round(2)
                             estimate  n_first  n_second  n_items
        coefficient
        position                 0.67        2         0        3
        consistency              0.33        0         0        3
        kappa                    0.00        0         0        3
        win_rate                 0.67        0         0        3
        win_rate_consistent      1.00        0         0        1
        """
        return position_bias(self._read(options), options)

    @takes("by", "ci", "clusters", without=("frequency",))
    def strengths(
        self, *, smoothing: float = 0.1, position: bool = False, contrasts: bool = False, options: Options
    ) -> pd.DataFrame:
        """The strength of each candidate, by the model of Bradley and Terry.

        Parameters
        ----------
        smoothing : float
            Shrinks the estimates (a ridge penalty, or a normal prior with variance 1 / smoothing), so that the estimate
            of a candidate that always won is finite. With 0 (plain maximum likelihood) only the largest set of
            candidates that beat one another, directly or through others, has estimates.
        position : bool
            Add the effect of the first position as the row '(first)', provided that `first` was shown first.
        contrasts : bool
            Return one row per pair of candidates, with a test of their difference, in place of one row per candidate.
        by : column name, list of names, or anything `groupby` takes, optional
            Fit one model per group.
        ci : float or None
            Level of the interval. None computes the estimate alone.
        clusters : column name, optional
            Verdicts that belong together, such as those of one judge or on one prompt. The standard errors are then
            sandwich estimates, and the intervals t intervals.

        Returns
        -------
        DataFrame
            Indexed by `candidate` (after the group keys):

            {STRENGTHS}

            With `contrasts=True` it is indexed by `candidate_1` and `candidate_2`, with the columns of `compare`.
            `n_items` is the number of verdicts on this pair, and Holm's adjustment is for all pairs of the group.

        Notes
        -----
        The log-odds that the candidate shown first wins are the difference between the two estimates, plus the effect
        of the position. The estimates add up to 0 among candidates that met, directly or through others; the others
        cannot be compared. A tie counts as half a win for both, which makes the standard errors slightly too large if
        there are many ties.

        References
        ----------
        Bradley, R. A. and Terry, M. E. (1952). Rank analysis of incomplete block designs: the method of paired
        comparisons. Biometrika 39, 324-345.

        Examples
        --------
        >>> wins = {"xy": 7, "yx": 3, "xz": 9, "zx": 1, "yz": 6, "zy": 4}
        >>> games = pd.DataFrame([pair for pair, n in wins.items() for _ in range(n)], columns=["pair"])
        >>> games = games.assign(a=games["pair"].str[0], b=games["pair"].str[1], won=games["pair"].str[0])
        >>> compared = games.agree.preferences(first="a", second="b", winner="won")
        >>> compared.strengths()[["estimate", "se", "rank"]].round(3)
                   estimate     se  rank
        candidate
        x             0.923  0.370   1.0
        y            -0.156  0.324   2.0
        z            -0.767  0.352   3.0
        """
        return strengths(self._read(options), smoothing, position, contrasts, options)

    @takes("by", "ci", "clusters", without=("frequency",))
    def win_rate(self, *, options: Options) -> pd.DataFrame:
        """The share of verdicts that each candidate wins, corrected by human verdicts.

        Parameters
        ----------
        by : column name, list of names, or anything `groupby` takes, optional
            One table per group.
        ci : float or None
            Level of the interval. None computes the estimate alone.
        clusters : column name, optional
            Verdicts that belong together. Default: those on the same item.

        Returns
        -------
        DataFrame
            Indexed by `candidate` (after the group keys):

            {WIN_RATE}

        Notes
        -----
        The interval is that of Agresti and Min, with pseudo-verdicts. With ``human=`` in `preferences` the estimate is
        post-stratified: the mean human score among the wins, ties and losses of the candidate, weighted by their
        frequency among all verdicts, as in `judges(...).corrected_rate(design="random")`. This is right if the rows
        with a human verdict are a random sample.

        References
        ----------
        Tenenbein, A. (1970). A double sampling scheme for estimating from binomial data with misclassifications.
        Journal of the American Statistical Association 65, 1350-1361.

        Examples
        --------
        >>> games = pd.DataFrame({"a": ["x", "y"] * 50, "b": ["y", "x"] * 50, "won": (["x"] * 7 + ["y"] * 3) * 10})
        >>> games["person"] = games["won"].where(games.index < 40)
        >>> games.loc[:4, "person"] = "y"
        >>> for human in (None, "person"):
        ...     compared = games.agree.preferences(first="a", second="b", winner="won", human=human)
        ...     print(compared.win_rate()[["estimate", "ci_low", "ci_high", "wins", "n_items"]].round(2))
                   estimate  ci_low  ci_high  wins  n_items
        candidate
        x               0.7    0.61     0.79  70.0      100
        y               0.3    0.21     0.39  30.0      100
                   estimate  ci_low  ci_high  wins  n_items
        candidate
        x              0.57    0.45     0.70  70.0      100
        y              0.42    0.30     0.55  30.0      100
        """
        return win_rate(self._read(options), options)

    @property
    def plot(self) -> ResultPlots:
        """Plots of these tables: `strengths` and `position_bias`, with the options of these methods.

        Examples
        --------
        >>> import pandas as pd, pandas_agreement
        >>> games = pd.DataFrame({"a": list("xxyyzz"), "b": list("yzzxxy"), "won": list("xxzxzy")})
        >>> compared = games.agree.preferences(first="a", second="b", winner="won")
        >>> [text.get_text() for text in compared.plot.strengths().get_yticklabels()]
        ['x', 'z', 'y']
        """
        return ResultPlots(self, {"strengths": "strengths", "position_bias": "position_bias"})


def _methods() -> list[str]:
    return [name for name in dir(Preferences) if not name.startswith("_")]

"""Methods whose options are checked when they are called: `takes` lists the options and makes the signature.

A method is written with its coders, its own keywords, and `options`. Its `__signature__`, which `help`, completion and
the type stubs read, shows the own keywords followed by each option by name.

`overall=True` beside `by=` adds the row of all items together, keyed '(all)': the method runs once more with all rows
in one group. So also the items without a group key count, and long data have an item once, whatever its groups.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import COMMON, REGISTRY, find
from pandas_agreement.data.grouping import Groups, group_rows
from pandas_agreement.data.reading import groups_together
from pandas_agreement.errors import (
    AgreementError,
    InputError,
    LabelTypeError,
    check_pandas,
    collect_warnings,
    in_one_word,
    nearest,
    plain,
    public,
    shown,
)
from pandas_agreement.options import (
    ONE_WORD,
    OPTIONS,
    Options,
    allowed_options,
    check_keyword,
    make_options,
    unknown_option,
    weights_for,
)
from pandas_agreement.results.frames import with_overall
from pandas_agreement.results.tidy import tidy

Method = TypeVar("Method", bound=Callable[..., Any])
Parameter = inspect.Parameter
Run = Callable[[Options], pd.DataFrame]


def takes(
    *shared: str,
    metric: str = "",
    of: Sequence[str] = (),
    without: Collection[str] = (),
    one_word: bool = False,
    guessed: bool = False,
    called: str = "",
    alone: bool = False,
) -> Callable[[Method], Method]:
    """Check the options of a method, and show them in its signature.

    Parameters
    ----------
    *shared
        The options it takes; none means those that all coefficients share.
    metric
        The keyword that names coefficients, whose options it takes too.
    of
        The coefficients whose options it takes, where they are always the same.
    without
        Options of coefficients that it can never use.
    one_word
        `weights` or `level`, if one of them is given, stands for both.
    guessed
        Without either, or with None, the labels decide.
    called
        Its name in messages, where it is in a namespace.
    alone
        It computes one coefficient, which is none of the registered ones.
    """
    common = tuple(name for name in shared or COMMON if name not in without)
    for name in ("frequency", "overall"):  # whatever reads groups reads frequencies, and all rows as one group
        common += (name,) if "by" in common and name not in (*common, *without) else ()
    common += ("detail",) if "detail" not in (*common, *without) else ()

    def decorate(function: Method) -> Method:
        signature = inspect.signature(function)
        own = {p.name: p for p in signature.parameters.values() if p.kind is Parameter.KEYWORD_ONLY}
        has_coders = any(p.kind is Parameter.VAR_POSITIONAL for p in signature.parameters.values())
        del own["options"]
        title = called or function.__name__

        @public
        @functools.wraps(function)
        def call(self: Any, *coders: Any, **given: Any) -> Any:
            if coders and not has_coders:
                problem = f"{title} takes no names, and got {', '.join(map(shown, coders))}"
                raise InputError(problem, "the call before it names the columns", code="too many names")
            given = in_one_word(given, title) if "metrics" in own else given
            keywords = {name: given.pop(name) for name in own if name in given}
            keywords = {
                name: value if value is own[name].default else check_keyword(name, plain(value))
                for name, value in keywords.items()
            }
            coders = one_by_one(coders) if function.__name__ != "compare" else tuple(map(plain, coders))
            named = keywords.get(metric, own[metric].default) if metric else of

            def on(view: Any, given: Mapping[str, Any]) -> Any:
                if guessed:
                    given = {name: value for name, value in given.items() if value is not None or name not in ONE_WORD}
                weights = weights_for(given) if one_word else given.get("weights", "nominal")
                records = view._records(named, weights) if metric or of else ()
                options = make_options(given, title, records, common, one_word, without, own)
                return overall_run(view, options, lambda chosen: function(view, *coders, **keywords, options=chosen))

            name, listed = function.__name__, not alone and _is_listed(own, keywords, of)
            found = _of_each_field(self, name, given, on)
            if not isinstance(found, (pd.DataFrame, dict)):
                return found
            detail, as_index = bool(given.get("detail")), getattr(self, "_as_index", True)
            level = given.get("ci", OPTIONS["ci"].default) if "ci" in names else None
            return tidy(found, title, detail, listed, as_index=as_index, of_rows=name in OF_ROWS, ci=level)

        every = tuple(REGISTRY.values()) if metric else tuple(find(name) for name in of)
        unseen = (*without, "weights") if one_word else without  # `level` stands for both
        names = [name for name in allowed_options(every, common) if name not in unseen]
        required = ["weights"] if of and all(record.needs_weights for record in every) else []
        first = [p for p in signature.parameters.values() if p.kind is not Parameter.KEYWORD_ONLY]
        options = [_parameter(name, name in required) for name in in_order(name for name in names if name not in own)]
        if guessed:
            options = [each.replace(default=None) if each.name in ONE_WORD else each for each in options]
        shown_parameters = [*first, *own.values(), *options]
        call.__signature__ = signature.replace(parameters=shown_parameters)  # type: ignore[attr-defined]
        return call  # type: ignore[return-value]

    return decorate


#: methods whose rows are the items or rows of the frame
OF_ROWS = ("by_item", "disagreements", "consensus")
OF_ONE_FIELD = ("report", "truth")  # methods whose results cannot stand one below the other


def _of_each_field(view: Any, name: str, given: Mapping[str, Any], of: Callable[[Any, Mapping[str, Any]], Any]) -> Any:
    """What a method returns: `of` the data and its options, or of each of several label columns.

    Several label columns take a mapping as `level` or `weights`; a column without an entry has the default.
    """
    fields = getattr(view, "_each_field", None)
    mappings = {option: given[option] for option in ONE_WORD if isinstance(given.get(option), Mapping)}
    if fields is None:
        for option in mappings:
            problem = f"{option}= has entries for several label columns, and there is one"
            raise InputError(problem, f"write the {option} alone", option=option, code="one field")
        return of(view, given)
    if name in OF_ONE_FIELD:
        raise view._several(name)
    for option, levels in mappings.items():
        for unknown in [field for field in levels if field not in fields]:
            problem = f"{option}= has an entry for {shown(unknown)}, which is none of label="
            raise InputError(problem, nearest(unknown, fields), option=option, code="unknown field")
    same = {option: value for option, value in given.items() if option not in mappings}
    own = {
        field: {option: mappings[option][field] for option in mappings if field in mappings[option]} for field in fields
    }
    results = {}
    for field, each in fields.items():
        try:
            results[field] = of(each, same | own[field])
        except AgreementError as error:
            if isinstance(error, LabelTypeError) or error.option in own[field]:
                error.problem = f"{shown(field)}: {error.problem}"
            raise
    return results


def by_name(
    described: str, roles: Sequence[str], others: Sequence[str], optional: str = "", found: bool = False, then: str = ""
) -> Callable[[Method], Method]:
    """Raise for columns of these roles that are not given by name, with the call that names them as remedy.

    With `found` the columns are those that are called like the roles, if none is given. `then` is a method after it,
    which has the options.
    """

    def decorate(method: Method) -> Method:
        @functools.wraps(method)
        def call(self: Any, *columns: Any, **given: Any) -> Any:
            called, allowed = method.__name__, (*roles, *others)
            for value in (*columns, *given.values()):
                check_pandas(value)
            for name in [name for name in given if name not in allowed]:
                if name in OPTIONS:  # of other methods
                    raise unknown_option(called, name, given, allowed, then=then)
                raise InputError(
                    f"{called} has no option {name!r}", nearest(name, allowed), option=name, code="unknown option"
                )
            if found and not columns and all(given.get(role) is None for role in roles):
                given |= _called_like_roles(self._frame, called, roles)
            if columns or not given.keys() >= {*roles} - {optional}:
                rest = map(repr, columns)
                named = [f"{role}={repr(given[role]) if role in given else next(rest, '...')}" for role in roles]
                problem = f"{called} takes the columns of {described} by name"
                raise InputError(problem, f"write df.agree.{called}({', '.join(named)})", code="columns by name")
            return method(self, **given)

        return call  # type: ignore[return-value]

    return decorate


def _called_like_roles(frame: pd.DataFrame, called: str, roles: Sequence[str]) -> dict[str, str]:
    """The columns that are called like the roles, all of which must be there."""
    absent = [role for role in roles if role not in frame.columns]
    remedy = f"name the columns: df.agree.{called}({', '.join(f'{role}=...' for role in roles)})"
    if absent:
        problem = f"{called} finds columns called {', '.join(map(repr, roles))}, and there is no {absent[0]!r}"
        raise InputError(problem, remedy, code="columns by name")
    if {"start", "end"} <= {*frame.columns}:
        problem = f"the frame has a row per span, and {called} compares one label per item and coder"
        raise InputError(problem, f"use df.agree.spans(), or {remedy}", code="columns by name")
    return {role: role for role in roles}


def one_by_one(coders: Sequence[Any]) -> tuple[Any, ...]:
    """The names of coders, also if they are given as one list."""
    if len(coders) == 1 and isinstance(coders[0], (list, pd.Index, np.ndarray)):
        coders = list(coders[0])
        if not coders:
            problem, remedy = "the list of coders is empty", "name them, or leave it out for all coders"
            raise InputError(problem, remedy, code="too few coders")
    elif len(coders) > 1 and all(isinstance(each, list) for each in coders):
        problem = f"expected one set of coders, and got {len(coders)} lists"
        remedy = f"to compare sets of coders write df.agree.compare({', '.join(map(shown, coders))})"
        raise InputError(problem, remedy, code="several columns")
    return tuple(map(plain, coders))


def _is_listed(own: Mapping[str, Parameter], keywords: Mapping[str, Any], of: Sequence[str]) -> bool:
    """Whether a method is about several coefficients, or was given a list of them."""
    if "metrics" not in own:
        return len(of) != 1 and keywords.get("form") is None
    default = own["metrics"].default
    return default is None or not isinstance(keywords.get("metrics", default), str)


#: options at the start and the end of a signature; the others keep the order of `COMMON` between them
FIRST = ("by", "overall", "weights", "level", "sep", "pool")
LAST = ("n_resamples", "rng", "progress", "detail")


def in_order(names: Iterable[str]) -> list[str]:
    """Options in the order of signatures and docs."""
    place = {name: number for number, name in enumerate(FIRST)} | {name: 100 + n for n, name in enumerate(LAST)}
    return sorted(names, key=lambda name: place.get(name, len(FIRST)))


@functools.cache  # a thousand times at every import
def _parameter(name: str, required: bool) -> inspect.Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=Parameter.empty if required else OPTIONS[name].default)


# --------------------------------------------------------------------------------------- groups, and all items together


def overall_run(view: Any, options: Options, run: Run) -> pd.DataFrame:
    """The result of a method, with the row of all items if `overall=True` asks for it."""
    if not options.overall:
        return run(options)
    groups = _groups(view, options)
    each = run(options)
    with groups_together("leave out overall=True"):
        every = run(options.but(by=groups.together()))
    return with_overall(each, every, groups.index.names)


def groups_of(options: Options, made: Groups | None) -> Any:
    """The groups of a grouped frame, or of `by=`; for the row of all items the one group that holds them."""
    if made is None or isinstance(options.by, Groups):
        return options.by
    if options.by is not None:
        raise InputError("the frame is grouped already", "leave out by=", option="by", code="grouped already")
    return made


def _groups(view: Any, options: Options) -> Groups:
    made = view._made_groups
    if made is None and options.by is None:
        problem = "overall=True adds a row for all items to those of the groups, and there are no groups"
        raise InputError(problem, "name them with by=, or leave out overall=", option="overall", code="no groups")
    with collect_warnings():  # the method itself warns of rows without a group
        return group_rows(view._frame, options.by) if made is None else made

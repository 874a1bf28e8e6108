"""compare(): the sweep from its first case to the report."""

from __future__ import annotations

import collections
import inspect
import typing
import warnings

import assay.core as mx

from .failure import Failure, describe_failure
from .report import Comparison
from .runner import RAISED, Outcome, Runner, Settings, is_metal_kernel, takes_threadgroup
from .shrink import Shrinker, smallest_of_each_kind
from .sweep import (DEFAULT_DTYPES, DEFAULT_THREADGROUPS, LAYOUTS, Case, Sweep, default_sizes,
                    elements, make_sweep, make_threadgroups)

# Small arrays and small threadgroups are meant here.
_SPEED_HINT = r"(?s).*(not more than one simdgroup|a launch costs more)"


def compare(kernel: typing.Any, reference: typing.Any, *,
            launch: typing.Any = None,
            inputs: int | typing.Callable[..., typing.Sequence[typing.Any]] | None = None,
            shapes: typing.Callable[[typing.Any], typing.Sequence[tuple[int, ...]]] | None = None,
            sizes: typing.Iterable[int | tuple[int, ...]] | None = None,
            dtypes: typing.Iterable[typing.Any] = DEFAULT_DTYPES,
            layouts: typing.Iterable[str] | None = None,
            threadgroups: typing.Iterable[int | tuple[int, ...]] | None = None,
            tolerance_ulps: float | dict[typing.Any, float] = 4.0,
            tolerance_abs: float = 0.0,
            value_range: tuple[float, float] | None = None,
            special_values: bool = False,
            numpy_reference: bool = False,
            seed: int = 0,
            fail_fast: bool = False,
            max_errors: int = 4) -> Comparison:
    """Compares a kernel with a reference over sizes, dtypes, memory layouts and threadgroups.

    kernel: what mx.fast.metal_kernel() returns, or any function of arrays.
    reference: a function of arrays that gives the right outputs, in array ops or NumPy, or another
        metal_kernel, which is launched in the same way. With numpy_reference=True, and if it is one
        of NumPy's own such as np.exp, it gets NumPy arrays with floats as float64. What it gives may
        be wider than the kernel's output, and is rounded to its dtype.
    launch: for a metal_kernel, a function (inputs) or (inputs, threadgroup) -> the keywords of its
        call, or a dict of them, values or functions of the inputs. What a dict leaves out: a thread
        for each element, and one output with the shape of the inputs and the dtype of the first.
    inputs: how many arrays (otherwise the number of the reference's arguments), or a function
        (rng, size, dtype) -> arrays, where values are not free, such as those of indices.
    shapes: a function size -> the shapes of the inputs; otherwise all have the size of the case.
    sizes: numbers of elements or shapes. Otherwise 0, 1, primes, powers of two and threadgroups with
        their neighbours, up to 65537.
    dtypes: Dtypes or names.
    layouts: "contiguous", "transposed" (two dimensions and more), "sliced" (every second element of
        some memory), "reversed", "broadcast" (stride 0 along the first axis), "mixed" (another one
        for each input). Otherwise all of them.
    threadgroups: numbers of threads, or tuples of up to three. A function gets them as the keyword
        `threadgroup` and is left alone without them.
    tolerance_ulps: how far floats may be apart, or a dict of it by dtype. Integers must be equal.
    tolerance_abs: an element that is no further away than this is right as well.
    value_range: lowest and highest random value; otherwise floats are normally distributed.
    special_values: signed zeros, infinities, NaN, subnormals and the ends of the range among them.
    seed: of the values. A case has the same values in every sweep.
    fail_fast: stop at the first case that fails.
    max_errors: run no more of a dtype and layout after so many errors that kernel or reference raised;
        if the layout is contiguous, no more of the dtype.

    A case fails if values are too far apart, outputs have the wrong number, shape or dtype, or an
    error is raised. Outputs of a metal_kernel without an init_value are filled before it runs, so
    that an element it does not write is wrong. A grid of no threads for outputs of no elements is
    not launched. Where cases fail, further ones are run to find the smallest, in sizes that are
    multiples of whatever all given sizes are multiples of.

        result = assay.compare(kernel, mx.exp, dtypes=["float32"], threadgroups=[32, 256])
        print(result)
        assert result.passed
    """
    settings = Settings(kernel, reference, launch, inputs, shapes, tolerance_ulps, tolerance_abs,
                        value_range, special_values, numpy_reference, seed)
    groups = make_threadgroups(_choose_threadgroups(kernel, launch, threadgroups))
    sweep = make_sweep(default_sizes(groups) if sizes is None else sizes, dtypes,
                       LAYOUTS if layouts is None else layouts, groups)
    runner = Runner(settings)
    cases = [case for case in sweep.cases() if _is_possible(runner, case)]
    unused = [] if layouts is None else _unused_layouts(sweep, cases)
    if not cases:
        raise ValueError("[compare] there is nothing to compare: " + "; ".join(unused))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", _SPEED_HINT, mx.fast.KernelHint)
        outcomes, notes = _run_cases(runner, cases, fail_fast, max_errors)
        failures = _find_smallest(runner, sweep, outcomes)
    return Comparison(tuple(outcomes), tuple(failures), (*notes, *unused))


def _find_smallest(runner: Runner, sweep: Sweep, outcomes: list[Outcome]) -> list[Failure]:
    shrinker = Shrinker(runner, sweep, outcomes)
    failures = []
    for outcome in smallest_of_each_kind(outcomes):
        smallest = shrinker.shrink(outcome)
        reproduce = _reproduce_text(runner.settings, smallest.case)
        failures.append(describe_failure(smallest, runner, shrinker, reproduce))
    return sorted(failures, key=lambda failure: elements(failure.case.size))


def _choose_threadgroups(kernel: typing.Any, launch: typing.Any,
                         threadgroups: typing.Any) -> typing.Any:
    if threadgroups is not None:
        if not is_metal_kernel(kernel) and not takes_keyword_threadgroup(kernel):
            raise ValueError("[compare] `threadgroups` needs a kernel made by metal_kernel(), or a "
                             "function with an argument `threadgroup`")
        return threadgroups
    if not is_metal_kernel(kernel):
        return (None,)
    if callable(launch):
        return DEFAULT_THREADGROUPS if takes_threadgroup(launch, 1) else (None,)
    return (None,) if "threadgroup" in (launch or {}) else DEFAULT_THREADGROUPS


def takes_keyword_threadgroup(function: typing.Any) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(each.name == "threadgroup" or each.kind == each.VAR_KEYWORD for each in parameters)


def _run_cases(runner: Runner, cases: list[Case], fail_fast: bool,
               max_errors: int) -> tuple[list[Outcome], list[str]]:
    """Errors are slow to meet (a compilation, a crash, the time limit of a kernel), and rarely alone."""
    outcomes: list[Outcome] = []
    errors: collections.Counter[tuple[str, str]] = collections.Counter()
    left_out: collections.Counter[str] = collections.Counter()
    for position, case in enumerate(cases):
        if max(errors[case.dtype, case.layout], errors[case.dtype, "contiguous"]) >= max_errors:
            left_out[case.dtype] += 1
            continue
        outcomes.append(runner.run(case).without_arrays())
        errors[case.dtype, case.layout] += outcomes[-1].status in RAISED
        if fail_fast and not outcomes[-1].passed:
            left = len(cases) - position - 1
            return outcomes, [f"stopped at the first failure; {left} cases were not run"]
    return outcomes, [f"{count} cases of {dtype} were not run after {max_errors} errors of their kind"
                      for dtype, count in left_out.items()]


def _is_possible(runner: Runner, case: Case) -> bool:
    try:
        return runner.is_distinct(case)
    except Exception:
        return True  # the user's `shapes` raises: so will the run, and tell


def _unused_layouts(sweep: Sweep, cases: list[Case]) -> list[str]:
    used = {case.layout for case in cases}
    needs = {"transposed": "two dimensions: give shapes as sizes", "mixed": "two inputs"}
    return [f"no case has the layout {layout}, which needs "
            f"{needs.get(layout, 'more than one element')}"
            for layout in sweep.layouts if layout not in used]


def _reproduce_text(settings: Settings, case: Case) -> str:
    """One line of Python, with the names of the arguments for what has no text."""
    default = Settings(None, None)
    words = ["kernel", "reference"]
    words += [f"{name}={name}" for name in ("launch", "inputs", "shapes")
              if getattr(settings, name) is not None and not isinstance(getattr(settings, name), int)]
    if isinstance(settings.inputs, int):
        words.append(f"inputs={settings.inputs}")
    words += [f"sizes=[{case.size!r}]", f'dtypes=["{case.dtype}"]', f'layouts=["{case.layout}"]']
    if case.threadgroup is not None:
        words.append(f"threadgroups=[{case.threadgroup!r}]")
    words += [f"{name}={getattr(settings, name)!r}" for name in
              ("tolerance_ulps", "tolerance_abs", "value_range", "special_values", "numpy_reference",
               "seed") if getattr(settings, name) != getattr(default, name)]
    return f"assay.compare({', '.join(words)})"

"""Says in words what failures have in common: which elements, which sizes, which of the choices."""

from __future__ import annotations

import typing

import numpy as np

from .sweep import Case, Size, elements, size_text, threads_of


def element_pattern(differs: np.ndarray) -> str:
    """Which elements of an array are wrong."""
    flat = np.flatnonzero(differs)
    count, total = len(flat), differs.size
    if count == total:
        return "every element differs" if total > 1 else "the only element differs"
    return (_rows_or_columns(differs) or _range_pattern(flat, total) or _step_pattern(flat, total)
            or f"{count} of {total} elements differ, spread between {flat[0]} and {flat[-1]}")


def _range_pattern(flat: np.ndarray, total: int) -> str:
    first, last, count = int(flat[0]), int(flat[-1]), len(flat)
    if last - first + 1 != count:
        return ""
    if last == total - 1:
        return "only the last element differs" if count == 1 else (
            f"only the last {count} elements differ, from {first} on")
    if first == 0:
        return "only the first element differs" if count == 1 else (
            f"only the first {count} elements differ")
    return f"only element {first} differs" if count == 1 else (
        f"only elements {first} to {last} differ")


def _step_pattern(flat: np.ndarray, total: int) -> str:
    if len(flat) < 3:
        return ""
    steps = np.diff(flat)
    step = int(steps[0])
    if (steps == step).all():
        rest = "" if flat[0] < step and flat[-1] + step >= total else f" to {int(flat[-1])}"
        return f"every {_ordinal(step)} element differs, from {int(flat[0])}{rest}"
    right = np.setdiff1d(np.arange(total), flat)
    steps = np.diff(right)
    if len(right) >= 3 and (steps == steps[0]).all() and right[-1] + steps[0] >= total:
        return f"every element differs but each {_ordinal(int(steps[0]))} from {int(right[0])}"
    if len(right) <= 3:
        return f"every element differs but {', '.join(map(str, right))}"
    return ""


def _rows_or_columns(differs: np.ndarray) -> str:
    """Of a matrix, or of the last axis of more dimensions."""
    if differs.ndim < 2 or differs.shape[-1] < 2 or differs.size == differs.shape[-1]:
        return ""
    matrix = differs.reshape(-1, differs.shape[-1])
    rows, columns = matrix.any(axis=1), matrix.any(axis=0)
    if not (matrix == np.outer(rows, columns)).all():
        return ""
    for name, hit in (("row", rows), ("column", columns)):
        other = columns if name == "row" else rows
        if other.all() and not hit.all():
            where = np.flatnonzero(hit)
            if where[-1] - where[0] + 1 == len(where):
                end = where[0] if len(where) == 1 else f"{where[0]} to {where[-1]}"
                plural = "" if len(where) == 1 else "s"
                verb = "differs" if len(where) == 1 else "differ"
                return f"only {name}{plural} {end} of {len(hit)} {verb}"
    return ""


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def size_pattern(passed: typing.Iterable[Size], failed: typing.Iterable[Size], case: Case) -> str:
    """At which sizes a case fails, of those that were run with the rest of it the same."""
    good = sorted(set(passed), key=elements)
    bad = sorted(set(failed), key=elements)
    if not good:
        return "fails at every size that was run" if len(bad) > 1 else ""
    if elements(good[-1]) < elements(bad[0]):
        return (f"passes up to size {size_text(good[-1])}, fails from {size_text(bad[0])} on"
                f"{_landmark(elements(good[-1]), case) if isinstance(bad[0], int) else ''}")
    if all(elements(size) == 0 for size in good):
        return "fails at every size but 0"
    if all(isinstance(size, int) for size in (*good, *bad)) and len(bad) > 1:
        for multiple in sorted({threads_of(case.threadgroup), *(2**k for k in range(1, 17))},
                               reverse=True):
            if multiple < 2:
                continue
            if all(size % multiple == 0 for size in good) and all(size % multiple for size in bad):
                return f"fails where the size is not a multiple of {multiple}"
            if all(size % multiple == 0 for size in bad) and all(size % multiple for size in good):
                return f"fails where the size is a multiple of {multiple}"
    shown = ", ".join(map(size_text, bad[:6])) + (", …" if len(bad) > 6 else "")
    return f"fails at {len(bad)} of {len(good) + len(bad)} sizes: {shown}"


def _landmark(last_good: int, case: Case) -> str:
    """What ends at the largest size that passes."""
    if last_good == threads_of(case.threadgroup):
        return f" (a threadgroup has {last_good} threads)"
    named = {32: "a simdgroup has 32 threads", 127: "a signed char ends at 127",
             255: "8 bits end there", 256: "8 bits end there", 1024: "a threadgroup has at most 1024 "
             "threads", 32767: "a short ends there", 65535: "16 bits end there",
             65536: "16 bits end there", 2**24: "a float counts no further"}
    return f" ({named[last_good]})" if last_good in named else ""


def choice_patterns(run: typing.Sequence[Case], alike: typing.Sequence[Case],
                    failed: typing.Sequence[Case]) -> list[str]:
    """Dtypes, layouts and threadgroups with cases that fail alike, beside those that never fail."""
    found = []
    smallest = min(elements(case.size) for case in alike)
    for name, plural in (("dtype", "dtypes"), ("layout", "layouts"), ("threadgroup", "threadgroups")):
        bad = dict.fromkeys(getattr(case, name) for case in alike)
        ever_bad = {getattr(case, name) for case in failed}
        # A value says nothing if it was only tried on sizes too small to fail.
        good = [value for value in dict.fromkeys(getattr(case, name) for case in run
                                                 if elements(case.size) >= smallest)
                if value not in ever_bad]
        if good and bad:
            texts = [", ".join(value if isinstance(value, str) else size_text(value)
                               for value in values) for values in (bad, good)]
            word = name if len(bad) == 1 else plural
            found.append(f"fails with {word} {texts[0]}; never with {texts[1]}")
    return found

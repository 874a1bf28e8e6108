"""The smallest case that fails, with everything that helps to find out why."""

from __future__ import annotations

import typing
from dataclasses import dataclass, field

import numpy as np

from . import patterns
from .runner import (DIFFERS, ERROR, INPUT_ERROR, REFERENCE_ERROR, Outcome, OutputDifference, Runner,
                     is_metal_kernel)
from .shrink import Shrinker
from .sweep import Case
from .ulps import Values

# Runs of a failing case beyond the first, to see whether it gives the same each time.
_REPEATS = 3
_UNSTEADY = ("the kernel gives something else each time: look for a race or for memory that nobody "
             "wrote")


@dataclass(frozen=True)
class Failure:
    """A failing case. What has to do with elements is about the first output that differs."""

    case: Case
    kind: str  # "differs", "mismatch", "error", "reference error" or "input error"
    message: str = ""  # of the error or mismatch
    output: int = 0
    index: tuple[int, ...] = ()  # of the first element that differs
    got: typing.Any = None
    expected: typing.Any = None
    ulps: float = 0.0  # of that element; inf: one of both is NaN
    differing: int = 0
    elements: int = 0
    max_ulps: float = 0.0
    mean_ulps: float = 0.0  # over the elements that differ, without those infinitely far
    unit: str = "ulp"  # "unit" where elements are integers or bools
    notes: tuple[str, ...] = ()  # which elements and sizes, what else is known
    reproduce: str = ""
    inputs: tuple[typing.Any, ...] = field(default=(), repr=False, compare=False)

    def to_dict(self) -> dict[str, typing.Any]:
        """For JSON, which has neither NaN nor infinities: there they are texts."""
        result = {
            "size": self.case.size, "dtype": self.case.dtype, "layout": self.case.layout,
            "threadgroup": self.case.threadgroup, "kind": self.kind, "notes": list(self.notes),
            "reproduce": self.reproduce}
        if self.kind != DIFFERS:
            return {**result, "message": self.message}
        numbers = {name: json_number(getattr(self, name)) for name in ("ulps", "max_ulps", "mean_ulps")}
        numbers |= {name: _plain(getattr(self, name)) for name in ("got", "expected")}
        return {**result, "output": self.output, "index": list(self.index), **numbers,
                "differing": self.differing, "elements": self.elements}

    def __str__(self) -> str:
        lines = [str(self.case)]
        if self.kind == DIFFERS:
            place = ", ".join(map(str, self.index))
            far = "" if np.isinf(self.ulps) else f", {self._amount(self.ulps)} apart"
            lines.append(f"output {self.output} at [{place}] is {_shown(self.got)}, the reference has "
                         f"{_shown(self.expected)}{far}")
            lines.append(f"{self.differing} of {self.elements} elements differ{self._how_far()}")
        else:
            by = {ERROR: "the kernel fails: ", REFERENCE_ERROR: "the reference fails: ",
                  INPUT_ERROR: "the inputs cannot be made: "}
            lines += (by.get(self.kind, "") + self.message).splitlines()
        return "\n  ".join([*lines, *self.notes, f"reproduce: {self.reproduce}"])

    def _how_far(self) -> str:
        if np.isinf(self.mean_ulps):
            return ": NaN stands against a number"
        mean = number_text(self.mean_ulps)
        if np.isinf(self.max_ulps):
            return f", by {self._amount(self.mean_ulps)} on average; some have NaN against a number"
        return f", by {self._amount(self.max_ulps)} at most and {mean} on average"

    def _amount(self, number: float) -> str:
        return f"{number_text(number)} {self.unit if number == 1 else self.unit + 's'}"


def describe_failure(outcome: Outcome, runner: Runner, shrinker: Shrinker, reproduce: str) -> Failure:
    case = outcome.case
    notes = _common_notes(outcome, shrinker)
    common = {"case": case, "kind": outcome.status, "message": outcome.message,
              "reproduce": reproduce, "inputs": _inputs(runner, case)}
    difference = runner.run(case).difference
    if difference is None:
        if outcome.status == DIFFERS:
            notes.append(_UNSTEADY)
        return Failure(**common, notes=tuple(note for note in notes if note))
    notes = [patterns.element_pattern(difference.differs), *notes,
             *_run_again(runner, case, difference)]
    flat = int(np.flatnonzero(difference.differs)[0])
    index = tuple(int(each) for each in np.unravel_index(flat, difference.differs.shape))
    wrong = difference.ulps[difference.differs]
    finite = wrong[np.isfinite(wrong)]
    return Failure(
        **common, notes=tuple(note for note in notes if note), output=difference.output, index=index,
        got=difference.got.numbers()[index].item(), ulps=float(difference.ulps[index]),
        expected=difference.expected.numbers()[index].item(),
        differing=int(difference.differs.sum()), elements=difference.differs.size,
        max_ulps=float(wrong.max()), mean_ulps=float(finite.mean()) if len(finite) else float("inf"),
        unit="ulp" if difference.got.data.dtype.kind in "fc" or difference.got.is_float else "unit")


def _common_notes(outcome: Outcome, shrinker: Shrinker) -> list[str]:
    """At which sizes and with what it fails in this way."""
    same = shrinker.same_choice(outcome.case)
    notes = []
    if all(each.passed or each.status == outcome.status for each in same):
        notes.append(patterns.size_pattern(
            [each.case.size for each in same if each.passed],
            [each.case.size for each in same if not each.passed], outcome.case))
    runs = list(shrinker.outcomes.values())
    return notes + patterns.choice_patterns(
        [each.case for each in runs], [each.case for each in runs if each.status == outcome.status],
        [each.case for each in runs if not each.passed])


def _inputs(runner: Runner, case: Case) -> tuple[typing.Any, ...]:
    try:
        return tuple(runner.inputs(case))
    except Exception:
        return ()  # the failure that is described


def _run_again(runner: Runner, case: Case, difference: OutputDifference) -> list[str]:
    """Whether elements are never written, and whether the kernel gives the same each time."""
    arrays = runner.inputs(case)
    fill = runner.fills(case, arrays, [])[0]
    notes = []
    try:
        first = runner.outputs(case, arrays, fill)[difference.output]
        again = [runner.outputs(case, arrays, fill)[difference.output] for _ in range(_REPEATS)]
        if any(not _same_bits(first, each) for each in again):
            notes.append(_UNSTEADY)
        elif is_metal_kernel(runner.settings.kernel) and fill is not None:
            fills = [runner.outputs(case, arrays, value)[difference.output] for value in (3.0, 5.0)]
            kept = (fills[0].numbers() == 3) & (fills[1].numbers() == 5)
            if kept.any():
                notes.append(f"the kernel never writes {int(kept.sum())} of the {kept.size} elements")
    except Exception as error:
        notes.append(f"run again, the kernel fails: {type(error).__name__}: {error}")
    return notes


def _same_bits(a: Values, b: Values) -> bool:
    return a.data.tobytes() == b.data.tobytes()


def number_text(number: float) -> str:
    """Counts in full, means with a digit behind the point, infinity as a word."""
    if np.isinf(number):
        return "infinitely many"
    return f"{number:.0f}" if number == int(number) else f"{number:.1f}"


def _shown(value: typing.Any) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def json_number(number: float) -> typing.Any:
    """A whole number without a point, infinity as the text "inf"."""
    return int(number) if np.isfinite(number) and number == int(number) else _plain(number)


def _plain(value: typing.Any) -> typing.Any:
    if isinstance(value, complex) or (isinstance(value, float) and not np.isfinite(value)):
        return str(value)
    return value

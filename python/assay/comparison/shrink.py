"""From a case that fails to the smallest one that fails in the same way."""

from __future__ import annotations

import math

from .runner import Outcome, Runner
from .sweep import Case, Size, Sweep, elements, shape_of


class Shrinker:
    """Keeps every outcome it sees: they also tell at which sizes the kernel fails."""

    def __init__(self, runner: Runner, sweep: Sweep, outcomes: list[Outcome]):
        self._runner = runner
        self._sweep = sweep
        self.outcomes = {outcome.case: outcome for outcome in outcomes}

    def shrink(self, failing: Outcome) -> Outcome:
        """Size first, then the first of the dtypes, layouts and threadgroups that fails there."""
        best = self._smaller_size(failing)
        for case in self._sweep.simpler(best.case):
            if self._fails(case, best) and self._runner.is_distinct(case):
                return self.outcomes[case]
        return best

    def same_choice(self, case: Case) -> list[Outcome]:
        """What was run with the dtype, layout and threadgroup of the case."""
        return [outcome for outcome in self.outcomes.values()
                if outcome.case.with_size(case.size) == case]

    def _fails(self, case: Case, like: Outcome) -> bool:
        if case not in self.outcomes:
            self.outcomes[case] = self._runner.run(case).without_arrays()
        return self.outcomes[case].status == like.status

    def _smaller_size(self, failing: Outcome) -> Outcome:
        """Halves the way to the next smaller size that does not fail, along each axis in turn."""
        case = failing.case
        for axis in range(len(case.shape)):
            step = self._step(case, axis)
            low, high = self._known_good(case, axis, step), case.shape[axis]
            while high - low > step:
                middle = low + (high - low) // (2 * step) * step
                candidate = case.with_size(_with_length(case.size, axis, middle))
                if self._fails(candidate, failing):
                    high = middle
                else:
                    low = middle
            case = case.with_size(_with_length(case.size, axis, high))
        return self.outcomes[case]

    def _step(self, case: Case, axis: int) -> int:
        """A kernel that was asked for multiples of 8 only is not asked for anything else here."""
        shapes = [shape_of(size) for size in self._sweep.sizes
                  if isinstance(size, int) == isinstance(case.size, int)]
        return math.gcd(*(shape[axis] for shape in shapes if len(shape) > axis)) or 1

    def _known_good(self, case: Case, axis: int, step: int) -> int:
        """The largest smaller length that passed; below the smallest there may be if none did."""
        lengths = [outcome.case.shape[axis] for outcome in self.same_choice(case) if outcome.passed
                   and _with_length(case.size, axis, outcome.case.shape[axis]) == outcome.case.size]
        smallest = 0 if isinstance(case.size, int) and 0 in self._sweep.sizes else step
        return max((length for length in lengths if length < case.shape[axis]),
                   default=smallest - step)


def _with_length(size: Size, axis: int, length: int) -> Size:
    if isinstance(size, int):
        return length
    return (*size[:axis], length, *size[axis + 1:])


def smallest_of_each_kind(outcomes: list[Outcome]) -> list[Outcome]:
    """Failing outcomes, the smallest for each status; the order of the sweep decides otherwise."""
    found: dict[str, Outcome] = {}
    for outcome in outcomes:
        if not outcome.passed and (outcome.status not in found or elements(outcome.case.size)
                                   < elements(found[outcome.status].case.size)):
            found[outcome.status] = outcome
    return sorted(found.values(), key=lambda outcome: elements(outcome.case.size))

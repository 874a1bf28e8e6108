"""The result of a comparison: a value to ask, a table to read, JSON for scripts."""

from __future__ import annotations

import itertools
import json
import typing
from dataclasses import dataclass

import numpy as np

from .failure import Failure, json_number, number_text
from .patterns import size_pattern
from .runner import Outcome
from .sweep import LAYOUTS, elements, size_text


@dataclass(frozen=True)
class Comparison:
    """What compare() found. True if every case passed."""

    cases: tuple[Outcome, ...]  # what was run, smallest size first
    failures: tuple[Failure, ...] = ()  # the smallest of each kind, smallest size first
    notes: tuple[str, ...] = ()  # what was left out

    @property
    def passed(self) -> bool:
        return not self.failures

    @property
    def failure(self) -> Failure | None:
        """The smallest case that fails."""
        return self.failures[0] if self.failures else None

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        failed = sum(not each.passed for each in self.cases)
        return f"<Comparison: {len(self.cases)} cases, {failed} failed>"

    def to_text(self, every_case: bool = False) -> str:
        """A table with a line for each dtype and layout, or for every case, then the failures."""
        failed = sum(not each.passed for each in self.cases)
        verdict = f"{failed} of {_count(len(self.cases), 'case')} failed" if failed else (
            f"all {_count(len(self.cases), 'case')} passed")
        rows = self._case_rows() if every_case else self._group_rows()
        parts = [_table(rows), f"{verdict}: {self._swept()}"]
        for position, failure in enumerate(self.failures):
            parts.append(("smallest case that fails: " if position == 0 else "and: ") + str(failure))
        return "\n\n".join(parts) + "".join(f"\n\nnote: {note}" for note in self.notes)

    def to_json(self) -> str:
        """The cases, the failures and the notes as a JSON object."""
        cases = [{"size": each.case.size, "dtype": each.case.dtype, "layout": each.case.layout,
                  "threadgroup": each.case.threadgroup, "status": each.status,
                  "max_ulps": json_number(each.max_ulps),
                  "differing": each.differing, "elements": each.elements,
                  **({"message": each.message} if each.message else {})} for each in self.cases]
        return json.dumps({
            "passed": self.passed, "failed": sum(not each.passed for each in self.cases),
            "failures": [failure.to_dict() for failure in self.failures], "notes": list(self.notes),
            "cases": cases}, indent=2, ensure_ascii=False, allow_nan=False)

    def _swept(self) -> str:
        sizes = sorted({each.case.size for each in self.cases}, key=elements)
        counts = [_count(len(dict.fromkeys(getattr(each.case, name) for each in self.cases)), name)
                  for name in ("dtype", "layout", "threadgroup")]
        if all(each.case.threadgroup is None for each in self.cases):
            counts.pop()
        span = size_text(sizes[0]) if len(sizes) == 1 else (
            f"{size_text(sizes[0])} to {size_text(sizes[-1])}")
        return ", ".join([f"{_count(len(sizes), 'size')} ({span})", *counts])

    def _group_rows(self) -> list[list[str]]:
        dtypes = dict.fromkeys(each.case.dtype for each in self.cases)
        groups: dict[tuple[str, str], list[Outcome]] = {
            pair: [] for pair in itertools.product(dtypes, LAYOUTS)}
        for each in self.cases:
            groups[each.case.dtype, each.case.layout].append(each)
        rows = [["dtype", "layout", "cases", "failed", "max ulps", "sizes"]]
        for (dtype, layout), outcomes in groups.items():
            if not outcomes:
                continue
            failed = [each for each in outcomes if not each.passed]
            bad = {each.case.size for each in failed}
            good = {each.case.size for each in outcomes} - bad
            where = size_pattern(good, bad, failed[0].case) if failed else ""
            rows.append([dtype, layout, str(len(outcomes)), str(len(failed)), _worst(outcomes),
                         where or (f"fails at {size_text(*bad)}" if failed else "")])
        return rows

    def _case_rows(self) -> list[list[str]]:
        rows = [["dtype", "layout", "size", "threadgroup", "max ulps", "outcome"]]
        for each in self.cases:
            said = f"{each.differing} of {each.elements} differ" if each.differing else (
                f"{each.status}: {each.message.splitlines()[0]}" if each.message else each.status)
            rows.append([each.case.dtype, each.case.layout, size_text(each.case.size),
                         size_text(each.case.threadgroup), _worst([each]), said])
        return rows


def _worst(outcomes: typing.Sequence[Outcome]) -> str:
    """Of the cases that gave values to compare."""
    compared = [each.max_ulps for each in outcomes if not each.message]
    if not compared:
        return "-"
    return "inf" if np.isinf(max(compared)) else number_text(max(compared))


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _table(rows: list[list[str]]) -> str:
    """Words to the left, the middle columns (numbers) to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [text.rjust(width) if 2 <= column < len(row) - 1 else text.ljust(width)
                 for column, (text, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)

"""`assay compare SPEC.py`: runs a file that defines kernel and reference, and compares them.

The command line belongs to the program `assay`, which explains it; what comes here is right in form.
"""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import json
import os
import runpy
import shlex
import sys
import traceback
import typing
import warnings

from .compare import compare
from .sweep import Case, size_text

_FAILED = 1
_WRONG_USAGE = 2
_PARAMETERS = tuple(inspect.signature(compare).parameters)


class SpecError(Exception):
    """A file or an option that does not describe a comparison."""


def _parse_size(text: str) -> typing.Any:
    numbers = [int(part) for part in text.split("x")]
    return tuple(numbers) if len(numbers) > 1 else numbers[0]


def parse_sizes(text: str) -> list[typing.Any]:
    """Numbers, shapes and ranges: 1,33x65,100..110."""
    sizes: list[typing.Any] = []
    for part in text.split(","):
        try:
            first, dots, last = part.partition("..")
            sizes += range(int(first), int(last) + 1) if dots else [_parse_size(part)]
        except ValueError:
            raise SpecError(f"'{part}' is not a size: write a number, a shape such as 33x65, or a "
                            "range such as 100..110") from None
    return sizes


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="assay compare", add_help=False)
    parser.add_argument("spec")
    for name in ("sizes", "dtypes", "layouts", "threadgroups"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--tolerance-ulps", type=float)
    parser.add_argument("--seed", type=int)
    for name in ("special-values", "fail-fast", "all", "json"):
        parser.add_argument(f"--{name}", action="store_true")
    return parser.parse_args()


def load_spec(path: str) -> dict[str, typing.Any]:
    """The arguments of compare() that the file defines."""
    if not os.path.isfile(path):
        raise SpecError(f"cannot read '{path}': there is no such file")
    sys.path[0] = os.path.dirname(os.path.abspath(path))  # as for a script
    names = runpy.run_path(path)
    for name in ("kernel", "reference"):
        if name not in names:
            raise SpecError(f"'{path}' does not define `{name}`; it has to define `kernel` and "
                            "`reference`, and may define other arguments of assay.compare")
    return {name: names[name] for name in _PARAMETERS if name in names}


def _override(spec: dict[str, typing.Any], given: argparse.Namespace) -> None:
    for name in ("sizes", "threadgroups"):
        if (text := getattr(given, name)) is not None:
            spec[name] = parse_sizes(text)
    for name in ("dtypes", "layouts"):
        if (text := getattr(given, name)) is not None:
            spec[name] = text.split(",")
    for name in ("tolerance_ulps", "seed"):
        if getattr(given, name) is not None:
            spec[name] = getattr(given, name)
    for name in ("special_values", "fail_fast"):
        if getattr(given, name):
            spec[name] = True


def _command_line(given: argparse.Namespace, case: Case) -> str:
    """Runs only this case of the file."""
    words = ["assay", "compare", given.spec, "--sizes", size_text(case.size), "--dtypes", case.dtype,
             "--layouts", case.layout]
    if case.threadgroup is not None:
        words += ["--threadgroups", size_text(case.threadgroup)]
    if given.tolerance_ulps is not None:
        words += ["--tolerance-ulps", f"{given.tolerance_ulps:g}"]
    if given.seed is not None:
        words += ["--seed", str(given.seed)]
    if given.special_values:
        words.append("--special-values")
    return shlex.join(words)


def _run(given: argparse.Namespace) -> int:
    # A hint belongs to the kernel, not to the line of this package that calls it.
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        spec = load_spec(given.spec)
        _override(spec, given)
        try:
            result = compare(**spec)
        except ValueError as error:
            if not str(error).startswith("[compare] "):
                raise
            raise SpecError(str(error).removeprefix("[compare] ")) from error
    result = dataclasses.replace(result, failures=tuple(
        dataclasses.replace(failure, reproduce=_command_line(given, failure.case))
        for failure in result.failures))
    print(result.to_json() if given.json else result.to_text(every_case=given.all))
    for message in dict.fromkeys(str(each.message) for each in caught):
        print(f"\n{message}", file=sys.stderr)
    return 0 if result.passed else _FAILED


def main() -> int:
    given = _parse_arguments()
    try:
        return _run(given)
    except SpecError as error:
        if given.json:
            print(json.dumps({"error": str(error)}, indent=2))
        print(f"error: {error}", file=sys.stderr)
        return _WRONG_USAGE
    except Exception:
        # The file's own: its lines, without those of this program.
        kind, value, whole = sys.exc_info()
        trace = whole
        while trace is not None and trace.tb_frame.f_code.co_filename != given.spec:
            trace = trace.tb_next
        traceback.print_exception(kind, value, trace or whole)
        return _WRONG_USAGE


if __name__ == "__main__":
    sys.exit(main())

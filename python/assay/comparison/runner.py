"""Runs one case: makes the inputs, calls kernel and reference, compares what they give."""

from __future__ import annotations

import inspect
import math
import pathlib
import re
import typing
from dataclasses import dataclass, field, replace

import numpy as np

import assay.core as mx

from . import inputs as case_inputs
from .sweep import Case, Threadgroup, dtype_name
from .ulps import FLOATS, DtypeMismatch, Values, convert_reference, ulp_distance

PASSED = "passed"
DIFFERS = "differs"  # values
MISMATCH = "mismatch"  # number, shape or dtype of the outputs
ERROR = "error"  # raised by the kernel
REFERENCE_ERROR = "reference error"
INPUT_ERROR = "input error"  # raised by the user's `inputs` or `shapes`
RAISED = (ERROR, REFERENCE_ERROR, INPUT_ERROR)

# What outputs hold before the kernel runs, so that memory it leaves unwritten shows. No single
# integer could not be a right result, so that those run twice.
_FLOAT_FILLS = (math.nan,)
_INTEGER_FILLS = (85.0, 0.0)
_OWN_LINE = re.compile(
    rf"\s*(created|evaluated) at {re.escape(str(pathlib.Path(__file__).parent))}/.*")


@dataclass(frozen=True)
class Settings:
    """What all cases of a comparison share; see compare() for the meaning."""

    kernel: typing.Any
    reference: typing.Any
    launch: typing.Any = None
    inputs: typing.Any = None
    shapes: typing.Any = None
    tolerance_ulps: typing.Any = 4.0
    tolerance_abs: float = 0.0
    value_range: tuple[float, float] | None = None
    special_values: bool = False
    numpy_reference: bool = False
    seed: int = 0

    def tolerance(self, dtype: str) -> float:
        """In ulps; integers and bools have to be equal."""
        if dtype not in FLOATS and dtype != "complex64":
            return 0.0
        if not isinstance(self.tolerance_ulps, dict):
            return float(self.tolerance_ulps)
        named = {dtype_name(key): value for key, value in self.tolerance_ulps.items()}
        return float(named.get(dtype, 4.0))


@dataclass(frozen=True)
class OutputDifference:
    """One output that is not what the reference gives. `differs` and `ulps` are per element."""

    output: int
    got: Values
    expected: Values
    ulps: np.ndarray
    differs: np.ndarray


@dataclass(frozen=True)
class Outcome:
    """What became of a case."""

    case: Case
    status: str
    max_ulps: float = 0.0
    differing: int = 0
    elements: int = 0
    message: str = ""
    difference: OutputDifference | None = field(default=None, repr=False, compare=False)

    @property
    def passed(self) -> bool:
        return self.status == PASSED

    def without_arrays(self) -> Outcome:
        """To keep: a sweep may have many large cases that fail."""
        return replace(self, difference=None)


class _Mismatch(Exception):
    """Outputs that cannot be compared element by element."""


def is_metal_kernel(function: typing.Any) -> bool:
    return isinstance(function, mx.fast.CustomKernel)


def takes_threadgroup(function: typing.Any, position: int) -> bool:
    """Whether it has an argument `threadgroup`, or one at that position."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False
    positional = [each for each in parameters.values()
                  if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    return "threadgroup" in parameters or len(positional) > position


def extent(threadgroup: Threadgroup) -> tuple[int, int, int]:
    numbers = (threadgroup,) if isinstance(threadgroup, int) else tuple(threadgroup or (256,))
    return (*numbers, 1, 1, 1)[:3]


class Runner:
    """Runs cases, in any order and any number of times: a case always gets the same inputs."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self._input_count = self._count_inputs()
        self._made_shapes: dict[typing.Any, list[tuple[int, ...]]] = {}

    def _count_inputs(self) -> int:
        given = self.settings
        if isinstance(given.inputs, int) and given.inputs > 0:
            return given.inputs
        if callable(given.inputs) or given.shapes is not None:
            return 0  # they say it for each size
        if given.inputs is not None:
            raise ValueError(f"[compare] `inputs` is {given.inputs!r}: give a number from 1, or a "
                             "function (rng, size, dtype) -> list of arrays")
        for function in (given.reference, given.kernel):
            if not is_metal_kernel(function) and (count := case_inputs.count_inputs(function)):
                return count
        raise ValueError("[compare] cannot tell how many inputs there are: pass inputs=N, or shapes=, "
                         "a function size -> list of shapes")

    def shapes(self, case: Case) -> list[tuple[int, ...]]:
        if callable(self.settings.inputs):
            key = case.size, case.dtype
            if key not in self._made_shapes:
                self._made_shapes[key] = [np.shape(array) for array in self._made_inputs(case)[0]]
            return self._made_shapes[key]
        if self.settings.shapes is not None:
            return [tuple(shape) for shape in self.settings.shapes(case.size)]
        return [case.shape] * self._input_count

    def is_distinct(self, case: Case) -> bool:
        """Whether the layout makes a difference to its inputs."""
        if case.layout == "contiguous":
            return True
        shapes = self.shapes(case)
        if case.layout == "mixed":
            return len(shapes) > 1 and any(
                case_inputs.has_layout(shape, case_inputs.layout_of_input("mixed", index))
                for index, shape in enumerate(shapes) if index > 0)
        return any(case_inputs.has_layout(shape, case.layout) for shape in shapes)

    def inputs(self, case: Case) -> list[mx.array]:
        given = self.settings
        if callable(given.inputs):
            arrays, rng = self._made_inputs(case)
            return [case_inputs.lay_out_again(
                array, case, case_inputs.layout_of_input(case.layout, index), rng)
                for index, array in enumerate(arrays)]
        result = []
        for index, shape in enumerate(self.shapes(case)):
            rng = case_inputs.case_generator(given.seed, case, index)
            values = case_inputs.random_values(shape, case.dtype, rng, given.value_range,
                                               given.special_values)
            layout = case_inputs.layout_of_input(case.layout, index)
            result.append(case_inputs.lay_out(values, case.dtype, layout, rng))
        return result

    def _made_inputs(self, case: Case) -> tuple[list[typing.Any], np.random.Generator]:
        """What the user's function gives for the case, and the generator it used."""
        rng = case_inputs.case_generator(self.settings.seed, case, 0)
        dtype = mx.bool_ if case.dtype == "bool" else getattr(mx, case.dtype)
        return list(self.settings.inputs(rng, case.size, dtype)), rng

    def run(self, case: Case) -> Outcome:
        """Never raises what kernel or reference raise: that is the outcome."""
        try:  # the user's functions may raise anything
            arrays = self.inputs(case)
        except Exception as error:
            return Outcome(case, INPUT_ERROR, message=error_text(error))
        try:
            expected = self.expected(case, arrays)
        except Exception as error:
            return Outcome(case, REFERENCE_ERROR, message=error_text(error))
        worst = Outcome(case, PASSED)
        for fill in self.fills(case, arrays, expected):
            try:
                outputs = self.outputs(case, arrays, fill)
            except Exception as error:
                return Outcome(case, ERROR, message=error_text(error))
            outcome = self._judge(case, outputs, expected)
            if not outcome.passed:
                return outcome
            worst = max(worst, outcome, key=lambda each: (each.max_ulps, each.elements))
        return worst

    def expected(self, case: Case, arrays: list[mx.array]) -> list[Values]:
        reference = self.settings.reference
        if is_metal_kernel(reference):
            results = self._launch(reference, case, arrays, None)
        elif self.settings.numpy_reference or _is_of_numpy(reference):
            numbers = [case_inputs.to_values(array).numbers() for array in arrays]
            wide = [each.astype(np.float64) if each.dtype.kind == "f" else each for each in numbers]
            with np.errstate(all="ignore"):
                results = reference(*wide)
        else:
            results = reference(*arrays)
        return _evaluated(results)

    def fills(self, case: Case, arrays: list[mx.array],
              expected: list[Values]) -> tuple[float | None, ...]:
        """What to fill outputs with, a run each. None: the caller's own affair."""
        if is_metal_kernel(self.settings.kernel):
            try:
                call = self._call(case, arrays)
                if call.get("init_value") is not None:
                    return (None,)
                names = [dtype_name(dtype) for dtype in call["output_dtypes"]]
            except Exception:
                return (None,)  # the run itself will tell
            is_float = all(name in FLOATS or name == "complex64" for name in names)
            return _FLOAT_FILLS if is_float else _INTEGER_FILLS
        _poison_free_memory(expected)
        return (None,)

    def outputs(self, case: Case, arrays: list[mx.array], fill: float | None = None) -> list[Values]:
        kernel = self.settings.kernel
        if is_metal_kernel(kernel):
            return _evaluated(self._launch(kernel, case, arrays, fill))
        if case.threadgroup is None:
            return _evaluated(kernel(*arrays))
        return _evaluated(kernel(*arrays, threadgroup=extent(case.threadgroup)))

    def _call(self, case: Case, arrays: list[mx.array]) -> dict[str, typing.Any]:
        """The keywords of the kernel's call."""
        launch = self.settings.launch
        if callable(launch):
            call = dict(launch(arrays, extent(case.threadgroup)) if takes_threadgroup(launch, 1)
                        else launch(arrays))
        else:
            shape = np.broadcast_shapes(*(array.shape for array in arrays))
            call = {"grid": (math.prod(shape), 1, 1), "output_shapes": [shape],
                    "output_dtypes": [arrays[0].dtype]}
            call.update({key: value(arrays) if callable(value) else value
                         for key, value in (launch or {}).items()})
        if case.threadgroup is not None or "threadgroup" not in call:
            call["threadgroup"] = extent(case.threadgroup)
        return call

    def _launch(self, kernel: typing.Any, case: Case, arrays: list[mx.array],
                fill: float | None) -> list[mx.array]:
        call = self._call(case, arrays)
        shapes = [tuple(shape) for shape in call["output_shapes"]]
        if 0 in call["grid"] and all(math.prod(shape) == 0 for shape in shapes):
            return [mx.zeros(shape, dtype) for shape, dtype in zip(shapes, call["output_dtypes"])]
        if fill is not None:
            call["init_value"] = fill
        return kernel(inputs=arrays, **call)

    def _judge(self, case: Case, outputs: list[Values], expected: list[Values]) -> Outcome:
        elements = sum(each.data.size for each in outputs)
        try:
            differences = self._differences(outputs, expected)
        except (_Mismatch, DtypeMismatch) as mismatch:
            return Outcome(case, MISMATCH, elements=elements, message=str(mismatch))
        max_ulps = max((float(each.ulps.max(initial=0.0)) for each in differences), default=0.0)
        wrong = [each for each in differences if each.differs.any()]
        if not wrong:
            return Outcome(case, PASSED, max_ulps, 0, elements)
        count = sum(int(each.differs.sum()) for each in wrong)
        return Outcome(case, DIFFERS, max_ulps, count, elements, difference=wrong[0])

    def _differences(self, outputs: list[Values], expected: list[Values]) -> list[OutputDifference]:
        if len(outputs) != len(expected):
            raise _Mismatch(f"the kernel gives {len(outputs)} outputs, the reference {len(expected)}")
        found = []
        for index, (got, right) in enumerate(zip(outputs, expected)):
            if got.data.shape != right.data.shape:
                raise _Mismatch(f"output {index} has the shape {got.data.shape}, the reference's "
                                f"{right.data.shape}")
            right = convert_reference(right, got.dtype)
            ulps = ulp_distance(got, right)
            differs = ulps > self.settings.tolerance(got.dtype)
            if self.settings.tolerance_abs > 0 and differs.any():
                with np.errstate(invalid="ignore"):
                    gap = np.abs(_wide(got) - _wide(right))
                differs &= ~(gap <= self.settings.tolerance_abs)
            found.append(OutputDifference(index, got, right, ulps, differs))
        return found


def error_text(error: BaseException) -> str:
    """Without the lines that name this package as the caller."""
    lines = [line.rstrip() for line in f"{type(error).__name__}: {error}".splitlines()]
    return "\n".join(line for line in lines if line and not _OWN_LINE.match(line))


def _is_of_numpy(function: typing.Any) -> bool:
    module = getattr(function, "__module__", None) or ""
    return isinstance(function, np.ufunc) or module.split(".")[0] == "numpy"


def _wide(values: Values) -> np.ndarray:
    numbers = values.numbers()
    return numbers if numbers.dtype.kind == "c" else numbers.astype(np.float64)


def _evaluated(results: typing.Any) -> list[Values]:
    results = list(results) if isinstance(results, (list, tuple)) else [results]
    mx.eval([each for each in results if isinstance(each, mx.array)])
    return [case_inputs.to_values(each) for each in results]


def _poison_free_memory(expected: list[Values]) -> None:
    """Memory that the next outputs may get must not hold the right results of the last run."""
    for each in expected:
        if each.dtype != "float64":
            dtype = getattr(mx, each.dtype, mx.bool_)
            mx.eval(mx.full(each.data.shape, math.nan if each.is_float else 85, dtype=dtype))

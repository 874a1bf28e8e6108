"""The inputs of a case: reproducible values, laid out in memory as the case asks."""

from __future__ import annotations

import inspect
import typing
import zlib

import numpy as np

import assay.core as mx

from .sweep import Case, dtype_name
from .ulps import FLOATS, Values

# What a case gives to an input whose index is i under the layout "mixed".
_MIXED = ("contiguous", "transposed", "sliced", "reversed", "broadcast")
# Numbers that kernels get wrong: signed zeros, infinities, NaN, the ends of the normal range.
_SPECIAL_FLOATS = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan)
_FLOAT_ENDS = {"float16": (65504.0, 2.0**-14, 2.0**-24), "bfloat16": (3.38e38, 2.0**-126, 2.0**-133),
               "float32": (3.4028234e38, 2.0**-126, 2.0**-149),
               "float64": (1.797e308, 2.0**-1022, 2.0**-1074),
               "complex64": (3.4028234e38, 2.0**-126, 2.0**-149)}


def count_inputs(function: typing.Any) -> int | None:
    """How many arrays a function takes: its arguments that have no default. None: it does not say."""
    if isinstance(function, np.ufunc):
        return function.nin
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return _count_in_docstring(function)
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    count = sum(each.kind in kinds and each.default is each.empty and each.name != "threadgroup"
                for each in parameters)
    return count or None


def _count_in_docstring(function: typing.Any) -> int | None:
    """Of a function of assay.core, whose first line tells its signature."""
    lines = (getattr(function, "__doc__", None) or "").splitlines() or [""]
    _, bracket, rest = lines[0].partition("(")
    depth, arguments = 0, [""]
    for letter in rest if bracket else "":
        depth += (letter in "([") - (letter in ")]")
        if depth < 0:
            break
        if letter == "," and depth == 0:
            arguments.append("")
        else:
            arguments[-1] += letter
    count = 0
    for argument in arguments:
        if not argument.strip() or "=" in argument or argument.strip().startswith("*"):
            break
        count += argument.strip() != "/"
    return count or None


def random_values(shape: tuple[int, ...], dtype: str, rng: np.random.Generator,
                  value_range: tuple[float, float] | None, special_values: bool) -> np.ndarray:
    """As float64 where the dtype is a float."""
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(np.bool_)
    if dtype in FLOATS or dtype == "complex64":
        values = rng.standard_normal(shape) if value_range is None else rng.uniform(*value_range, shape)
        if dtype == "complex64":
            values = values + 1j * rng.permutation(values.ravel()).reshape(shape)
    else:
        low, high = value_range or ((0, 100) if dtype.startswith("u") else (-100, 100))
        values = rng.integers(int(low), int(high), shape, endpoint=True).astype(dtype)
    return _with_special_values(values, dtype, rng) if special_values else values


def _with_special_values(values: np.ndarray, dtype: str, rng: np.random.Generator) -> np.ndarray:
    """One element in four is special."""
    if dtype in _FLOAT_ENDS:
        ends = _FLOAT_ENDS[dtype]
        choice = np.array([*_SPECIAL_FLOATS, *ends, *(-end for end in ends)])
    else:
        limits = np.iinfo(dtype)
        choice = np.array([limits.min, limits.max, 0, 1], dtype=dtype)
    picked = choice[rng.integers(0, len(choice), values.shape)]
    return np.where(rng.random(values.shape) < 0.25, picked, values).astype(values.dtype)


def case_generator(seed: int, case: Case, index: int) -> np.random.Generator:
    """The same values whatever else is in the sweep, and for all layouts and threadgroups of a size
    and dtype."""
    return np.random.default_rng([seed, index, zlib.crc32(case.dtype.encode()), *case.shape])


def to_array(values: np.ndarray, dtype: str) -> mx.array:
    # Straight to the dtype: a detour over another float would round twice.
    if dtype in ("float16", "float32", "float64", "complex64"):
        with np.errstate(over="ignore"):
            values = values.astype(dtype)
        if dtype == "float64":
            return mx.array(values, dtype=mx.float64)
        return mx.array(values)
    if dtype == "bfloat16":
        return mx.array(values.astype(np.float32)).astype(mx.bfloat16)
    return mx.array(values.astype("bool" if dtype == "bool" else dtype))


def has_layout(shape: tuple[int, ...], layout: str) -> bool:
    """Whether an array of the shape can lie so, and not be contiguous all the same."""
    if layout == "contiguous":
        return True
    if 0 in shape or not shape:
        return False
    if layout == "transposed":
        return sum(length > 1 for length in shape) > 1
    if layout == "reversed":
        return shape[-1] > 1
    return layout == "sliced" or shape[0] > 1


def lay_out(values: np.ndarray, dtype: str, layout: str, rng: np.random.Generator) -> mx.array:
    """A view with the values (broadcast: the first of them along axis 0, repeated)."""
    if not has_layout(values.shape, layout):
        layout = "contiguous"
    if layout == "transposed":
        return mx.transpose(to_array(np.ascontiguousarray(values.T), dtype))
    if layout == "reversed":
        return to_array(np.ascontiguousarray(values[..., ::-1]), dtype)[..., ::-1]
    if layout == "broadcast":
        return mx.broadcast_to(to_array(values[:1], dtype), values.shape)
    if layout == "sliced":
        # Between the elements lie others of the same kind, for kernels that take no notice of strides.
        length = values.shape[-1]
        memory = rng.choice(values.ravel(), (*values.shape[:-1], 2 * length + 1))
        memory[..., 1::2] = values
        return to_array(memory, dtype)[..., 1::2]
    return to_array(values, dtype)


def layout_of_input(layout: str, index: int) -> str:
    return _MIXED[index % len(_MIXED)] if layout == "mixed" else layout


def lay_out_again(given: typing.Any, case: Case, layout: str, rng: np.random.Generator) -> mx.array:
    """An array that the user made, in a layout. Its dtype stays, but NumPy's float64 (which is what
    its generators give) becomes the dtype of the case."""
    if not isinstance(given, mx.array):
        given = np.asarray(given)
        dtype = dtype_name(given.dtype)
        if dtype == "float64":
            dtype = case.dtype if case.dtype in FLOATS else "float32"
        return lay_out(given, dtype, layout, rng)
    values = to_values(given)
    return lay_out(values.numbers(), values.dtype, layout, rng)


def to_values(result: typing.Any) -> Values:
    """The elements of an array of assay, of NumPy or of a number."""
    if not isinstance(result, mx.array):
        data = np.asarray(result)
        return Values(data.dtype.name, data)
    name = dtype_name(result.dtype)
    if name == "bfloat16":
        return Values(name, np.array(result.view(mx.uint16)).reshape(result.shape))
    return Values(name, np.array(result))

"""Distances between results in ulps: how many representable numbers lie from one to the other."""

from __future__ import annotations

import typing

import numpy as np

FLOATS = ("float16", "bfloat16", "float32", "float64")
# (bits of the significand with the hidden one, exponent of the smallest subnormal, largest finite)
_FORMATS = {
    "float16": (11, -24, 65504.0),
    "bfloat16": (8, -133, (2 - 2.0**-7) * 2.0**127),
    "float32": (24, -149, (2 - 2.0**-23) * 2.0**127),
    "float64": (53, -1074, float(np.finfo(np.float64).max)),
}
# Which formats hold every value of which.
_WIDER = {
    "float16": ("float32", "float64"),
    "bfloat16": ("float32", "float64"),
    "float32": ("float64",),
    "float64": (),
}


class Values(typing.NamedTuple):
    """Elements of one array. NumPy has no bfloat16: `data` holds its bits as uint16."""

    dtype: str
    data: np.ndarray

    @property
    def is_float(self) -> bool:
        return self.dtype in FLOATS

    def numbers(self) -> np.ndarray:
        """The elements as numbers, bfloat16 as float32."""
        if self.dtype != "bfloat16":
            return self.data
        return (self.data.astype(np.uint32) << 16).view(np.float32)


class DtypeMismatch(ValueError):
    """Two results whose dtypes cannot be compared."""


def round_to_format(numbers: np.ndarray, dtype: str) -> Values:
    """Each number rounded once, to the nearest of the format and to even in the middle."""
    digits, smallest, largest = _FORMATS[dtype]
    wide = np.asarray(numbers, dtype=np.float64)
    if dtype == "float64":
        return Values(dtype, wide)
    # Quanta are powers of two, so that the division and the product are exact.
    quantum = np.ldexp(1.0, np.maximum(np.frexp(wide)[1] - digits, smallest))
    with np.errstate(invalid="ignore", over="ignore"):
        rounded = np.where(np.isfinite(wide), np.rint(wide / quantum) * quantum, wide)
        rounded = np.where(np.abs(rounded) > largest, np.copysign(np.inf, wide), rounded)
    rounded = np.where(np.isnan(wide), wide, rounded)
    if dtype == "bfloat16":
        bits = rounded.astype(np.float32).view(np.uint32)
        return Values(dtype, (bits >> 16).astype(np.uint16))
    return Values(dtype, rounded.astype(dtype))


def convert_reference(expected: Values, dtype: str) -> Values:
    """The reference's result in the dtype of the kernel's, if that loses nothing but precision.

    A wider float is rounded and integers wrap around, as they would have in the kernel's dtype.
    """
    if expected.dtype == dtype:
        return expected
    if expected.is_float and dtype in FLOATS:
        if expected.dtype in _WIDER[dtype]:
            return round_to_format(expected.numbers(), dtype)
        raise DtypeMismatch(f"the kernel gives {dtype}, the reference only {expected.dtype}")
    kinds = expected.data.dtype.kind, "" if dtype == "bfloat16" else np.dtype(dtype).kind
    if not expected.is_float and all(kind in tuple("iu") for kind in kinds):
        return Values(dtype, expected.data.astype(dtype))
    if kinds == ("c", "c"):
        return Values(dtype, expected.data.astype(dtype))
    raise DtypeMismatch(f"the kernel gives {dtype}, the reference {expected.dtype}")


def _float_distance(a: np.ndarray, b: np.ndarray, is_nan: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Of bits as unsigned integers. Positive and negative zero are one number."""
    sign = a.dtype.type(1 << (8 * a.dtype.itemsize - 1))
    magnitudes = [(bits & ~sign).astype(np.uint64) for bits in (a, b)]
    apart = np.maximum(*magnitudes) - np.minimum(*magnitudes)
    across_zero = magnitudes[0] + magnitudes[1]
    distance = np.where((a ^ b) & sign, across_zero, apart).astype(np.float64)
    distance = np.where(is_nan[0] ^ is_nan[1], np.inf, distance)
    return np.where(is_nan[0] & is_nan[1], 0.0, distance)


def ulp_distance(got: Values, expected: Values) -> np.ndarray:
    """Per element, as float64. NaN is at distance 0 from NaN and infinitely far from the rest; the
    infinities are the neighbours of the largest numbers. Of integers and bools it is the difference;
    of complex numbers the larger of both parts'.
    """
    if got.dtype != expected.dtype:
        raise DtypeMismatch(f"{got.dtype} and {expected.dtype} have different ulps")
    a, b = np.ascontiguousarray(got.data), np.ascontiguousarray(expected.data)
    a, b = a.reshape(got.data.shape), b.reshape(expected.data.shape)
    if a.dtype.kind == "c":
        parts = [Values(f"float{4 * a.dtype.itemsize}", np.stack([z.real, z.imag])) for z in (a, b)]
        return ulp_distance(*parts).max(axis=0)
    if got.is_float:
        unsigned = np.dtype(f"u{a.dtype.itemsize}")
        is_nan = np.isnan(got.numbers()), np.isnan(expected.numbers())
        return _float_distance(a.view(unsigned), b.view(unsigned), is_nan)
    if a.dtype == np.bool_:
        return (a != b).astype(np.float64)
    # Wrapping subtraction gives the true difference, which fits in 64 unsigned bits.
    wide = np.int64 if a.dtype.kind == "i" else np.uint64
    high, low = np.maximum(a, b).astype(wide), np.minimum(a, b).astype(wide)
    return (high.view(np.uint64) - low.view(np.uint64)).astype(np.float64)

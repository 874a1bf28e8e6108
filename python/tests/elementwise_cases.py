"""What NumPy says about each row of elementwise.def, and operands of every type and layout."""

import math
import os
import pathlib
import re

import assay.core as mx
import numpy as np

TABLE = pathlib.Path(__file__).resolve().parents[2] / "include/assay/elementwise.def"
ROW = re.compile(r"^ASSAY_(UNARY|BINARY)\((\w+), k(\w+), (.*?)\)\n(?=ASSAY|\n|//|#)",
                 re.MULTILINE | re.DOTALL)
# Steps inside other functions, which Python does not see.
HIDDEN = {"rint", "nan_equal"}

DTYPES = ["bool_", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64",
          "float16", "bfloat16", "float32", "float64", "complex64"]
if "ASSAY_CHECK" in os.environ:
    # What checks look at depends on the size of a type, not on its sign, and checked kernels take
    # several times as long to build.
    DTYPES = ["bool_", "uint8", "uint16", "int32", "int64", "float16", "float32", "complex64"]
# (shapes of the operands, how they are laid out)
SHAPES = [
    (((), ()), "plain"),
    (((0,), (0,)), "plain"),
    (((1,), (7,)), "plain"),
    (((31,), (31,)), "plain"),
    (((5, 1, 3), (7, 3)), "plain"),
    (((13, 11), (13, 11)), "transposed"),
    (((9, 10), (9, 10)), "sliced"),
    (((17,), (17,)), "reversed"),
]


class Row:
    """One op: its name, number of operands and the kinds of numbers it takes."""

    def __init__(self, kind, name, rule, expressions):
        self.name = name
        self.arity = 1 if kind == "UNARY" else 2
        self.rule = rule
        # An expression may have several literals; an empty one means no meaning for that kind.
        texts = re.findall(r'"((?:[^"\\]|\\.)*)"', expressions)
        self.floating, self.integral, self.complex = (bool(text) for text in texts[:3])

    def takes(self, dtype):
        """Whether the op is defined for operands of a type, after the rule has converted them."""
        kind = kind_of(dtype)
        if self.rule == "Boolean":
            return True
        if self.rule == "Integer":
            return kind in "iu" or (kind == "b" and self.name.startswith("bitwise_") and
                                    self.name != "bitwise_invert")
        if kind == "c":
            return self.complex
        if kind in "iub" and self.rule == "Float":
            return self.floating
        if kind == "b":
            return self.integral and self.name not in ("negative", "sign", "subtract")
        return self.floating if kind == "f" else self.integral


def rows():
    found = [Row(*match.groups()) for match in ROW.finditer(TABLE.read_text())]
    return [row for row in found if row.name not in HIDDEN]


def kind_of(dtype):
    return "f" if dtype == "bfloat16" else np.dtype(dtype.rstrip("_")).kind


def numbers(shape, dtype, seed):
    """Values that are exact in every type and stay clear of overflow."""
    generator = np.random.default_rng(seed)
    kind = kind_of(dtype)
    if kind == "b":
        return generator.integers(0, 2, shape).astype(bool)
    if kind == "u":
        return generator.integers(0, 8, shape).astype(dtype)
    if kind == "i":
        return generator.integers(-7, 8, shape).astype(dtype)
    values = generator.integers(-48, 49, shape) / 16
    if kind == "c":
        # Off the axes, where the branches of inverse functions are cut.
        imaginary = generator.integers(-48, 49, shape) / 16
        return (values + 1 / 32 + 1j * (imaginary + 1 / 32)).astype(np.complex64)
    return values.astype(np.float32 if dtype == "bfloat16" else dtype)


def lay_out(values, layout):
    """(NumPy array, maker of the same array out of a larger one by a view)."""
    if layout == "transposed":
        return values.T.copy(), lambda a: a.T
    if layout == "sliced":
        larger = np.zeros((2 * values.shape[0], values.shape[1] + 3), values.dtype)
        larger[1::2, 2:-1] = values
        return larger, lambda a: a[1::2, 2:-1]
    if layout == "reversed":
        return values[::-1].copy(), lambda a: a[::-1]
    return values, lambda a: a


def make_array(values, dtype, layout):
    stored, view = lay_out(values, layout)
    return view(mx.array(stored, dtype=getattr(mx, dtype)))


NAMED_ALIKE = {"bitwise_invert": "invert", "rsqrt": None, "sigmoid": None, "erf": None,
               "erfinv": None}


def erfinv(values):
    """By bisection: NumPy has none."""
    low, high = np.full(values.shape, -6.0), np.full(values.shape, 6.0)
    for _ in range(80):
        middle = (low + high) / 2
        below = np.vectorize(math.erf, otypes=[float])(middle) < values
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    result = (low + high) / 2
    result = np.where(np.abs(values) == 1, np.sign(values) * np.inf, result)
    return np.where(np.abs(values) > 1, np.nan, result)


def reference(name, *operands):
    """The op in NumPy, in double precision for floating-point numbers."""
    if name == "rsqrt":
        return 1 / np.sqrt(operands[0])
    if name == "sigmoid":
        return 1 / (1 + np.exp(-operands[0]))
    if name == "erf":
        return np.vectorize(math.erf, otypes=[float])(operands[0])
    if name == "erfinv":
        return erfinv(operands[0])
    if name == "sign" and operands[0].dtype.kind == "c":
        size = np.abs(operands[0])
        return np.where(size == 0, 0, operands[0] / np.where(size == 0, 1, size))
    if name in ("isposinf", "isneginf") and operands[0].dtype.kind == "c":
        return operands[0] == (np.inf if name == "isposinf" else -np.inf)
    if name == "logaddexp" and operands[0].dtype.kind == "c":
        return np.log(np.exp(operands[0]) + np.exp(operands[1]))
    return getattr(np, NAMED_ALIKE.get(name) or name)(*operands)

"""Every row of elementwise.def against NumPy: all types, empty, scalar, prime and broadcast shapes,
transposed, sliced and reversed operands, eager and compiled."""

import unittest

import assay.core as mx
import numpy as np
from elementwise_cases import DTYPES, SHAPES, kind_of, make_array, numbers, reference, rows

TOLERANCE = {"float16": 2e-3, "bfloat16": 2e-2, "float64": 1e-13}


def exact(values, rule):
    """Operands as NumPy shall compute with them."""
    if rule == "Boolean":
        return values.astype(bool)
    if values.dtype.kind == "f" or rule == "Float" and values.dtype.kind in "iub":
        return values.astype(np.float64)
    return values.astype(np.complex128) if values.dtype.kind == "c" else values


def adjust(name, values):
    """Keeps operands where the function is defined and NumPy agrees on what it means."""
    if name in ("arccosh",) and values.dtype.kind == "f":
        return np.abs(values) + 1
    if name in ("arcsin", "arccos", "arctanh", "erfinv") and values.dtype.kind == "f":
        return (values / 4).astype(values.dtype)
    if name in ("log", "log2", "log10", "log1p", "sqrt", "rsqrt") and values.dtype.kind == "f":
        return np.abs(values) + values.dtype.type(0.5)
    return values


def adjust_second(name, values):
    if name in ("divide", "floor_divide", "remainder"):
        return np.where(values == 0, values.dtype.type(1), values)
    if name in ("power", "left_shift", "right_shift"):
        return np.abs(values) if values.dtype.kind in "if" else values
    return values


class EveryRow(unittest.TestCase):
    def operands(self, row, dtype, shapes):
        first = adjust(row.name, numbers(shapes[0], dtype, 1))
        if row.arity == 1:
            return [first]
        second = adjust_second(row.name, numbers(shapes[1], dtype, 2))
        if row.name == "power" and kind_of(dtype) in "fc":
            first = np.abs(first) + 1 if kind_of(dtype) == "f" else first + 4
        return [first, second.astype(first.dtype)]

    def check(self, row, dtype, shapes, layout, transform):
        values = self.operands(row, dtype, shapes)
        arrays = [make_array(v, dtype, layout) for v in values]
        result = transform(getattr(mx, row.name))(*arrays)
        if dtype == "bfloat16":
            values = [np.array(a.astype(mx.float32)) for a in arrays]
        with np.errstate(all="ignore"):
            expected = reference(row.name, *(exact(v, row.rule) for v in values))
        if result.dtype in (mx.bfloat16, mx.float16):
            result = result.astype(mx.float32)
        actual = np.array(result)
        self.assertEqual(actual.shape, np.shape(expected))
        if row.name == "logaddexp" and dtype == "complex64":
            # Logarithms of complex numbers are equal up to whole turns.
            actual, expected = np.exp(actual), np.exp(expected)
        if actual.dtype.kind in "fc":
            tolerance = TOLERANCE.get(dtype, 2e-5 if actual.dtype.kind == "f" else 1e-4)
            np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)
        else:
            np.testing.assert_array_equal(actual, np.asarray(expected).astype(actual.dtype))

    def check_all(self, transform, shapes):
        for row in rows():
            for dtype in DTYPES:
                if not row.takes(dtype):
                    continue
                for sizes, layout in shapes:
                    with self.subTest(op=row.name, dtype=dtype, shapes=sizes, layout=layout):
                        # Only the CPU device has double.
                        with mx.stream(mx.cpu if dtype == "float64" else mx.gpu):
                            self.check(row, dtype, sizes, layout, transform)

    def test_table_is_read(self):
        names = {row.name for row in rows()}
        self.assertGreater(len(names), 60)
        self.assertLessEqual({"abs", "sigmoid", "power", "right_shift"}, names)

    def test_agrees_with_numpy(self):
        self.check_all(lambda op: op, SHAPES)

    def test_agrees_with_numpy_when_compiled(self):
        self.check_all(mx.compile, SHAPES[3:5])

    def test_has_documentation(self):
        for row in rows():
            self.assertIn("\n", getattr(mx, row.name).__doc__.strip(), row.name)


if __name__ == "__main__":
    unittest.main()

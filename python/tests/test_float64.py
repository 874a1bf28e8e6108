"""float64 on the CPU device: everything but element-wise ops, which are in test_elementwise.py."""

import unittest

import assay.core as mx
import numpy as np

GENERATOR = np.random.default_rng(3)


def numbers(*shape):
    return GENERATOR.standard_normal(shape)


def wide(values):
    return mx.array(values, dtype=mx.float64)


class OnTheCpu(unittest.TestCase):
    def setUp(self):
        self.scope = mx.stream(mx.cpu)
        self.scope.__enter__()

    def tearDown(self):
        self.scope.__exit__(None, None, None)

    def check(self, actual, expected, tolerance=1e-13):
        self.assertEqual(actual.dtype, mx.float64)
        np.testing.assert_allclose(np.array(actual), expected, rtol=tolerance, atol=tolerance)

    def test_values_keep_all_bits(self):
        values = numbers(3, 5)
        np.testing.assert_array_equal(np.array(wide(values)), values)
        self.assertEqual(wide(0.1).item(), 0.1)
        self.assertEqual(wide([0.1, 1e300]).tolist(), [0.1, 1e300])
        np.testing.assert_array_equal(np.array(wide(values)[:, ::-2].T), values[:, ::-2].T)

    def test_conversions(self):
        values = np.array([0.1, -3.75, 1e30, 2.5])
        for name in ("float32", "float16", "int32", "bool_"):
            with self.subTest(name), np.errstate(all="ignore"):
                small = values[[0, 1, 3]]
                actual = wide(small).astype(getattr(mx, name))
                expected = small.astype(name.rstrip("_"))
                np.testing.assert_array_equal(np.array(actual), expected)
        self.check(mx.array([1, 2, 3]).astype(mx.float64), [1, 2, 3])
        self.assertEqual((wide([1.0]) + mx.array([1])).dtype, mx.float64)
        self.assertEqual((wide([1.0]) + mx.array([1.0])).dtype, mx.float64)

    def test_reductions(self):
        for shape in ((7,), (1001,), (70, 301), (33, 5, 17)):
            values = numbers(*shape)
            for axis in [None, *range(len(shape))]:
                for name in ("sum", "prod", "min", "max", "mean", "var", "std"):
                    with self.subTest(name, shape=shape, axis=axis):
                        self.check(getattr(mx, name)(wide(values), axis=axis),
                                   getattr(np, name)(values, axis=axis), 1e-12)
                for name in ("argmin", "argmax", "any", "all"):
                    actual = getattr(mx, name)(wide(values), axis=axis)
                    np.testing.assert_array_equal(np.array(actual),
                                                  getattr(np, name)(values, axis=axis))
        values = numbers(5, 40)
        top = values.max(1, keepdims=True)
        self.check(mx.logsumexp(wide(values), axis=1),
                   np.log(np.exp(values - top).sum(1)) + top[:, 0])
        soft = np.exp(values - top)
        self.check(mx.softmax(wide(values), axis=1), soft / soft.sum(1, keepdims=True))

    def test_scans(self):
        values = numbers(9, 67)
        for axis in (0, 1):
            self.check(mx.cumsum(wide(values), axis=axis), np.cumsum(values, axis=axis))
            self.check(mx.cumprod(wide(values), axis=axis), np.cumprod(values, axis=axis))
            self.check(mx.cummax(wide(values), axis=axis), np.maximum.accumulate(values, axis=axis))

    def test_order(self):
        values = np.round(numbers(3, 301), 1)
        values[1, 7] = np.nan
        values[2, 9], values[2, 11] = np.inf, -np.inf
        np.testing.assert_array_equal(np.array(mx.sort(wide(values))), np.sort(values))
        np.testing.assert_array_equal(np.array(mx.argsort(wide(values))),
                                      np.argsort(values, kind="stable"))
        line = np.sort(numbers(50))
        self.assertEqual(mx.searchsorted(wide(line), wide(line[::3])).tolist(), list(range(0, 50, 3)))
        self.check(mx.median(wide(values[0])), np.median(values[0]))

    def test_products(self):
        a, b = numbers(13, 31), numbers(31, 7)
        self.check(wide(a) @ wide(b), a @ b, 1e-12)
        self.check(mx.einsum("ij,jk->ki", wide(a), wide(b)), (a @ b).T, 1e-12)

    def test_indexing(self):
        values = numbers(11, 5)
        rows = np.array([3, -1, 0, 3])
        self.check(wide(values)[mx.array(rows)], values[rows])
        target, expected = wide(values), values.copy()
        target[1:4] = wide(numbers(5)) * 0 + 2.5
        expected[1:4] = 2.5
        self.check(target, expected)
        self.check(wide(values).at[mx.array([0, 0, 2])].add(1.0),
                   values + np.array([2, 0, 1] + [0] * 8)[:, None])
        self.check(mx.where(mx.array(values > 0), wide(values), wide(-values)), np.abs(values))

    def test_creation(self):
        self.check(mx.arange(0.1, 3.0, 0.3, dtype=mx.float64), np.arange(0.1, 3.0, 0.3))
        self.check(mx.linspace(0.1, 0.7, 13, dtype=mx.float64), np.linspace(0.1, 0.7, 13))
        self.check(mx.full((2, 3), 0.1, dtype=mx.float64), np.full((2, 3), 0.1))
        self.check(mx.eye(3, dtype=mx.float64), np.eye(3))

    def test_fused(self):
        values = numbers(3, 41)
        fused = mx.compile(lambda a: mx.log(mx.exp(mx.cos(mx.sin(a)))) * a)
        self.check(fused(wide(values)), np.cos(np.sin(values)) * values)

    def test_files(self):
        import os
        import tempfile

        values = numbers(4, 3)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.npy")
            mx.save(path, wide(values).T)
            np.testing.assert_array_equal(np.load(path), values.T)
            np.testing.assert_array_equal(np.array(mx.load(path)), values.T)


class OnTheGpu(unittest.TestCase):
    def test_is_refused_as_in_mlx(self):
        values = wide([1.0, 2.0])
        for action in (lambda: values + 1, lambda: values == values, lambda: values.sum(),
                       lambda: values[0], lambda: mx.array([1.0]).astype(mx.float64)):
            with mx.stream(mx.gpu), self.assertRaises(ValueError) as caught:
                action()
            self.assertIn("float64 is not supported on the GPU", str(caught.exception))
        self.assertEqual(values.tolist(), [1.0, 2.0])


if __name__ == "__main__":
    unittest.main()

"""Creation, shape, reduction, order and matrix functions against NumPy."""

import unittest

import assay.core as mx
import numpy as np

GENERATOR = np.random.default_rng(3)
X = GENERATOR.normal(size=(7, 5, 3)).astype(np.float32)
SHAPES = [(), (0,), (1,), (31,), (7, 5, 3), (1, 13), (0, 3)]


def values(shape, dtype=np.float32):
    return (GENERATOR.normal(size=shape) * 4).astype(dtype)


class Agreement(unittest.TestCase):
    def same(self, actual, expected, tolerance=1e-5):
        actual = np.array(actual)
        self.assertEqual(actual.shape, np.shape(expected))
        np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)


class Creation(Agreement):
    def test_filled(self):
        self.same(mx.zeros((2, 3)), np.zeros((2, 3)))
        self.same(mx.ones(4, mx.int8), np.ones(4))
        self.same(mx.full((2, 2), 7), np.full((2, 2), 7))
        self.same(mx.full((2, 3), mx.array([1, 2, 3])), np.full((2, 3), [1, 2, 3]))
        self.same(mx.zeros_like(mx.array(X)), np.zeros_like(X))
        self.assertEqual(mx.full((2,), 1.5, mx.float16).dtype, mx.float16)
        self.assertEqual(mx.ones((), mx.bool_).item(), True)

    def test_ranges(self):
        for arguments in [(5,), (2, 9), (2, 9, 3), (9, 2, -2), (0.0, 1.0, 0.3), (0,), (3, 1)]:
            self.same(mx.arange(*arguments), np.arange(*arguments))
        self.assertEqual(mx.arange(3).dtype, mx.int32)
        self.assertEqual(mx.arange(3.0).dtype, mx.float32)
        self.same(mx.arange(10, step=3), np.arange(0, 10, 3))
        self.same(mx.linspace(0, 1, 7), np.linspace(0, 1, 7))

    def test_matrices(self):
        self.same(mx.eye(3, 5, 1), np.eye(3, 5, 1))
        self.same(mx.identity(3), np.identity(3))
        self.same(mx.tri(3, 4, 1), np.tri(3, 4, 1))
        self.same(mx.tril(mx.array(X), -1), np.tril(X, -1))
        self.same(mx.triu(mx.array(X), 1), np.triu(X, 1))
        self.same(mx.diag(mx.array([1, 2]), 1), np.diag([1, 2], 1))
        self.same(mx.diagonal(mx.array(X), 1, 0, 2), np.diagonal(X, 1, 0, 2))
        for actual, expected in zip(mx.meshgrid(mx.arange(3), mx.arange(4), indexing="ij"),
                                    np.meshgrid(np.arange(3), np.arange(4), indexing="ij")):
            self.same(actual, expected)


class ShapeFunctions(Agreement):
    def test_reshaping(self):
        a = mx.array(X)
        self.same(mx.reshape(a, (5, -1)), X.reshape(5, -1))
        self.same(a.reshape(15, 7), X.reshape(15, 7))
        self.same(a.T.reshape((7, 15)), X.T.reshape(7, 15))
        self.same(a.flatten(), X.ravel())
        self.same(mx.flatten(a, 1), X.reshape(7, 15))
        self.same(mx.unflatten(mx.flatten(a), 0, (7, 5, 3)), X)
        self.same(mx.expand_dims(a, (0, 2)), np.expand_dims(X, (0, 2)))
        self.same(mx.squeeze(mx.ones((1, 3, 1))), np.ones(3))
        self.same(a.squeeze() if 1 in X.shape else a, X)

    def test_axes(self):
        a = mx.array(X)
        self.same(a.transpose(), X.T)
        self.same(a.transpose(1, 0, 2), X.transpose(1, 0, 2))
        self.same(mx.swapaxes(a, 0, -1), X.swapaxes(0, -1))
        self.same(mx.moveaxis(a, 0, 2), np.moveaxis(X, 0, 2))

    def test_joining_and_splitting(self):
        a = mx.array(X)
        self.same(mx.concatenate([a, a[:2]], axis=0), np.concatenate([X, X[:2]]))
        self.same(mx.concatenate([a, a], axis=-1), np.concatenate([X, X], -1))
        self.same(mx.stack([a, a], 1), np.stack([X, X], 1))
        for actual, expected in zip(mx.split(a, [2, 5], axis=0), np.split(X, [2, 5])):
            self.same(actual, expected)
        for actual, expected in zip(mx.split(a, 5, axis=1), np.split(X, 5, 1)):
            self.same(actual, expected)
        self.assertEqual(len(mx.unstack(a, axis=1)), 5)

    def test_repeating(self):
        a = mx.array(X)
        self.same(mx.repeat(a, 2, 1), np.repeat(X, 2, 1))
        self.same(mx.tile(a, (2, 1, 3)), np.tile(X, (2, 1, 3)))
        self.same(mx.pad(a, 1), np.pad(X, 1))
        self.same(mx.pad(a, [(0, 1), (2, 0), (1, 1)], constant_values=3.0),
                  np.pad(X, [(0, 1), (2, 0), (1, 1)], constant_values=3))
        self.same(mx.pad(a, (1, 2), mode="edge"), np.pad(X, (1, 2), mode="edge"))
        self.same(mx.roll(a, 2), np.roll(X, 2))
        self.same(mx.roll(a, (1, -2), (0, 2)), np.roll(X, (1, -2), (0, 2)))
        self.same(mx.flip(a, 1), np.flip(X, 1))

    def test_broadcasting(self):
        self.same(mx.broadcast_to(mx.array([1, 2, 3]), (2, 3)), np.broadcast_to([1, 2, 3], (2, 3)))
        self.assertEqual(mx.broadcast_shapes((3, 1), (4,)), (3, 4))
        self.assertEqual(mx.atleast_2d(mx.array(1)).shape, (1, 1))
        with self.assertRaises(ValueError):
            mx.broadcast_to(mx.array([1, 2]), (3,))

    def test_views(self):
        self.same(mx.as_strided(mx.arange(10), (3, 4), (2, 1)),
                  np.lib.stride_tricks.as_strided(np.arange(10, dtype=np.int32), (3, 4), (8, 4)))
        self.same(mx.array(X).view(mx.int32), X.view(np.int32))
        self.same(mx.contiguous(mx.array(X).T), X.T)

    def test_streams_by_position(self):
        a = mx.arange(4)
        self.assertEqual(a.astype(mx.float32, mx.cpu).dtype, mx.float32)
        self.assertEqual(mx.view(a, mx.uint8, mx.cpu).shape, (16,))

    def test_lengths_beyond_32_bits(self):
        huge = mx.zeros((70000, 40000), mx.uint8)
        for call in (lambda: huge.reshape(-1), lambda: mx.reshape(huge, (-1,)), huge.flatten):
            with self.assertRaisesRegex(OverflowError, "2800000000"):
                call()
        with self.assertRaisesRegex(ValueError, "Cannot reshape"):
            mx.reshape(mx.zeros((0,)), (2**31 - 1, 2**31 - 1, 2**31 - 1, 4))

    def test_taking(self):
        a, i = mx.array(X), np.array([[2, 0], [1, -1]])
        self.same(mx.take(a, mx.array(i), 1), np.take(X, i, 1))
        self.same(mx.take(a, mx.array(i)), np.take(X, i))
        flat = np.array([3, 0, 7])
        self.same(mx.take_along_axis(a, mx.array(flat)), np.take_along_axis(X, flat, None))
        expected = X.copy()
        np.put_along_axis(expected, flat, 9, None)
        self.same(mx.put_along_axis(a, mx.array(flat), 9), expected)
        order = np.argsort(X, 1)
        self.same(mx.take_along_axis(a, mx.array(order), 1), np.take_along_axis(X, order, 1))
        expected = X.copy()
        np.put_along_axis(expected, order[:, :2], 0.5, 1)
        self.same(mx.put_along_axis(a, mx.array(order[:, :2]), mx.array(0.5), 1), expected)


class Reductions(Agreement):
    NAMES = ["sum", "prod", "mean", "min", "max", "all", "any", "var", "std"]

    def test_axes_and_layouts(self):
        layouts = [(mx.array(X), X), (mx.array(X).T, X.T), (mx.array(X)[::-2, :, 1:], X[::-2, :, 1:])]
        for name in self.NAMES:
            for a, x in layouts:
                for axis in (None, 0, 1, -1, (0, 2), (0, 1, 2)):
                    with self.subTest(op=name, axis=axis, shape=x.shape):
                        self.same(getattr(mx, name)(a, axis), getattr(np, name)(x, axis), 1e-4)
                        self.same(getattr(a, name)(axis, keepdims=True),
                                  getattr(np, name)(x, axis, keepdims=True), 1e-4)

    def test_types(self):
        for dtype in (np.bool_, np.int8, np.uint16, np.int32, np.float16, np.float32):
            x = values((13, 17), dtype)
            self.same(mx.array(x).astype(mx.float32).sum(), x.astype(np.float32).sum(), 1e-4)
            self.same(mx.max(mx.array(x), 0), x.max(0))
            self.same(mx.any(mx.array(x), 1), x.any(1))

    def test_positions(self):
        for axis in (None, 0, 2):
            self.same(mx.argmax(mx.array(X), axis), np.argmax(X, axis))
            self.same(mx.argmin(mx.array(X), axis), np.argmin(X, axis))

    def test_scans(self):
        for name in ("cumsum", "cumprod"):
            for axis in (None, 0, 1, -1):
                self.same(getattr(mx, name)(mx.array(X), axis), getattr(np, name)(X, axis), 1e-4)
        self.same(mx.cummax(mx.array(X), 1), np.maximum.accumulate(X, 1))
        self.same(mx.cumsum(mx.array([1, 2, 3]), reverse=True), [6, 5, 3])
        self.same(mx.cumsum(mx.array([1, 2, 3]), inclusive=False), [0, 1, 3])

    def test_softmax_and_logsumexp(self):
        e = np.exp(X - X.max(-1, keepdims=True))
        self.same(mx.softmax(mx.array(X), -1), e / e.sum(-1, keepdims=True))
        self.same(mx.logsumexp(mx.array(X), 1), np.log(np.exp(X).sum(1)))

    def test_empty(self):
        self.same(mx.sum(mx.zeros((0, 3)), 0), np.zeros(3))
        self.same(mx.prod(mx.zeros((0,))), 1.0)
        self.same(mx.all(mx.zeros((0,))), True)


class Order(Agreement):
    def test_sorting(self):
        for axis in (0, 1, -1, None):
            self.same(mx.sort(mx.array(X), axis), np.sort(X, axis))
            self.same(mx.argsort(mx.array(X), axis), np.argsort(X, axis, kind="stable"))
        self.same(mx.partition(mx.array(X), 2, 1)[:, 2], np.partition(X, 2, 1)[:, 2])
        self.same(mx.sort(mx.topk(mx.array(X), 3, 1), 1), np.sort(X, 1)[:, -3:])


class Linear(Agreement):
    def test_products(self):
        a, b = values((4, 7, 5)), values((5, 3))
        self.same(mx.matmul(mx.array(a), mx.array(b)), a @ b, 1e-4)
        self.same(mx.array(a).transpose(0, 2, 1) @ mx.array(a), a.transpose(0, 2, 1) @ a, 1e-4)
        self.same(mx.inner(mx.array(a), mx.array(a[0])), np.inner(a, a[0]), 1e-4)
        self.same(mx.outer(mx.array([1, 2]), mx.array([3, 4])), np.outer([1, 2], [3, 4]))
        self.same(mx.tensordot(mx.array(a), mx.array(b), 1), np.tensordot(a, b, 1), 1e-4)
        self.same(mx.einsum("bij,jk->bik", mx.array(a), mx.array(b)), a @ b, 1e-4)
        self.same(mx.addmm(mx.array(1.0), mx.array(a[0]), mx.array(b), 2.0, 3.0),
                  2 * (a[0] @ b) + 3, 1e-4)
        self.same(mx.trace(mx.array(b)), np.trace(b))
        self.same(mx.kron(mx.array(b), mx.array([[1.0, 2.0]])), np.kron(b, [[1, 2]]))


if __name__ == "__main__":
    unittest.main()

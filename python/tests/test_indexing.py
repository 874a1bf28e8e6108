"""x[index], x[index] = value and x.at[index] against NumPy."""

import unittest

import assay.core as mx
import numpy as np

BASE = np.arange(4 * 5 * 6, dtype=np.float32).reshape(4, 5, 6)
I = np.array([3, 0, 2])
J = np.array([[1, -1], [0, 3]])
K = np.array([2])

BASIC = [
    0, -1, 3, slice(None), slice(1, 3), slice(None, None, 2), slice(None, None, -1),
    slice(3, 0, -2), slice(-2, None), slice(10, 20), slice(2, 2), None, Ellipsis, (), (1, 2),
    (1, 2, 3), (slice(None), 2), (Ellipsis, 1), (1, Ellipsis), (1, Ellipsis, -2), (None, 1),
    (slice(1, 3), None, slice(None, None, -2)), (Ellipsis, None), (slice(None), None, 1, None),
    (0, slice(None, None, 3), slice(4, 1, -1)), (slice(3, 3), 0),
]
ADVANCED = [
    I, J, K, (I,), (slice(None), J), (Ellipsis, J), (I, I), (I, slice(None), I),
    (slice(None), I, I), (0, I), (I, 0), (0, slice(None), I), (slice(None), I, 1),
    (slice(1, 3), I), (I, slice(None, None, -1)), (I, slice(1, 4), K), (J, K), (J[:, :1], I[:2]),
    (None, I), (I, None), (I, None, I), (slice(None), None, I), (slice(0, 4, 2), J, slice(1, 5)),
    (slice(None), slice(None, None, 2), I), (1, J, slice(None, None, -1)),
]


def as_index(index):
    """The same index with arrays of assay in place of NumPy's."""
    if isinstance(index, tuple):
        return tuple(as_index(part) for part in index)
    return mx.array(index) if isinstance(index, np.ndarray) else index


class Reading(unittest.TestCase):
    def check(self, indices):
        for index in indices:
            with self.subTest(index=index):
                actual = np.array(mx.array(BASE)[as_index(index)])
                expected = BASE[index]
                self.assertEqual(actual.shape, expected.shape)
                np.testing.assert_array_equal(actual, expected)

    def test_integers_slices_and_new_axes(self):
        self.check(BASIC)

    def test_arrays(self):
        self.check(ADVANCED)

    def test_views_of_views(self):
        a = mx.array(BASE).transpose(2, 0, 1)[::-1, 1:]
        b = BASE.transpose(2, 0, 1)[::-1, 1:]
        for index in (0, (slice(None), -1), (Ellipsis, slice(None, None, -2)), (I, 1)):
            np.testing.assert_array_equal(np.array(a[as_index(index)]), b[index])

    def test_lists_are_arrays(self):
        np.testing.assert_array_equal(np.array(mx.array(BASE)[[1, 3]]), BASE[[1, 3]])
        np.testing.assert_array_equal(np.array(mx.array(BASE)[:, [1, 3]]), BASE[:, [1, 3]])

    def test_scalars(self):
        self.assertEqual(mx.array(3)[None].shape, (1,))
        self.assertEqual(mx.array(3)[...].shape, ())
        self.assertEqual(mx.array([5, 6])[np.int64(1)].item(), 6)

    def test_wrong_indices(self):
        a = mx.array(BASE)
        for index, error in [((0, 0, 0, 0), ValueError), ("a", ValueError), (1.5, ValueError),
                             (4, IndexError), (-5, IndexError), (slice(0.5, 2), ValueError),
                             ((Ellipsis, Ellipsis), ValueError)]:
            with self.subTest(index=index), self.assertRaises(error):
                a[index]
        with self.assertRaises(ValueError):
            mx.array(1)[0]


class Writing(unittest.TestCase):
    def check(self, indices):
        for index in indices:
            shape = BASE[index].shape
            for value in (7.0, np.arange(max(1, np.prod(shape, dtype=int)),
                                         dtype=np.float32)[:np.prod(shape, dtype=int)].reshape(shape)):
                with self.subTest(index=index, value=np.shape(value)):
                    a, b = mx.array(BASE), BASE.copy()
                    a[as_index(index)] = mx.array(value) if np.ndim(value) else value
                    b[index] = value
                    np.testing.assert_array_equal(np.array(a), b)

    def test_integers_slices_and_new_axes(self):
        self.check(BASIC)

    def test_arrays_without_repeats(self):
        self.check([index for index in ADVANCED if self.is_unique(index)])

    @staticmethod
    def is_unique(index):
        chosen = np.arange(BASE.size).reshape(BASE.shape)[index]
        return len(np.unique(chosen)) == chosen.size

    def test_masks_that_choose_nothing(self):
        a = mx.arange(3.0)
        a[mx.array([False] * 3)] = mx.zeros((0,))
        self.assertEqual(a.tolist(), [0.0, 1.0, 2.0])

    def test_masks(self):
        for mask, value in [(BASE > 50, -1.0), (BASE[:, 0, 0] > 20, 0.5),
                            (BASE > 100, np.arange(19, dtype=np.float32))]:
            a, b = mx.array(BASE), BASE.copy()
            a[mx.array(mask)] = mx.array(value) if np.ndim(value) else value
            b[mask] = value
            np.testing.assert_array_equal(np.array(a), b)

    def test_values_are_converted_and_broadcast(self):
        a = mx.zeros((3, 4), mx.int32)
        a[1:, ::2] = mx.array([[1.7], [2.2]])
        self.assertEqual(a.tolist(), [[0, 0, 0, 0], [1, 0, 1, 0], [2, 0, 2, 0]])
        a[0] = mx.array([[5]])
        self.assertEqual(a[0].tolist(), [5, 5, 5, 5])

    def test_in_place_operators_on_parts(self):
        a, b = mx.array(BASE), BASE.copy()
        a[1:3, ::2] += 10
        b[1:3, ::2] += 10
        a[mx.array(I)] *= 2
        b[I] *= 2
        np.testing.assert_array_equal(np.array(a), b)


class DynamicSlices(unittest.TestCase):
    def test_starts_where_an_array_says(self):
        a = mx.arange(35).reshape(5, 7)
        self.assertEqual(mx.slice(a, mx.array([3, 2]), (0, -1), (1, 3)).tolist(), [[23, 24, 25]])
        b = mx.slice_update(a, mx.zeros((1, 2), mx.int32), mx.array([4]), (0,))
        self.assertEqual(b[4].tolist(), [0, 0, 30, 31, 32, 33, 34])
        self.assertTrue(mx.array_equal(b[:4], a[:4]))

    def test_refuses_what_does_not_fit(self):
        a = mx.arange(6).reshape(2, 3)
        for start, axes, size in (
            (mx.array([1, 0, 0]), (0, 0, 0), (1, 1)),
            (mx.array([1, 0]), (0,), (1, 1)),
            (mx.array([1, 0]), (0, 0), (1, 1)),
            (mx.array([1]), (3,), (1, 1)),
            (mx.array([1]), (0,), (2, 4)),
            (mx.array([1]), (0,), (1,)),
            (mx.array([1.0]), (0,), (1, 1)),
        ):
            with self.assertRaisesRegex(ValueError, r"\[slice\]"):
                mx.slice(a, start, axes, size)
            with self.assertRaisesRegex(ValueError, r"\[slice_update\]"):
                mx.slice_update(a, mx.ones(size, mx.int32), start, axes)


class Updating(unittest.TestCase):
    OPS = [("add", np.add), ("subtract", np.subtract), ("multiply", np.multiply),
           ("divide", np.divide), ("maximum", np.maximum), ("minimum", np.minimum)]

    def test_repeated_elements_count_each_time(self):
        index = np.array([0, 2, 0, 3, 2])
        values = np.arange(5 * 30, dtype=np.float32).reshape(5, 5, 6) + 1
        for name, op in self.OPS:
            with self.subTest(op=name):
                actual = getattr(mx.array(BASE).at[mx.array(index)], name)(mx.array(values))
                expected = BASE.copy()
                op.at(expected, index, values)
                np.testing.assert_allclose(np.array(actual), expected, rtol=1e-5)

    def test_slices(self):
        for name, op in self.OPS:
            expected = BASE.copy()
            expected[1:, ::2] = op(expected[1:, ::2], 3)
            actual = getattr(mx.array(BASE).at[1:, ::2], name)(3.0)
            np.testing.assert_allclose(np.array(actual), expected, rtol=1e-6)

    def test_needs_an_index(self):
        with self.assertRaises(ValueError):
            mx.array([1]).at.add(1)


if __name__ == "__main__":
    unittest.main()

"""Construction, conversion, facts, texts and operators of arrays."""

import copy
import pickle
import unittest
import weakref

import assay.core as mx
import numpy as np


class Construction(unittest.TestCase):
    def test_python_numbers_choose_types(self):
        for value, dtype in [(True, mx.bool_), (3, mx.int32), (2**40, mx.int64), (-(2**40), mx.int64),
                             (1.5, mx.float32), (1 + 2j, mx.complex64), (2**63, mx.uint64)]:
            a = mx.array(value)
            self.assertEqual((a.dtype, a.shape, a.item()), (dtype, (), value))

    def test_lists(self):
        self.assertEqual(mx.array([[1, 2], [3, 4]]).tolist(), [[1, 2], [3, 4]])
        self.assertEqual(mx.array([1, 2.5]).dtype, mx.float32)
        self.assertEqual(mx.array([1, 2**40]).dtype, mx.int64)
        self.assertEqual(mx.array([True, 2]).dtype, mx.int32)
        self.assertEqual(mx.array([1, 2j]).dtype, mx.complex64)
        self.assertEqual(mx.array([]).dtype, mx.float32)
        self.assertEqual(mx.array([[], []]).shape, (2, 0))
        self.assertEqual(mx.array(((1, 2), (3, 4))).shape, (2, 2))
        self.assertEqual(mx.array([mx.array([1, 2]), mx.array([3, 4])]).tolist(), [[1, 2], [3, 4]])

    def test_uneven_lists_are_refused(self):
        for value in ([[1, 2], [3]], [1, [2]], [[1], 2], ["a"], [None]):
            with self.assertRaises(ValueError):
                mx.array(value)

    def test_numpy_arrays_keep_their_type_except_double(self):
        for dtype in ("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32",
                      "int64", "float16", "float32", "complex64"):
            values = np.arange(6).reshape(2, 3).astype(dtype)
            a = mx.array(values)
            self.assertEqual(str(a.dtype).split(".")[-1], dtype)
            np.testing.assert_array_equal(np.array(a), values)
        self.assertEqual(mx.array(np.ones(3)).dtype, mx.float32)
        self.assertEqual(mx.array(np.ones(3), dtype=mx.float64).dtype, mx.float64)
        self.assertEqual(mx.array(np.ones(3, np.complex128)).dtype, mx.complex64)

    def test_numpy_views(self):
        values = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
        for view in (values.T, values[::-1, ::2], values[:, 1], values[1:1], np.float32(3)):
            np.testing.assert_array_equal(np.array(mx.array(view)), view)

    def test_buffers(self):
        self.assertEqual(mx.array(bytearray(b"abc")).tolist(), [97, 98, 99])
        self.assertEqual(mx.array(memoryview(np.arange(3, dtype=np.int16))).dtype, mx.int16)

    def test_objects_that_become_arrays(self):
        class Holder:
            def __mlx_array__(self):
                return mx.array([1, 2])

        self.assertEqual(mx.array(Holder()).tolist(), [1, 2])
        self.assertEqual((mx.array([1, 2]) + Holder()).tolist(), [2, 4])

    def test_dlpack_both_ways(self):
        a = mx.array([[1.0, 2.0], [3.0, 4.0]])
        np.testing.assert_array_equal(np.from_dlpack(a), np.array(a))
        np.testing.assert_array_equal(np.from_dlpack(a.T), np.array(a).T)
        values = np.arange(12, dtype=np.int32).reshape(3, 4)[:, ::2]
        self.assertEqual(mx.from_dlpack(values).tolist(), values.tolist())


class Facts(unittest.TestCase):
    def test_properties(self):
        a = mx.array(np.zeros((2, 3, 5), np.int16))
        self.assertEqual((a.shape, a.ndim, a.size, a.itemsize, a.nbytes), ((2, 3, 5), 3, 30, 2, 60))
        self.assertEqual(a.dtype, mx.int16)
        self.assertEqual(a.T.shape, (5, 3, 2))
        self.assertEqual(len(a), 2)
        with self.assertRaises(TypeError):
            len(mx.array(1))

    def test_complex_parts(self):
        a = mx.array([1 + 2j, 3 - 4j])
        self.assertEqual((a.real.tolist(), a.imag.tolist()), ([1, 3], [2, -4]))

    def test_dtypes(self):
        self.assertEqual(mx.float16.size, 2)
        self.assertEqual({mx.int8: 1}[mx.array(1, mx.int8).dtype], 1)
        self.assertTrue(mx.issubdtype(mx.bfloat16, mx.floating))
        self.assertFalse(mx.issubdtype(mx.int8, mx.unsignedinteger))
        self.assertEqual(mx.finfo(mx.float32).eps, np.finfo(np.float32).eps)
        self.assertEqual((mx.iinfo(mx.int8).min, mx.iinfo(mx.uint64).max), (-128, 2**64 - 1))
        self.assertEqual(pickle.loads(pickle.dumps(mx.bool_)), mx.bool_)

    def test_weak_references_and_hashes(self):
        a = mx.array([1, 2])
        self.assertIs(weakref.ref(a)(), a)
        self.assertEqual(len({a, a, mx.array([1, 2])}), 2)


class Values(unittest.TestCase):
    def test_scalars(self):
        self.assertEqual(int(mx.array(3.7)), 3)
        self.assertEqual(float(mx.array([2])), 2.0)
        self.assertEqual(complex(mx.array(1 + 2j)), 1 + 2j)
        self.assertTrue(mx.array(1))
        self.assertFalse(mx.array([0.0]))
        with self.assertRaises(ValueError):
            bool(mx.array([1, 2]))

    def test_iteration(self):
        self.assertEqual([row.tolist() for row in mx.array([[1, 2], [3, 4]])], [[1, 2], [3, 4]])
        self.assertEqual([v.item() for v in mx.array(np.arange(13))], list(range(13)))

    def test_numpy_shares_memory(self):
        a = mx.array([1.0, 2.0, 3.0])
        first, second = np.asarray(a), memoryview(a)
        self.assertEqual(first.ctypes.data, np.asarray(second).ctypes.data)
        self.assertEqual((second.format, second.shape, second.strides), ("f", (3,), (4,)))

    def test_views_outlive_assignment(self):
        a = mx.array([1.0, 2.0, 3.0])
        view = np.asarray(a)
        a += 1
        mx.eval(a)
        self.assertEqual(view.tolist(), [1, 2, 3])

    def test_bfloat_has_no_numpy_type(self):
        with self.assertRaisesRegex((TypeError, ValueError), "bfloat16"):
            np.array(mx.array([1.0], mx.bfloat16))
        self.assertEqual(mx.array([1.5], mx.bfloat16).tolist(), [1.5])

    def test_copies_and_pickles(self):
        for dtype in (mx.float32, mx.bfloat16, mx.int64, mx.bool_, mx.complex64):
            a = mx.array([[1, 0, 3]], dtype)
            for other in (copy.copy(a), copy.deepcopy(a), pickle.loads(pickle.dumps(a))):
                self.assertEqual((other.dtype, other.tolist()), (a.dtype, a.tolist()))


class Texts(unittest.TestCase):
    def test_repr(self):
        for value, text in [
            (mx.array(True), "array(True, dtype=bool)"),
            (mx.array([1, 2, 3]), "array([1, 2, 3], dtype=int32)"),
            (mx.array([[1, 2], [3, 4]]), "array([[1, 2],\n       [3, 4]], dtype=int32)"),
            (mx.array([0] * 7), "array([0, 0, 0, ..., 0, 0, 0], dtype=int32)"),
            (mx.array([1.2], mx.float16), "array([1.2002], dtype=float16)"),
            (mx.array([1 - 1j]), "array([1-1j], dtype=complex64)"),
            (mx.array([]), "array([], dtype=float32)"),
        ]:
            self.assertEqual(repr(value), text)

    def test_nan_has_no_sign(self):
        root = mx.sqrt(mx.array(-1.0))
        self.assertEqual(repr(root), "array(nan, dtype=float32)")
        self.assertEqual(str(-root), "array(nan, dtype=float32)")

    def test_precision(self):
        with mx.printoptions(precision=2):
            self.assertEqual(str(mx.array([1.125])), "array([1.12], dtype=float32)")
        self.assertEqual(str(mx.array([1.125])), "array([1.125], dtype=float32)")

    def test_format(self):
        self.assertEqual(f"{mx.array(0.35487):.1f}", "0.4")
        self.assertEqual(f"{mx.array([1, 2])}", "array([1, 2], dtype=int32)")
        with self.assertRaises(TypeError):
            f"{mx.array([1, 2]):.2f}"


class Operators(unittest.TestCase):
    def test_numbers_adopt_the_type_of_the_array(self):
        half = mx.array([1, 2], mx.float16)
        self.assertEqual((half + 2.0).dtype, mx.float16)
        self.assertEqual((2 * half).dtype, mx.float16)
        self.assertEqual((mx.array([1]) + 2.0).dtype, mx.float32)
        self.assertEqual((mx.array([1], mx.uint8) + 2).dtype, mx.uint8)
        self.assertEqual((mx.array([True]) + 1).dtype, mx.int32)
        self.assertEqual((half + 2j).dtype, mx.complex64)
        self.assertEqual((half + np.ones(2, np.float32)).dtype, mx.float16)
        with self.assertRaises(ValueError):
            mx.array([1], mx.uint8) + 300

    def test_arithmetic(self):
        a, b = np.array([7, -7, 5, 3]), np.array([2, 2, -3, 4])
        x, y = mx.array(a.astype(np.int32)), mx.array(b.astype(np.int32))
        for op in ("+", "-", "*", "/", "//", "%", "&", "|", "^", "<", "<=", ">", ">=", "==", "!="):
            with self.subTest(op=op):
                expected = eval(f"a {op} b")
                np.testing.assert_allclose(np.array(eval(f"x {op} y")), expected)
                np.testing.assert_allclose(np.array(eval(f"x {op} 3")), eval(f"a {op} 3"))
                np.testing.assert_allclose(np.array(eval(f"3 {op} y")), eval(f"3 {op} b"))
        self.assertEqual((x**2).tolist(), [49, 49, 25, 9])
        self.assertEqual((2 ** mx.array([1, 3])).tolist(), [2, 8])
        self.assertEqual((x << 1).tolist(), [14, -14, 10, 6])
        self.assertEqual((~x).tolist(), [-8, 6, -6, -4])
        self.assertEqual((-x).tolist(), [-7, 7, -5, -3])
        self.assertEqual(abs(x).tolist(), [7, 7, 5, 3])
        self.assertEqual((~mx.array([True, False])).tolist(), [False, True])

    def test_in_place_operators_change_the_object(self):
        a = mx.array([1.0, 2.0])
        alias = a
        a += 1
        a *= 2
        a -= mx.array([1.0, 2.0])
        a /= 2
        self.assertIs(a, alias)
        self.assertEqual(alias.tolist(), [1.5, 2.0])
        with self.assertRaises(ValueError):
            b = mx.array([1])
            b /= 2

    def test_wrong_operands(self):
        for wrong in ("text", [1], None, {}):
            with self.assertRaises((ValueError, TypeError)):
                mx.array([1]) + wrong
        self.assertFalse(mx.array([1]) == "text")
        self.assertTrue(mx.array([1]) != "text")
        with self.assertRaises(ValueError):
            mx.array([1.0]) & 1

    def test_matmul(self):
        a, b = np.random.default_rng(0).normal(size=(2, 5, 7)).astype(np.float32).reshape(2, 5, 7), \
            np.random.default_rng(1).normal(size=(7, 3)).astype(np.float32)
        np.testing.assert_allclose(np.array(mx.array(a) @ mx.array(b)), a @ b, rtol=1e-4, atol=1e-5)


if __name__ == "__main__":
    unittest.main()

"""assay.compare: kernels against references, judged by NumPy and by kernels with known mistakes."""

import json
import math
import unittest

import assay
import assay.core as mx
import numpy as np
from assay.comparison import patterns
from assay.comparison.inputs import count_inputs, lay_out, to_values
from assay.comparison.ulps import (DtypeMismatch, Values, convert_reference, round_to_format,
                                   ulp_distance)


def make_kernel(source, name="kernel", inputs=("x",), **options):
    return mx.fast.metal_kernel(name=name, input_names=list(inputs), output_names=["out"],
                                source="uint i = thread_position_in_grid.x;" + source, **options)


def doubled(x):
    return x + x


def bfloat16_bits(values):
    return to_values(mx.array(np.asarray(values, np.float32)).astype(mx.bfloat16)).data


def walk(value, steps, towards):
    for _ in range(steps):
        value = np.nextafter(value, value.dtype.type(towards))
    return value


def distance(a, b):
    return float(ulp_distance(Values(a.dtype.name, a[None]), Values(b.dtype.name, b[None]))[0])


class UlpDistance(unittest.TestCase):
    def test_counts_steps_of_nextafter(self):
        rng = np.random.default_rng(3)
        for dtype in (np.float16, np.float32, np.float64):
            tiny = np.finfo(dtype).smallest_subnormal
            starts = [*rng.standard_normal(5).astype(dtype), dtype(0), dtype(-0.0), dtype(1), tiny,
                      -3 * tiny, np.finfo(dtype).tiny, np.finfo(dtype).max]
            for start in starts:
                for steps in (0, 1, 2, 7, 33):
                    for towards in (-np.inf, np.inf):
                        if start == np.finfo(dtype).max and towards > 0:
                            continue
                        end = walk(start, steps, towards)
                        self.assertEqual(distance(start, end), steps, (dtype, start, towards))
                        self.assertEqual(distance(end, start), steps)

    def test_counts_every_number_between(self):
        # All positive float16 numbers in order: their distance is how far apart they stand.
        numbers = np.arange(0x7C01, dtype=np.uint16).view(np.float16)
        self.assertTrue((np.diff(numbers.astype(np.float64)) > 0).all())
        ulps = ulp_distance(Values("float16", numbers), Values("float16", -numbers[::-1]))
        expected = np.arange(len(numbers)) + np.arange(len(numbers))[::-1]
        np.testing.assert_array_equal(ulps, expected)

    def test_nan_and_infinity(self):
        for dtype in (np.float16, np.float32, np.float64):
            nan, inf = dtype(np.nan), dtype(np.inf)
            self.assertEqual(distance(nan, -nan), 0)
            self.assertEqual(distance(nan, dtype(1)), math.inf)
            self.assertEqual(distance(inf, nan), math.inf)
            self.assertEqual(distance(inf, inf), 0)
            self.assertEqual(distance(np.finfo(dtype).max, inf), 1)
            self.assertEqual(distance(dtype(0), dtype(-0.0)), 0)

    def test_bfloat16(self):
        a, b = (Values("bfloat16", bfloat16_bits(values)) for values in (
            [1.0, 1.0, -2.0, 0.0, np.nan, np.nan], [1.0078125, 0.99609375, 2.0, -0.0, np.nan, 1.0]))
        # Eight bits of significand: steps of 2⁻⁷ above 1 and of 2⁻⁸ below.
        np.testing.assert_array_equal(ulp_distance(a, b), [1, 1, 2 * 0x4000, 0, 0, math.inf])
        np.testing.assert_array_equal(a.numbers()[:4], [1.0, 1.0, -2.0, 0.0])

    def test_integers_and_bools_are_exact(self):
        for dtype in (np.int8, np.int64, np.uint8, np.uint64):
            limits = np.iinfo(dtype)
            full = float(int(limits.max) - int(limits.min))
            self.assertEqual(distance(dtype(limits.min), dtype(limits.max)), full)
            self.assertEqual(distance(dtype(limits.max), dtype(limits.max - 3)), 3)
        self.assertEqual(distance(np.bool_(True), np.bool_(False)), 1)
        self.assertEqual(distance(np.complex64(1 + 1j), np.complex64(1 + np.float32(1.0000002) * 1j)), 2)

    def test_rounds_once(self):
        rng = np.random.default_rng(5)
        wide = np.concatenate([rng.standard_normal(500) * 10.0**rng.integers(-45, 39, 500),
                               [0.0, -0.0, np.inf, -np.inf, 1e300, 65519.9, 65520.0, 1e-60]])
        with np.errstate(over="ignore"):
            for dtype in ("float16", "float32"):
                np.testing.assert_array_equal(round_to_format(wide, dtype).data, wide.astype(dtype))
        # Between two bfloat16, nearer to the upper, and in the middle of them as a float32.
        tricky = np.array([1 + 2.0**-8 + 2.0**-40])
        self.assertEqual(round_to_format(tricky, "bfloat16").numbers()[0], np.float32(1.0078125))
        with np.errstate(over="ignore"):
            narrow = wide.astype(np.float32)
        np.testing.assert_array_equal(round_to_format(narrow, "bfloat16").data, bfloat16_bits(narrow))

    def test_reference_may_be_wider_not_narrower(self):
        third = Values("float64", np.array([1 / 3]))
        self.assertEqual(convert_reference(third, "float16").data[0], np.float16(1 / 3))
        self.assertEqual(convert_reference(Values("int64", np.array([300])), "uint8").data[0], 44)
        for given, wanted in (("float16", "float32"), ("float16", "bfloat16"), ("int32", "float32"),
                              ("bool", "int32"), ("float32", "int32")):
            with self.assertRaises(DtypeMismatch):
                convert_reference(Values(given, np.ones(1, given)), wanted)


class Inputs(unittest.TestCase):
    def test_layouts_hold_the_values(self):
        rng = np.random.default_rng(1)
        for shape in ((), (0,), (1,), (7,), (5, 3), (2, 3, 5)):
            values = rng.standard_normal(shape).astype(np.float32).astype(np.float64)
            for layout in ("contiguous", "transposed", "sliced", "reversed"):
                got = np.array(lay_out(values, "float32", layout, rng))
                np.testing.assert_array_equal(got, values, err_msg=f"{shape} {layout}")
            if shape and shape[0]:
                got = np.array(lay_out(values, "float32", "broadcast", rng))
                np.testing.assert_array_equal(got, np.broadcast_to(values[:1], shape))

    def test_numbers_of_arguments(self):
        self.assertEqual(count_inputs(mx.exp), 1)
        self.assertEqual(count_inputs(mx.add), 2)
        self.assertEqual(count_inputs(np.arctan2), 2)
        self.assertEqual(count_inputs(lambda a, b, c, k=3: a), 3)
        self.assertEqual(count_inputs(lambda a, *, threadgroup: a), 1)
        self.assertIsNone(count_inputs(lambda *arrays: arrays))

    def test_values_depend_on_seed_and_case_only(self):
        seen = []

        def remember(x):
            seen.append(np.array(x))
            return x

        for sizes, seed in (([5, 9], 0), ([9], 0), ([9], 1)):
            assay.compare(lambda x: x, remember, sizes=sizes, dtypes=["float32"],
                          layouts=["contiguous", "reversed"], seed=seed)
        nines = [each for each in seen if len(each) == 9]
        for each in nines[1:4]:
            np.testing.assert_array_equal(each, nines[0])
        self.assertTrue((nines[4] != nines[0]).all())


class RightKernels(unittest.TestCase):
    def test_strided_kernel(self):
        kernel = make_kernel("out[i] = x[elem_to_loc(int64_t(i), x_shape, x_strides, x_ndim)] * 2;",
                             ensure_row_contiguous=False)
        result = assay.compare(kernel, doubled, dtypes=["float32", "bfloat16", "int8"],
                               sizes=[0, 1, 33, 1025, (33, 65), (3, 1, 7)])
        self.assertTrue(result.passed, str(result))
        self.assertTrue(result)
        self.assertIsNone(result.failure)
        self.assertEqual({each.case.layout for each in result.cases},
                         {"contiguous", "transposed", "sliced", "reversed", "broadcast"})
        self.assertIn("cases passed", str(result))
        self.assertTrue(json.loads(result.to_json())["passed"])

    def test_default_sweep_and_special_values(self):
        result = assay.compare(make_kernel("out[i] = -x[i];"), lambda x: -x, special_values=True)
        self.assertTrue(result.passed, str(result))
        sizes = {each.case.size for each in result.cases}
        self.assertLessEqual({0, 1, 31, 32, 33, 1009, 1025, 65537}, sizes)

    def test_numpy_reference_is_rounded_to_the_kernels_dtype(self):
        kernel = make_kernel("out[i] = T(metal::precise::exp(float(x[i])));")
        launch = {"template": lambda arrays: [("T", arrays[0].dtype)]}
        result = assay.compare(kernel, np.exp, launch=launch, sizes=[1, 1000], threadgroups=[64],
                               dtypes=["float32", "float16", "bfloat16"], layouts=["contiguous"])
        self.assertTrue(result.passed, str(result))
        worst = {each.case.dtype: each.max_ulps for each in result.cases if each.case.size == 1000}
        self.assertLessEqual(worst["float16"], 1)
        self.assertLessEqual(worst["bfloat16"], 1)

    def test_two_inputs_are_laid_out_differently(self):
        source = """out[i] = a[elem_to_loc(int64_t(i), a_shape, a_strides, a_ndim)]
                         - b[elem_to_loc(int64_t(i), b_shape, {0}_strides, b_ndim)];"""
        for name, is_right in (("b", True), ("a", False)):
            kernel = make_kernel(source.format(name), inputs="ab", ensure_row_contiguous=False,
                                 name="subtract_" + name)
            result = assay.compare(kernel, mx.subtract, sizes=[(7, 9)], dtypes=["float32"],
                                   threadgroups=[32])
            self.assertEqual(result.passed, is_right, str(result))
            if not is_right:
                failing = {each.case.layout for each in result.cases if not each.passed}
                self.assertEqual(failing, {"mixed"})

    def test_functions_shapes_inputs_and_several_outputs(self):
        result = assay.compare(
            lambda a, b: (a @ b, mx.sum(a)), lambda a, b: [np.matmul(a, b), a.sum()],
            shapes=lambda n: [(n, 5), (5, 3)], sizes=[1, 2, 17], dtypes=["float32"],
            numpy_reference=True, tolerance_abs=1e-5)
        self.assertTrue(result.passed, str(result))
        result = assay.compare(
            lambda x, places: mx.take(x, places), lambda x, places: x[places],
            inputs=lambda rng, size, dtype: [rng.standard_normal(size), rng.integers(0, size, 11)],
            sizes=[1, 30], dtypes=["float16"])
        self.assertTrue(result.passed, str(result))
        self.assertNotIn("transposed", {each.case.layout for each in result.cases})

    def test_a_kernel_may_be_the_reference(self):
        right = make_kernel("out[i] = x[i] * 2;", "right")
        result = assay.compare(make_kernel("out[i] = x[i] + x[i];", "left"), right, inputs=1,
                               sizes=[0, 33], dtypes=["int32"])
        self.assertTrue(result.passed, str(result))


class WrongKernels(unittest.TestCase):
    def test_fails_above_one_threadgroup(self):
        kernel = mx.fast.metal_kernel(
            name="first_group", input_names=["x"], output_names=["out"],
            source="uint i = thread_position_in_threadgroup.x; out[i] = x[i] * 2;")
        result = assay.compare(kernel, doubled, sizes=[1, 100, 5000], threadgroups=[256])
        failure = result.failure
        self.assertFalse(result.passed)
        self.assertEqual((failure.case.size, failure.case.dtype, failure.case.layout),
                         (257, "float32", "contiguous"))
        self.assertEqual((failure.kind, failure.index, failure.differing), ("differs", (256,), 1))
        self.assertTrue(math.isnan(failure.got))
        notes = "\n".join(failure.notes)
        self.assertIn("passes up to size 256, fails from 257 on (a threadgroup has 256 threads)", notes)
        self.assertIn("only the last element differs", notes)
        self.assertIn("never writes 1 of the 257 elements", notes)
        again = eval(failure.reproduce, {"assay": assay, "kernel": kernel, "reference": doubled})
        self.assertEqual((again.failure.case, len(again.cases)), (failure.case, 1))
        self.assertEqual(failure.inputs[0].shape, (257,))

    def test_unwritten_integers_are_not_right_by_chance(self):
        # What is left unwritten might hold the results of the run before.
        kernel = make_kernel("if (i < 40) out[i] = x[i];")
        result = assay.compare(kernel, lambda x: x, sizes=[40, 48], dtypes=["bool", "uint8", "int32"],
                               threadgroups=[16])
        self.assertEqual({each.case.size for each in result.cases if not each.passed}, {48})
        # In steps of 8: nobody said that other sizes are allowed.
        self.assertEqual(result.failure.case.size, 48)

    def test_takes_no_notice_of_strides(self):
        kernel = make_kernel("out[i] = x[i] * 2;", ensure_row_contiguous=False)
        result = assay.compare(kernel, doubled, sizes=[(8, 16)], dtypes=["float32"], threadgroups=[32],
                               layouts=["contiguous", "sliced", "transposed"])
        failing = {each.case.layout for each in result.cases if not each.passed}
        self.assertEqual(failing, {"sliced", "transposed"})
        self.assertIn("fails with layouts sliced, transposed; never with contiguous",
                      result.failure.notes)
        self.assertEqual(result.failure.case.size, (8, 16))  # one shape has no smaller of its kind

    def test_shapes_shrink_along_each_axis(self):
        result = assay.compare(
            lambda x: x if x.shape[0] < 6 else mx.where(mx.arange(x.shape[1]) < 20, x, 0), lambda x: x,
            sizes=[(1, 1), (40, 63)], dtypes=["float32"], layouts=["contiguous"])
        self.assertEqual(result.failure.case.size, (6, 21))
        self.assertIn("only column 20 of 21 differs", result.failure.notes)

    def test_integers_far_apart_by_one(self):
        result = assay.compare(lambda x: mx.where(x == 7, 8, x), lambda x: x, sizes=[1000],
                               dtypes=["int32"], layouts=["contiguous"], value_range=(0, 9))
        failure = result.failure
        self.assertEqual((failure.got, failure.expected, failure.ulps, failure.max_ulps), (8, 7, 1, 1))
        self.assertIn("the reference has 7, 1 unit apart", str(failure))

    def test_tolerance_decides(self):
        def nudged(x):
            return x.view(mx.int32) + 3

        def kernel(x):
            return nudged(x).view(mx.float32)

        options = {"sizes": [50], "dtypes": ["float32"], "layouts": ["contiguous"]}
        self.assertTrue(assay.compare(kernel, lambda x: x, **options, tolerance_ulps=3).passed)
        result = assay.compare(kernel, lambda x: x, **options, tolerance_ulps={mx.float32: 2})
        self.assertEqual((result.failure.max_ulps, result.failure.mean_ulps), (3, 3))
        self.assertIn("tolerance_ulps=", result.failure.reproduce)
        self.assertTrue(assay.compare(kernel, lambda x: x, **options, tolerance_ulps=0,
                                      tolerance_abs=1e-4).passed)

    def test_errors_are_failing_cases(self):
        result = assay.compare(make_kernel("out[i] = x[i] * 2"), doubled, sizes=[0, 1, 9],
                               dtypes=["float32"], threadgroups=[32])
        self.assertEqual((result.failure.kind, result.failure.case.size), ("error", 1))
        self.assertIn("expected ';' after expression", str(result))
        self.assertNotIn("runner.py", str(result))

    def test_each_kind_of_failure_has_its_smallest_case(self):
        def kernel(x):
            if x.size == 0:
                raise OverflowError("nothing there")
            return x[:-1] if x.size == 7 else mx.where(mx.arange(x.size) < 30, x, 0)

        result = assay.compare(kernel, lambda x: x, sizes=range(40), dtypes=["float32"],
                               layouts=["contiguous"])
        found = [(each.kind, each.case.size) for each in result.failures]
        self.assertEqual(found, [("error", 0), ("mismatch", 7), ("differs", 31)])
        self.assertIn("OverflowError: nothing there", result.failure.message)
        self.assertIn("(6,), the reference's (7,)", result.failures[1].message)

    def test_a_reference_that_fails_is_told(self):
        result = assay.compare(lambda x: x, lambda x: x.nothing, sizes=[3], dtypes=["float32"])
        self.assertEqual(result.failure.kind, "reference error")
        self.assertIn("the reference fails: AttributeError", str(result))

    def test_inputs_that_cannot_be_made_are_told(self):
        result = assay.compare(lambda x: x, lambda x: x, sizes=[0, 4], dtypes=["float32"],
                               inputs=lambda rng, size, dtype: [rng.integers(0, size, 3)])
        self.assertEqual((result.failure.kind, result.failure.case.size), ("input error", 0))
        self.assertIn("the inputs cannot be made: ValueError", str(result))

    def test_a_failure_that_comes_once_is_told(self):
        runs = []

        def kernel(x):
            runs.append(x)
            return x + (len(runs) == 1)

        result = assay.compare(kernel, lambda x: x, sizes=[5], dtypes=["float32"])
        self.assertFalse(result.passed)
        self.assertIn("something else each time", str(result))

    def test_dtypes_of_outputs_count(self):
        result = assay.compare(lambda x: x.astype(mx.float32), lambda x: x, sizes=[3],
                               dtypes=["float32", "float16"])
        self.assertEqual((result.failure.kind, result.failure.case.dtype), ("mismatch", "float16"))

    def test_results_that_change_are_told(self):
        runs = []

        def kernel(x):
            runs.append(x)
            return x + len(runs)

        result = assay.compare(kernel, lambda x: x, sizes=[5], dtypes=["float32"])
        self.assertIn("something else each time", str(result))

    def test_stops_early_on_request(self):
        result = assay.compare(lambda x: x + 1, lambda x: x, sizes=[1, 2, 3], fail_fast=True)
        self.assertEqual(len(result.cases), 1)
        self.assertIn("stopped at the first failure", str(result))
        result = assay.compare(lambda x: x.nothing, lambda x: x, sizes=range(1, 20), dtypes=["int8"],
                               max_errors=2)
        self.assertIn("cases of int8 were not run after 2 errors", str(result))

    def test_json_has_the_failure(self):
        result = assay.compare(lambda x: x / 0, lambda x: x, sizes=[4, (2, 3)], dtypes=["float32"])
        document = json.loads(result.to_json(), parse_constant=self.fail)
        self.assertFalse(document["passed"])
        self.assertEqual(document["failures"][0]["kind"], "differs")
        self.assertEqual(len(document["cases"]), len(result.cases))

    def test_wrong_questions(self):
        for options, words in (
                ({"sizes": []}, "nothing to compare"), ({"sizes": [-1]}, "not a size"),
                ({"dtypes": ["half"]}, "not a dtype"), ({"layouts": ["diagonal"]}, "not a layout"),
                ({"threadgroups": [32]}, "`threadgroups` needs a kernel"), ({"inputs": 0}, "from 1"),
                ({"layouts": ["transposed"], "sizes": [5]}, "two dimensions")):
            with self.assertRaisesRegex(ValueError, words):
                assay.compare(lambda x: x, lambda x: x, **options)
        with self.assertRaisesRegex(ValueError, "how many inputs"):
            assay.compare(make_kernel("out[i] = 1;"), make_kernel("out[i] = 1;"))


class Patterns(unittest.TestCase):
    def elements(self, total, wrong):
        differs = np.zeros(total, bool)
        differs[wrong] = True
        return patterns.element_pattern(differs)

    def test_elements(self):
        self.assertEqual(self.elements(9, slice(None)), "every element differs")
        self.assertEqual(self.elements(1051, slice(1024, None)),
                         "only the last 27 elements differ, from 1024 on")
        self.assertEqual(self.elements(9, slice(0, 2)), "only the first 2 elements differ")
        self.assertEqual(self.elements(9, 4), "only element 4 differs")
        self.assertEqual(self.elements(9, slice(3, 6)), "only elements 3 to 5 differ")
        self.assertEqual(self.elements(90, slice(1, None, 2)), "every 2nd element differs, from 1")
        self.assertEqual(self.elements(90, [0, 5, 70]),
                         "3 of 90 elements differ, spread between 0 and 70")
        self.assertEqual(self.elements((5, 7), np.s_[2:4]), "only rows 2 to 3 of 5 differ")
        self.assertEqual(self.elements((2, 5, 7), np.s_[:, :, 6]), "only column 6 of 7 differs")

    def test_sizes(self):
        case = assay.comparison.Case(33, "float32", "contiguous", 64)
        self.assertEqual(patterns.size_pattern([0, 64, 128], [1, 65, 100], case),
                         "fails where the size is not a multiple of 64")
        self.assertEqual(patterns.size_pattern([0, 1, 65], [2, 66, 100], case),
                         "fails at 3 of 6 sizes: 2, 66, 100")
        self.assertEqual(patterns.size_pattern([0], [1, 2, 9], case),
                         "passes up to size 0, fails from 1 on")
        self.assertEqual(patterns.size_pattern([], [1, 2], case), "fails at every size that was run")


if __name__ == "__main__":
    unittest.main()

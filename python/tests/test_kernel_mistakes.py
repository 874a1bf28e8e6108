"""Every mistake of the troubleshooting guide, and what the user reads about it."""

import os
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np

import assay.core as mx


def run(source, header="", inputs=None, names=None, template=(), grid=(8, 1, 1),
        threadgroup=(8, 1, 1), shapes=((8,),), **options):
    inputs = [mx.arange(8, dtype=mx.float32)] if inputs is None else inputs
    kernel = mx.fast.metal_kernel(
        name="guide", input_names=names or ["x"],
        output_names=[f"out{i}" if i else "out" for i in range(len(shapes))],
        source=source, header=header, **options)
    return kernel(inputs=inputs, template=list(template), grid=grid, threadgroup=threadgroup,
                  output_shapes=list(shapes), output_dtypes=[mx.float32] * len(shapes))


INDEX = "uint i = thread_position_in_grid.x;\n"


OVERRUNS = """
import assay.core as mx
kernel = mx.fast.metal_kernel(name="over", input_names=["a"], output_names=["out"],
                              source="uint i = thread_position_in_grid.x; out[i] = a[i] * 2;")
for turn in range(200):
    size = (10, 64, 100)[turn % 3]
    a = mx.arange(size).astype(mx.float32)
    out, = kernel(inputs=[a], grid=(256, 1, 1), threadgroup=(64, 1, 1), output_shapes=[(size,)],
                  output_dtypes=[mx.float32])
    mx.eval(out, mx.exp(mx.ones((turn + 1,))) + turn)
try:
    mx.eval(kernel(inputs=[a], grid=(10**9, 1, 1), threadgroup=(64, 1, 1), output_shapes=[(64,)],
                   output_dtypes=[mx.float32]))
except RuntimeError as error:
    print(error)
print((mx.ones((3,)) + 1).tolist())
"""


class Overruns(unittest.TestCase):
    def test_writing_behind_small_buffers_leaves_the_process_alone(self):
        ran = subprocess.run([sys.executable, "-W", "ignore", "-c", OVERRUNS], text=True,
                             capture_output=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertRegex(ran.stdout, "invalid (read|write).* past the end of buffer")
        self.assertTrue(ran.stdout.endswith("[2.0, 2.0, 2.0]\n"), ran.stdout)


class Arguments(unittest.TestCase):
    """The argument that is wrong is named."""

    def message(self, error, **changes):
        arguments = dict(name="k", input_names=["x"], output_names=["out"],
                         source="out[0] = x[0];", inputs=[mx.ones((8,))], grid=(8, 1, 1),
                         threadgroup=(8, 1, 1), output_shapes=[(8,)], output_dtypes=[mx.float32])
        arguments.update(changes)
        arguments = {name: value for name, value in arguments.items() if value is not None}
        makes = ("name", "input_names", "output_names", "source", "header")
        with self.assertRaises(error) as caught:
            kernel = mx.fast.metal_kernel(**{n: v for n, v in arguments.items() if n in makes})
            mx.eval(kernel(**{n: v for n, v in arguments.items() if n not in makes}))
        return str(caught.exception)

    def test_arguments_of_wrong_types_and_missing_ones(self):
        for changes, told in (({"grid": None}, "`grid` is missing"),
                              ({"grid": (8, 1)}, "`grid` must be three integers"),
                              ({"threadgroup": "8"}, "`threadgroup` must be three"),
                              ({"inputs": mx.ones((8,))}, "`inputs` must be a list"),
                              ({"template": {"T": mx.float32}}, "`template` must be a list of"),
                              ({"input_names": "x"}, "`input_names` must be a list of strings"),
                              ({"output_dtypes": ["float32"]}, "`output_dtypes` must be"),
                              ({"output_shapes": None}, "`output_shapes` is missing"),
                              ({"source": None}, "`source` is missing")):
            with self.subTest(changes=changes):
                self.assertIn(told, self.message(TypeError, **changes))
        text = self.message(ValueError, template=[("T", mx.float32), ("N", 1.5)])
        self.assertIn("template argument 'N': 1.5", text)

    def test_names_that_metal_has_already(self):
        self.assertIn("a word of the Metal", self.message(ValueError, input_names=["int"]))
        self.assertIn("remove it from the names",
                      self.message(ValueError, input_names=["thread_position_in_grid"]))

    def test_methods_of_arrays(self):
        a = mx.arange(6)
        for call in (lambda: a.reshape("x"), lambda: a.reshape(2.5), lambda: a.reshape((3,), 2)):
            with self.assertRaisesRegex(TypeError, r"\[reshape\] `shape` must be integers"):
                call()
        with self.assertRaisesRegex(TypeError, r"\[transpose\] `axes` must be integers"):
            a.transpose("x")

    def test_names_that_are_not_there(self):
        for name, told in (("grad", "does not have mlx.core.grad yet"), ("cat", "'concatenate'"),
                           ("absolute", "'abs'"), ("concatenat", "'concatenate'")):
            with self.assertRaisesRegex(AttributeError, told):
                getattr(mx, name)
        for part, name, told in (
            (mx.random, "multivariate_normal", "does not have mlx.core.random.multivariate_normal"),
            (mx.random, "norml", r"'assay\.core\.random'.*'normal'"),
            (mx.fast, "rmsnorm", r"'assay\.core\.fast'.*'rms_norm'"),
            (mx.metal, "is_there", r"module 'assay\.core\.metal' has no attribute"),
        ):
            with self.assertRaisesRegex(AttributeError, told):
                getattr(part, name)
            self.assertFalse(hasattr(part, "__path__"))
        self.assertFalse(hasattr(mx, "__path__"))
        with self.assertRaisesRegex(ValueError, "mx.where"):
            mx.arange(3)[mx.arange(3) > 1]


class Mistakes(unittest.TestCase):
    def message(self, error, *arguments, **options):
        with self.assertRaises(error) as caught:
            mx.eval(run(*arguments, **options))
        return str(caught.exception)

    def expect(self, text, *parts):
        for part in parts:
            self.assertIn(part, text)

    def test_missing_semicolon(self):
        text = self.message(RuntimeError, INDEX + "out[i] = x[i] * 2.0f")
        self.expect(text, "source:2:", "expected ';'", "^")

    def test_cuda_function(self):
        text = self.message(
            RuntimeError, INDEX + "out[i] = __shfl_xor_sync(0xffffffff, x[i], 1);")
        self.expect(text, "source:2:", "simd_shuffle_xor")

    def test_undeclared_identifier(self):
        text = self.message(RuntimeError, INDEX + "out[i] = x[i] * scale;")
        self.expect(text, "source:2:", "undeclared identifier 'scale'")

    def test_names_of_python_and_of_nobody(self):
        for source, fix in (("out[i] = x[i] + bias;", "add 'bias' to input_names"),
                            ("if (True) out[i] = 1;", "write true"),
                            ("out[i] = x[i] == None;", "nullptr"),
                            ("out[i] = self.x[i];", "has no self"),
                            ("T value = x[i]; out[i] = value;", 'template=[("T", …)]'),
                            ("out[i] = x[i] ** 2;", "pow(x, y)"),
                            ("if x[i] > 0:\n  out[i] = 1;", "if (condition) {"),
                            ("for i in range(3):\n  out[i] = 1;", "for (uint i = 0;"),
                            ("kernel void k(device float* y [[buffer(0)]]) { y[0] = 1; }",
                             "between the braces of the kernel")):
            with self.subTest(source=source):
                text = self.message(RuntimeError, INDEX + source)
                self.expect(text, "source:2:", "fix:", fix)
                self.assertNotIn("buffer(n)", text)
        text = self.message(RuntimeError, INDEX + "out[i] = 1;", header='#include "nothere.h"\n')
        self.expect(text, "header:1:", "header=")
        self.assertNotIn("-I", text)

    def test_misspelt_attribute(self):
        text = self.message(RuntimeError, "out[thread_position_in_threadgrup.x] = 1;")
        self.expect(text, "did you mean 'thread_position_in_threadgroup'?")

    def test_braces_without_partner(self):
        for source, told in (("if (x[i] > 0) {\n out[i] = 1;\n", "2:15: error: '{' is not closed"),
                             ("{ if (i > 1) { } // }\n", "2:1: error: '{' is not closed"),
                             ("out[i] = 1; }\n", "2:13: error: '}' closes nothing")):
            for template in ((), [("T", mx.float32)]):
                text = self.message(RuntimeError, INDEX + source, template=template)
                self.expect(text, "source:" + told)
                self.assertNotIn("signature:", text)

    def test_misspelt_name(self):
        text = self.message(RuntimeError, INDEX + "out[i] = sqart(x[i]);")
        self.expect(text, "source:2:", "sqart", "sqrt")

    def test_component_of_a_scalar_attribute(self):
        text = self.message(RuntimeError, "uint i = thread_index_in_threadgroup.x;\nout[i] = x[i];")
        self.expect(text, "source:1:", "thread_index_in_threadgroup", "fix:")

    def test_wrong_template_type(self):
        text = self.message(RuntimeError, INDEX + "T value = x[i]; out[i] = value.x;",
                            template=[("T", mx.float32)])
        self.expect(text, "source:2:")

    def test_unsupported_dtype(self):
        with mx.stream(mx.cpu):
            wide = mx.array(np.zeros(8), dtype=mx.float64)
        text = self.message(ValueError, INDEX + "out[i] = x[i];", inputs=[wide])
        self.expect(text, "'x'", "float64", "astype(float32)")

    def test_empty_grid(self):
        text = self.message(ValueError, INDEX + "out[i] = x[i];", grid=(0, 1, 1))
        self.expect(text, "grid", "(0, 1, 1)", "at least 1")

    def test_threadgroup_over_the_maximum(self):
        text = self.message(ValueError, INDEX + "out[i] = x[i];", threadgroup=(2048, 1, 1))
        self.expect(text, "(2048)", "(1024)", "fix:")

    def test_python_braces_left_in_the_source(self):
        text = self.message(RuntimeError, INDEX + "if (x[i] > 0) {{ out[i] = ({T})x[i]; }}")
        self.expect(text, "source:2:", "brace")

    def test_error_names_the_line_of_the_call(self):
        (out,) = run(INDEX + "out[i] = missing;")  # this line
        later = out + 1.0
        with self.assertRaises(RuntimeError) as caught:
            mx.eval(later)
        self.expect(str(caught.exception), os.path.basename(__file__), "created at", "evaluated at")

    def test_wrong_number_of_inputs(self):
        text = self.message(ValueError, INDEX + "out[i] = x[i];", inputs=[])
        self.expect(text, "Expected `inputs` to have size 1 but got size 0")

    def test_the_process_goes_on(self):
        self.message(RuntimeError, "nonsense")
        self.assertEqual((mx.arange(3) + 1).tolist(), [1, 2, 3])


    def test_kernel_that_crashes(self):
        x = mx.arange(8, dtype=mx.float32)
        before, behind = x * 2.0, x + 1.0
        (out,) = run("out[0] = x[ulong(thread_position_in_grid.x + 1) << 40];")  # this line
        with self.assertRaises(RuntimeError) as caught:
            mx.eval(before, out + 1.0, behind)
        self.expect(str(caught.exception), "guide", "in custom_kernel_guide", "float32(8,)",
                    f"created at {__file__}", "evaluated at")
        self.assertEqual(before.tolist(), [2.0 * i for i in range(8)])
        self.assertEqual(behind.tolist(), [1.0 + i for i in range(8)])


ROW_SUM = """uint row = threadgroup_position_in_grid.x;
float sum = 0.0f;
for (uint i = thread_position_in_threadgroup.x; i < 16; i += threads_per_threadgroup.x)
  sum += x[row * 16 + i];
sum = simd_sum(sum);
if (thread_index_in_simdgroup == 0) out[row] = sum;"""


class Hints(unittest.TestCase):
    """What runs and probably is not what was meant. The texts are the golden part."""

    def hints(self, *arguments, **options):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            run(*arguments, **options)
        return [str(each.message) for each in caught
                if issubclass(each.category, mx.fast.KernelHint)]

    def test_grid_that_does_not_cover_the_outputs(self):
        self.assertEqual(
            self.hints(INDEX + "out[i] = x[i] * 2.0f;", grid=(100, 1, 1), shapes=((200,),)),
            ["[metal_kernel] hint for 'guide': grid=(100, 1, 1) starts 100 threads, but output "
             "'out' has 200 elements: those that no thread writes hold anything.\n  fix: the grid "
             "counts threads; use grid=(200, 1, 1), or give init_value"])

    def test_reduction_with_too_few_threads(self):
        x = mx.zeros((100, 16))
        self.assertEqual(
            self.hints(ROW_SUM, inputs=[x], grid=(100, 1, 1), threadgroup=(32, 1, 1),
                       shapes=((100,),)),
            ["[metal_kernel] hint for 'guide': threadgroup_position_in_grid counts only 4 "
             "threadgroups (grid=(100, 1, 1), threadgroup=(32, 1, 1)), but output 'out' has 100 "
             "rows.\n  fix: the grid counts threads, not threadgroups; for a threadgroup per row "
             "use grid=(100 * 32, 1, 1)"])

    def test_missing_bounds_check(self):
        self.assertEqual(
            self.hints(INDEX + "out[i] = x[0];", grid=(64, 1, 1)),
            ["[metal_kernel] hint for 'guide': grid=(64, 1, 1) starts 64 threads for the 8 elements "
             "of output 'out', and the source checks no bounds: threads beyond the end write "
             "outside of it.\n  fix: if (thread_position_in_grid.x < out_shape[0]) { … }"])

    def test_sum_in_half(self):
        self.assertEqual(
            self.hints(INDEX + "half sum = 0.0h; for (int j = 0; j < 8; ++j) sum += half(x[j]);\n"
                       "out[i] = sum;"),
            ["[metal_kernel] hint for 'guide': 'sum' adds up in half, which has 11 bits: later terms "
             "get lost.\n  fix: float sum = 0.0f, and convert the result once"])

    def test_unsigned_underflow(self):
        self.assertEqual(
            self.hints(INDEX + "uint idx = i * 2 - 1;\nif (i > 0) out[i] = x[idx % 8];"),
            ["[metal_kernel] hint for 'guide': 'idx' is unsigned and comes from a subtraction: below "
             "zero it is a huge index.\n  fix: int idx = …, with (int) in front of unsigned operands"])

    def test_threadgroup_of_one_simdgroup(self):
        self.assertEqual(
            self.hints(INDEX + "out[i] = x[i];", inputs=[mx.zeros(8192)], grid=(8192, 1, 1),
                       threadgroup=(32, 1, 1), shapes=((8192,),)),
            ["[metal_kernel] hint for 'guide': threadgroup=(32, 1, 1) is not more than one simdgroup; "
             "8192 threads run faster in larger threadgroups.\n  fix: threadgroup=(256, 1, 1)"])

    def test_kernel_object_made_again_and_again(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for _ in range(20):
                run(INDEX + "out[i] = x[i] + 20.0f;")
        self.assertEqual(
            [str(each.message) for each in caught],
            ["[metal_kernel] hint for 'guide': its kernel object was made 8 times from the same "
             "text.\n  fix: call metal_kernel() once and keep the object"])

    def test_small_launches(self):
        kernel = mx.fast.metal_kernel(name="tiny", input_names=["x"], output_names=["out"],
                                      source=INDEX + "out[i] = x[i];")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for _ in range(1100):
                kernel(inputs=[mx.zeros(8)], grid=(8, 1, 1), threadgroup=(8, 1, 1),
                       output_shapes=[(8,)], output_dtypes=[mx.float32])
        self.assertEqual(
            [str(each.message) for each in caught],
            ["[metal_kernel] hint for 'tiny': it was launched 1000 times with less than 1000 threads, "
             "where a launch costs more than the work.\n  fix: use array ops for small inputs, or do "
             "more in one launch"])

    def test_none_for_right_kernels(self):
        self.assertEqual(self.hints(INDEX + "out[i] = x[i] + 1.0f;"), [])
        self.assertEqual(
            self.hints(INDEX + "if (i < out_shape[0]) out[i] = x[i] + 2.0f;", grid=(64, 1, 1)), [])
        self.assertEqual(
            self.hints(ROW_SUM, inputs=[mx.zeros((100, 16))], grid=(3200, 1, 1),
                       threadgroup=(32, 1, 1), shapes=((100,),)), [])
        self.assertEqual(
            self.hints("// half sum = 0; sum += x; uint j = i - 1; x[j]\n" + INDEX +
                       "int j = int(i) - 1; out[i] = x[j < 0 ? 0 : j];"), [])

    def test_none_for_indices_that_were_made_smaller(self):
        for index in ("i % 8", "i / 8", "i >> 3", "i & 7", "uint(x[i % 8])"):
            self.assertEqual(self.hints(INDEX + f"out[{index}] = 1.0f;", grid=(64, 1, 1)), [], index)

    def test_filters_decide(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error", mx.fast.KernelHint)
            with self.assertRaises(mx.fast.KernelHint):
                run(INDEX + "out[i] = x[i] * 3.0f;", grid=(4, 1, 1))


class Fixes(unittest.TestCase):
    """The guide's corrected forms run as they stand."""

    def check(self, outputs, expected):
        np.testing.assert_allclose(np.array(outputs[0]), expected, rtol=1e-6)

    def test_input_of_one_element(self):
        out = run(INDEX + "out[i] = x[i] * scale[0];", names=["x", "scale"],
                  inputs=[mx.arange(8, dtype=mx.float32), mx.array([3.0])])
        self.check(out, 3.0 * np.arange(8))

    def test_constant_in_the_header(self):
        out = run(INDEX + "out[i] = x[i] * SCALE;", header="constant float SCALE = 2.0f;")
        self.check(out, 2.0 * np.arange(8))

    def test_bounds_check_with_the_output_shape(self):
        out = run(INDEX + "if (i < out_shape[0]) {\n    out[i] = x[i] * 2.0f;\n}", grid=(64, 1, 1))
        self.check(out, 2.0 * np.arange(8))

    def test_auto_and_explicit_types(self):
        self.check(run(INDEX + "auto val = x[i]; out[i] = val;"), np.arange(8))
        self.check(run(INDEX + "float val = (float)x[i]; out[i] = val;"), np.arange(8))

    def test_simdgroup_function(self):
        out = run(INDEX + "out[i] = simd_shuffle_xor(x[i], 1);")
        self.check(out, np.arange(8) ^ 1)

    def test_atomic_cast_with_atomic_outputs(self):
        out = run(INDEX + "atomic_fetch_add_explicit((device atomic<float>*)&out[i / 4], "
                  "(float)x[i], memory_order_relaxed);", atomic_outputs=True)
        self.assertEqual(out[0].shape, (8,))

    def test_debug_output(self):
        out, debug = run(INDEX + "float val = (float)x[i];\nout[i] = (T)metal::exp(val);\n"
                         "out1[i] = val;", template=[("T", mx.float32)], shapes=((8,), (8,)))
        np.testing.assert_allclose(np.array(out), np.exp(np.arange(8)), rtol=1e-5)
        self.assertEqual(debug[:3].tolist(), [0.0, 1.0, 2.0])

    def test_bfloat_template(self):
        x = mx.arange(8, dtype=mx.float32).astype(mx.bfloat16)
        out = run(INDEX + "T value = x[i]; out[i] = float(value);", inputs=[x],
                  template=[("T", mx.bfloat16)])
        self.check(out, np.arange(8))

    def test_verbose_prints_at_the_call(self):
        with tempfile.TemporaryFile(mode="w+") as file:
            saved = os.dup(1)
            os.dup2(file.fileno(), 1)
            try:
                kernel = mx.fast.metal_kernel(name="shown", input_names=["x"],
                                              output_names=["out"], source="out[0] = x[0];")
                kernel(inputs=[mx.arange(8)], grid=(1, 1, 1), threadgroup=(1, 1, 1),
                       output_shapes=[(1,)], output_dtypes=[mx.float32], verbose=True)
            finally:
                os.dup2(saved, 1)
                os.close(saved)
            file.seek(0)
            self.assertIn("[[kernel]] void custom_kernel_shown", file.read())


if __name__ == "__main__":
    unittest.main()

"""Every mistake of the troubleshooting guide, and what the user reads about it."""

import os
import tempfile
import unittest

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

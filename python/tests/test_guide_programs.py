"""The programs of the public guides on captures and custom kernels, under `assay run`: whole, as a
user has them in a file. Those with a mistake end with the message that explains it."""

import os
import pathlib
import subprocess
import tempfile
import unittest

# The program under test: build/release/bin/assay. ctest names it.
PROGRAM = os.environ["ASSAY_PROGRAM"]

CAPTURE = """
import mlx.core as mx

a = mx.random.uniform(shape=(512, 512))
b = mx.random.uniform(shape=(512, 512))
mx.eval(a, b)

trace_file = "mlx_trace.gputrace"
mx.metal.start_capture(trace_file)
for _ in range(10):
    mx.eval(mx.add(a, b))
mx.metal.stop_capture()
"""

KERNEL = """
import time
import mlx.core as mx

N = 1000
x = mx.random.normal(shape=(N,))

def make(source, **options):
    names = dict(name="guide", input_names=["x"], output_names=["out"])
    return mx.fast.metal_kernel(**(names | options), source=source)

def call(kernel, x=x, **options):
    given = dict(inputs=[x], template=[("T", mx.float32)], grid=(N, 1, 1),
                 threadgroup=(256, 1, 1), output_shapes=[(N,)], output_dtypes=[mx.float32])
    return kernel(**(given | options))
"""

TIMED = KERNEL + """
kernel = make("uint i = thread_position_in_grid.x; out[i] = x[i] * 2.0f;")
mx.synchronize()
t0 = time.perf_counter()
for _ in range(100):
    out = call(kernel)
    mx.eval(out)
mx.synchronize()
elapsed = time.perf_counter() - t0
bandwidth_gbps = 100 * 2 * x.nbytes / elapsed / 1e9
peak_bw = 120
print(f"Bandwidth: {bandwidth_gbps:.1f} GB/s ({bandwidth_gbps / peak_bw * 100:.1f}% of peak)")
assert mx.array_equal(out[0], 2 * x)
"""

DEBUGGED = KERNEL + """
kernel = make('''
    uint i = thread_position_in_grid.x;
    float val = (float)x[i];
    float result = metal::exp(val);
    out[i] = (T)result;
    debug[i] = val;  // Capture intermediate value
''', output_names=["out", "debug"])
out, debug = call(kernel, output_shapes=[(N,), (N,)], output_dtypes=[mx.float32, mx.float32])
mx.eval(out, debug)
print("Debug values:", debug[:10])
assert mx.array_equal(debug, x) and mx.allclose(out, mx.exp(x))
"""

COMPARED = KERNEL + """
rows, D = 37, 100
weight, x = mx.random.normal(shape=(D,)), mx.random.normal(shape=(rows, D))

def my_rmsnorm(x, weight, eps):
    # Accumulates in float32; one threadgroup per row.
    kernel = make('''
        uint row = threadgroup_position_in_grid.x, lane = thread_index_in_simdgroup;
        uint D = x_shape[1];
        float sum = 0.0f;
        for (uint i = lane; i < D; i += 32) sum += (float)x[row * D + i] * (float)x[row * D + i];
        float scale = metal::rsqrt(simd_sum(sum) / D + eps[0]);
        for (uint i = lane; i < D; i += 32) out[row * D + i] = (T)(x[row * D + i] * scale * w[i]);
    ''', input_names=["x", "w", "eps"])
    return call(kernel, inputs=[x, weight, mx.array([eps])], grid=(rows * 32, 1, 1),
                threadgroup=(32, 1, 1), output_shapes=[x.shape])[0]

expected = mx.fast.rms_norm(x, weight, eps=1e-5)
actual = my_rmsnorm(x, weight, eps=1e-5)
mx.eval(expected, actual)
max_diff = mx.max(mx.abs(expected - actual)).item()
print(f"Max absolute difference: {max_diff:.2e}")
assert mx.allclose(expected, actual, atol=1e-5), f"Mismatch: max diff {max_diff}"
"""

FORMATTED = KERNEL + """
source = '''
uint i = thread_position_in_grid.x;
if (x[i] > 0) {{
    out[i] = ({T})x[i];
}} else {{
    out[i] = 0;
}}
'''.format(T="float")
assert mx.array_equal(call(make(source))[0], mx.maximum(x, 0.0))

def double(x):
    if x.size == 0:
        return mx.array([], dtype=x.dtype)
    return call(make("uint i = thread_position_in_grid.x; if (i < out_shape[0]) { out[i] = x[i]; }"),
                x=x, threadgroup=(min(2048, 1024), 1, 1))[0]

assert double(mx.array([])).shape == (0,)
assert mx.array_equal(double(x), x)
"""

LATE = KERNEL + """
out = call(make("out[thread_position_in_grid.x] = x[0] * wrong_name;"))[0]
y = mx.add(out, 1.0)
mx.eval(y)
"""

# A line of MSL, and what the user has to read.
MISTAKES = {
    "out[i] = x[i] * 2.0f": ["expected ';'"],
    "out[i] = __shfl_xor_sync(0xffffffff, x[i], 1);": ["simd_shuffle_xor"],
    "out[i] = x[i] * scale;": ["undeclared identifier 'scale'", "fix:"],
    "out[i] = x[thread_index_in_threadgroup.x];": ["thread_index_in_threadgroup", "fix:"],
    "if (x[i] > 0) {{ out[i] = ({T})x[i]; }}": ["brace"],
}


class GuidePrograms(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, text, **variables):
        (self.folder / "program.py").write_text(text)
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("PYTHON") and not name.endswith("CAPTURE_ENABLED")}
        return subprocess.run([PROGRAM, "run", "program.py"], cwd=self.folder, text=True,
                              capture_output=True, env=environment | variables, check=False)

    def expect_good(self, result, *parts):
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        for part in parts:
            self.assertIn(part, result.stdout)

    def expect_bad(self, result, *parts):
        self.assertEqual(result.returncode, 1, result.stdout)
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_capture(self):
        trace = self.folder / "mlx_trace.gputrace"
        self.expect_good(self.run_program(CAPTURE, MTL_CAPTURE_ENABLED="1"))
        self.assertTrue(trace.exists())
        self.expect_bad(self.run_program(CAPTURE, MTL_CAPTURE_ENABLED="1"), "mlx_trace.gputrace",
                        "exists")
        trace.unlink()
        self.expect_bad(self.run_program(CAPTURE), "MTL_CAPTURE_ENABLED")
        self.assertFalse(trace.exists())

    def test_timing(self):
        self.expect_good(self.run_program(TIMED), "Bandwidth: ", "% of peak)")

    def test_debug_output(self):
        self.expect_good(self.run_program(DEBUGGED), "Debug values: array([")

    def test_comparison_with_a_reference(self):
        self.expect_good(self.run_program(COMPARED), "Max absolute difference: ")

    def test_formatted_sources_and_guards(self):
        self.expect_good(self.run_program(FORMATTED))

    def test_a_late_error_names_the_early_line(self):
        lines = LATE.splitlines()
        created = 1 + next(i for i, line in enumerate(lines) if "wrong_name" in line)
        # Calls are made inside the helper: its line is where the node comes from.
        helper = 1 + next(i for i, line in enumerate(lines) if "return kernel(**(given" in line)
        self.expect_bad(self.run_program(LATE), "undeclared identifier 'wrong_name'",
                        f"program.py:{helper}", f"program.py:{len(lines)}")
        self.assertLess(helper, created)

    def test_mistakes(self):
        for line, parts in MISTAKES.items():
            with self.subTest(line):
                body = f"uint i = thread_position_in_grid.x;\n{line}"
                program = KERNEL + f"mx.eval(call(make({body!r})))\n"
                self.expect_bad(self.run_program(program), "^", *parts)


if __name__ == "__main__":
    unittest.main()

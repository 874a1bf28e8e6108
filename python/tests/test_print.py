"""Messages of kernels: printf and os_log reach standard error under the line of the call."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = """
import assay.core as mx
kernel = mx.fast.metal_kernel(name="talk", input_names=["x"], output_names=["y"], source='''
  uint i = thread_position_in_grid.x;
  y[i] = x[i] * 2.0f;
  {statement}
''')
y = kernel(inputs=[mx.arange(float({count}))], output_shapes=[({count},)],
           output_dtypes=[mx.float32], grid=({count}, 1, 1), threadgroup=(32, 1, 1))[0]
print(mx.sum(y).item())
"""


class Print(unittest.TestCase):
    def run_kernel(self, statement, count=70, **variables):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "script.py"
            script.write_text(SCRIPT.format(statement=statement, count=count))
            result = subprocess.run([sys.executable, script], text=True, capture_output=True,
                                    env=os.environ | variables, check=True)
        # Results do not depend on messages.
        self.assertEqual(float(result.stdout), float(count * (count - 1)))
        return result.stderr

    def lines(self, text):
        """Position and message of each line, without the heading."""
        heading, *lines = text.splitlines()
        self.assertRegex(heading, r"script\.py:8: kernel 'custom_kernel_talk_floatc?_float':$")
        return lines

    def test_both_executors_say_the_same_in_the_order_of_threads(self):
        statement = 'if (i % 33 == 1) printf("i=%u x=%.1f %v2d", i, x[i], int2(-1, int(i)));'
        expected = [f"  [{i}] i={i} x={i}.0 -1, {i}" for i in (1, 34, 67)]
        for executor in ("vector", "reference"):
            with self.subTest(executor=executor):
                text = self.run_kernel(statement, ASSAY_EXECUTOR=executor)
                self.assertEqual(self.lines(text), expected)

    def test_os_log_prints_too(self):
        text = self.run_kernel('if (i == 5) os_log_default.log_error("bad %d", -int(i));')
        self.assertEqual(self.lines(text), ["  [5] bad -5"])

    def test_messages_in_divergent_loops_come_from_the_lanes_that_are_there(self):
        text = self.run_kernel('for (uint k = 0; k < i % 3 && i < 5; ++k) printf("%u", k);')
        self.assertEqual(self.lines(text), ["  [1] 0", "  [2] 0", "  [2] 1", "  [4] 0"])

    def test_what_floods_is_cut_and_counted(self):
        lines = self.lines(self.run_kernel('printf("x");', count=4000))
        self.assertEqual(len(lines), 1001)
        self.assertEqual(lines[-1], "  and 3000 more; the first 1000 of a launch are shown")

    def test_kernels_that_do_not_print_are_silent(self):
        self.assertEqual(self.run_kernel('if (i > 1000u) printf("never %u", i);'), "")


if __name__ == "__main__":
    unittest.main()

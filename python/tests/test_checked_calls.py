"""check= of one kernel call: findings are raised, and nothing else is checked."""

import os
import subprocess
import sys
import threading
import unittest

import assay.core as mx

N = 50


def kernel(name, source, **options):
    return mx.fast.metal_kernel(name=name, input_names=["x"], output_names=["y"], source=source,
                                **options)


def call(which, **arguments):
    x = mx.arange(N, dtype=mx.float32)
    (y,) = which(inputs=[x], grid=(N, 1, 1), threadgroup=(16, 1, 1), output_shapes=[(N,)],
                 output_dtypes=[mx.float32], **arguments)
    mx.eval(y)
    return y


SHIFT = kernel("shift", "uint i = thread_position_in_grid.x;\n"
                        "float far = x[i + 1];\n"
                        "y[i] = far;")
DOUBLE = kernel("doubled", "uint i = thread_position_in_grid.x; y[i] = 2 * x[i];")
HALF = kernel("half_of_it", "uint i = thread_position_in_grid.x; if (i % 2 == 0) y[i] = x[i];")
OWN = kernel("own_output", "uint i = thread_position_in_grid.x; y[i] += x[i];")
SAME = kernel("same_element", "y[0] = x[0]; y[thread_position_in_grid.x] = 1;")


class CheckedCalls(unittest.TestCase):
    def test_a_correct_call_gives_its_values(self):
        self.assertEqual(call(DOUBLE, check=True).tolist(), [2.0 * i for i in range(N)])

    def test_a_wrong_call_is_raised_with_its_line(self):
        with self.assertRaises(RuntimeError) as raised:
            call(SHIFT, check=True)
        text = str(raised.exception)
        self.assertIn("reads element 50 of 'x', which has 50 elements (float32[50])", text)
        self.assertIn("[bounds-read]", text)
        self.assertIn("float far = x[i + 1];", text)
        self.assertIn("fix:", text)

    def test_other_calls_are_not_checked(self):
        call(SHIFT, check=False)
        call(SHIFT)
        with self.assertRaises(RuntimeError):
            call(SHIFT, check=True)
        call(SHIFT)

    def test_only_what_is_asked_for_is_checked(self):
        call(SHIFT, check="races")
        call(SHIFT, check="all,-bounds,-uninitialised")
        with self.assertRaises(RuntimeError):
            call(SHIFT, check="races,bounds")

    def test_unknown_checks_are_refused_at_the_call(self):
        with self.assertRaises(ValueError) as raised:
            DOUBLE(inputs=[mx.zeros(4)], grid=(4, 1, 1), threadgroup=(4, 1, 1),
                   output_shapes=[(4,)], output_dtypes=[mx.float32], check="bound")
        self.assertIn("bound", str(raised.exception))

    def test_new_outputs_have_no_values(self):
        with self.assertRaises(RuntimeError) as raised:
            call(HALF, check=True)
        self.assertIn("25 of 50 elements of 'y' (float32[50]) were not written", str(raised.exception))
        with self.assertRaises(RuntimeError) as raised:
            call(OWN, check=True)
        self.assertIn("[uninitialised-device]", str(raised.exception))

    def test_initial_values_are_values(self):
        self.assertEqual(call(HALF, check=True, init_value=7.0).tolist()[:4], [0.0, 7.0, 2.0, 7.0])
        self.assertEqual(call(OWN, check=True, init_value=1.0).tolist()[:3], [1.0, 2.0, 3.0])

    def test_inputs_that_were_just_computed_have_values(self):
        x = mx.exp(mx.arange(N, dtype=mx.float32) * 0.01)
        (y,) = DOUBLE(inputs=[x], grid=(N, 1, 1), threadgroup=(16, 1, 1), output_shapes=[(N,)],
                      output_dtypes=[mx.float32], check=True)
        self.assertTrue(mx.array_equal(y, 2 * x))

    def test_races_are_found(self):
        with self.assertRaises(RuntimeError) as raised:
            call(SAME, check="races")
        self.assertIn("[race-device]", str(raised.exception))

    def test_threads_do_not_see_each_others_wishes(self):
        errors = []

        def work(check):
            for _ in range(20):
                try:
                    call(SHIFT, check=check)
                    found = False
                except RuntimeError:
                    found = True
                if found != check:
                    errors.append(check)

        threads = [threading.Thread(target=work, args=(check,)) for check in (True, False) * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])

    def test_a_program_that_is_checked_as_a_whole_reports_in_its_own_way(self):
        program = ("import assay.core as mx\n"
                   "k = mx.fast.metal_kernel(name='shift', input_names=['x'], output_names=['y'],"
                   " source='uint i = thread_position_in_grid.x; y[i] = x[i + 1];')\n"
                   "(y,) = k(inputs=[mx.zeros(5)], grid=(5, 1, 1), threadgroup=(5, 1, 1),"
                   " output_shapes=[(5,)], output_dtypes=[mx.float32], check=True)\n"
                   "mx.eval(y)\n"
                   "print('ran on')\n")
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                                timeout=300, check=False, env=os.environ | {"ASSAY_CHECK": "all"})
        self.assertEqual(result.stdout, "ran on\n", result.stderr)
        self.assertIn("[bounds-read]", result.stderr)


if __name__ == "__main__":
    unittest.main()

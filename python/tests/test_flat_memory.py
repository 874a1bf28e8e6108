"""Many small evaluations leave nothing behind: neither memory of the device nor of the process.

ASSAY_TEST_EVALUATIONS sets their number (20000 unless told).
"""

import os
import unittest

import assay.core as mx

EVALUATIONS = int(os.environ.get("ASSAY_TEST_EVALUATIONS", "20000"))
PAGE = os.sysconf("SC_PAGE_SIZE")


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * PAGE


class FlatMemory(unittest.TestCase):
    def evaluate_and_measure(self, step):
        for i in range(EVALUATIONS // 10):  # kernels, caches and pools fill up
            step(i)
        active, resident = mx.get_active_memory(), resident_bytes()
        for i in range(EVALUATIONS):
            step(i)
        grown = resident_bytes() - resident
        print(f"{EVALUATIONS} evaluations: {grown / 1024:.0f} KiB more resident, "
              f"{mx.get_active_memory() - active} bytes more active")
        self.assertEqual(mx.get_active_memory(), active)
        # What 20000 leaks of one small node would be is far above; noise of the allocator is below.
        self.assertLess(grown, 1 << 20)

    def test_operators(self):
        x = mx.ones((8,))
        self.evaluate_and_measure(lambda i: mx.eval(x + x * 2.0))

    def test_state_that_is_carried_along(self):
        state = [mx.zeros((5,))]

        def step(i):
            state[0] = mx.where(state[0] > 100.0, state[0] * 0.5, state[0] + float(i % 7))
            mx.eval(state)

        self.evaluate_and_measure(step)

    def test_compiled_functions_and_reductions(self):
        function = mx.compile(lambda a, b: (mx.sum(mx.exp(a) * b), a - b))
        x, y = mx.ones((3, 17)), mx.ones((17,))
        self.evaluate_and_measure(lambda i: mx.eval(function(x, y)))

    def test_values_read_back(self):
        x = mx.arange(4)
        self.evaluate_and_measure(lambda i: (x[i % 4] + i).item())


if __name__ == "__main__":
    unittest.main()

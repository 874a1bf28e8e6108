"""eval, streams and compile."""

import collections
import gc
import threading
import unittest
import weakref

import assay.core as mx
import numpy as np


class Evaluation(unittest.TestCase):
    def test_trees(self):
        a, b, c = mx.array([1.0]) + 1, mx.array([2.0]) * 2, mx.array([3.0]) - 1
        mx.eval(a, [b, {"c": (c, "text", None)}])
        self.assertEqual((a.item(), b.item(), c.item()), (2, 4, 2))
        mx.async_eval([a + b])

    def run_together(self, work, count=6):
        """work(i) on many threads; what one of them raises fails the test."""
        start, errors = threading.Barrier(count), []

        def run(i):
            try:
                start.wait()
                work(i)
            except BaseException as error:  # noqa: BLE001
                errors.append(error)

        threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])

    def test_many_threads(self):
        results = [None] * 6

        def work(i):
            x = mx.array(np.arange(1000, dtype=np.float32))
            for _ in range(20):
                x = mx.sin(x) + i
            results[i] = x.sum().item()

        self.run_together(work)
        self.assertEqual(len({round(r, 1) for r in results}), 6)

    def test_threads_share_arrays_functions_and_kernels(self):
        lazy = [mx.arange(100) + i for i in range(20)]
        fun = mx.compile(lambda x, y: mx.square(x) + y)
        twice = mx.fast.metal_kernel(
            name="twice_in_threads", input_names=["x"], output_names=["out"],
            source="uint i = thread_position_in_grid.x; out[i] = x[i] * 2;")

        def work(i):
            with mx.stream(mx.new_stream(mx.gpu)):
                for k, x in enumerate(lazy):
                    self.assertEqual(x.sum().item() if i % 2 else np.array(x).sum(), 4950 + 100 * k)
                    n = k + 1
                    self.assertEqual(fun(mx.arange(n), i).tolist(), [j * j + i for j in range(n)])
                out = twice(inputs=[lazy[i]], output_shapes=[(100,)], output_dtypes=[mx.int32],
                            grid=(100, 1, 1), threadgroup=(32, 1, 1))[0]
                self.assertEqual(out.tolist(), [2 * (j + i) for j in range(100)])

        self.run_together(work)

    def test_errors_while_nobody_waits_are_not_lost(self):
        # Writes to an address that no buffer has.
        wild = mx.fast.metal_kernel(name="wild_write", input_names=["x"], output_names=["out"],
                                    source="out[x[0]] = 1;")
        out = wild(inputs=[mx.array([1 << 60], dtype=mx.int64)], output_shapes=[(1,)],
                   output_dtypes=[mx.int32], grid=(1, 1, 1), threadgroup=(1, 1, 1))[0]
        mx.async_eval(out)
        with self.assertRaises(RuntimeError):
            mx.synchronize()
        self.assertRaises(RuntimeError, out.item)
        self.assertRaises(RuntimeError, out.tolist)
        self.assertRaises(RuntimeError, lambda: np.array(out))
        self.assertEqual((mx.array([1]) + 1).item(), 2)

    def test_error_names_the_line(self):
        line = 0
        with self.assertRaises(ValueError) as caught:
            mx.array([1, 2]) + mx.array([1, 2, 3])
        self.assertIn("(2)", str(caught.exception).replace("(2,)", "(2)"))
        self.assertEqual(line, 0)


class Streams(unittest.TestCase):
    def test_devices(self):
        self.assertEqual(mx.default_device(), mx.default_device().type)
        self.assertEqual(mx.Device(mx.cpu), mx.cpu)
        self.assertNotEqual(mx.Device(mx.cpu), mx.gpu)
        self.assertIn("Device(", repr(mx.default_device()))
        self.assertTrue(mx.metal.is_available())
        self.assertIs(mx.metal.device_info(), mx.metal.device_info())

    def test_memory_by_its_old_names(self):
        mx.eval(mx.zeros((1000,)))
        with self.assertWarnsRegex(DeprecationWarning, r"use mx\.get_peak_memory"):
            self.assertEqual(mx.metal.get_peak_memory(), mx.get_peak_memory())
        with self.assertWarns(DeprecationWarning):
            before = mx.metal.set_cache_limit(1 << 20)
            self.assertEqual(mx.set_cache_limit(limit=before), 1 << 20)
        for name in ("get_active_memory", "reset_peak_memory", "get_cache_memory",
                     "set_memory_limit", "set_wired_limit", "clear_cache"):
            self.assertTrue(callable(getattr(mx.metal, name)))

    def test_context(self):
        before = mx.default_stream(mx.default_device())
        stream = mx.new_stream(mx.default_device())
        self.assertNotEqual(before, stream)
        with mx.stream(stream):
            self.assertEqual(mx.default_stream(mx.default_device()), stream)
            a = mx.array([1.0]) + 1
        self.assertEqual(mx.default_stream(mx.default_device()), before)
        b = mx.add(a, 1, stream=mx.cpu)
        mx.synchronize(stream)
        mx.synchronize()
        self.assertEqual(b.item(), 3)


class Compile(unittest.TestCase):
    def test_traces_once_for_each_signature(self):
        calls = []

        @mx.compile
        def fun(x, y):
            calls.append(x.shape)
            return mx.exp(x) * y + 1

        x = mx.array([0.0, 1.0])
        for _ in range(3):
            np.testing.assert_allclose(np.array(fun(x, x)), np.exp([0, 1]) * [0, 1] + 1, rtol=1e-6)
        self.assertEqual(len(calls), 1)
        fun(mx.zeros((3,)), mx.zeros((3,)))
        fun(x.astype(mx.float16), x)
        self.assertEqual(len(calls), 3)
        self.assertEqual(fun.__name__, "fun")

    def test_trees_and_constants(self):
        calls = []

        def fun(tree, scale, *, mode="a"):
            calls.append(mode)
            x = tree["x"][0] * scale
            return {"out": (x, tree["y"]), "mode": mode, "none": None}

        compiled = mx.compile(fun)
        tree = {"x": [mx.array([1.0])], "y": mx.array([5])}
        for scale, mode in [(2, "a"), (2.0, "a"), (3, "a"), (2, "b"), (2, "a")]:
            out = compiled(tree, scale, mode=mode)
            self.assertEqual(out["out"][0].item(), scale)
            self.assertEqual((out["out"][1].item(), out["mode"], out["none"]), (5, mode, None))
        self.assertEqual(len(calls), 4)
        with self.assertRaises(ValueError):
            compiled(tree, object())

    def test_constants_with_the_same_hash_are_told_apart(self):
        self.assertEqual(hash(-1), hash(-2))
        add = mx.compile(lambda x, n: x + n)
        self.assertEqual([add(mx.array(0), n).item() for n in (-1, -2, 1)], [-1, -2, 1])
        keys = mx.compile(lambda tree: sum(k * v for k, v in tree.items()))
        self.assertEqual([keys({k: mx.array(3)}).item() for k in (-1, -2)], [-3, -6])
        kind = mx.compile(lambda x, n: (x, type(n).__name__))
        self.assertEqual([kind(mx.array(0), n)[1] for n in (1, True, 1.0)],
                         ["int", "bool", "float"])
        big = mx.compile(lambda x, n: (x, n))
        modulus = 2**61 - 1  # of the hash of integers
        numbers = [2**70, 2**70 + modulus, -(2**70)]
        self.assertEqual([big(mx.array(0), n)[1] for n in numbers], numbers)

    def test_kinds_of_tuples_stay_what_they_are(self):
        class Pair(tuple):
            pass

        State = collections.namedtuple("State", ["a", "b"])
        for make in (lambda a, b: (a, b), lambda a, b: Pair([a, b]), State):
            function = mx.compile(lambda t, make=make: make(t[0] + 10, t[1] * 10))
            result = function(make(mx.array([1, 2]), mx.array(3)))
            self.assertIs(type(result), type(make(1, 2)))
            self.assertEqual((result[0].tolist(), result[1].item()), ([11, 12], 30))

    def test_captured_state(self):
        state = {"count": mx.array(0.0)}

        def step(x):
            state["count"] = state["count"] + x.sum()
            return x * state["count"]

        compiled = mx.compile(step, inputs=state, outputs=state)
        for i in range(1, 4):
            self.assertEqual(compiled(mx.array([1.0, 1.0])).tolist(), [2.0 * i, 2.0 * i])
        self.assertEqual(state["count"].item(), 6.0)

    def test_refuses_an_argument_that_is_also_used_from_outside(self):
        x = mx.array([1, 2, 3]) + 2
        for function in (lambda a: a + (x + 1), lambda a: (a, x)):
            with self.assertRaisesRegex(ValueError, "uncaptured inputs.*argument 0"):
                mx.compile(function)(x)
        state = [mx.array([1.0, 2.0])]

        def accumulate(a):
            state[0] = state[0] + a
            return state[0]

        b = mx.array([5.0, 7.0])
        accumulate(b)
        with self.assertRaisesRegex(ValueError, "uncaptured inputs"):
            mx.compile(accumulate)(b)
        # With values of its own, or another argument, the array is a constant like any other.
        y = x + 1
        mx.eval(y)
        self.assertEqual(mx.compile(lambda a: a + y)(x).tolist(), [7, 9, 11])
        self.assertEqual(mx.compile(lambda a: a + x)(mx.array([1, 1, 1])).tolist(), [4, 5, 6])
        self.assertEqual(mx.compile(lambda a: a + x, inputs=[x])(y).tolist(), [7, 9, 11])

    def test_errors_leave_the_state_alone(self):
        state = [mx.array(3.0)]

        def fail(x):
            raise RuntimeError("no")

        with self.assertRaises(RuntimeError):
            mx.compile(fail, inputs=state)(mx.array(1.0))
        self.assertEqual(state[0].item(), 3.0)

    def test_shapeless(self):
        calls = []

        def fun(x):
            calls.append(1)
            return mx.abs(x) + x

        compiled = mx.compile(fun, shapeless=True)
        for n in (1, 4, 9):
            self.assertEqual(compiled(mx.ones((n,))).tolist(), [2.0] * n)
        self.assertEqual(len(calls), 1)

    def test_disable(self):
        calls = []
        compiled = mx.compile(lambda x: (calls.append(1), x + 1)[1])
        mx.disable_compile()
        try:
            compiled(mx.array(1.0))
            compiled(mx.array(1.0))
        finally:
            mx.enable_compile()
        self.assertEqual(len(calls), 2)

    def test_functions_are_collected(self):
        def make():
            def fun(x):
                return x + len(holder)

            holder = [mx.compile(fun)]
            holder[0](mx.array(1.0))
            return weakref.ref(fun)

        reference = make()
        gc.collect()
        self.assertIsNone(reference())


if __name__ == "__main__":
    unittest.main()

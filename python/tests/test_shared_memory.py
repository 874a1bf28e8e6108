"""Memory of other libraries under arrays: NumPy, buffers and DLPack."""

import gc
import threading
import unittest
import weakref

import assay.core as mx
import numpy as np


class Tensor:
    """What another library shows of its memory: DLPack and nothing else."""

    def __init__(self, values):
        self.values = values

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


class SharedMemory(unittest.TestCase):
    def test_memory_is_shared(self):
        values = np.arange(12, dtype=np.float32).reshape(3, 4)
        for make in (mx.asarray, mx.from_dlpack, lambda x: mx.asarray(x, copy=False)):
            for view in (values, values.T, values[1:, ::2], values[0], values[:0]):
                a = make(view)
                self.assertEqual(a.tolist(), view.tolist())
                if view.size:
                    self.assertEqual(np.asarray(a).ctypes.data, view.ctypes.data)
                    self.assertEqual(memoryview(a).strides, view.strides)
        a = mx.asarray(values, copy=False)
        values[1, 1] = 50
        self.assertEqual(a[1, 1].item(), 50)
        self.assertEqual((a + 1)[1, 1].item(), 51)
        a += 1
        self.assertEqual(values[1, 1], 50)

    def test_copies_are_not_shared(self):
        values = np.arange(3, dtype=np.int32)
        copies = [mx.array(values), mx.asarray(values, copy=True), mx.from_dlpack(values, copy=True)]
        values[0] = 9
        self.assertEqual([a[0].item() for a in copies], [0, 0, 0])

    def test_what_cannot_be_shared(self):
        values = np.arange(4, dtype=np.float64)
        self.assertEqual(mx.asarray(values).dtype, mx.float32)
        self.assertEqual(mx.from_dlpack(values).dtype, mx.float32)
        odd = np.frombuffer(b"\0" * 17, np.uint8)[1:].view(np.float32)
        for value, dtype in [(values, None), (values, mx.int32), ([1, 2], None), (3.0, None),
                             (mx.array([1]), None), (odd, None), (np.arange(2) * 1j, None)]:
            with self.assertRaisesRegex(ValueError, "copy"):
                mx.asarray(value, dtype=dtype, copy=False)
            mx.asarray(value, dtype=dtype)
        with mx.stream(mx.cpu):
            self.assertEqual(mx.asarray(values[::2], dtype=mx.float64, copy=False).tolist(), [0, 2])

    def test_orders_of_shared_memory(self):
        values = np.arange(5, dtype=np.float32)
        self.assertEqual(mx.asarray(values[::-1]).tolist(), [4, 3, 2, 1, 0])
        self.assertEqual(mx.asarray(values[::-2], copy=False).tolist(), [4, 2, 0])
        with self.assertRaisesRegex(ValueError, "negative strides"):
            mx.from_dlpack(values[::-1])
        wide = np.broadcast_to(np.array([7], np.int32), (3,))
        a = mx.from_dlpack(wide)
        self.assertEqual((a.tolist(), memoryview(a).strides), ([7, 7, 7], (0,)))

    def test_what_may_not_be_written_is_copied(self):
        values = np.arange(5, dtype=np.int32)
        values.flags.writeable = False
        self.assertNotEqual(np.asarray(mx.asarray(values)).ctypes.data, values.ctypes.data)
        shared = mx.asarray(values, copy=False)
        self.assertEqual(np.asarray(shared).ctypes.data, values.ctypes.data)
        self.assertEqual(mx.asarray(b"abc").tolist(), [97, 98, 99])

    def test_shared_memory_lives_as_long_as_it_is_used(self):
        class Owner(np.ndarray):
            pass

        values = np.ones(1000, np.float32).view(Owner)
        gone = weakref.ref(values)
        a = mx.asarray(values, copy=False)
        del values
        total = mx.sum(a * 2)
        del a
        self.assertIsNotNone(gone())
        self.assertEqual(total.item(), 2000)
        mx.synchronize()
        gc.collect()
        self.assertIsNone(gone())

    def test_shared_memory_goes_away_on_any_thread(self):
        def work():
            for i in range(50):
                values = np.full((64, 64), i, np.float32)
                a = mx.asarray(values, copy=False)
                results.append(mx.sum(a @ a).item() == 64 ** 3 * i * i)

        results = []
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [True] * 200)

    def test_tensors_of_other_libraries(self):
        values = np.arange(6, dtype=np.float32).reshape(2, 3)
        a = mx.from_dlpack(Tensor(values.T))
        values[0, 1] = 7
        self.assertEqual(a.tolist(), values.T.tolist())
        self.assertEqual(mx.array(Tensor(values)).tolist(), values.tolist())
        brain = mx.from_dlpack(Tensor(mx.ones(3, dtype=mx.bfloat16)))
        self.assertEqual((brain.dtype, brain.tolist()), (mx.bfloat16, [1, 1, 1]))


if __name__ == "__main__":
    unittest.main()

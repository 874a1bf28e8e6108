"""npy, npz and safetensors, by path and through files that Python opened."""

import io
import pathlib
import tempfile
import unittest

import assay.core as mx
import numpy as np

DTYPES = ["bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64",
          "float16", "float32", "complex64"]


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def test_npy(self):
        for dtype in DTYPES:
            for shape in [(), (0,), (7,), (3, 5)]:
                values = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
                mx.save(self.path / "a.npy", mx.array(values))
                np.testing.assert_array_equal(np.load(self.path / "a.npy"), values)
                np.save(self.path / "b.npy", values)
                np.testing.assert_array_equal(np.array(mx.load(str(self.path / "b.npy"))), values)

    def test_bfloat16(self):
        values = mx.array([[1.5, -2.0], [3.0, 0.1]], mx.bfloat16)
        mx.save(str(self.path / "a.npy"), values)
        bits = np.load(self.path / "a.npy")
        self.assertEqual((bits.dtype, bits.shape), (np.dtype("V2"), (2, 2)))
        np.testing.assert_array_equal(bits.view(np.uint16), np.array(values.view(mx.uint16)))
        np.save(self.path / "b.npy", bits)
        mx.savez(str(self.path / "c.npz"), x=values)
        for loaded in (mx.load(str(self.path / "a.npy")), mx.load(str(self.path / "b.npy")),
                       mx.load(str(self.path / "c.npz"))["x"]):
            self.assertEqual(loaded.dtype, mx.bfloat16)
            self.assertTrue(mx.array_equal(loaded, values))

    def test_views(self):
        values = np.arange(20, dtype=np.float32).reshape(4, 5)
        mx.save(str(self.path / "a"), mx.array(values).T[::-1])
        np.testing.assert_array_equal(np.load(self.path / "a.npy"), values.T[::-1])

    def test_npz(self):
        a, b = mx.array([1, 2]), mx.array([[0.5]])
        for save in (mx.savez, mx.savez_compressed):
            save(str(self.path / "a.npz"), a, other=b)
            loaded = mx.load(str(self.path / "a.npz"))
            self.assertEqual(loaded["arr_0"].tolist(), [1, 2])
            self.assertEqual(np.load(self.path / "a.npz")["other"].tolist(), [[0.5]])
        with self.assertRaises(ValueError):
            mx.savez(str(self.path / "a.npz"), a, arr_0=b)

    def test_safetensors(self):
        arrays = {"a": mx.array([1, 2], mx.bfloat16), "b": mx.array(np.ones((2, 3)))}
        path = str(self.path / "a.safetensors")
        mx.save_safetensors(path, arrays, {"key": "value"})
        loaded, metadata = mx.load(path, return_metadata=True)
        self.assertEqual(metadata["key"], "value")
        self.assertEqual((loaded["a"].dtype, loaded["a"].tolist()), (mx.bfloat16, [1, 2]))
        self.assertEqual(loaded["b"].shape, (2, 3))
        with self.assertRaises(ValueError):
            mx.save_safetensors(path, arrays, {"key": 1})

    def test_open_files(self):
        stream = io.BytesIO()
        mx.save(stream, mx.array([1, 2, 3]))
        stream.seek(0)
        self.assertEqual(mx.load(stream, format="npy").tolist(), [1, 2, 3])
        with open(self.path / "a.safetensors", "wb") as file:
            mx.save_safetensors(file, {"x": mx.array([4])})
        with open(self.path / "a.safetensors", "rb") as file:
            self.assertEqual(mx.load(file)["x"].tolist(), [4])

    def test_orders_of_axes_and_bytes(self):
        for dtype in DTYPES:
            values = np.arange(60).reshape(3, 4, 5).astype(dtype)
            other = np.dtype(dtype).newbyteorder(">")
            for written in (np.asfortranarray(values), values.astype(other),
                            np.asfortranarray(values.astype(other))):
                np.save(self.path / "a.npy", written)
                loaded = mx.load(str(self.path / "a.npy"))
                np.testing.assert_array_equal(np.array(loaded), values, dtype)

    def test_doubles_need_no_other_device(self):
        values = np.asfortranarray(np.arange(6.0).reshape(2, 3))
        np.save(self.path / "a.npy", values)
        loaded = mx.load(str(self.path / "a.npy"))
        self.assertEqual(loaded.dtype, mx.float64)
        np.testing.assert_array_equal(np.array(loaded), values)

    def test_values_are_read_when_they_are_needed(self):
        path = self.path / "a.npy"
        np.save(path, np.arange(16, dtype=np.float32))
        loaded, later = mx.load(str(path)), mx.load(str(path))
        with open(path, "r+b") as file:
            file.truncate(path.stat().st_size - 64)
        with self.assertRaisesRegex(RuntimeError, "a.npy: the file is truncated: the array needs "
                                                  "64 bytes, but 0 are there(.|\n)*in load"):
            mx.eval(loaded + 1)
        # A new file of that name is another file.
        mx.save(str(path), mx.zeros((16,)))
        with self.assertRaisesRegex(RuntimeError, "truncated"):
            mx.eval(later)
        self.assertEqual(mx.load(str(path)).tolist(), [0] * 16)

    def test_a_file_may_be_written_from_what_it_held(self):
        path = str(self.path / "a.safetensors")
        mx.save_safetensors(path, {"x": mx.arange(5), "y": mx.ones((3,))})
        loaded = mx.load(path)
        mx.save_safetensors(path, {"y": loaded["x"] * 2, "x": loaded["y"]})
        again = mx.load(path)
        self.assertEqual((again["x"].tolist(), again["y"].tolist()), ([1] * 3, [0, 2, 4, 6, 8]))

    def test_loaded_memory_is_used_again(self):
        mx.save(str(self.path / "a.npy"), mx.zeros((1 << 20,)))
        mx.clear_cache()
        mx.reset_peak_memory()
        before = mx.get_active_memory()
        y = mx.load(str(self.path / "a.npy")) * 2 + 1
        mx.eval(y)
        self.assertLess(mx.get_peak_memory() - before, 6 << 20)

    def test_numbers_of_eight_bits_come_as_bytes(self):
        header = b'{"x":{"dtype":"F8_E4M3","shape":[3],"data_offsets":[0,3]}}'
        data = len(header).to_bytes(8, "little") + header + bytes([0, 126, 254])
        (self.path / "a.safetensors").write_bytes(data)
        loaded = mx.load(str(self.path / "a.safetensors"))["x"]
        self.assertEqual((loaded.dtype, loaded.tolist()), (mx.uint8, [0, 126, 254]))

    def test_wrong_files(self):
        for file, error in [("nowhere.npy", Exception), ("name", ValueError), ("a.xyz", ValueError),
                            (7, ValueError)]:
            with self.assertRaises(error):
                mx.load(file)


if __name__ == "__main__":
    unittest.main()

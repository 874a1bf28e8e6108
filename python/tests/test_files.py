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

    def test_wrong_files(self):
        for file, error in [("nowhere.npy", Exception), ("name", ValueError), ("a.xyz", ValueError),
                            (7, ValueError)]:
            with self.assertRaises(error):
                mx.load(file)


if __name__ == "__main__":
    unittest.main()

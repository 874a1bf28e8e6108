#!/usr/bin/python3
"""Drives the program: launches kernels on files that NumPy wrote and checks the results with NumPy,
on odd sizes; and what stored outputs cannot show, as code for this machine and colours.

    program_test.py PROGRAM
"""

import json
import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import unittest

import numpy

PROGRAM = None
SAMPLES = pathlib.Path(__file__).resolve().parents[3] / "samples"

COPY_KERNELS = "".join(
    f"""kernel void copy_{name}(device const {name}* x, device {name}* y,
                                uint i [[thread_position_in_grid]]) {{ y[i] = x[i]; }}\n"""
    for name in ("bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half",
                 "float", "float2"))

# dtype → the MSL type that holds its elements
DTYPES = {
    "bool": "bool", "int8": "char", "int16": "short", "int32": "int", "int64": "long",
    "uint8": "uchar", "uint16": "ushort", "uint32": "uint", "uint64": "ulong", "float16": "half",
    "float32": "float", "float64": "ulong", "complex64": "float2",
}


class ProgramTestCase(unittest.TestCase):
    def setUp(self):
        self.random = numpy.random.default_rng(11)
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def save(self, name, array, **options):
        numpy.save(self.folder / name, array, **options)
        return name

    def run_program(self, *arguments, text=None, **environment):
        # A kernel cache of the test's own: the user's is not touched.
        variables = {**os.environ, "ASSAY_CACHE_DIR": str(self.folder / "kernel-cache"), **environment}
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, text=True, input=text,
                              capture_output=True, timeout=300, check=False, env=variables)

    def launch(self, file, kernel, *arguments):
        result = self.run_program("launch", file, kernel, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def load(self, name):
        return numpy.load(self.folder / name)

    def write_copy_kernels(self):
        (self.folder / "copy.metal").write_text(
            f"#include <metal_stdlib>\nusing namespace metal;\n{COPY_KERNELS}")


class LaunchTest(ProgramTestCase):
    def test_every_dtype_and_shape_survives(self):
        self.write_copy_kernels()
        for dtype, msl in DTYPES.items():
            for shape in ((7,), (3, 5), (2, 1, 3), ()):
                count = int(numpy.prod(shape))
                raw = self.random.integers(0, 256, count * numpy.dtype(dtype).itemsize, "uint8")
                if dtype == "bool":
                    raw &= 1
                array = raw.view(dtype).reshape(shape)
                self.save("x.npy", array)
                sizes = ",".join(map(str, shape))
                self.launch("copy.metal", f"copy_{msl}", "--grid", count, "--threadgroup", 4,
                            "x.npy", f"out:{dtype}[{sizes}]=y.npy")
                result = self.load("y.npy")
                self.assertEqual(result.dtype, numpy.dtype(dtype))
                self.assertEqual(result.shape, shape)
                self.assertEqual(result.tobytes(), array.tobytes(), f"{dtype}{shape}")

    def test_empty_arrays_are_bound(self):
        (self.folder / "empty.metal").write_text(
            "kernel void k(device const float* x, device float* y, device int* z) { z[0] = 5; }")
        self.save("x.npy", numpy.zeros((0, 3), "float32"))
        self.launch("empty.metal", "k", "--grid", 1, "--threadgroup", 1, "x.npy",
                    "out:float32[4,0]=y.npy", "out:int32[]=z.npy")
        self.assertEqual(self.load("y.npy").shape, (4, 0))
        self.assertEqual(self.load("z.npy"), 5)

    def test_header_versions_are_read(self):
        self.write_copy_kernels()
        array = self.random.standard_normal(9).astype("float32")
        for version in ((1, 0), (2, 0), (3, 0)):
            with open(self.folder / "x.npy", "wb") as file:
                numpy.lib.format.write_array(file, array, version=version)
            self.launch("copy.metal", "copy_float", "--grid", 9, "--threadgroup", 4, "x.npy",
                        "out:float32[9]=y.npy")
            numpy.testing.assert_array_equal(self.load("y.npy"), array)

    def test_other_orders_are_explained(self):
        self.write_copy_kernels()
        for array, advice in (
                (numpy.asfortranarray(numpy.ones((2, 3), "float32")), "numpy.ascontiguousarray(x)"),
                (numpy.ones(3, ">f4"), "x.astype('<f4')"),
                (numpy.ones(3, "complex128"), "x.astype("),
                (numpy.ones(3, "float64"), "x.astype('float32')"),
                (numpy.zeros(3, [("a", "f4")]), "not supported"),
                (numpy.array(["text"]), "not supported")):
            self.save("x.npy", array)
            result = self.run_program("launch", "copy.metal", "copy_float", "--grid", 3,
                                      "--threadgroup", 1, "x.npy", "out:float32[6]")
            self.assertEqual(result.returncode, 1)
            self.assertIn(advice, result.stderr)
            self.assertEqual(result.stdout, "")

    def test_arrays_larger_than_the_machine_are_refused(self):
        self.write_copy_kernels()
        self.save("x.npy", numpy.ones(3, "float32"))
        result = self.run_program("launch", "copy.metal", "copy_float", "--grid", 3, "--threadgroup",
                                  1, "x.npy", "out:float32[99999999999999]")
        self.assertEqual(result.returncode, 1)
        self.assertIn("399999999999996 bytes for buffer 'y'", result.stderr)

    def test_axpy(self):
        x = self.random.standard_normal(1003).astype("float32")
        y = self.random.standard_normal(1003).astype("float32")
        self.save("x.npy", x)
        self.save("y.npy", y)
        self.launch(SAMPLES / "axpy.metal", "axpy", "--grid", 1024, "--threadgroup", 96, "x.npy",
                    "inout:y.npy=z.npy", "float:-1.25", "uint:1003")
        numpy.testing.assert_allclose(self.load("z.npy"), y - 1.25 * x.astype("float64"), 1e-5, 1e-6)
        numpy.testing.assert_array_equal(self.load("y.npy"), y)

    def test_row_sum_and_rms_norm(self):
        x = self.random.standard_normal((13, 777)).astype("float32")
        weight = self.random.random(777).astype("float32")
        self.save("x.npy", x)
        self.save("w.npy", weight)
        self.launch(SAMPLES / "row_sum.metal", "row_sum", "--groups", 13, "--threadgroup", 256,
                    "x.npy", "out:float32[13]=sums.npy", "uint:777")
        exact = x.astype("float64")
        numpy.testing.assert_allclose(self.load("sums.npy"), exact.sum(1), 1e-4, 1e-4)
        self.launch(SAMPLES / "rms_norm.metal", "rms_norm", "--groups", 13, "--threadgroup", 160,
                    "x.npy", "w.npy", "out:float32[13,777]=y.npy", "uint:777", "float:1e-6")
        scale = 1 / numpy.sqrt((exact**2).mean(1, keepdims=True) + 1e-6)
        numpy.testing.assert_allclose(self.load("y.npy"), exact * scale * weight, 1e-5, 1e-6)

    def test_softmax_with_and_without_its_constant(self):
        x = self.random.standard_normal((9, 45)).astype("float32") * 4
        self.save("x.npy", x)
        for causal in (False, True):
            self.launch(SAMPLES / "softmax.metal", "softmax", "--groups", 9, "--threadgroup", 64,
                        "--constant", f"causal={str(causal).lower()}", "x.npy",
                        "out:float32[9,45]=y.npy", "uint:45", "threadgroup:8")
            scores = numpy.where(numpy.tri(9, 45) > 0, x, -numpy.inf) if causal else x
            powers = numpy.exp(scores.astype("float64"))
            numpy.testing.assert_allclose(self.load("y.npy"), powers / powers.sum(1, keepdims=True),
                                          2e-5)

    def test_transpose(self):
        x = self.random.standard_normal((37, 50)).astype("float32")
        self.save("x.npy", x)
        self.launch(SAMPLES / "transpose.metal", "transpose_tiled", "--groups", "4,3",
                    "--threadgroup", "16,16", "x.npy", "out:float32[50,37]=y.npy", "uint2:50,37")
        numpy.testing.assert_array_equal(self.load("y.npy"), x.T)

    def test_histogram(self):
        values = self.random.integers(0, 256, 10007).astype("uint8")
        self.save("x.npy", values)
        self.launch(SAMPLES / "histogram.metal", "histogram", "--grid", 1000, "--threadgroup", 100,
                    "x.npy", "out:uint32[256]=y.npy", "uint:10007")
        numpy.testing.assert_array_equal(self.load("y.npy"), numpy.bincount(values, minlength=256))

    def test_prefix_sum(self):
        values = self.random.integers(-1000, 1000, 5003).astype("int32")
        self.save("x.npy", values)
        self.launch(SAMPLES / "prefix_sum.metal", "prefix_sum", "--groups", 5, "--threadgroup", 1024,
                    "x.npy", "out:int32[5003]=y.npy", "uint:5003")
        expected = numpy.concatenate(
            [numpy.cumsum(values[i:i + 1024]) for i in range(0, 5003, 1024)])
        numpy.testing.assert_array_equal(self.load("y.npy"), expected)

    def test_matmul(self):
        a = self.random.standard_normal((32, 48)).astype("float32")
        b = self.random.standard_normal((48, 80)).astype("float32")
        self.save("a.npy", a)
        self.save("b.npy", b)
        size = numpy.array([32, 80, 48], "uint32").tobytes().hex()
        self.launch(SAMPLES / "matmul.metal", "matmul", "--groups", "5,2", "--threadgroup", 32,
                    "a.npy", "b.npy", "out:float32[32,80]=c.npy", f"bytes:{size}")
        numpy.testing.assert_allclose(self.load("c.npy"), a.astype("float64") @ b, 1e-4, 1e-4)

    def test_half_and_bfloat(self):
        x = (self.random.standard_normal(1001) * 100).astype("float32")
        self.save("x.npy", x)
        self.launch(SAMPLES / "convert.metal", "float_to_half", "--grid", 1001, "--threadgroup", 64,
                    "x.npy", "out:float16[1001]=y.npy")
        numpy.testing.assert_array_equal(self.load("y.npy"), x.astype("float16"))
        result = self.launch(SAMPLES / "convert.metal", "float_to_bfloat", "--grid", 1001,
                             "--threadgroup", 64, "x.npy", "out:bfloat16[1001]=b.npy")
        self.assertIn("NumPy has no bfloat16", result.stderr)
        bits = self.load("b.npy")
        self.assertEqual(bits.dtype, numpy.dtype("uint16"))
        back = (bits.astype("<u4") << 16).view("<f4")
        numpy.testing.assert_allclose(back, x, 2**-8)
        self.launch(SAMPLES / "convert.metal", "bfloat_to_float", "--grid", 1001, "--threadgroup", 64,
                    "b.npy", "out:float32[1001]=f.npy")
        numpy.testing.assert_array_equal(self.load("f.npy"), back)

    def test_time_is_reported(self):
        x = numpy.ones(4099, "float32")
        self.save("x.npy", x)
        result = self.launch(SAMPLES / "chain.metal", "chain", "--grid", 4099, "--threadgroup", 256,
                             "--time=7", "--json", "x.npy", "out:float32[4099]=y.npy")
        time = json.loads(result.stdout)["time"]
        self.assertEqual(time["runs"], 7)
        self.assertEqual(time["bytes"], 2 * 4 * 4099)
        self.assertLessEqual(time["min_milliseconds"], time["median_milliseconds"])
        self.assertGreater(time["min_milliseconds"], 0)


class OtherCommandsTest(ProgramTestCase):
    def test_devices_tell_their_limits(self):
        result = self.run_program("devices", "--json")
        device = json.loads(result.stdout)["devices"][0]
        self.assertEqual(device["kind"], "cpu")
        self.assertEqual(device["max_threads_per_threadgroup"], 1024)
        self.assertEqual(device["simdgroup_width"], 32)
        self.assertIn(device["name"], self.run_program("devices").stdout)

    def test_demo_kernels_are_all_correct(self):
        result = self.run_program("demo", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        kernels = json.loads(result.stdout)["kernels"]
        self.assertGreater(len(kernels), 8)
        self.assertTrue(all(kernel["is_correct"] for kernel in kernels))
        table = self.run_program("demo").stdout
        for kernel in kernels:
            self.assertRegex(table, rf"(?m)^{kernel['kernel']} .* correct$")
        self.assertIn(f"{len(kernels)} of {len(kernels)} kernels are correct", table)

    def test_source_comes_from_standard_input(self):
        text = "kernel void k(device int* x) { x[0] = VALUE; }"
        result = self.run_program("launch", "-", "k", "-DVALUE=42", "--grid", 1, "--threadgroup", 1,
                                  "out:int32[1]", text=text)
        self.assertIn("x int32[1] [42]", result.stdout)
        result = self.run_program("compile", "-", text="kernel void k() { undeclared; }")
        self.assertEqual(result.returncode, 1)
        self.assertIn("<stdin>:1:19: error:", result.stderr)

    def test_headers_are_found_in_include_folders(self):
        (self.folder / "headers").mkdir()
        (self.folder / "headers" / "value.h").write_text("constant constexpr int kValue = 17;")
        (self.folder / "k.metal").write_text(
            '#include "value.h"\nkernel void k(device int* x) { x[0] = kValue; }')
        for option in ("-Iheaders", "--include=headers"):
            result = self.run_program("launch", "k.metal", "k", option, "--grid", 1, "--threadgroup", 1,
                                      "out:int32[1]")
            self.assertIn("[17]", result.stdout, result.stderr)
        self.assertEqual(self.run_program("compile", "k.metal").returncode, 1)

    def test_code_is_shown(self):
        source = SAMPLES / "axpy.metal"
        self.assertIn("define", self.run_program("compile", source, "--emit", "ir").stdout)
        self.assertIn("ret", self.run_program("compile", source, "--emit", "asm").stdout)
        result = self.run_program("compile", SAMPLES / "convert.metal", "--kernel", "float_to_half",
                                  "--emit", "asm", "--json")
        shown = json.loads(result.stdout)
        self.assertEqual(shown["kernel"], "float_to_half")
        self.assertIn("ret", shown["asm"])

    def output_on_a_terminal(self, *arguments, **environment):
        ours, theirs = pty.openpty()
        variables = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        subprocess.run([PROGRAM, *map(str, arguments)], stdout=theirs, stderr=subprocess.DEVNULL,
                       env=dict(variables, **environment), timeout=300, check=True)
        os.close(theirs)
        output = b""
        try:
            while piece := os.read(ours, 4096):
                output += piece
        except OSError:  # how Linux reports the end of a terminal
            pass
        os.close(ours)
        return output.decode()

    def test_colours_are_only_for_terminals(self):
        arguments = ("compile", SAMPLES / "axpy.metal")
        self.assertIn("\033[32m1 kernel\033[0m", self.output_on_a_terminal(*arguments))
        self.assertNotIn("\033", self.output_on_a_terminal(*arguments, NO_COLOR="1"))
        self.assertNotIn("\033", self.run_program(*arguments).stdout)


class CacheTest(ProgramTestCase):
    def setUp(self):
        super().setUp()
        (self.folder / "k.metal").write_text(
            '#include "value.h"\nkernel void k(device int* x) { x[0] = VALUE; }')
        (self.folder / "value.h").write_text("#define VALUE 5")

    def launch_k(self, **environment):
        result = self.run_program("launch", "k.metal", "k", "--grid", 1, "--threadgroup", 1, "--json",
                                  "out:int32[1]", **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        launch = json.loads(result.stdout)
        return launch["outputs"][0]["preview"], launch["from_cache"]

    def show(self, **environment):
        result = self.run_program("cache", "--json", **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_kernels_are_compiled_once(self):
        self.assertEqual(self.launch_k(), ("[5]", False))
        self.assertEqual(self.launch_k(), ("[5]", True))
        self.assertEqual(self.launch_k(ASSAY_CACHE="off"), ("[5]", False))
        (self.folder / "value.h").write_text("#define VALUE 6")
        self.assertEqual(self.launch_k(), ("[6]", False))
        result = self.run_program("launch", "k.metal", "k", "--grid", 1, "--threadgroup", 1,
                                  "--time=1", "out:int32[1]")
        self.assertIn("kernel loaded from the cache in ", result.stdout)

    def test_contents_are_shown_and_cleared(self):
        self.launch_k()
        self.launch_k()
        shown = self.show()
        files = list((self.folder / "kernel-cache").iterdir())
        self.assertEqual(shown["folder"], str(self.folder / "kernel-cache"))
        self.assertEqual((shown["kernels"], shown["hits"], shown["misses"]), (1, 1, 1))
        self.assertEqual(shown["recent"][0]["name"], "k")
        self.assertEqual(shown["bytes"], sum(file.stat().st_size for file in files
                                             if file.name != "statistics"))
        self.assertIn("1 kernel in 3 files", self.run_program("cache").stdout)
        kernel = self.folder / "kernel-cache" / shown["recent"][0]["file"]
        os.utime(kernel, (kernel.stat().st_mtime - 3 * 86400,) * 2)
        self.assertIn("3 days ago", self.run_program("cache").stdout)
        cleared = self.run_program("cache", "clear", "--older-than", 2.5, "--json")
        self.assertEqual(json.loads(cleared.stdout)["removed_files"], 1)
        self.assertFalse(kernel.exists())
        self.assertIn("2 files removed, ", self.run_program("cache", "clear").stdout)
        self.assertEqual(list((self.folder / "kernel-cache").iterdir()), [])
        self.assertEqual(self.launch_k(), ("[5]", False))

    def test_a_cache_that_cannot_be_used_stops_nobody(self):
        (self.folder / "file").write_text("mine")
        places = {"ASSAY_CACHE_DIR": str(self.folder / "file")}, {"ASSAY_CACHE": "off"}
        for environment in places:
            for _ in range(2):
                self.assertEqual(self.launch_k(**environment), ("[5]", False))
            shown = self.show(**environment)
            self.assertFalse(shown["is_used"])
            self.assertIn(shown["problem"], self.run_program("cache", **environment).stdout)
        nowhere = {"ASSAY_CACHE_DIR": "", "HOME": "", "XDG_CACHE_HOME": ""}
        self.assertEqual(self.launch_k(**nowhere), ("[5]", False))
        self.assertIn("set ASSAY_CACHE_DIR", self.show(**nowhere)["problem"])
        self.assertEqual(self.run_program("cache", "path", **nowhere).returncode, 1)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()

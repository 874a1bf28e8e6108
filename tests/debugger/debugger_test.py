"""Stops kernels at lines of their source and looks at what gdb shows there.

Usage: debugger_test.py ASSAY GDB PYTHON_FOLDER
"""

import glob
import os
import subprocess
import sys
import tempfile
import unittest

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "kernels.metal")
ASSAY, GDB, PYTHON_FOLDER = sys.argv[1:4]


def line_of(mark):
    """The line that ends in `// break: MARK`."""
    with open(SOURCE, encoding="utf-8") as source:
        for number, text in enumerate(source, 1):
            if text.rstrip().endswith(f"// break: {mark}"):
                return number
    raise AssertionError(f"no line of {SOURCE} is marked {mark}")


class DebuggerTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.environment = dict(os.environ, ASSAY_DEBUG="1", ASSAY_CACHE_DIR=self.folder.name)
        self.environment.pop("ASSAY_CHECK", None)

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_program(self, command):
        return subprocess.run(command, env=self.environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=300, check=False)

    def debug(self, gdb_commands, program):
        """What gdb prints for the commands while it runs the program."""
        script = self.path("commands.gdb")
        with open(script, "w", encoding="utf-8") as file:
            file.write("set breakpoint pending on\nset confirm off\nset pagination off\n")
            file.write("set width 0\nset debuginfod enabled off\n")
            file.write("\n".join(gdb_commands) + "\n")
        return self.run_program([GDB, "-q", "-nx", "-batch", "-x", script, "--args", *program]).stdout

    def launch(self, kernel, grid, threadgroup, *arguments):
        return [ASSAY, "launch", "--grid", grid, "--threadgroup", threadgroup, SOURCE, kernel,
                *arguments]

    def mirrored(self):
        numpy.save(self.path("ramp.npy"), numpy.arange(64, dtype=numpy.float32))
        return self.launch("mirrored", "64", "32", self.path("ramp.npy"), "out:float32[64]",
                           "bytes:0000003f40000000")  # a scale of 0.5, a count of 64

    def test_a_breakpoint_behind_a_barrier_shows_variables_and_position(self):
        shown = self.debug(
            [f"break kernels.metal:{line_of('mirrored')} if position == 37", "run", "bt 2",
             "info args", "info locals", "print input[position]", "print params.scale"],
            self.mirrored())
        for text in [
                f"kernels.metal:{line_of('mirrored')}",
                "#0  mirrored (",
                "#1  thread_of_mirrored (thread_x=37, thread_y=0, thread_z=0, threadgroup_x=1, "
                "threadgroup_y=0, threadgroup_z=0)",
                "position = 37",
                "local = 5",
                "\nvalue = 37\n",
                "\nunused_later = 37.5\n",
                "\nother = 58\n",
                "{32, 33, 34, 35,",
                "$1 = 37\n",
                "$2 = 0.5\n",
        ]:
            self.assertIn(text, shown)

    def test_a_breakpoint_on_a_function_shows_who_calls_it(self):
        shown = self.debug(
            ["break kernels.metal:shape", "run", "bt 2", "next", "print squared", "finish"],
            self.mirrored())
        self.assertRegex(shown, r"#0  shape \(value=31, scale=0.5\)")
        self.assertRegex(shown, r"#1 .* mirrored \(.*position=0, local=0\)")
        self.assertIn("$1 = 961\n", shown)
        self.assertIn("Value returned is $2 = 480.5", shown)

    def test_a_plain_kernel_shows_vectors_and_a_grid_of_three_dimensions(self):
        shown = self.debug(
            [f"break kernels.metal:{line_of('plain')} if position.x == 3 && position.y == 2",
             "run", "bt 2", "info locals"],
            self.launch("plain", "4,3,1", "2,1,1", "out:float32[12,4]"))
        self.assertIn("thread_x=3, thread_y=2, thread_z=0, threadgroup_x=1, threadgroup_y=2", shown)
        self.assertRegex(shown, r"total = \{x = 3, y = 9, z = 0, w = 3\}")

    def result_of(self, command, output):
        """The array that the command's output argument, `out:…`, gets."""
        path = self.path("result.npy")
        result = self.run_program([f"{each}={path}" if each == output else each for each in command])
        self.assertEqual(result.returncode, 0, result.stdout)
        return numpy.load(path)

    def test_results_are_right(self):
        y, x = numpy.mgrid[0:3, 0:4].reshape(2, 12)
        totals = numpy.stack([y * (y + 1) / 2, x * (y + 1), 0 * x, y + 1], axis=1)
        plain = self.launch("plain", "4,3,1", "2,1,1", "out:float32[12,4]")
        numpy.testing.assert_array_equal(self.result_of(plain, "out:float32[12,4]"), totals)
        position = numpy.arange(64)
        other = position // 32 * 32 + 31 - position % 32
        numpy.testing.assert_array_equal(self.result_of(self.mirrored(), "out:float32[64]"),
                                         (position + other) ** 2 * 0.5)

    def test_a_crash_names_the_line(self):
        result = self.run_program(self.launch("wild", "64", "32", "out:float32[64]"))
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stdout, rf"kernel 'wild' at \S*kernels.metal:{line_of('wild')}: "
                                        "invalid (write|memory access)")

    def test_a_kernel_from_a_string_has_a_file_to_show(self):
        script = self.path("program.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"""import sys
sys.path.insert(0, {PYTHON_FOLDER!r})
import assay.core as mx
kernel = mx.fast.metal_kernel(
    name="halved", input_names=["x"], output_names=["y"],
    source="uint i = thread_position_in_grid.x;\\nfloat half_of = x[i] * 0.5f;\\ny[i] = half_of;")
x = mx.arange(8).astype(mx.float32)
print(kernel(inputs=[x], grid=(8, 1, 1), threadgroup=(8, 1, 1), output_shapes=[(8,)],
             output_dtypes=[mx.float32])[0])
""")
        self.run_program(["/usr/bin/python3", script])
        [source] = glob.glob(self.path("sources/*/custom_kernel_halved*.metal"))
        with open(source, encoding="utf-8") as file:
            line = 1 + file.read().split("\n").index("y[i] = half_of;")
        shown = self.debug([f"break {os.path.basename(source)}:{line} if i == 6", "run",
                            "info source", "print half_of", "list"], ["/usr/bin/python3", script])
        self.assertRegex(shown, r"Located in .*/sources/\w+/custom_kernel_halved_float_float\.metal")
        self.assertIn("$1 = 3\n", shown)
        self.assertIn("half_of = x[i] * 0.5f;", shown)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

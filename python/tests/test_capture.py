"""Captures: what is in them, and what is said when there is none."""

import contextlib
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest

import assay.core as mx

NOT_PERMITTED = ("[metal::start_capture] Capture is not permitted: set MTL_CAPTURE_ENABLED=1 (or "
                 "METAL_CAPTURE_ENABLED=1) in the environment of the program.")


@contextlib.contextmanager
def environment(**variables):
    before = {name: os.environ.pop(name, None) for name in variables}
    os.environ.update({name: value for name, value in variables.items() if value is not None})
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


class CaptureCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = str(self.folder / "a.gputrace")
        permission = environment(MTL_CAPTURE_ENABLED="1", METAL_CAPTURE_ENABLED=None)
        permission.__enter__()
        self.addCleanup(permission.__exit__, None, None, None)

    def query(self, sql, path=None):
        with contextlib.closing(sqlite3.connect(path or self.path)) as database:
            return database.execute(sql).fetchall()

    def labels(self, path=None):
        rows = self.query("SELECT text FROM commands JOIN texts ON texts.id = label "
                          "WHERE kind NOT IN (4, 5) ORDER BY commands.id", path)
        return [row[0] for row in rows]

    def message(self, function, *arguments):
        with self.assertRaises(RuntimeError) as caught:
            function(*arguments)
        return str(caught.exception)


class Contents(CaptureCase):
    def test_work_between_start_and_stop_is_captured(self):
        x = mx.arange(1000).astype(mx.float32)
        mx.eval(x)
        lazy = mx.sin(x)
        mx.metal.start_capture(self.path)
        mx.eval(mx.exp(lazy))
        mx.metal.stop_capture()
        mx.eval(mx.cos(x))
        self.assertEqual(self.labels(), ["sin", "exp"])
        self.assertEqual(self.query("PRAGMA integrity_check"), [("ok",)])
        self.assertEqual(os.listdir(self.folder), ["a.gputrace"], "one file, no journal")

    def test_call_sites_arrays_and_sources(self):
        x = mx.ones((5, 7))
        mx.eval(x)
        with mx.metal.capture(self.path):
            y = mx.sin(x.T)  # this line
            mx.eval(y)
        site, source, access, dtype, shape, strides = self.query(
            "SELECT s.text, contents.bytes, access, dtype, shape, strides FROM commands "
            "JOIN texts s ON s.id = site JOIN kernels ON kernels.id = kernel "
            "JOIN contents ON contents.id = source JOIN bindings ON command = commands.id "
            "JOIN arrays ON arrays.id = array WHERE slot = 0")[0]
        with open(__file__, encoding="utf-8") as file:
            line = 1 + next(i for i, text in enumerate(file) if text.endswith("# this line\n"))
        self.assertEqual(site, f"{__file__}:{line}")
        self.assertGreater(source, 50)
        self.assertEqual((access, dtype, shape, strides), (1, "float32", "[7,5]", "[1,7]"))

    def test_dependencies(self):
        x = mx.ones((100,))
        mx.eval(x)
        with mx.metal.capture(self.path):
            mx.eval((x + 1) @ (x * 2))
        pairs = self.query("SELECT a.text, b.text, d.kind FROM dependencies d "
                           "JOIN commands c ON c.id = d.command JOIN texts a ON a.id = c.label "
                           "JOIN commands n ON n.id = needs JOIN texts b ON b.id = n.label")
        self.assertEqual(set(pairs), {("matmul", "add", 0), ("matmul", "multiply", 0)})

    def test_streams_and_events(self):
        x = mx.ones((1000,))
        mx.eval(x)
        first, second = mx.new_stream(mx.gpu), mx.new_stream(mx.gpu)
        with mx.metal.capture(self.path):
            mx.eval(mx.add(mx.sin(x, stream=first), mx.cos(x, stream=second), stream=second))
        self.assertEqual(len(self.query("SELECT DISTINCT queue FROM command_buffers")), 2)
        self.assertEqual(len(self.query("SELECT 1 FROM dependencies WHERE kind = 3")), 1)

    def test_contents_are_stored_once(self):
        x = mx.random.uniform(shape=(64, 1024))
        mx.eval(x)
        with mx.metal.capture(self.path):
            for _ in range(20):
                mx.eval(x + 1)
        self.assertEqual(len(self.query("SELECT 1 FROM contents WHERE bytes = 262144")), 3,
                         "the input, the result, and what was in the new memory")
        self.assertLess(os.path.getsize(self.path), 3 * 262144)

    def test_all_threads_are_captured(self):
        def work(n):
            for i in range(n):
                mx.eval(mx.ones((i + 1,)) * 3)
        with mx.metal.capture(self.path):
            threads = [threading.Thread(target=work, args=(9,)) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(self.labels().count("multiply"), 36)

    def test_several_captures_in_one_process(self):
        for name in "abc":
            with mx.metal.capture(str(self.folder / name)):
                mx.eval(mx.ones((3,)) + 1)
            self.assertIn("add", self.labels(self.folder / name))

    def test_filters(self):
        x = mx.ones((10,))
        mx.eval(x)
        other = mx.new_stream(mx.gpu)
        with mx.metal.capture(self.path, stream=other):
            mx.eval(mx.sin(x), mx.cos(x, stream=other))
        self.assertEqual(self.labels(), ["cos"])
        path = str(self.folder / "named")
        with mx.metal.capture(path, name="si"):
            mx.eval(mx.sin(x), mx.cos(x))
        self.assertEqual(self.labels(path), ["sin"])

    def test_details(self):
        for detail, bindings, contents in [("full", 1, 1), ("skeleton", 1, 0), ("timeline", 0, 0)]:
            path = str(self.folder / detail)
            x = mx.ones((100,))
            mx.eval(x)
            with mx.metal.capture(path, detail=detail):
                mx.eval(mx.sin(x))
            self.assertEqual(self.labels(path), ["sin"])
            self.assertEqual(bool(self.query("SELECT 1 FROM bindings", path)), bool(bindings))
            self.assertEqual(bool(self.query("SELECT 1 FROM contents WHERE bytes = 400", path)),
                             bool(contents))

    def test_a_failed_kernel_is_in_the_capture(self):
        kernel = mx.fast.metal_kernel(name="wild", input_names=["x"], output_names=["out"],
                                      source="out[0] = *(device float*)(ulong(x[0]));")
        with mx.metal.capture(self.path):
            with self.assertRaises(RuntimeError):
                mx.eval(kernel(inputs=[mx.array([8.0])], grid=(1, 1, 1), threadgroup=(1, 1, 1),
                               output_shapes=[(1,)], output_dtypes=[mx.float32]))
        self.assertIn("wild", self.query("SELECT error FROM commands WHERE error NOT NULL")[0][0])


class Mistakes(CaptureCase):
    def test_not_permitted(self):
        with environment(MTL_CAPTURE_ENABLED=None):
            self.assertEqual(self.message(mx.metal.start_capture, self.path), NOT_PERMITTED)
        with environment(MTL_CAPTURE_ENABLED="0"):
            self.assertEqual(self.message(mx.metal.start_capture, self.path), NOT_PERMITTED)
        with environment(MTL_CAPTURE_ENABLED=None, METAL_CAPTURE_ENABLED="1"):
            with mx.metal.capture(self.path):
                mx.eval(mx.ones((3,)))

    def test_the_path_exists(self):
        pathlib.Path(self.path).write_text("mine")
        self.assertEqual(
            self.message(mx.metal.start_capture, self.path),
            f"[metal::start_capture] '{self.path}' already exists, and nothing is overwritten; "
            "remove it or choose another path.")
        self.assertEqual(pathlib.Path(self.path).read_text(), "mine")

    def test_the_folder_is_missing(self):
        path = str(self.folder / "no" / "a.gputrace")
        self.assertEqual(
            self.message(mx.metal.start_capture, path),
            f"[metal::start_capture] '{path}' cannot be created: No such file or directory; check "
            "that its folder exists and may be written.")

    def test_the_path_is_empty(self):
        self.assertEqual(self.message(mx.metal.start_capture, ""),
                         "[metal::start_capture] The path is empty: give the file to write, such "
                         'as "work.gputrace".')

    def test_start_while_capturing(self):
        with mx.metal.capture(self.path):
            self.assertEqual(self.message(mx.metal.start_capture, str(self.folder / "b")),
                             "[metal::start_capture] A capture is already running, to "
                             f"'{self.path}': stop it first with stop_capture().")
            mx.eval(mx.ones((3,)) + 1)
        self.assertIn("add", self.labels())

    def test_stop_without_start(self):
        self.assertEqual(self.message(mx.metal.stop_capture),
                         "[metal::stop_capture] No capture is running: start one first with "
                         "start_capture(path).")

    def test_unknown_detail(self):
        with self.assertRaises(ValueError):
            mx.metal.capture(self.path, detail="everything")


class Environment(CaptureCase):
    """The capture that needs no change of the program."""

    SCRIPT = ("import assay.core as mx\n"
              "x = mx.ones((100,))\n"
              "mx.eval(x)\n"
              "for _ in range(3): mx.eval(mx.sin(x))\n"
              "mx.eval(mx.cos(x))\n")

    def run_script(self, script=None, **variables):
        variables = {"MTL_CAPTURE_ENABLED": "1", **variables}
        kept = {name: value for name, value in os.environ.items()
                if "CAPTURE" not in name} | variables
        result = subprocess.run([sys.executable, "-c", script or self.SCRIPT], cwd=self.folder,
                                capture_output=True, text=True, check=False, env=kept)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stderr

    def test_the_first_evaluation(self):
        self.assertEqual(self.run_script(MLX_METAL_CAPTURE="e"), "assay: captured 2 commands to e\n")
        self.assertEqual(self.labels(self.folder / "e"), ["copy"])

    def test_the_nth_evaluation(self):
        self.run_script(MLX_METAL_CAPTURE="e", GGML_METAL_CAPTURE_COMPUTE="5")
        self.assertEqual(self.labels(self.folder / "e"), ["cos"])

    def test_a_path_of_its_own(self):
        self.run_script(GGML_METAL_CAPTURE_COMPUTE="2")
        (name,) = os.listdir(self.folder)
        self.assertRegex(name, r"^perf-metal-\d+\.gputrace$")

    def test_several_evaluations(self):
        self.run_script(MLX_METAL_CAPTURE="e", ASSAY_CAPTURE="count=3,detail=skeleton")
        self.assertEqual(self.labels(self.folder / "e"), ["copy", "sin", "sin"])
        self.run_script(MLX_METAL_CAPTURE="f", ASSAY_CAPTURE="count=all")
        self.assertEqual(self.labels(self.folder / "f"), ["copy", "sin", "sin", "sin", "cos"])

    def test_warnings(self):
        self.assertEqual(
            self.run_script(MLX_METAL_CAPTURE="e", MTL_CAPTURE_ENABLED="0"),
            "assay: MLX_METAL_CAPTURE=e is ignored: capture is not permitted; set "
            "MTL_CAPTURE_ENABLED=1\n")
        self.assertEqual(
            self.run_script(MLX_METAL_CAPTURE="no/e"),
            "assay: MLX_METAL_CAPTURE=no/e is ignored: its folder 'no' does not exist or may not "
            "be written\n")
        (self.folder / "e").write_text("mine")
        self.assertEqual(
            self.run_script(MLX_METAL_CAPTURE="e"),
            "assay: MLX_METAL_CAPTURE=e is ignored: it already exists, and nothing is "
            "overwritten\n")
        self.assertEqual(
            self.run_script(MLX_METAL_CAPTURE="f", GGML_METAL_CAPTURE_COMPUTE="9"),
            "assay: nothing was captured: the program made 5 evaluations, and number 9 was asked "
            "for\n")
        self.assertEqual(
            self.run_script(MLX_METAL_CAPTURE="f", ASSAY_CAPTURE="depth=3"),
            'assay: ASSAY_CAPTURE: "depth" is no option; there are detail, count, stream and '
            "name\n")

    def test_an_empty_capture_says_so(self):
        script = ("import assay.core as mx\n"
                  "x = mx.ones((3,)); mx.eval(x)\n"
                  "with mx.metal.capture('e'):\n"
                  "    mx.sin(x)\n"
                  "    mx.eval(x)\n")
        self.assertEqual(
            self.run_script(script),
            "assay: the capture in 'e' is empty: nothing was submitted between start and stop; "
            "arrays are lazy: call eval() in between, and keep work whose results are already "
            "there out of it\n")

    def test_a_killed_program_leaves_a_document(self):
        script = ("import assay.core as mx, os, signal, time\n"
                  "x = mx.random.uniform(shape=(1000,)); mx.eval(x)\n"
                  "mx.metal.start_capture('e')\n"
                  "for _ in range(50): mx.eval(mx.sin(x))\n"
                  "time.sleep(0.5)\n"
                  "for _ in range(50): mx.eval(mx.cos(x))\n"
                  "os.kill(os.getpid(), signal.SIGKILL)\n")
        kept = os.environ | {"MTL_CAPTURE_ENABLED": "1"}
        subprocess.run([sys.executable, "-c", script], cwd=self.folder, env=kept, check=False)
        path = self.folder / "e"
        self.assertEqual(self.query("PRAGMA integrity_check", path), [("ok",)])
        self.assertGreaterEqual(self.labels(path).count("sin"), 50)
        self.assertEqual(self.query("SELECT 1 FROM facts WHERE name = 'ended'", path), [])


if __name__ == "__main__":
    unittest.main()

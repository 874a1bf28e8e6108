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


def line_of(comment):
    """The line of this file that ends with the comment, as call sites name it."""
    with open(__file__, encoding="utf-8") as file:
        line = 1 + next(i for i, text in enumerate(file) if text.endswith(f"# {comment}\n"))
    return f"{__file__}:{line}"


class Timelines(CaptureCase):
    """What a timeline knows of the host and of the commands, though it has neither buffers nor arrays."""

    BUILD, ENCODE, COMPILE, WAIT, READ, START, MAKE_KERNEL = range(7)

    def spans(self, kind):
        return self.query("SELECT started, ended, coalesce(l.text, ''), coalesce(s.text, ''), thread "
                          "FROM spans LEFT JOIN texts l ON l.id = label LEFT JOIN texts s "
                          f"ON s.id = site WHERE kind = {kind} ORDER BY spans.id")

    def test_an_evaluation_is_built_encoded_and_waited_for(self):
        x = mx.ones((1000,))
        mx.eval(x)
        with mx.metal.capture(self.path, detail="timeline"):
            y = mx.sin(x)
            mx.eval(y)  # evaluated here
        (build,), (encode,), (wait,) = map(self.spans, (self.BUILD, self.ENCODE, self.WAIT))
        self.assertLessEqual(build[0], build[1])
        self.assertLessEqual(build[1], encode[0])
        self.assertLessEqual(encode[1], wait[0])
        self.assertEqual({span[3] for span in (build, encode, wait)}, {line_of("evaluated here")})
        submitter, = self.query("SELECT DISTINCT thread FROM command_buffers")
        self.assertEqual({(span[4],) for span in (build, encode, wait)}, {submitter})
        self.assertEqual(self.query("SELECT count(*) FROM processes p JOIN threads t ON "
                                    f"t.process = p.id WHERE pid = {os.getpid()}"), [(1,)])

    def test_values_that_the_host_needs_are_reads(self):
        x = mx.ones((1000,))
        with mx.metal.capture(self.path, detail="timeline"):
            total = x.sum()
            total.item()  # read here
            total.item()
        (read,) = self.spans(self.READ)
        self.assertEqual(read[3], line_of("read here"))
        (wait,) = self.spans(self.WAIT)
        self.assertTrue(read[0] <= wait[0] <= wait[1] <= read[1], "waiting is a part of reading")

    def test_threads_are_told_apart(self):
        def work():
            mx.eval(mx.ones((7,)) * 3)
        with mx.metal.capture(self.path, detail="timeline"):
            work()
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
        self.assertEqual(len({span[4] for span in self.spans(self.ENCODE)}), 2)

    def test_kernel_objects_and_compilations_have_their_lines(self):
        x = mx.ones((64,))
        mx.eval(x)
        with mx.metal.capture(self.path, detail="timeline"):
            kernel = mx.fast.metal_kernel(  # made here
                name="timeline_only", input_names=["x"], output_names=["out"],
                source="uint i = thread_position_in_grid.x; out[i] = x[i] * 3.25f;")
            (y,) = kernel(inputs=[x], grid=(64, 1, 1), threadgroup=(64, 1, 1),
                          output_shapes=[x.shape], output_dtypes=[x.dtype])
            mx.eval(y)
        (made,) = self.spans(self.MAKE_KERNEL)
        self.assertEqual(made[2:4], ("timeline_only", line_of("made here")))
        (compiled,) = self.spans(self.COMPILE)
        (encode,) = self.spans(self.ENCODE)
        self.assertTrue(encode[0] <= compiled[0] <= compiled[1] <= encode[1])
        self.assertEqual(self.query("SELECT role, bytes_read, bytes_written FROM commands "
                                    "WHERE kind = 0"), [(3, 256, 256)])

    def test_commands_know_their_role_their_bytes_and_what_they_read_from(self):
        x = mx.ones((32, 48))
        mx.eval(x)
        with mx.metal.capture(self.path, detail="timeline"):
            mx.eval(mx.softmax(mx.cos(mx.sin(x)).T, axis=-1))
        size = 4 * 32 * 48
        self.assertEqual(
            self.query("SELECT text, role, bytes_read, bytes_written FROM commands JOIN texts ON "
                       "texts.id = label WHERE kind = 0 ORDER BY commands.id"),
            [("sin", 1, size, size), ("cos", 1, size, size), ("softmax", 4, size, size),
             ("softmax", 2, size, size)])
        first = self.query("SELECT min(id) FROM commands WHERE kind = 0")[0][0]
        self.assertEqual(
            self.query("SELECT command, needs, kind, buffer FROM dependencies ORDER BY command"),
            [(first + 1, first, 0, 0), (first + 2, first + 1, 0, 0), (first + 3, first + 2, 0, 0)])
        self.assertEqual(self.query("SELECT count(*) FROM bindings"), [(0,)])



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

#!/usr/bin/python3
"""assay record from outside: what it leaves alone, what it writes, and when it refuses.

    record_test.py PROGRAM [unittest options]
"""

import contextlib
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

ASSAY = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else "assay"
WORK = "import mlx.core as mx\nfor _ in range(5): mx.eval(mx.sin(mx.ones((1000,))))\n"


class Record(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.trace = self.folder / "run.trace"

    def script(self, text, name="program.py"):
        path = self.folder / name
        path.write_text(textwrap.dedent(text))
        return str(path)

    def record(self, *command, options=(), code=0):
        result = subprocess.run(
            [ASSAY, "record", "--template", "Metal System Trace", "--output", str(self.trace), *options,
             "--launch", "--", *command], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(result.returncode, code, result.stderr)
        left = [path.name for path in self.folder.iterdir() if ".parts" in path.name]
        self.assertEqual(left, [], "nothing is left beside the document")
        return result

    def query(self, sql):
        with contextlib.closing(sqlite3.connect(self.trace)) as database:
            return database.execute(sql).fetchall()

    def test_output_and_exit_code_are_the_programs_own(self):
        program = self.script("""
            import sys
            import mlx.core as mx
            print("out", sys.argv[1:])
            mx.eval(mx.sin(mx.ones((1000,))))
            print("err", file=sys.stderr)
            sys.exit(7)
            """)
        result = self.record(program, "--output", "x", code=7)
        self.assertEqual((result.stdout, result.stderr), ("out ['--output', 'x']\n", "err\n"))
        self.assertEqual(self.query("PRAGMA integrity_check"), [("ok",)])
        self.assertEqual(self.query("SELECT value FROM facts WHERE name = 'detail'"), [("timeline",)])
        self.assertEqual(self.query("SELECT count(*) FROM contents"), [(0,)])
        (start, end), = self.query("SELECT started, ended FROM spans WHERE kind = 5")
        first, = self.query("SELECT min(started) FROM commands")[0]
        self.assertTrue(-20_000_000 <= start < end <= first, "from the program's start")

    def test_programs_that_it_starts_are_in_it(self):
        child = self.script(WORK, "child.py")
        program = self.script(f"""
            import subprocess, sys
            import mlx.core as mx
            mx.eval(mx.cos(mx.ones((10,))))
            subprocess.run([sys.executable, {child!r}], check=True)
            subprocess.run([sys.executable, {child!r}], check=True)
            """)
        self.record(program)
        rows = self.query(
            "SELECT p.id, command_line, t.text, count(*) FROM commands c JOIN command_buffers b ON "
            "b.id = command_buffer JOIN queues q ON q.id = queue JOIN processes p ON p.id = process "
            "JOIN texts t ON t.id = c.label WHERE role = 1 GROUP BY 1, 3 ORDER BY 1")
        self.assertEqual([(os.path.basename(row[1]), *row[2:]) for row in rows],
                         [("program.py", "cos", 1), ("child.py", "sin", 5), ("child.py", "sin", 5)])
        ends = self.query("SELECT max(ended) FROM commands c JOIN command_buffers b ON b.id = "
                          "command_buffer JOIN queues q ON q.id = queue GROUP BY process")
        self.assertEqual(ends, sorted(ends), "one behind the other, on one clock")
        subprocess.run([ASSAY, "report", str(self.trace)], check=True, capture_output=True)

    def test_memory_is_that_of_all_programs(self):
        child = self.script("import mlx.core as mx\nx = mx.ones((3_000_000,))\nmx.eval(x)\n", "child.py")
        program = self.script(f"""
            import subprocess, sys
            import mlx.core as mx
            x = mx.ones((2_000_000,))
            mx.eval(x)
            subprocess.run([sys.executable, {child!r}], check=True)
            y = mx.ones((100_000,))
            mx.eval(y)
            """)
        self.record(program)
        peak, last = self.query("SELECT max(active), (SELECT active FROM memory ORDER BY id DESC LIMIT 1) "
                                "FROM memory")[0]
        self.assertGreaterEqual(peak, 4 * 5_000_000)
        self.assertTrue(4 * 2_000_000 <= last < 4 * 3_000_000, "the child has ended")

    def test_a_shell_may_start_it(self):
        self.record("sh", "-c", f"'{sys.executable}' '{self.script(WORK)}'; exit 3", code=3)
        self.assertEqual(self.query("SELECT count(*) FROM commands WHERE role = 1"), [(5,)])

    def test_a_limit_ends_the_recording_and_not_the_program(self):
        program = self.script("""
            import time
            import mlx.core as mx
            for _ in range(20):
                mx.eval(mx.sin(mx.ones((1000,))))
                time.sleep(0.1)
            print("done")
            """)
        self.assertEqual(self.record(program, options=["--time-limit", "1.2"]).stdout, "done\n")
        count, last = self.query("SELECT count(*), max(ended) FROM commands WHERE role = 1")[0]
        self.assertTrue(0 < count < 20)
        self.assertLess(last, 1_300_000_000)

    def test_a_ring_keeps_the_last_moments(self):
        program = self.script("""
            import time
            import mlx.core as mx
            for _ in range(20):
                mx.eval(mx.sin(mx.ones((1000,))))
                time.sleep(0.05)
            """)
        self.record(program, options=["--ring", "0.3"])
        first, last, count = self.query("SELECT min(ended), max(ended), count(*) FROM commands "
                                        "WHERE role = 1")[0]
        self.assertLessEqual(last - first, 300_000_000)
        self.assertTrue(1 <= count <= 8)

    def test_an_interrupt_ends_it_well(self):
        program = self.script("""
            import time
            import mlx.core as mx
            while True:
                mx.eval(mx.sin(mx.ones((1000,))))
                time.sleep(0.01)
            """)
        process = subprocess.Popen([ASSAY, "record", "-o", str(self.trace), "--", program],
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(3)
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(process.wait(30), 128 + signal.SIGINT)
        self.assertEqual(self.query("PRAGMA integrity_check"), [("ok",)])
        self.assertGreater(self.query("SELECT count(*) FROM commands")[0][0], 1)
        self.assertEqual(self.query("SELECT count(*) FROM facts WHERE name = 'ended'"), [(1,)],
                         "Python ends itself with the signal, and still all is there")

    def test_a_program_that_is_killed_leaves_what_happened(self):
        program = self.script("""
            import os, signal, time
            import mlx.core as mx
            for _ in range(5):
                mx.eval(mx.sin(mx.ones((1000,))))
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGKILL)
            """)
        self.record(program, code=128 + signal.SIGKILL)
        self.assertEqual(self.query("SELECT count(*) FROM commands WHERE role = 1"), [(5,)])

    def test_refusals(self):
        self.trace.write_text("mine")
        result = self.record("true", code=1)
        self.assertIn("already exists, and nothing is overwritten", result.stderr)
        self.assertEqual(self.trace.read_text(), "mine")
        self.trace.unlink()
        result = subprocess.run([ASSAY, "record", "--template", "Time Profiler", "-o", str(self.trace),
                                 "--", "true"], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn("there is no template 'Time Profiler'; known: 'Metal System Trace'", result.stderr)
        result = self.record("sh", "-c", "exit 4", code=4)
        self.assertIn("nothing was recorded", result.stderr)
        self.assertFalse(self.trace.exists())

    def test_what_checks_find_is_in_it(self):
        program = self.script("""
            import mlx.core as mx
            shift = mx.fast.metal_kernel(name="shift", input_names=["x"], output_names=["y"], source='''
                uint i = thread_position_in_grid.x;
                y[i] = x[i + 1];
            ''')
            x = mx.ones((100,))
            for _ in range(3):
                mx.eval(shift(inputs=[x], grid=(100, 1, 1), threadgroup=(32, 1, 1), output_shapes=[(100,)],
                              output_dtypes=[mx.float32]))
            """)
        os.environ["ASSAY_CHECK"] = "bounds"
        self.addCleanup(os.environ.pop, "ASSAY_CHECK")
        self.record(program)
        sql = ("SELECT rule, severity, kernels.name = findings.kernel, findings.file, line, occurrences FROM "
               "findings JOIN commands ON commands.id = command JOIN kernels ON kernels.id = commands.kernel")
        self.assertEqual(self.query(sql), [("bounds-read", 2, 1, "source", 3, 3)])
        report = subprocess.run([ASSAY, "report", str(self.trace)], check=True, capture_output=True,
                                text=True).stdout
        self.assertIn("reads element 100 of 'x'", report)
        # A capture has the source as well, in which the line is another one.
        self.trace = self.folder / "work.gputrace"
        subprocess.run([ASSAY, "capture", "-o", str(self.trace), "--first", "2", "--count", "1", "--",
                        program], check=True,
                       capture_output=True, timeout=120)
        self.assertEqual(self.query(sql), [("bounds-read", 2, 1, "source", 3, 1)])
        source = subprocess.run([ASSAY, "trace", "source", str(self.trace), "--findings",
                                 self.query("SELECT name FROM kernels WHERE file LIKE '%shift%'")[0][0]],
                                check=True, capture_output=True, text=True).stdout
        self.assertRegex(source, r"y\[i\] = x\[i \+ 1\];\n// +\^ error: reads element 100 of 'x'.*\[bounds-read\]\n")

    def test_captures_of_the_program_go_on(self):
        program = self.script("""
            import os, sys
            import mlx.core as mx
            with mx.metal.capture(sys.argv[1]):
                mx.eval(mx.sin(mx.ones((1000,))))
            """)
        os.environ["MTL_CAPTURE_ENABLED"] = "1"
        self.addCleanup(os.environ.pop, "MTL_CAPTURE_ENABLED")
        self.record(program, str(self.folder / "own.gputrace"))
        self.assertTrue((self.folder / "own.gputrace").exists())
        self.assertGreater(self.query("SELECT count(*) FROM commands")[0][0], 0)


if __name__ == "__main__":
    unittest.main()

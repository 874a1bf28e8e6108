#!/usr/bin/python3
"""assay record --attach: a running program is recorded for a while and notices nothing.

    attach_test.py PROGRAM [unittest options]
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
# Prints its number, works until its input is closed, and says what it computed.
LOOP = """
    import os, select, sys, time
    import mlx.core as mx
    print(os.getpid(), flush=True)
    x = mx.zeros((1000,))
    steps = 0
    while not select.select([sys.stdin], [], [], 0.005)[0]:
        x = x + 1
        mx.eval(x)
        steps += 1
    print("done", x[7].item() == steps, flush=True)
    """


class Program:
    """A script that runs; its first line says its number."""

    def __init__(self, folder, text, **environment):
        path = folder / "program.py"
        path.write_text(textwrap.dedent(text))
        self.process = subprocess.Popen(
            [ASSAY, "run", str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=dict(os.environ, **environment))
        self.pid = int(self.process.stdout.readline())

    def finish(self):
        return self.process.communicate("", timeout=60)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


class Attach(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.trace = self.folder / "run.trace"

    def program(self, text=LOOP, **environment):
        program = Program(self.folder, text, **environment)
        self.addCleanup(program.close)
        return program

    def command(self, pid, *options, trace=None):
        return [ASSAY, "record", "--output", str(trace or self.trace), "--attach", str(pid), *options]

    def attach(self, pid, *options, code=0, trace=None):
        result = subprocess.run(self.command(pid, *options, trace=trace), capture_output=True, text=True,
                                timeout=120, check=False)
        self.assertEqual(result.returncode, code, result.stderr)
        left = [path.name for path in self.folder.iterdir() if ".parts" in path.name]
        self.assertEqual(left, [], "nothing is left beside the document")
        return result

    def start(self, pid, *options):
        """An assay record that runs, with something recorded already."""
        tool = subprocess.Popen(self.command(pid, *options), stderr=subprocess.PIPE, text=True)
        self.addCleanup(tool.communicate)
        self.addCleanup(tool.kill)
        end = time.monotonic() + 60
        while not list(self.folder.glob("*.parts-*/*.part")):
            self.assertLess(time.monotonic(), end, "nothing is recorded")
            time.sleep(0.02)
        return tool

    def query(self, sql, trace=None):
        with contextlib.closing(sqlite3.connect(trace or self.trace)) as database:
            return database.execute(sql).fetchall()

    def count(self, trace=None):
        self.assertEqual(self.query("PRAGMA integrity_check", trace), [("ok",)])
        return self.query("SELECT count(*) FROM commands WHERE role = 1", trace)[0][0]

    def test_a_limit_ends_it_and_the_program_runs_on(self):
        program = self.program()
        self.attach(program.pid, "--time-limit", "1")
        self.assertIsNone(program.process.poll())
        self.assertEqual(program.finish(), ("done True\n", ""))
        self.assertGreater(self.count(), 3)
        (pid, started), = self.query("SELECT pid, started FROM processes")
        self.assertEqual(pid, program.pid)
        self.assertLess(started, 0, "the program began before the recording")
        self.assertEqual(self.query("SELECT count(*) FROM spans WHERE kind = 5"), [(0,)])
        last, = self.query("SELECT max(ended) FROM commands")[0]
        self.assertLess(last, 1_500_000_000)
        self.assertEqual(self.query("SELECT count(*) FROM facts WHERE name = 'ended'"), [(1,)])

    def test_an_interrupt_ends_it_and_the_program_runs_on(self):
        program = self.program()
        tool = self.start(program.pid)
        tool.send_signal(signal.SIGINT)
        self.assertEqual(tool.wait(60), 0)
        self.assertEqual(program.finish(), ("done True\n", ""))
        self.assertGreater(self.count(), 0)

    def test_it_can_be_done_again(self):
        program = self.program()
        for number in range(3):
            trace = self.folder / f"{number}.trace"
            self.attach(program.pid, "--time-limit", "0.3", trace=trace)
            self.assertGreater(self.count(trace), 0)
        self.assertEqual(program.finish(), ("done True\n", ""))

    def test_two_at_a_time_are_refused(self):
        program = self.program()
        tool = self.start(program.pid)
        result = self.attach_other(program.pid)
        self.assertIn(f"process {program.pid} is being recorded by another assay record", result.stderr)
        tool.send_signal(signal.SIGTERM)
        self.assertEqual(tool.wait(60), 0)
        self.assertGreater(self.count(), 0)

    def attach_other(self, pid, code=1):
        result = subprocess.run(self.command(pid, trace=self.folder / "other.trace"),
                                capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertFalse((self.folder / "other.trace").exists())
        return result

    def test_a_program_that_ends_meanwhile_leaves_all_of_it(self):
        program = self.program()
        tool = self.start(program.pid)
        self.assertEqual(program.finish(), ("done True\n", ""))
        self.assertEqual(tool.wait(60), 0)
        self.assertGreater(self.count(), 0)
        self.assertEqual(self.query("SELECT count(*) FROM facts WHERE name = 'ended'"), [(1,)])

    def test_a_program_that_is_killed_meanwhile_leaves_what_happened(self):
        program = self.program()
        tool = self.start(program.pid)
        time.sleep(0.5)
        program.process.kill()
        self.assertEqual(tool.wait(60), 0)
        self.assertGreater(self.count(), 0)

    def test_a_recorder_that_is_killed_does_no_harm(self):
        program = self.program()
        tool = self.start(program.pid)
        tool.kill()
        tool.wait(60)
        self.attach_again(program)
        self.assertEqual(program.finish(), ("done True\n", ""))

    def attach_again(self, program):
        trace = self.folder / "again.trace"
        subprocess.run(self.command(program.pid, "--time-limit", "0.5", trace=trace), check=True,
                       timeout=60)
        self.assertGreater(self.count(trace), 0)

    def test_a_program_that_waits_is_not_waited_for(self):
        program = self.program("""
            import os, sys
            import mlx.core as mx
            mx.eval(mx.ones((10,)))
            print(os.getpid(), flush=True)
            sys.stdin.read()
            mx.eval(mx.ones((10,)))
            print("done")
            """)
        result = self.attach(program.pid, "--time-limit", "0.3", code=1)
        self.assertIn("nothing was recorded", result.stderr)
        self.assertEqual(program.finish(), ("done\n", ""))
        self.assertFalse(self.trace.exists())

    def test_a_fork_shares_nothing(self):
        program = self.program("""
            import os, sys
            import mlx.core as mx
            child = os.fork()
            if child == 0:
                print(os.getpid(), flush=True)
                for line in iter(lambda: os.read(0, 1), b""): pass
                os._exit(0)
            x = mx.zeros((10,))
            while os.waitpid(child, os.WNOHANG)[0] == 0:
                x = x + 1
                mx.eval(x)
            print("done", flush=True)
            """)
        result = self.attach(program.pid, "--time-limit", "0.3", code=1)
        self.assertIn("nothing was recorded", result.stderr, "the child evaluates nothing")
        self.assertEqual(program.finish(), ("done\n", ""))

    def test_a_program_that_is_recorded_already_is_refused(self):
        script = self.folder / "program.py"
        script.write_text(textwrap.dedent(LOOP))
        first = subprocess.Popen([ASSAY, "record", "-o", str(self.trace), "--", str(script)],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(first.communicate)
        pid = int(first.stdout.readline())
        time.sleep(0.3)
        result = self.attach_other(pid)
        self.assertIn("it is being recorded by the assay record that started it", result.stderr)
        self.assertEqual(first.communicate("", timeout=60)[0], "done True\n")
        self.assertGreater(self.count(), 0)

    def test_refusals(self):
        other = subprocess.Popen(["sleep", "60"])
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        result = self.attach(other.pid, code=1)
        self.assertIn(f"process {other.pid} does not use assay", result.stderr)
        ended = subprocess.Popen(["true"])
        ended.wait()
        self.assertIn(f"there is no process {ended.pid}", self.attach(ended.pid, code=1).stderr)
        program = self.program(ASSAY_ATTACH="0")
        result = self.attach(program.pid, code=1)
        self.assertIn("was started with ASSAY_ATTACH=0", result.stderr)
        self.assertEqual(program.finish(), ("done True\n", ""))
        self.assertFalse(self.trace.exists())

    @unittest.skipIf(os.geteuid() != 0, "only root can be two users")
    def test_another_user_is_refused(self):
        program = self.program()
        os.chmod(self.folder, 0o777)
        result = subprocess.run(self.command(program.pid), capture_output=True, text=True, timeout=60,
                                check=False, user=65534, extra_groups=[])
        self.assertEqual(result.returncode, 1)
        self.assertIn("belongs to another user", result.stderr)
        self.assertEqual(program.finish(), ("done True\n", ""))

    def test_wrong_usage(self):
        for options in ([], ["--attach", "1", "--", "true"], ["--attach", "0"]):
            result = subprocess.run([ASSAY, "record", "-o", str(self.trace), *options],
                                    capture_output=True, text=True, timeout=60, check=False)
            self.assertNotEqual(result.returncode, 0, options)
            self.assertFalse(self.trace.exists())


if __name__ == "__main__":
    unittest.main()

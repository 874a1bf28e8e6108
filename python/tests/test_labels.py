"""Names of arrays, streams and evaluations in traces and reports."""

import contextlib
import gc
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest

import assay.core as mx


class Labels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = str(pathlib.Path(folder.name) / "a.gputrace")
        before = os.environ.get("MTL_CAPTURE_ENABLED")
        os.environ["MTL_CAPTURE_ENABLED"] = "1"
        self.addCleanup(lambda: os.environ.update(MTL_CAPTURE_ENABLED=before) if before
                        else os.environ.pop("MTL_CAPTURE_ENABLED"))

    def query(self, sql):
        with contextlib.closing(sqlite3.connect(self.path)) as database:
            return database.execute(sql).fetchall()

    def names(self):
        """Of each command that works, by slot: its operation and the names of its arrays."""
        rows = self.query("SELECT t.text, a.name FROM commands c JOIN texts t ON t.id = c.label "
                          "JOIN bindings b ON b.command = c.id JOIN arrays a ON a.id = b.array "
                          "ORDER BY c.id, b.slot")
        commands = {}
        for operation, name in rows:
            commands.setdefault(operation, []).append(name)
        return commands

    def test_arrays_before_and_after_their_evaluation(self):
        x, y = mx.ones((4,)), mx.zeros((4,))
        mx.eval(x)
        mx.metal.set_label(x, "x")
        z = mx.sin(x)
        mx.metal.set_label(z, "angle")
        with mx.metal.capture(self.path):
            mx.eval(mx.add(z, y), mx.exp(z))
        names = self.names()
        self.assertEqual(names["sin"], ["x", "angle"])
        self.assertEqual(names["add"], ["angle", "", ""])
        self.assertEqual(names["exp"], ["angle", ""])

    def test_views_show_the_name_of_their_array(self):
        weights = mx.ones((3, 5))
        mx.metal.set_label(weights, "weights")
        mx.eval(weights)
        row = weights[1]
        mx.metal.set_label(row, "row")
        with mx.metal.capture(self.path):
            mx.eval(mx.sin(weights.T), mx.cos(row), mx.exp(row[1:]))
        names = self.names()
        self.assertEqual(names["sin"][0], "weights")
        self.assertEqual(names["cos"][0], "row")
        self.assertIn(names["exp"][0], ("row", "weights"))

    def test_names_stay_with_their_arrays(self):
        x = mx.ones((1000,))
        mx.metal.set_label(x, "x")
        mx.eval(x)
        with mx.metal.capture(self.path):
            x = mx.sin(x)  # takes over the memory
            mx.eval(x)
            mx.eval(mx.cos(x))
        self.assertEqual(self.names(), {"sin": ["x", ""], "cos": ["", ""]})

    def test_names_can_be_changed_and_taken_away(self):
        x = mx.ones((4,))
        mx.eval(x)
        mx.metal.set_label(x, "first")
        mx.metal.set_label(x, "second")
        with mx.metal.capture(self.path):
            mx.eval(mx.sin(x))
            mx.metal.set_label(x, "")
            mx.eval(mx.cos(x))
        self.assertEqual((self.names()["sin"][0], self.names()["cos"][0]), ("second", ""))

    def test_streams_and_evaluations(self):
        x = mx.ones((4,))
        mx.eval(x)
        stream = mx.new_stream(mx.gpu)
        mx.metal.set_label(stream, "side")
        with mx.metal.capture(self.path):
            with mx.metal.label("step 1"):
                mx.eval(mx.sin(x))
                with mx.metal.label("attention"):
                    mx.eval(mx.cos(x, stream=stream))
            mx.eval(mx.exp(x))
        rows = self.query("SELECT t.text, q.label, m.text FROM commands c "
                          "JOIN texts t ON t.id = c.label "
                          "JOIN command_buffers b ON b.id = c.command_buffer "
                          "JOIN queues q ON q.id = b.queue JOIN texts m ON m.id = b.label "
                          "WHERE c.kind = 0 ORDER BY c.id")
        side = f"stream {stream.index}: side"
        self.assertEqual(rows, [("sin", "stream 0", "step 1"), ("cos", side, "step 1/attention"),
                                ("exp", "stream 0", "")])

    def test_a_labelled_stream_can_be_captured_alone(self):
        stream = mx.new_stream(mx.gpu)
        mx.metal.set_label(stream, "side")
        x = mx.ones((4,))
        mx.eval(x)
        with mx.metal.capture(self.path, stream=stream):
            mx.eval(mx.sin(x), mx.cos(x, stream=stream))
        self.assertEqual(list(self.names()), ["cos"])

    def test_labels_belong_to_their_thread(self):
        x = mx.ones((4,))
        mx.eval(x)
        with mx.metal.capture(self.path):
            with mx.metal.label("main"):
                other = threading.Thread(target=lambda: mx.eval(mx.sin(x)))
                other.start()
                other.join()
        self.assertEqual(self.query("SELECT DISTINCT m.text FROM command_buffers b "
                                    "JOIN texts m ON m.id = b.label"), [("",)])

    def test_names_cost_nothing_when_they_are_gone(self):
        for i in range(1000):
            x = mx.ones((2,))
            mx.metal.set_label(x, f"array {i}")
            if i % 2:
                mx.eval(x)
        del x
        gc.collect()
        y = mx.ones((2,))
        mx.eval(y)
        with mx.metal.capture(self.path):
            mx.eval(mx.sin(y))
        self.assertEqual(self.names(), {"sin": ["", ""]})

    def test_reports_of_checks_name_arrays(self):
        program = """
import assay.core as mx
kernel = mx.fast.metal_kernel(name="reach", input_names=["values"], output_names=["out"],
    source="uint i = thread_position_in_grid.x; out[i] = values[i + 1];")
table = mx.arange(8).astype(mx.float32)
mx.metal.set_label(table, "table of sines")
(out,) = kernel(inputs=[table], grid=(8, 1, 1), threadgroup=(8, 1, 1), output_shapes=[(8,)],
                output_dtypes=[mx.float32])
mx.eval(out)
"""
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                             env={**os.environ, "ASSAY_CHECK": "bounds"}, check=True)
        self.assertIn("table of sines", run.stderr)


if __name__ == "__main__":
    unittest.main()

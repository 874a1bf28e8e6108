#!/usr/bin/python3
"""Captures a chain of element-wise ops twice, op by op and compiled, and asks the traces what changed.

    trace_fusion_test.py PROGRAM [PROGRAM_THAT_CAPTURES]
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SIZE = 100_003
ROUNDS = 3
BYTES = 4 * SIZE
SCRIPT = f"""
import sys
import mlx.core as mx

def chain(x):
    return mx.log(mx.exp(mx.cos(mx.sin(x))))

function = mx.compile(chain) if sys.argv[2] == "compiled" else chain
x = mx.random.uniform(shape=({SIZE},))
mx.eval(x, function(x))
with mx.metal.capture(sys.argv[1]):
    for _ in range({ROUNDS}):
        mx.eval(function(x))
"""
PROGRAMS = []


def run(*arguments, program=0, code=0):
    result = subprocess.run(
        [PROGRAMS[program], *map(str, arguments)], capture_output=True, text=True, check=False,
        timeout=300, env=dict(os.environ, MTL_CAPTURE_ENABLED="1"))
    if result.returncode != code:
        raise AssertionError(f"{arguments}: exit {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


class TraceFusionTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        script = cls.folder / "chain.py"
        script.write_text(SCRIPT)
        for name in ("eager", "compiled"):
            run("run", script, cls.folder / f"{name}.gputrace", name, program=-1)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def trace(self, *arguments, code=0):
        """The answer of `assay trace`, from JSON. Names of traces become their paths."""
        paths = [self.folder / f"{a}.gputrace" if a in ("eager", "compiled") else a for a in arguments]
        return json.loads(run("trace", *paths, "--json", code=code))

    def test_one_table_says_that_four_kernels_became_one(self):
        diff = self.trace("diff", "eager", "compiled")
        self.assertEqual(len(diff["fusions"]), 1)
        fusion = diff["fusions"][0]
        self.assertEqual(fusion["change"], "4 became 1")
        self.assertEqual(fusion["kernels"], "sin, cos, exp, log")
        self.assertEqual(fusion["parts_dispatches"], 4 * ROUNDS)
        self.assertEqual(fusion["fused_dispatches"], ROUNDS)
        # Each kernel reads and writes the array once.
        self.assertEqual(fusion["saved_bytes"], ROUNDS * (4 - 1) * 2 * BYTES)
        self.assertEqual(self.trace("diff", "compiled", "eager")["fusions"][0]["change"], "1 became 4")

    def test_kernels_have_their_bytes_and_source(self):
        kernels = {row["kernel"]: row for row in self.trace("kernels", "eager")["kernels"]}
        self.assertEqual(set(kernels), {"sin", "cos", "exp", "log"})
        for row in kernels.values():
            self.assertEqual((row["count"], row["bytes_read"], row["bytes_written"]),
                             (ROUNDS, ROUNDS * BYTES, ROUNDS * BYTES))
            self.assertLessEqual(row["min_ns"], row["median_ns"])
            self.assertLessEqual(row["median_ns"], row["max_ns"])
        source = self.trace("source", "eager", "cos")[0]["source"]
        self.assertIn("kernel void cos(", source)

    def test_commands_come_from_lines_of_the_program(self):
        commands = self.trace("commands", "eager", "--all")["commands"]
        commands = [command for command in commands if command["kernel"] != "[signal]"]
        self.assertEqual(len(commands), 4 * ROUNDS)
        line = next(i for i, text in enumerate(SCRIPT.splitlines(), 1) if "return mx.log" in text)
        for command in commands:
            self.assertTrue(command["site"].endswith(f"chain.py:{line}"), command["site"])

    def test_each_command_of_the_chain_needs_the_one_before(self):
        deps = self.trace("deps", "eager", "--all")
        reads = [d for d in deps["dependencies"] if d["reason"] == "reads what it wrote"]
        pairs = {(d["needs_kernel"], d["kernel"]) for d in reads}
        self.assertLessEqual({("sin", "cos"), ("cos", "exp"), ("exp", "log")}, pairs)
        self.assertGreaterEqual(deps["critical_path"][0]["commands"], 4)

    def test_structure_is_the_same_twice_and_differs_otherwise(self):
        self.trace("diff", "--structure", "eager", "eager")
        self.trace("diff", "--structure", "eager", "compiled", code=1)

    def test_the_export_is_a_perfetto_trace(self):
        target = self.folder / "eager.json"
        self.trace("export", "eager", target)
        events = json.loads(target.read_text())["traceEvents"]
        slices = [e for e in events if e["ph"] == "X" and e.get("cat") == "dispatch"]
        self.assertEqual(len(slices), 4 * ROUNDS)
        self.assertTrue(all(e["dur"] > 0 and e["args"]["bytes_read"] == BYTES for e in slices))
        starts = [e["id"] for e in events if e["ph"] == "s"]
        self.assertEqual(sorted(starts), sorted(e["id"] for e in events if e["ph"] == "f"))


if __name__ == "__main__":
    PROGRAMS[:] = [a for a in sys.argv[1:] if not a.startswith("-")]
    unittest.main(argv=sys.argv[:1])

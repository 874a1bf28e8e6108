"""`assay check` on Python programs and on what was captured of them."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

# The program under test: build/release/bin/assay. ctest names it.
PROGRAM = os.environ["ASSAY_PROGRAM"]

SCRIPT = """import sys
import mlx.core as mx

# What lies behind a short array is now what these leave: too large for exp.
mx.eval([mx.full((32,), 1e30) + 0 for _ in range(8)])

shift = mx.fast.metal_kernel(
    name="shift", input_names=["x"], output_names=["y"],
    source="uint i = thread_position_in_grid.x;\\ny[i] = x[i + FAR];")

def main(far):
    x = mx.arange(21, dtype=mx.float32).reshape(3, 7)
    (y,) = shift(inputs=[x], template=[("FAR", far)], grid=(21, 1, 1), threadgroup=(4, 1, 1),
                 output_shapes=[(3, 7)], output_dtypes=[mx.float32])
    print(mx.sum(mx.exp(y * 0.1)).item() > 0)

main(int(sys.argv[1]))
"""
CALL_LINE = next(number for number, line in enumerate(SCRIPT.splitlines(), 1) if "shift(inputs" in line)


class CheckCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "script.py").write_text(SCRIPT)

    def run_assay(self, *arguments, **variables):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        environment |= {"ASSAY_CACHE_DIR": str(self.folder / "cache"), "NO_COLOR": "1"}
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, text=True, timeout=300,
                              capture_output=True, env=environment | variables, check=False)

    def report(self, *arguments):
        result = self.run_assay("check", "--json", "-o", "report.json", *arguments)
        return result, json.loads((self.folder / "report.json").read_text())

    def check_shift(self, report):
        (finding,) = report["findings"]
        self.assertEqual(finding["rule"], "bounds-read")
        self.assertEqual(finding["memory"]["name"], "x")
        self.assertEqual(finding["memory"]["shape"], [3, 7])
        self.assertEqual(finding["memory"]["index"], 21)
        self.assertIn(f"script.py:{CALL_LINE}", finding["call_site"])
        self.assertIn("y[i] = x[i + FAR];", finding["place"]["text"])
        return finding


class CheckProgram(CheckCase):
    def test_findings_know_arrays_and_call_sites(self):
        result, report = self.report("--", "script.py", "1")
        self.assertEqual(result.stdout, "True\n")
        self.assertEqual(result.returncode, 1, result.stderr)
        finding = self.check_shift(report)
        # The text of the source stands in another way in the program.
        self.assertIsNone(finding["place"]["written"])

    def test_a_correct_program_passes(self):
        result, report = self.report("--", "script.py", "0")
        self.assertEqual(result.returncode, 0, report)
        self.assertEqual(report["findings"], [])
        self.assertGreater(report["summary"]["dispatches"], 1)

    def test_lines_of_a_source_are_lines_of_the_program(self):
        script = SCRIPT.replace(
            '"uint i = thread_position_in_grid.x;\\ny[i] = x[i + FAR];"',
            '"""\n        uint i = thread_position_in_grid.x;\n        y[i] = x[i + FAR];\n"""')
        self.assertNotEqual(script, SCRIPT)
        (self.folder / "script.py").write_text(script)
        line = next(n for n, text in enumerate(script.splitlines(), 1) if "y[i] =" in text)
        result, report = self.report("--", "script.py", "1")
        self.assertEqual(result.returncode, 1, result.stderr)
        (finding,) = report["findings"]
        written = finding["place"]["written"]
        self.assertTrue(written["file"].endswith("script.py"), written)
        self.assertEqual((written["line"], written["column"]), (line, 16))
        text = self.run_assay("check", "--", "script.py", "1").stderr
        self.assertRegex(text, rf"written .*script.py:{line}:16\n")

    def test_the_environment_is_enough(self):
        result = self.run_assay("run", "script.py", "1", ASSAY_CHECK="bounds")
        self.assertEqual(result.stdout, "True\n")
        self.assertIn("[bounds-read]", result.stderr)
        self.assertIn("assay check: 1 error in ", result.stderr)


class CheckReplay(CheckCase):
    def capture(self, far):
        result = self.run_assay("capture", "-o", "work.gputrace", "--", "script.py", far)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_captured_mistake_is_found(self):
        self.capture("1")
        result, report = self.report("--replay", "work.gputrace")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.check_shift(report)

    def test_a_correct_capture_passes(self):
        self.capture("0")
        result, report = self.report("--replay", "work.gputrace")
        self.assertEqual(result.returncode, 0, report)
        self.assertEqual(report["findings"], [])


if __name__ == "__main__":
    unittest.main()

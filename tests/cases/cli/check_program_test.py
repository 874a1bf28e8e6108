#!/usr/bin/python3
"""Drives `assay check -- PROGRAM` and ASSAY_CHECK: what reaches whom, exit codes and reports.

    check_program_test.py PROGRAM
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

import numpy

PROGRAM = None

KERNELS = """#include <metal_stdlib>
using namespace metal;
kernel void shift(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  y[i] = x[i + 1];
}
kernel void copy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  y[i] = x[i];
}
"""


class CheckTestCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "kernels.metal").write_text(KERNELS)
        numpy.save(self.folder / "x.npy", numpy.arange(37, dtype="float32"))

    def run_program(self, *arguments, **environment):
        variables = {**os.environ, "ASSAY_CACHE_DIR": str(self.folder / "kernel-cache"),
                     "NO_COLOR": "1", **environment}
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=300,
                              check=False, env=variables)

    def launch(self, kernel):
        """The program itself is one whose kernels can be checked."""
        return [PROGRAM, "launch", "kernels.metal", kernel, "--grid", "37", "--threadgroup", "8",
                "x.npy", "out:float32[37]=y.npy"]

    def shell(self, *commands):
        return ["sh", "-c", "; ".join(" ".join(command) for command in commands)]


class ProgramTest(CheckTestCase):
    def test_findings_are_told_behind_the_programs_own_output(self):
        plain = self.run_program(*self.launch("copy")[1:])
        result = self.run_program("check", "--", *self.launch("shift"))
        self.assertEqual(result.returncode, 1)
        self.assertTrue(result.stdout.startswith("shift: 37 threads in threadgroups of 8"), result.stdout)
        self.assertEqual(len(result.stdout.splitlines()), len(plain.stdout.splitlines()))
        self.assertIn("kernels.metal:5:", result.stderr)
        self.assertIn("[bounds-read]", result.stderr)
        self.assertIn("y[i] = x[i + 1];", result.stderr)
        self.assertIn("assay check: 1 error in 1 dispatch of 1 kernel\n", result.stderr)

    def test_a_good_program_passes(self):
        result = self.run_program("check", "--", *self.launch("copy"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "assay check: no findings in 1 dispatch of 1 kernel\n")

    def test_a_program_without_kernels_is_told_apart(self):
        result = self.run_program("check", "--", "true")
        self.assertEqual(result.returncode, 0)
        self.assertIn("no kernel ran under the checks", result.stderr)

    def test_the_exit_code_is_the_programs_unless_something_was_found(self):
        self.assertEqual(self.run_program("check", "--", "sh", "-c", "exit 7").returncode, 7)
        self.assertEqual(self.run_program("check", "--", "sh", "-c", "kill -9 $$").returncode, 137)
        both = self.shell(self.launch("shift"), ["exit", "7"])
        self.assertEqual(self.run_program("check", "--", *both).returncode, 1)
        self.assertEqual(self.run_program("check", "--fail-on", "never", "--", *both).returncode, 7)

    def test_findings_of_all_child_processes_are_one_report(self):
        programs = self.shell(self.launch("shift"), self.launch("copy"), self.launch("shift"))
        result = self.run_program("check", "--json", "-o", "report.json", "--", *programs)
        self.assertEqual(result.returncode, 1)
        report = json.loads((self.folder / "report.json").read_text())
        self.assertEqual(report["version"], 1)
        self.assertEqual(report["summary"]["errors"], 1)
        self.assertEqual(report["summary"]["dispatches"], 3)
        finding = report["findings"][0]
        self.assertEqual(finding["rule"], "bounds-read")
        self.assertEqual(finding["occurrences"], 2)
        self.assertEqual(finding["place"]["line"], 5)
        self.assertIn("assay check: 1 error", result.stderr)

    def test_findings_before_a_crash_are_told(self):
        programs = self.shell(self.launch("shift"), ["kill", "-9", "$$"])
        result = self.run_program("check", "--", *programs)
        self.assertEqual(result.returncode, 1)
        self.assertIn("[bounds-read]", result.stderr)

    def test_suppressions_silence_and_unused_ones_are_told(self):
        (self.folder / "known.txt").write_text("bounds-read:shift  # padded\nrace-device\n")
        for options in (["--suppressions", "known.txt"], []):
            environment = {} if options else {"ASSAY_CHECK_SUPPRESSIONS": "known.txt"}
            result = self.run_program("check", *options, "--", *self.launch("shift"), **environment)
            self.assertEqual(result.returncode, 0)
            self.assertIn("suppression was not needed: known.txt:2: race-device", result.stderr)
            self.assertIn("1 suppressed", result.stderr)

    def test_the_report_is_xml_and_sarif(self):
        self.run_program("check", "--format", "junit", "-o", "r.xml", "--", *self.launch("shift"))
        suite = xml.etree.ElementTree.parse(self.folder / "r.xml").getroot()
        self.assertEqual(suite.get("failures"), "1")
        self.run_program("check", "--format", "sarif", "-o", "r.sarif", "--", *self.launch("shift"))
        run = json.loads((self.folder / "r.sarif").read_text())["runs"][0]
        place = run["results"][0]["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"]["uri"], "kernels.metal")
        self.assertEqual(place["region"]["startLine"], 5)

    def test_other_checks_can_be_chosen(self):
        result = self.run_program("check", "--checks", "races", "--", *self.launch("shift"))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_request_to_end_reaches_the_program(self):
        with subprocess.Popen([PROGRAM, "check", "--", "sleep", "60"], cwd=self.folder,
                              stderr=subprocess.PIPE, text=True) as process:
            time.sleep(1)
            process.send_signal(signal.SIGTERM)
            _, text = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertIn("assay check: no findings", text)

    def test_nothing_stays_behind(self):
        (self.folder / "temporary").mkdir()
        self.run_program("check", "--", *self.launch("shift"), TMPDIR=str(self.folder / "temporary"))
        self.assertEqual(os.listdir(self.folder / "temporary"), [])


class EnvironmentTest(CheckTestCase):
    def test_findings_are_told_as_they_come(self):
        result = self.run_program(*self.launch("shift")[1:], ASSAY_CHECK="all")
        self.assertEqual(result.returncode, 0)
        self.assertIn("[bounds-read]", result.stderr)
        self.assertTrue(result.stderr.endswith("assay check: 1 error in 1 dispatch of 1 kernel\n"))

    def test_silence_means_that_nothing_was_found(self):
        self.assertEqual(self.run_program(*self.launch("copy")[1:], ASSAY_CHECK="all").stderr, "")

    def test_what_makes_no_sense_is_an_error(self):
        command = self.launch("copy")[1:]
        result = self.run_program(*command, ASSAY_CHECK="race")
        self.assertIn("no check is called 'race'", result.stderr)
        result = self.run_program(*command, ASSAY_CHECK="1", ASSAY_CHECK_SUPPRESSIONS="none.txt")
        self.assertIn("cannot read the suppressions in none.txt", result.stderr)
        result = self.run_program(*command, ASSAY_CHECK="1", ASSAY_CHECK_REPORT="none/file")
        self.assertIn("findings cannot be written to none/file", result.stderr)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()

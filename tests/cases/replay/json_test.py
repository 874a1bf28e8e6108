#!/usr/bin/python3
"""What scripts get from assay replay: counts, places and times as JSON, and the exit code.

    json_test.py PROGRAM
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CASE = pathlib.Path(__file__).resolve().parent / "replay"
KERNEL = "custom_kernel_scale_float_float"


class ReplayJson(unittest.TestCase):
    program = ""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.trace = os.path.join(cls.folder.name, "run.gputrace")
        cls.environment = dict(os.environ, ASSAY_CACHE_DIR=os.path.join(cls.folder.name, "cache"))
        subprocess.run([cls.program, "capture", "-o", cls.trace, "--", CASE / "program.py"],
                       env=cls.environment, capture_output=True, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def replay(self, *arguments):
        result = subprocess.run([self.program, "replay", self.trace, "--json", *arguments],
                                env=self.environment, capture_output=True, text=True, check=False)
        return json.loads(result.stdout), result.returncode

    def test_counts(self):
        report, code = self.replay()
        self.assertEqual(code, 0)
        self.assertEqual(report["commands"], 8)
        self.assertEqual(report["verified"], 8)
        self.assertEqual(report["differences"], [])
        self.assertEqual(report["times"], [])
        self.assertEqual(report["device"], report["captured_device"])

    def test_times(self):
        report, code = self.replay("--repeat", "3", "--warm-up", "0")
        self.assertEqual(code, 0)
        self.assertEqual(sum(row["commands"] for row in report["times"]), 8)
        for row in report["times"]:
            self.assertGreater(row["captured_milliseconds"], 0)
            self.assertGreater(row["replayed_milliseconds"], 0)
        row = next(row for row in report["times"] if row["kernel"] == KERNEL)
        self.assertEqual(row["bytes"], 2 * 7 * 11 * 4)

    def test_place(self):
        report, code = self.replay("--with", f"{KERNEL}={CASE / 'wrong.metal'}")
        self.assertEqual(code, 1)
        self.assertEqual(len(report["differences"]), 1)
        difference = report["differences"][0]
        self.assertEqual(difference["name"], KERNEL)
        self.assertEqual(difference["array"]["shape"], [7, 11])
        self.assertEqual(difference["first"]["index"], 22)
        self.assertEqual(difference["first"]["coordinates"], [2, 0])
        self.assertEqual(difference["first"]["differing"], 3)
        self.assertRegex(difference["site"], r"program\.py:\d+$")

    def test_error(self):
        report, code = self.replay("--only", "50")
        self.assertEqual(code, 1)
        self.assertIn("there is no command 50", report["error"])


if __name__ == "__main__":
    ReplayJson.program = sys.argv.pop()
    unittest.main()

#!/usr/bin/python3
"""Pictures of dependencies, which the program `dot` of Graphviz draws: with it, without it, and when
it fails. Where it is not installed, a stand-in that reads and writes as it does takes its place.

    export_svg_test.py PROGRAM
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import trace_documents  # noqa: E402

PROGRAM = None
STAND_IN = """#!/bin/sh
[ "$*" = "-Tsvg" ] || exit 9
graph=$(cat)
case "$graph" in "digraph "*) ;; *) exit 8 ;; esac
commands=$(echo "$graph" | grep -c 'label="#')
echo '<svg xmlns="http://www.w3.org/2000/svg">'
for i in $(seq "$commands"); do echo '<g class="node"/>'; done
echo '</svg>'
"""


class ExportSvg(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        trace_documents.make_documents(self.folder)
        self.tools = self.folder / "tools"
        self.tools.mkdir()

    def add_tool(self, text):
        (self.tools / "dot").write_text(text)
        (self.tools / "dot").chmod(0o755)

    def export(self, *arguments, path=None):
        environment = {**os.environ, "PATH": path or f"{self.tools}:/usr/bin:/bin"}
        return subprocess.run([PROGRAM, "trace", "export", "eager.gputrace", *arguments],
                              cwd=self.folder, env=environment, capture_output=True, text=True)

    def count_nodes(self, name):
        root = xml.etree.ElementTree.parse(self.folder / name).getroot()
        self.assertTrue(root.tag.endswith("svg"), root.tag)
        return sum(element.get("class") == "node" for element in root.iter())

    def test_every_command_is_a_node(self):
        if shutil.which("dot") is None:
            self.add_tool(STAND_IN)
        run = self.export("all.svg")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(self.count_nodes("all.svg"), 11)
        self.assertEqual(self.export("few.svg", "--limit", "3").returncode, 0)
        self.assertEqual(self.count_nodes("few.svg"), 3)

    def test_without_the_tool(self):
        run = self.export("a.svg", path=str(self.tools))
        self.assertEqual(run.returncode, 1)
        self.assertIn("install the package 'graphviz', or export to a .dot file instead", run.stderr)
        self.assertFalse((self.folder / "a.svg").exists())

    def test_a_tool_that_fails(self):
        self.add_tool("#!/bin/sh\nexit 3\n")
        run = self.export("a.svg")
        self.assertEqual(run.returncode, 1)
        self.assertIn("'dot' could not draw the graph", run.stderr)
        self.assertFalse((self.folder / "a.svg").exists())


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()

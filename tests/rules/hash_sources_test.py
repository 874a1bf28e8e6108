#!/usr/bin/python3
"""Shows that the compiler's identity follows its sources: cmake/hash_sources.cmake."""

import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "cmake" / "hash_sources.cmake"


class HashSourcesTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "stdlib").mkdir()
        (self.folder / "stdlib" / "metal_math").write_text("float sin(float);\n")
        (self.folder / "pass.cpp").write_text("int pass;\n")
        self.name_files("pass.cpp", "stdlib/metal_math")

    def name_files(self, *names):
        (self.folder / "files.txt").write_text("".join(f"{name}\n" for name in names))

    def generate(self):
        output = self.folder / "source_hash.cpp"
        subprocess.run(["cmake", f"-DROOT={self.folder}", f"-DFILES={self.folder / 'files.txt'}",
                        f"-DOUTPUT={output}", "-P", SCRIPT], check=True)
        return output.read_text(), output.stat().st_mtime_ns

    def test_any_change_of_a_source_counts(self):
        first, _ = self.generate()
        (self.folder / "stdlib" / "metal_math").write_text("float sin(float) ;\n")
        second, _ = self.generate()
        (self.folder / "renamed.cpp").write_text("int pass;\n")
        self.name_files("renamed.cpp", "stdlib/metal_math")
        third, _ = self.generate()
        self.assertEqual(len({first, second, third}), 3)

    def test_the_same_sources_rebuild_nothing(self):
        first, written = self.generate()
        (self.folder / "pass.cpp").write_text("int pass;\n")
        self.assertEqual(self.generate(), (first, written))


if __name__ == "__main__":
    unittest.main()

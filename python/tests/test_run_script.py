"""`assay run`: scripts written for MLX, with other mlx packages beside."""

import os
import pathlib
import subprocess
import tempfile
import unittest

# The program under test: build/release/bin/assay. ctest names it.
PROGRAM = os.environ["ASSAY_PROGRAM"]


class RunScript(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_assay(self, *arguments, **variables):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        return subprocess.run([PROGRAM, "run", *arguments], cwd=self.folder, text=True,
                              capture_output=True, env=environment | variables, check=False)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_mlx_is_assay(self):
        self.write("a.py", "import mlx.core as mx, assay.core\n"
                           "from mlx.core import random\n"
                           "print(mx is assay.core, random is mx.random, mx.float32)\n"
                           "print(mx.array([1, 2]) + 1)\n")
        result = self.run_assay("a.py")
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.stdout,
                         "True True mlx.core.float32\narray([2, 3], dtype=int32)\n")

    def test_arguments_and_exit_code_are_the_scripts(self):
        self.write("a.py", "import sys; print(sys.argv[1:]); sys.exit(7)")
        result = self.run_assay("a.py", "--help", "-m", "x", "--json")
        self.assertEqual((result.stdout, result.returncode),
                         ("['--help', '-m', 'x', '--json']\n", 7))

    def test_modules(self):
        self.write("package/__main__.py", "import sys, mlx.core; print('here', sys.argv[1])")
        result = self.run_assay("-m", "package", "word")
        self.assertEqual((result.stdout, result.stderr), ("here word\n", ""))

    def test_other_mlx_packages_stand_beside(self):
        self.write("lib/mlx/nn/__init__.py", "import mlx.core as mx\ndef f(x): return mx.exp(x)\n")
        self.write("a.py", "import mlx.nn as nn, mlx.core as mx; print(nn.f(mx.array(0.0)).item())")
        result = self.run_assay("a.py", PYTHONPATH=str(self.folder / "lib"))
        self.assertEqual((result.stdout, result.stderr), ("1.0\n", ""))

    def test_wrong_usage(self):
        self.assertEqual(self.run_assay().returncode, 2)
        result = self.run_assay("a.py", PYTHON="/nowhere/python")
        self.assertIn("cannot start /nowhere/python", result.stderr)
        self.assertEqual(result.returncode, 1)


if __name__ == "__main__":
    unittest.main()

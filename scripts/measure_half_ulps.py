#!/usr/bin/python3
"""Measures half-precision math functions over all 65,536 inputs: scripts/measure_half_ulps.py ASSAY

Runs each function as a kernel through the given assay program, compares with NumPy in double precision
and prints the rows of the table in docs/math-accuracy.md.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

REFERENCES = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos,
    "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh,
    "acosh": np.arccosh, "atanh": np.arctanh, "exp": np.exp, "exp2": np.exp2,
    "exp10": lambda x: np.power(10.0, x), "log": np.log, "log2": np.log2, "log10": np.log10,
    "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "floor": np.floor, "ceil": np.ceil,
    "trunc": np.trunc, "rint": np.rint, "fabs": np.abs,
}


def source():
    text = "#include <metal_stdlib>\nusing namespace metal;\n"
    for variant in ("precise", "fast"):
        for name in REFERENCES:
            text += (f"kernel void {variant}_{name}(const device half* x, device half* y,\n"
                     f"    uint i [[thread_position_in_grid]]) {{ y[i] = {variant}::{name}(x[i]); }}\n")
    return text


def measure(result, exact):
    """Largest error in units of the last place of half, and how many results are of the wrong kind."""
    rounded = exact.astype(np.float16)
    ulp = np.spacing(np.abs(rounded)).astype(np.float64)
    regular = np.isfinite(rounded) & np.isfinite(result)
    error = np.abs(result.astype(np.float64) - exact)[regular] / ulp[regular]
    # Just below and above the largest half both roundings are right.
    border = np.abs(np.abs(exact) - 65520) < 32
    wrong = (np.isnan(result) != np.isnan(rounded)) | ((np.isinf(result) != np.isinf(rounded)) & ~border)
    return error.max(initial=0.0), int(wrong.sum())


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    inputs = np.arange(65536, dtype=np.uint32).astype(np.uint16).view(np.float16)
    np.seterr(all="ignore")
    print("| function | variant | max ulp | wrong kind |\n|---|---|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "half.metal").write_text(source())
        np.save(folder / "x.npy", inputs)
        for variant in ("precise", "fast"):
            for name, reference in REFERENCES.items():
                subprocess.run([program, "launch", "half.metal", f"{variant}_{name}", "--grid", "65536",
                                "--threadgroup", "256", "x.npy", "out:float16[65536]=y.npy"],
                               cwd=folder, check=True, stdout=subprocess.DEVNULL)
                result = np.load(folder / "y.npy")
                largest, wrong = measure(result, reference(inputs.astype(np.float64)))
                print(f"| {name} | {variant} | {largest:.3f} | {wrong} |")


if __name__ == "__main__":
    main()

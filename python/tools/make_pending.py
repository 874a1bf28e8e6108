#!/usr/bin/python3
"""Writes stand-ins for functions that bindings use and the library does not define yet.

make_pending.py OUTPUT LIBRARY OBJECT…: each stand-in raises an error with the function's name.
"""

import pathlib
import re
import subprocess
import sys


def symbols(*arguments):
    lines = subprocess.run(["nm", *arguments], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in lines.splitlines() if re.search(r"\b_ZN?K?5assay", line)}


def main():
    output, library, *objects = sys.argv[1:]
    used = symbols("--undefined-only", *objects)
    defined = symbols("--defined-only", *objects) | symbols("-D", "--defined-only", library)
    missing = sorted(name for name in used - defined if "6python" not in name)
    plain = subprocess.run(["c++filt", *missing], capture_output=True, text=True,
                           check=True).stdout.splitlines() if missing else []
    lines = ["// Stand-ins for functions that the library does not define yet.",
             "#include <stdexcept>",
             "namespace {",
             "[[noreturn]] void fail(const char* name) {",
             '  throw std::runtime_error(std::string(name) + " is not there yet.");',
             "}",
             "}  // namespace"]
    for symbol, name in zip(missing, plain):
        name = name.split("(")[0]
        lines.append(f'extern "C" __attribute__((visibility("hidden"))) void {symbol}() '
                     f'{{ fail("{name}"); }}')
    pathlib.Path(output).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Runs the program on stored command lines and compares what it prints.

    run_cases.py PROGRAM [--cases FOLDER] [--update] [CASE…]

A case is a folder: `commands.txt` has one command line each (# starts a comment), `expected.txt` the
commands with their output. Other files of the folder and `samples/` are there while it runs. Times,
rates and addresses are replaced by <time>, <rate> and <address>, and the folder in paths goes. Cases
whose name starts with trace_ have the documents of trace_documents.py, and their numbers are compared
as they are. --update rewrites the expected texts. --cases looks elsewhere than beside this script.
"""

import difflib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import trace_documents  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE.parents[2] / "samples"

REPLACEMENTS = [
    (re.compile(r"\b\d+(\.\d+)? (ns|µs|ms|s)\b"), "<time>"),
    (re.compile(r"\b\d+(\.\d+)? GB/s"), "<rate>"),
    (re.compile(r"\b0x[0-9a-f]+\b"), "<address>"),
    (re.compile(r'("\w*(milliseconds|gigabytes_per_second)": )[-+.e\d]+'), r"\1<number>"),
]


def normalised(text):
    for pattern, replacement in REPLACEMENTS:
        text = pattern.sub(replacement, text)
    return text


def run_command(program, line, folder, is_exact):
    """What the command prints, with its standard error and exit code where there are any."""
    arguments = shlex.split(line)
    # The first word is the program's name; two threads make the order of groups a real question.
    # The kernel cache is the case's own.
    environment = dict(os.environ, ASSAY_THREADS="2", NO_COLOR="1", ASSAY_CACHE_DIR="kernel-cache")
    for name in ("ASSAY_CACHE", "ASSAY_CACHE_SIZE"):
        environment.pop(name, None)
    result = subprocess.run(
        [program, *arguments[1:]], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=300, check=False)
    text = f"$ {line}\n{result.stdout}"
    if result.stderr:
        text += f"[stderr]\n{result.stderr}"
    if result.returncode != 0:
        text += f"[exit {result.returncode}]\n"
    return text if is_exact else normalised(text)


def run_case(program, case):
    with tempfile.TemporaryDirectory() as folder:
        for file in case.iterdir():
            if file.name not in ("commands.txt", "expected.txt"):
                shutil.copy(file, folder)
        os.symlink(SAMPLES, os.path.join(folder, "samples"))
        is_trace = case.name.startswith("trace_")
        if is_trace:
            trace_documents.make_documents(folder)
        lines = (case / "commands.txt").read_text().splitlines()
        commands = [line for line in lines if line and not line.startswith("#")]
        text = "\n".join(run_command(program, line, folder, is_trace) for line in commands)
        return text.replace(folder + "/", "")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    is_update = "--update" in sys.argv
    folder = HERE
    if "--cases" in arguments:
        at = arguments.index("--cases")
        folder = pathlib.Path(arguments[at + 1]).resolve()
        del arguments[at:at + 2]
    program = str(pathlib.Path(arguments[0]).resolve())
    cases = sorted(p.parent for p in folder.glob("*/commands.txt"))
    if arguments[1:]:
        cases = [case for case in cases if case.name in arguments[1:]]
    if not cases:
        sys.exit("run_cases.py: no such case")
    failed = 0
    for case in cases:
        actual = run_case(program, case)
        stored = case / "expected.txt"
        expected = stored.read_text() if stored.exists() else ""
        if actual == expected:
            continue
        if is_update:
            stored.write_text(actual)
            print(f"updated {case.name}")
            continue
        failed += 1
        print("".join(difflib.unified_diff(
            expected.splitlines(True), actual.splitlines(True),
            f"{case.name}: expected", f"{case.name}: actual")))
    print(f"{len(cases) - failed} of {len(cases)} cases passed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

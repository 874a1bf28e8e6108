#!/usr/bin/python3
"""Records programs with one known problem each and checks that the report's first finding names it.

    run_cases.py PROGRAM [--slowed] [CASE…]

The first line of a case says the rule (`finding: none` for a program without problems) and may say the
verdict; the line to blame ends with `# here`. Every case has a kernel cache of its own, with the
device's peaks in it, which are measured once. What a report says follows from times, and other work on the
machine may stretch any of them: a case fails when ATTEMPTS recordings in a row are judged wrong, and each
one that was is shown. With --slowed, for builds whose host code takes many times
as long, everything runs but only that there is a report is checked: such programs are host-bound.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
ATTEMPTS = 3


def run(program, *arguments, cache):
    environment = dict(os.environ, ASSAY_CACHE_DIR=str(cache), PYTHONWARNINGS="ignore")
    for name in ("ASSAY_CACHE", "ASSAY_THREADS", "ASSAY_CAPTURE", "MLX_METAL_CAPTURE"):
        environment.pop(name, None)
    result = subprocess.run([program, *map(str, arguments)], env=environment, capture_output=True,
                            text=True, timeout=300, check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))} failed:\n{result.stdout}{result.stderr}")
    return result.stdout


def expectations(case):
    text = case.read_text()
    rule = re.search(r"finding: ([\w-]+)", text)[1]
    verdict = re.search(r"verdict: (\w+)", text)
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# here")]
    return rule, verdict and verdict[1], f"{case}:{lines[0]}" if lines else None


def problem_with(report, case):
    """What is wrong with the report of the case, or nothing."""
    rule, verdict, site = expectations(case)
    if verdict and report["verdict"]["bound"] != verdict:
        return f"the verdict is {report['verdict']['bound']}, not {verdict}"
    findings = report["findings"]
    found = [(each["rule"], each["site"], round(each["gain_share"], 3)) for each in findings]
    if rule == "none":
        return f"there should be no finding: {found}" if findings else None
    if not findings or findings[0]["rule"] != rule or findings[0]["site"] != site:
        return f"the first finding should be {rule} at {site}: {found}"
    return None


def passes(program, case, folder, is_slowed):
    """Records the case until its report is right, in a new folder each time; says what was wrong."""
    for attempt in range(ATTEMPTS):
        cache = folder / f"{case.stem}-{attempt}"
        trace = cache.with_suffix(".trace")
        cache.mkdir()
        shutil.copy(folder / "measured" / "measurements.txt", cache)
        run(program, "record", "--output", trace, "--launch", "--", case, cache=cache)
        report = json.loads(run(program, "report", trace, "--json", cache=cache))
        problem = None if is_slowed else problem_with(report, case)
        if not problem:
            return True
        print(f"{case.stem}, recording {attempt + 1}: {problem}\n  {report['verdict']['text']}")
    return False


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    names = [name for name in sys.argv[2:] if name != "--slowed"]
    is_slowed = "--slowed" in sys.argv[2:]
    cases = sorted(PROGRAMS.glob("*.py"))
    if names:
        cases = [case for case in cases if case.stem in names]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        run(program, "devices", "--measure", cache=folder / "measured")
        for case in cases:
            failed += not passes(program, case, folder, is_slowed)
    print(f"{len(cases) - failed} of {len(cases)} cases passed")
    sys.exit(1 if failed or not cases else 0)


if __name__ == "__main__":
    main()

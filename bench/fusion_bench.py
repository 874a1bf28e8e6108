#!/usr/bin/python3
"""Whether compile saves what reports say: predicted from recordings of eager runs, and what came.

    fusion_bench.py ASSAY [ROUNDS] [CHAIN…]

Each round records the eager program, and runs the eager and the compiled one in turns in one process.
Both savings are shares of an eager step, so that other work of the machine falls on both; medians of
the rounds are compared. The aim is a prediction within 25 % of what came.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

PROGRAMS = pathlib.Path(__file__).resolve().parent / "fusion_programs.py"
STEPS = {"traffic": 15, "guide": 15, "mixed": 200, "small": 1000}
AIM = 0.25


def run(*command, cache):
    environment = dict(os.environ, ASSAY_CACHE_DIR=cache)
    return subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True,
                          check=True).stdout


def predicted_share(assay, chain, folder, number, cache):
    trace = f"{folder}/{chain}-{number}.trace"
    run(assay, "record", "-o", trace, "--", PROGRAMS, chain, "eager", STEPS[chain], cache=cache)
    report = json.loads(run(assay, "report", trace, "--json", cache=cache))
    return sum(each["gain_share"] for each in report["findings"] if each["rule"] == "unfused-chain")


def came_share(assay, chain, cache):
    eager_s, compiled_s = map(float, run(assay, "run", PROGRAMS, chain, "both", STEPS[chain],
                                         cache=cache).split())
    return 1 - compiled_s / eager_s


def main():
    assay = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    chains = sys.argv[3:] or list(STEPS)
    print("chain     predicted   got  predicted/got  aim")
    with tempfile.TemporaryDirectory() as folder:
        cache = f"{folder}/cache"
        run(assay, "devices", "--measure", cache=cache)  # compiles what it measures
        for chain in chains:
            came_share(assay, chain, cache)  # likewise
            predicted, came = [], []
            for number in range(rounds):
                run(assay, "devices", "--measure", cache=cache)
                predicted.append(predicted_share(assay, chain, folder, number, cache))
                came.append(came_share(assay, chain, cache))
            ratio = statistics.median(predicted) / statistics.median(came)
            verdict = "reached" if abs(ratio - 1) <= AIM else "missed"
            print(f"{chain:<8} {statistics.median(predicted):>9.0%} {statistics.median(came):>6.0%} "
                  f"{ratio:>13.2f}  {verdict}")


if __name__ == "__main__":
    main()

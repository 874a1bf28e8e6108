#!/usr/bin/python3
"""What recording costs a program: the fusion guide with and without assay record, in turns.

    record_bench.py ASSAY [ROUNDS]

Compares what the guide itself measures, eager and compiled, so that its start does not count. The
aim is a slow-down of at most 3 %.
"""

import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

GUIDE = pathlib.Path(__file__).resolve().parents[1] / "guides/profile_fusion.py"


def guide_seconds(command):
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return sum(float(each) for each in re.findall(r"(?:Eager|Compiled) Time: ([\d.]+)s", output))


def main():
    assay = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    plain, recorded = [], []
    with tempfile.TemporaryDirectory() as folder:
        guide_seconds([assay, "run", str(GUIDE)])  # kernels get compiled
        for number in range(rounds):
            trace = f"{folder}/{number}.trace"
            plain.append(guide_seconds([assay, "run", str(GUIDE)]))
            recorded.append(guide_seconds([assay, "record", "-o", trace, "--", str(GUIDE)]))
    ratios = [b / a for a, b in zip(plain, recorded)]
    print(f"fusion guide, {rounds} rounds in turns: {statistics.median(plain):.3f} s alone, "
          f"{statistics.median(recorded):.3f} s recorded")
    print(f"slow-down: median of pairs {100 * (statistics.median(ratios) - 1):+.1f} %, "
          f"of the best {100 * (min(recorded) / min(plain) - 1):+.1f} %  (aim: <= 3 %)")


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Checks that the outputs in docs/kernels.md are those of the stored case check_guide.

    guide_test.py [--update]

Behind a line `<!-- output: NAME.json -->` stands the output of `assay check guide.metal --launch
NAME.json` as a code block. --update writes them.
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
GUIDE = HERE.parents[2] / "docs" / "kernels.md"
PLACE = re.compile(r"(<!-- output: (\S+) -->\n)(\n```\n.*?```\n)?", re.DOTALL)
COMMAND = re.compile(r"^\$ assay check guide\.metal --launch (\S+)\n(.*?)(?=^\$ |\Z)", re.DOTALL | re.MULTILINE)


def stored_outputs():
    text = (HERE / "check_guide" / "expected.txt").read_text()
    return {name: re.sub(r"^\[exit 1\]\n", "", output, flags=re.MULTILINE).strip("\n")
            for name, output in COMMAND.findall(text)}


def main():
    outputs = stored_outputs()
    before = GUIDE.read_text()
    named = [match[2] for match in PLACE.finditer(before)]
    if sorted(named) != sorted(outputs):
        sys.exit(f"docs/kernels.md shows {sorted(named)}, the case has {sorted(outputs)}")
    after = PLACE.sub(lambda match: f"{match[1]}\n```\n{outputs[match[2]]}\n```\n", before)
    if "--update" in sys.argv:
        GUIDE.write_text(after)
    elif after != before:
        sys.exit("docs/kernels.md has other outputs than the case check_guide; run guide_test.py --update")


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Runs `assay check` on kernels with seeded bugs and on correct ones, and counts what it finds.

    run_cases.py PROGRAM [--cases FOLDER] [--jobs N] [--json] [--verbose] [NAME…]

bugs/NAME.metal with bugs/NAME.json (the launch) has the lines where something must be reported marked
at their end:

    // BUG: rule           this rule, on one of the lines that are marked with it
    // BUG: rule | other   either of them
    // BUG: rule (other)   the other may be reported here too
    // BUG: (other)        may be reported here

A data race has two sides: where both lines are marked, the finding has to name both, one as its place
and one as related. Anything else but notes is a false alarm. correct/NAME.metal must give no finding at
all. Prints what is missed and what is too much, then a table per rule with precision and recall; exit
status 1 if either is not 100 %. --json prints the figures alone.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MARK = re.compile(r"// BUG: ([a-z| -]*)(?:\(([a-z, -]+)\))?\s*$")
SECONDS_PER_CASE = 120


@dataclasses.dataclass
class Marks:
    """What the comments of a source ask for."""

    wanted: dict  # rules, any of which will do -> lines
    allowed: dict  # rule -> lines where it may be reported


@dataclasses.dataclass
class Outcome:
    name: str
    found: list = dataclasses.field(default_factory=list)  # one rule per thing that had to be found
    missed: list = dataclasses.field(default_factory=list)
    false_alarms: list = dataclasses.field(default_factory=list)
    notes: list = dataclasses.field(default_factory=list)  # lines to print

    @property
    def is_right(self):
        return not self.missed and not self.false_alarms


def read_marks(source):
    marks = Marks(collections.defaultdict(set), collections.defaultdict(set))
    for number, line in enumerate(source.splitlines(), 1):
        match = MARK.search(line)
        if not match:
            if "// BUG" in line:
                raise ValueError(f"line {number}: cannot read the mark")
            continue
        rules = tuple(rule.strip() for rule in match[1].split("|") if rule.strip())
        also = [rule.strip() for rule in (match[2] or "").split(",") if rule.strip()]
        if rules:
            marks.wanted[rules].add(number)
        for rule in (*rules, *also):
            marks.allowed[rule].add(number)
    return marks


def own_line(finding):
    return finding["place"]["line"]


def related_lines(finding):
    return [other["place"]["line"] for other in finding.get("related", []) if other.get("place")]


def is_expected(finding, marks):
    lines = {own_line(finding), *related_lines(finding)}
    return bool(lines & marks.allowed.get(finding["rule"], set()))


def names_lines(finding, lines):
    """Whether the finding is at one of the lines; a race also has to name its other side."""
    own = own_line(finding)
    related = related_lines(finding)
    if finding["rule"].startswith("race-") and finding["rule"] != "race-same-value" and len(lines) > 1:
        return own in lines and any(line in lines for line in related)
    return own in lines or any(line in lines for line in related)


def describe(finding):
    place = finding["place"]
    others = "".join(f", {line}" for line in related_lines(finding))
    return f"{finding['rule']} at line {place['line']}{others}: {finding['message']}"


def judge(name, findings, marks):
    outcome = Outcome(name)
    for rules, lines in marks.wanted.items():
        if any(f["rule"] in rules and names_lines(f, lines) for f in findings):
            outcome.found.append(rules[0])
        else:
            outcome.missed.append(rules[0])
            where = ", ".join(map(str, sorted(lines)))
            outcome.notes.append(f"missed {' or '.join(rules)} at line {where}")
    for finding in findings:
        is_quiet = marks.wanted and finding["severity"] == "note"
        if not is_expected(finding, marks) and not is_quiet:
            outcome.false_alarms.append(finding["rule"])
            outcome.notes.append(f"false alarm {describe(finding)}")
    if outcome.missed:
        outcome.notes.extend(f"reported {describe(f)}" for f in findings if is_expected(f, marks))
    return outcome


def run_check(program, source, cache):
    """The findings, or an error text."""
    command = [program, "check", str(source), "--launch", str(source.with_suffix(".json")), "--json"]
    environment = dict(os.environ, ASSAY_CACHE_DIR=cache, NO_COLOR="1")
    environment.pop("ASSAY_CHECK", None)
    try:
        result = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, timeout=SECONDS_PER_CASE,
                                capture_output=True, text=True, check=False)
    except subprocess.TimeoutExpired:
        return None, f"did not end in {SECONDS_PER_CASE} s"
    try:
        return json.loads(result.stdout)["findings"], ""
    except (json.JSONDecodeError, KeyError, TypeError):
        text = (result.stderr or result.stdout).strip()
        return None, f"exit status {result.returncode}: {text[-600:]}"


def run_case(program, source, cache):
    name = f"{source.parent.name}/{source.stem}"
    marks = read_marks(source.read_text())
    if (source.parent.name == "bugs") != bool(marks.wanted):
        raise ValueError(f"{name}: kernels with marks belong into bugs, others into correct")
    findings, error = run_check(program, source, cache)
    if findings is None:
        rules = [rules[0] for rules in marks.wanted] or ["(did not run)"]
        return Outcome(name, missed=rules, notes=[error])
    return judge(name, findings, marks)


def ratio(part, whole):
    return part / whole if whole else 1.0


def figures_of(outcomes):
    count = {kind: collections.Counter(rule for o in outcomes for rule in getattr(o, kind))
             for kind in ("found", "missed", "false_alarms")}
    rules = {}
    for rule in sorted(set().union(*count.values())):
        found, missed, alarms = (count[kind][rule] for kind in ("found", "missed", "false_alarms"))
        rules[rule] = {"found": found, "missed": missed, "false_alarms": alarms,
                       "precision": ratio(found, found + alarms), "recall": ratio(found, found + missed)}
    found, missed, alarms = (sum(count[kind].values()) for kind in ("found", "missed", "false_alarms"))
    return {"cases": len(outcomes), "right": sum(o.is_right for o in outcomes), "found": found,
            "missed": missed, "false_alarms": alarms, "precision": ratio(found, found + alarms),
            "recall": ratio(found, found + missed), "rules": rules}


def print_table(figures):
    print(f"{'rule':<28}{'found':>7}{'missed':>8}{'false':>7}{'precision':>11}{'recall':>9}")
    for rule, row in [*figures["rules"].items(), ("all", figures)]:
        print(f"{rule:<28}{row['found']:>7}{row['missed']:>8}{row['false_alarms']:>7}"
              f"{row['precision']:>10.1%} {row['recall']:>8.1%}")
    print(f"{figures['right']} of {figures['cases']} kernels judged right")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("names", nargs="*", help="only these kernels")
    parser.add_argument("--cases", default=HERE, type=pathlib.Path)
    parser.add_argument("--jobs", default=2, type=int)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="also name the kernels judged right")
    return parser.parse_intermixed_args()


def main():
    options = parse_arguments()
    program = str(pathlib.Path(options.program).resolve())
    sources = sorted([*options.cases.glob("bugs/*.metal"), *options.cases.glob("correct/*.metal")])
    if options.names:
        sources = [source for source in sources if source.stem in options.names]
    if not sources:
        sys.exit("run_cases.py: no such kernel")
    with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = list(pool.map(lambda source: run_case(program, source, cache), sources))
    figures = figures_of(outcomes)
    if options.json:
        print(json.dumps(figures, indent=1))
    else:
        for outcome in outcomes:
            if options.verbose or not outcome.is_right:
                print(outcome.name, "" if outcome.is_right else "WRONG")
                for note in outcome.notes:
                    print("   ", note)
        print_table(figures)
    sys.exit(0 if figures["right"] == figures["cases"] else 1)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Checks every #include below src/ and include/ against layers.toml.

Tests, fuzz targets and benchmarks may include any module: they build the whole they test from its
parts. Prints one line per violation; exit status 1 if there is any.
"""

import pathlib
import re
import sys
import tomllib

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
TEST_FILE = re.compile(r"_(test|fuzz|bench)\.cpp$|/testing/")
OPEN_TO_ALL = "base"


class Layers:
    """The allowed arrows, with folders such as device/cpu as modules of their own."""

    def __init__(self, text):
        rules = tomllib.loads(text)
        self.libraries = rules.pop("libraries", {})
        self.rules = rules

    def module_of(self, path):
        """Module of a file given relative to src/ ("device/cpu/queue.cpp" → "device/cpu")."""
        parts = path.split("/")
        if len(parts) > 2 and f"{parts[0]}/*" in self.rules:
            return "/".join(parts[:2])
        return parts[0]

    def rule_of(self, module):
        if module in self.rules:
            return self.rules[module]
        return self.rules.get(f"{module.split('/')[0]}/*")

    def allows(self, source, target):
        if target in (source, OPEN_TO_ALL):
            return True
        rule = self.rule_of(source)
        return rule is not None and ("*" in rule or target in rule)


def included_names(text):
    """Yields (line number, is_quoted, name) for each #include."""
    for number, line in enumerate(text.splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1] == '"', match[2]


def check_source(layers, path, text, modules):
    """Violations of one file given relative to src/, as (line number, message)."""
    source = layers.module_of(path)
    if source != OPEN_TO_ALL and layers.rule_of(source) is None:
        yield 1, f'module "{source}" has no line in layers.toml'
        return
    for number, is_quoted, name in included_names(text):
        first = name.split("/")[0]
        if first in layers.libraries:
            if source not in layers.libraries[first]:
                yield number, f'"{source}" may not include {first} headers ({name})'
        # <array> is the standard library's, "array/node.h" the module's.
        elif first in modules and (is_quoted or "/" in name):
            target = layers.module_of(name)
            if not layers.allows(source, target):
                yield number, f'"{source}" may not include "{target}" ({name})'
        elif is_quoted and "/" not in name:
            yield number, f'include "{name}" by its full path from src/'


def check_public_header(text):
    """Violations of a header below include/: it may see only its like and the standard library."""
    for number, is_quoted, name in included_names(text):
        is_ours = name.startswith(("assay/", "mlx/"))
        if is_quoted != is_ours or (not is_quoted and "/" in name):
            yield number, f"a public header may not include {name}"


def check_tree(root):
    layers = Layers((root / "layers.toml").read_text())
    modules = {folder.name for folder in (root / "src").iterdir() if folder.is_dir()}
    files = [p for p in (root / "src").rglob("*") if p.suffix in (".h", ".cpp")]
    for file in sorted(files):
        path = file.relative_to(root / "src").as_posix()
        if TEST_FILE.search(path) or path.startswith("msl/stdlib/"):
            continue
        for number, message in check_source(layers, path, file.read_text(), modules):
            yield f"src/{path}:{number}: {message}"
    for file in sorted((root / "include").rglob("*.h")):
        for number, message in check_public_header(file.read_text()):
            yield f"{file.relative_to(root)}:{number}: {message}"


def main():
    violations = list(check_tree(pathlib.Path(__file__).resolve().parent.parent))
    for violation in violations:
        print(violation)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())

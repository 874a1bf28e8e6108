#!/usr/bin/python3
"""Checks rules of the source that no compiler knows: banned calls, the opening comment, include
guards, own header first, and that every path named in the documents exists. Layout is left to
clang-format.

Prints one line per violation; exit status 1 if there is any.
"""

import pathlib
import re
import sys

# Programs print; the library does not.
PROGRAMS = ("src/cli/", "src/msl/math_ulp/", "src/msl/tools/", "tests/install/")

# (what, pattern on code without comments and strings, who may, what to do instead)
BANNED = [
    ("std::cout or std::cerr", re.compile(r"\bstd::c(out|err|log)\b"), PROGRAMS,
     "return text and let the command line print it"),
    ("printf", re.compile(r"(?<![\w.>])(std::)?f?printf\s*\("),
     (*PROGRAMS, "src/base/ensure.cpp"),
     "return text and let the command line print it"),
    ("getenv", re.compile(r"\bgetenv\s*\("), ("src/base/settings.cpp",),
     "add a field to base::Settings"),
    ("assert", re.compile(r"(?<!\w)assert\s*\("), (), "use ASSAY_ENSURE"),
    ("rand", re.compile(r"(?<![\w.>])s?rand\s*\("), (), "use a <random> engine with a fixed seed"),
    ("using namespace in a header", re.compile(r"\busing\s+namespace\b"), (),
     "name what you need"),
    ("TODO", re.compile(r"\b(TODO|FIXME|XXX)\b"), (), "finish it or file an issue"),
]
COMMENT_RULES = {"TODO"}
HEADER_RULES = {"using namespace in a header"}

TOKEN = re.compile(
    r'R"(?P<delimiter>[^()\\\s]{0,16})\((?:.|\n)*?\)(?P=delimiter)"'
    r'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*(?:.|\n)*?\*/'
)
DIGIT_SEPARATOR = re.compile(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])")
DOCUMENT_PATH = re.compile(r"`([\w.*<>/-]+)`")


def code_only(text, keep_comments=False):
    """The text with strings (and comments) blanked out, line numbers kept."""

    def blank(match):
        token = match[0]
        if keep_comments and token.startswith("/"):
            return token
        return '""' + "\n" * token.count("\n")

    return TOKEN.sub(blank, DIGIT_SEPARATOR.sub("", text))


def check_banned(path, text):
    code = code_only(text)
    with_comments = code_only(text, keep_comments=True)
    for name, pattern, exceptions, advice in BANNED:
        if any(path.startswith(prefix) for prefix in exceptions):
            continue
        if name in HEADER_RULES and not path.endswith(".h"):
            continue
        searched = with_comments if name in COMMENT_RULES else code
        for number, line in enumerate(searched.splitlines(), 1):
            if pattern.search(line):
                yield number, f"{name} is banned here: {advice}"


def check_shape(path, text, has_own_header):
    lines = text.splitlines()
    is_test = path.endswith("_test.cpp")
    if not is_test and (not lines or not lines[0].startswith("// ")):
        yield 1, "open the file with one or two lines that say what it is for"
    if path.endswith(".h") and "#pragma once" not in lines:
        yield 1, "a header needs #pragma once"
    if has_own_header:
        own = path.removeprefix("src/").removesuffix(".cpp") + ".h"
        first = re.search(r'^#include\s*[<"]([^>"]+)', text, re.MULTILINE)
        if first and first[1] != own:
            yield 1, f'include "{own}" first: that proves the header stands alone'


def check_document(text, exists):
    """Paths in `code` marks must exist; words without a slash are only paths when they name a document."""
    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_block = not in_block
        if in_block:
            continue
        for path in DOCUMENT_PATH.findall(line):
            is_path = "/" in path or re.search(r"\.(md|toml|json)$", path)
            if not is_path or re.search(r"[*<>]", path) or path.startswith(("/", "build/", "-", "~")):
                continue
            if not exists(path):
                yield number, f"names {path}, which does not exist"


def check_tree(root):
    sources = []
    for folder in ("src", "include", "tests"):
        sources += [p for p in (root / folder).rglob("*") if p.suffix in (".h", ".cpp")]
    for file in sorted(sources):
        path = file.relative_to(root).as_posix()
        if path.startswith("src/msl/stdlib/"):
            continue
        text = file.read_text()
        has_own_header = file.suffix == ".cpp" and file.with_suffix(".h").exists()
        yield from ((path, *v) for v in check_banned(path, text))
        yield from ((path, *v) for v in check_shape(path, text, has_own_header))

    def exists(path):
        # An empty folder does not survive a commit.
        places = [root / path, root / "src" / path]
        return any(p.is_file() or (p.is_dir() and any(p.iterdir())) for p in places)

    for document in sorted(root.glob("*.md")) + sorted(root.glob("docs/**/*.md")):
        for number, message in check_document(document.read_text(), exists):
            yield document.relative_to(root).as_posix(), number, message


def main():
    violations = list(check_tree(pathlib.Path(__file__).resolve().parent.parent))
    for path, number, message in violations:
        print(f"{path}:{number}: {message}")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())

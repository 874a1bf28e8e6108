#!/usr/bin/python3
"""Shows that the checks of layers and source rules find what they should and nothing else."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
sys.dont_write_bytecode = True
import check_layers  # noqa: E402
import check_rules  # noqa: E402

LAYERS = check_layers.Layers(
    """
kernel = []
device = ["kernel"]
"device/*" = ["kernel", "device"]
cli = ["*"]
[libraries]
llvm = ["device/cpu"]
"""
)
MODULES = {"base", "kernel", "device", "cli"}


def layer_violations(path, *includes):
    text = "".join(f"#include {name}\n" for name in includes)
    return [m for _, m in check_layers.check_source(LAYERS, path, text, MODULES)]


class LayersTest(unittest.TestCase):
    def test_lower_modules_own_module_and_base_are_allowed(self):
        self.assertEqual(
            layer_violations("device/queue.h", '"kernel/a.h"', '"device/b.h"', '"base/c.h"'), []
        )

    def test_climbing_is_refused(self):
        self.assertEqual(
            layer_violations("kernel/a.h", '"device/b.h"'),
            ['"kernel" may not include "device" (device/b.h)'],
        )

    def test_an_interface_may_not_know_its_driver_but_the_driver_knows_it(self):
        self.assertEqual(len(layer_violations("device/queue.h", '"device/cpu/cpu.h"')), 1)
        self.assertEqual(layer_violations("device/cpu/cpu.h", '"device/queue.h"'), [])

    def test_drivers_do_not_know_each_other(self):
        self.assertEqual(len(layer_violations("device/cpu/cpu.h", '"device/null/null.h"')), 1)

    def test_star_allows_everything(self):
        self.assertEqual(layer_violations("cli/main.cpp", '"device/cpu/cpu.h"'), [])

    def test_a_module_without_rule_is_refused(self):
        self.assertEqual(len(layer_violations("extra/a.h")), 1)

    def test_library_headers_are_limited_in_both_spellings(self):
        self.assertEqual(len(layer_violations("device/queue.h", "<llvm/IR/Module.h>")), 1)
        self.assertEqual(len(layer_violations("device/queue.h", '"llvm/IR/Module.h"')), 1)
        self.assertEqual(layer_violations("device/cpu/jit.h", '"llvm/IR/Module.h"'), [])

    def test_short_include_paths_are_refused(self):
        self.assertEqual(len(layer_violations("device/queue.h", '"buffer.h"')), 1)

    def test_public_headers_see_only_their_like(self):
        def count(line):
            return len(list(check_layers.check_public_header(line)))

        self.assertEqual(count("#include <vector>"), 0)
        self.assertEqual(count('#include "assay/version.h"'), 0)
        self.assertEqual(count('#include "base/result.h"'), 1)
        self.assertEqual(count("#include <fmt/format.h>"), 1)


def banned(path, text):
    return [message.split(" is banned")[0] for _, message in check_rules.check_banned(path, text)]


class RulesTest(unittest.TestCase):
    def test_banned_calls_are_found(self):
        self.assertEqual(banned("src/a/b.cpp", "std::cout << 1;"), ["std::cout or std::cerr"])
        self.assertEqual(banned("src/a/b.cpp", 'std::getenv("X");'), ["getenv"])
        self.assertEqual(banned("src/a/b.cpp", "assert(x);"), ["assert"])
        self.assertEqual(banned("src/a/b.cpp", "int r = rand();"), ["rand"])
        self.assertEqual(banned("src/a/b.h", "using namespace std;"), ["using namespace in a header"])
        self.assertEqual(banned("src/a/b.cpp", "// TO" + "DO: later"), ["TODO"])

    def test_near_misses_stay_silent(self):
        for text in (
            "static_assert(sizeof(int) == 4);",
            "operand(3);",
            "engine.rand();",
            "// std::cout is not used",
            '"call assert(x) or getenv(y)"',
            'R"(rand())"',
            "auto x = 1'000; f('a'); // don't assert(x)",
        ):
            self.assertEqual(banned("src/a/b.cpp", text), [], text)
        self.assertEqual(banned("src/cli/main.cpp", "std::cout << 1;"), [])
        self.assertEqual(banned("src/a/b.cpp", "using namespace llvm;"), [])

    def test_line_numbers_survive_raw_strings_and_comments(self):
        text = '/* a\nb */\nauto t = R"x(\nrand()\n)x";\nassert(t);\n'
        self.assertEqual([n for n, _ in check_rules.check_banned("src/a/b.cpp", text)], [6])

    def test_shape_of_files(self):
        def shape(path, text, own=False):
            return [n for n, _ in check_rules.check_shape(path, text, own)]

        self.assertEqual(shape("src/a/b.h", "// For x.\n#pragma once\n"), [])
        self.assertEqual(shape("src/a/b.h", "#include <vector>\n"), [1, 1])
        self.assertEqual(shape("src/a/b.cpp", '// For x.\n#include "a/b.h"\n', True), [])
        self.assertEqual(shape("src/a/b.cpp", '// For x.\n#include <set>\n', True), [1])
        self.assertEqual(shape("src/a/b_test.cpp", "#include <set>\n"), [])

    def test_documents_name_only_paths_that_exist(self):
        text = "`src/base/` `gone.md` `word` `src/<x>/` `<metal_stdlib>`\n```\n`gone/too`\n```\n"
        found = list(check_rules.check_document(text, lambda path: path == "src/base/"))
        self.assertEqual(found, [(1, "names gone.md, which does not exist")])


if __name__ == "__main__":
    unittest.main()

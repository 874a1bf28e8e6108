#!/usr/bin/python3
"""Shows that docs/trace-format.md is what the schema says, and that the script reads every form."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
sys.dont_write_bytecode = True
import trace_format  # noqa: E402


class TraceFormatTest(unittest.TestCase):
    def test_the_document_is_up_to_date(self):
        self.assertEqual(
            trace_format.TARGET.read_text(), trace_format.make_document(),
            "run scripts/trace_format.py")

    def test_comments_columns_and_keys_are_read(self):
        tables = trace_format.parse_tables(
            "-- Two\n-- lines.\nCREATE TABLE t (\n  a INTEGER NOT NULL, b TEXT,  -- of both\n"
            "                     -- on two lines\n  PRIMARY KEY (a, b)\n) WITHOUT ROWID;\n")
        self.assertEqual(tables, [(
            "t", "Two lines.",
            [("a", "INTEGER NOT NULL", "of both"), ("b", "TEXT", "of both on two lines"),
             ("", "key: a, b", "")])])
        self.assertEqual(trace_format.column_type("TEXT"), "text or null")
        self.assertEqual(trace_format.column_type("INTEGER NOT NULL"), "integer")

    def test_facts_are_found_in_both_forms(self):
        source = 'records.emplace_back(trace::FactRecord{"only", x});\n      {"format", "assay"},\n'
        self.assertEqual(trace_format.written_facts(source), {"only", "format"})


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Tests of keras_form_rows.py, in a tree of one table and one header."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = os.path.dirname(os.path.abspath(__file__))
TABLE = """
folders = ["cornu/keras/losses"]
[fields]
axis = {type = "int", default = "-1", doc = "Axis."}
dtype = {type = "int", default = "0", keras = "unless_default", doc = "Dtype."}
[structs.HuberOptions]
fields = ["axis", "dtype"]
[structs.PairOptions]
fields = ["axis", "dtype"]
"""
HEADER = "".join(f"class {name} : public LossHandle {{\n  explicit {name}({struct}Options options);\n}};\n"
                 for name, struct in (("Huber", "Huber"), ("First", "Pair"), ("Second", "Pair")))
SUPPORT = "enum class Rule {\n  kNever,  // never\n  kUnlessDefault,\n  kNull,\n};\n"
GENERAL = '{"keras.losses", "*", "dtype", Rule::kUnlessDefault},\n'


class KerasFormRowsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.rows = self.root / "cornu/keras/config/keras_form_rows.inc"
        for path, text in (("losses/losses.h", HEADER), ("options/losses.toml", TABLE), ("config/keras_form_support.cc", SUPPORT)):
            (self.root / "cornu/keras" / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / "cornu/keras" / path).write_text(text)

    def run_tool(self, table, *options):
        (self.root / "cornu/keras/options/losses.toml").write_text(table)
        return subprocess.run([sys.executable, os.path.join(TOOLS, "keras_form_rows.py"), str(self.root), *options], capture_output=True, text=True)

    def rows_of(self, addition=""):
        """The rows for TABLE with an addition to its last struct, without the file's head; they are fresh then."""
        self.assertEqual(self.run_tool(TABLE + addition).stderr, "")
        self.assertEqual(self.run_tool(TABLE + addition, "--check").returncode, 0)
        return "".join(line for line in self.rows.read_text().splitlines(keepends=True) if not line.startswith("//"))

    def test_a_rule_of_the_vocabulary_is_that_of_all_classes(self):
        self.assertEqual(self.rows_of(), GENERAL)

    def test_a_rule_of_a_struct_comes_first_and_names_its_classes(self):
        self.assertEqual(self.rows_of('dtype = {keras = "never"}\n'), '{"keras.losses", "First Second", "dtype", Rule::kNever},\n' + GENERAL)

    def test_a_rule_may_be_of_one_class(self):
        self.assertEqual(self.rows_of('axis = {keras = {Second = "never"}}\n'), '{"keras.losses", "Second", "axis", Rule::kNever},\n' + GENERAL)
        self.assertIn("PairOptions: Huber does not take it", self.run_tool(TABLE + 'axis = {keras = {Huber = "never"}}\n').stderr)

    def test_keys_that_are_no_options_have_rows(self):
        self.assertEqual(self.rows_of('keras_null = ["extra"]\nkeras_build_config = false\nkeras_class = "Third"\n'),
                         '{"keras.losses", "Third", "extra", Rule::kNull},\n{"keras.losses", "Third", "build_config", Rule::kNever},\n' + GENERAL)

    def test_a_rule_that_the_source_does_not_have_is_refused(self):
        self.assertIn("has no rule kNevr", self.run_tool(TABLE + 'axis = {keras = "nevr"}\n').stderr)

    def test_a_stale_file_fails(self):
        self.rows_of()
        result = self.run_tool(TABLE + 'axis = {keras = "never"}\n', "--check")
        self.assertEqual((result.returncode, "python3 tools/keras_form_rows.py ." in result.stderr), (1, True))


if __name__ == "__main__":
    unittest.main()

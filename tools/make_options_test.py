#!/usr/bin/env python3
"""Tests of make_options.py, in trees of one table and one header."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOLS = os.path.dirname(os.path.abspath(__file__))
TABLE = """
folders = ["cornu/keras/losses"]
[fields]
delta = {type = "double", default = "1.0", doc = "Largest error with a quadratic loss."}
name = {type = "std::string", default = "{}", doc = "Name in logs; empty: the class in snake_case."}
values = {type = "std::vector<double>", doc = "Values."}
[mixins]
loss = ["name"]
[structs.HuberOptions]
fields = ["delta", "@loss"]
"""
EMPTY = "// Above.\nstruct HuberOptions {\n  double delta = 2;\n};\n\nclass Huber {};\n"
WRITTEN = """// Above.
struct HuberOptions {  // options/losses.toml
  /// Largest error with a quadratic loss.
  double delta = 1.0;
  /// Name in logs; empty: the class in snake_case.
  std::string name = {};
};
CORNU_FIELDS(HuberOptions, delta, name)

class Huber {};
"""


class MakeOptionsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.header = self.root / "cornu/keras/losses/losses.h"
        self.table = self.root / "cornu/keras/options/losses.toml"
        self.write(self.header, EMPTY)

    @staticmethod
    def write(path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_tool(self, *options):
        return subprocess.run([sys.executable, os.path.join(TOOLS, "make_options.py"), str(self.root), *options], capture_output=True, text=True)

    def header_of(self, *replacements):
        """The header that is written from TABLE with the replacements, (old, new) each."""
        table = TABLE.replace("values = ", "#")
        for old, new in replacements:
            self.assertIn(old, table)
            table = table.replace(old, new)
        self.write(self.table, table)
        result = self.run_tool()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(self.run_tool("--check").stdout, "options: fine\n")
        return self.header.read_text()

    def refusal(self, old, new, header=EMPTY):
        self.write(self.header, header)
        self.write(self.table, TABLE.replace("values = ", "#").replace(old, new))
        result = self.run_tool()
        self.assertEqual((result.returncode, self.header.read_text()), (1, header))
        return result.stdout

    def test_a_struct_and_its_fields_are_written_in_place(self):
        self.assertEqual(self.header_of(), WRITTEN)
        self.assertEqual(self.header_of(), WRITTEN)

    def test_a_struct_overrides_type_default_and_documentation(self):
        text = self.header_of(('"@loss"]', '"@loss"]\ndelta = {type = "float", default = "", doc = "Of its own."}'))
        self.assertIn("  /// Of its own.\n  float delta;\n", text)

    def test_plain_structs_have_no_macro(self):
        self.assertNotIn("CORNU_FIELDS", self.header_of(('"@loss"]', '"@loss"]\nplain = true')))
        self.assertNotIn("CORNU_FIELDS", self.header_of(("folders", "plain = true\nfolders")))

    def test_a_default_may_be_missing(self):
        self.assertIn("  /// Values.\n  std::vector<double> values;\n", self.header_of(("#", "values = "), ('"delta", ', '"delta", "values", ')))

    def test_the_formatter_leaves_what_is_written(self):
        words = "Words that are long enough to need several lines, " * 6
        names = [f"a_rather_long_name_of_an_option_{i}" for i in range(9)]
        rows = "".join(f'{name} = {{type = "int", doc = "{words}"}}\n' for name in names)
        text = self.header_of(("[mixins]", rows + "[mixins]"), ('"delta", ', "".join(f'"{name}", ' for name in ["delta", *names])))
        self.assertLessEqual(max(map(len, text.splitlines())), 110)
        if shutil.which("clang-format-19"):
            shutil.copy(os.path.join(TOOLS, "../.clang-format"), self.root)
            subprocess.run(["clang-format-19", "--dry-run", "-Werror", str(self.header)], check=True)

    def test_a_stale_header_fails(self):
        self.header_of()
        self.header.write_text(WRITTEN.replace("1.0", "2.0"))
        result = self.run_tool("--check")
        self.assertEqual((result.returncode, result.stdout),
                         (1, "cornu/keras/losses/losses.h is not as its table in cornu/*/options has it: python3 tools/make_options.py .\n"))

    def test_described_structs_have_rows(self):
        text = EMPTY + "struct OddOptions {\n  int odd = 1;\n};\nCORNU_FIELDS(OddOptions, odd)\n"
        self.assertIn("losses.h: OddOptions has no row in cornu/keras/options/losses.toml", self.refusal("", "", text))
        self.write(self.header, EMPTY)
        self.write(self.header.with_name("odd_support.h"), text.removeprefix(EMPTY))
        self.assertEqual(self.header_of(), WRITTEN)

    def test_structs_called_options_have_rows_or_are_internal(self):
        text = EMPTY + "struct OddOptions {\n  int odd = 1;\n};\n"
        self.assertIn("losses.h: OddOptions has no row in cornu/keras/options/losses.toml; add one", self.refusal("", "", text))
        self.assertIn("no header has the internal struct OldOptions", self.refusal("folders", 'internal = ["OddOptions", "OldOptions"]\nfolders', text))
        self.write(self.table, TABLE.replace("values = ", "#").replace("folders", 'internal = ["OddOptions"]\nfolders'))
        self.assertEqual(self.run_tool().returncode, 0)
        self.assertEqual(self.header.read_text(), WRITTEN + text.removeprefix(EMPTY))

    def test_modules_have_tables_of_their_own_which_may_share_a_header(self):
        text = EMPTY + "struct SliceOptions {\n};\n"
        table = TABLE.replace("values = ", "#").replace("HuberOptions", "SliceOptions").replace('["delta", "@loss"]', '["name", "delta"]\nplain = true')
        self.write(self.header, text)
        self.write(self.root / "cornu/data/options/data.toml", table)
        result = self.header_of()
        self.assertTrue(result.startswith(WRITTEN.removesuffix("class Huber {};\n")))
        self.assertIn("struct SliceOptions {  // options/data.toml\n  /// Name in logs", result)

    def test_rows_have_structs(self):
        self.assertIn("no header of cornu/keras/losses has the struct HuberOptions", self.refusal("", "", "class Huber {};\n"))
        self.assertIn("two structs are called HuberOptions", self.refusal("", "", EMPTY + EMPTY))

    def test_structs_of_one_name_are_told_apart_by_namespaces(self):
        texts = [f"namespace {name} {{\nstruct HuberOptions {{\n}};\n}}  // namespace {name}\n" for name in ("a", "b")]
        self.write(self.header, "".join(texts))
        text = self.header_of(("[structs.HuberOptions]", '[structs."b::HuberOptions"]'), ("folders", "plain = true\nfolders"))
        self.assertTrue(text.startswith(texts[0] + "namespace b {\nstruct HuberOptions {  // options/losses.toml\n  /// Largest"))

    def test_faults_of_tables_name_their_place(self):
        self.assertIn('losses.toml, HuberOptions: there is no mixin "los"; it has loss', self.refusal('"@loss"', '"@los"'))
        self.assertIn("HuberOptions: [fields] has no delto; add it", self.refusal('["delta"', '["delto", "delta"'))
        self.assertIn("HuberOptions: a field is listed twice: name", self.refusal('"@loss"]', '"@loss", "name"]'))
        self.assertIn("HuberOptions: alpha is not among its fields", self.refusal('"@loss"]', '"@loss"]\nalpha = {doc = ""}'))
        self.assertIn("HuberOptions: delta has type, default, doc and keras", self.refusal('default = "1.0", doc', 'default = "1.0", docs'))
        self.assertIn("losses.toml, HuberOptions: write a sentence as doc of delta", self.refusal("Largest error with a quadratic loss.", ""))
        self.assertIn("no struct has the field values; remove it", self.refusal("#", "values = "))
        self.assertIn("cornu/keras/options/losses.toml: ", self.refusal("[mixins]", "[mixins"))


if __name__ == "__main__":
    unittest.main()

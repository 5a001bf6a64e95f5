#!/usr/bin/env python3
"""Tests of make_functions.py and function_tables.py, in a tree of eight small tables."""

import contextlib
import io
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import function_tables
import make_functions
from function_tables import Refused, read_groups

TABLE = """
title = "Reductions"
[options]
ReduceOptions = "axis keepdims"
[functions]
sum = {options = "ReduceOptions"}
"""


class MakeFunctionsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / function_tables.FOLDER).mkdir(parents=True)
        for group in function_tables.GROUPS:
            (self.root / "cornu/tensor/ops" / f"{group}.h").write_text("")
            self.write('title = "None"\n[options]\n[functions]\n', group)

    def write(self, text, group="reduce"):
        (self.root / function_tables.FOLDER / f"{group}.toml").write_text(text)

    def functions(self, row, table=TABLE):
        self.write(table.replace('sum = {options = "ReduceOptions"}', row))
        return read_groups(self.root)["reduce"][1]

    def file(self, name, row, table=TABLE):
        """A written file for a table with one row, without line breaks inside of a statement."""
        texts = make_functions.files(self.functions(row, table))
        return re.sub(r"\n {6,}", " ", next(text for path, text in texts.items() if path.endswith("/" + name)))

    def assert_refused(self, message, row, table=TABLE):
        with self.assertRaisesRegex(Refused, message):
            self.functions(row, table)

    def test_one_row_makes_the_call_both_tables_and_the_overload(self):
        row = 'sum = {options = "ReduceOptions"}'
        calls = self.file("function_calls_support.h", row)
        options = self.file("function_options_support.h", row)
        self.assertIn('return c.template options<O>("axis", &O::axis, "keepdims", &O::keepdims);', options)
        self.assertIn("Tensors sum(const Call& c) { return {ops::sum(c[0], reduce_options(c))}; }", calls)
        self.assertIn('{"Sum", "numpy", "x", &ops::calls::sum<OperationCall>},', self.file("operation_rows.cc", row))
        self.assertIn('{"sum", &ops::calls::sum<Call>},', self.file("ops_golden_rows_test_support.cc", row))
        self.assertIn("keras::KerasTensor sum(const keras::KerasTensor& x, const ReduceOptions& options = {});", self.file("option_functions.h", row))
        self.assertIn('return call("Sum", {x}, {{"axis", options.axis}, {"keepdims", options.keepdims}});', self.file("option_functions.cc", row))

    def test_two_tensors_may_have_the_constant_first(self):
        row = 'atan = {args = "x1 x2"}\nsum = {options = "ReduceOptions"}'
        header = self.file("tensor_functions.h", row)
        self.assertIn("keras::KerasTensor atan(const keras::KerasTensor& x1, const keras::OperationArgument& x2);", header)
        self.assertIn("keras::KerasTensor atan(const Tensor& x1, const keras::KerasTensor& x2);", header)

    def test_arguments_and_members_have_types_and_names_of_their_own(self):
        row = 'tri = {args = "N:int *xs", options = "ReduceOptions", many = true}'
        table = TABLE.replace('"axis keepdims"', '"M=m dtype?"')
        self.assertIn('options<O>("M", &O::m, "dtype", Call::null_is_default(&O::dtype));', self.file("function_options_support.h", row, table))
        calls = self.file("function_calls_support.h", row, table)
        self.assertIn('return ops::tri(c.template get<std::int64_t>("N"), c.tensors("xs"), reduce_options(c));', calls)

    def test_members_of_a_struct_are_several_results(self):
        calls = self.file("function_calls_support.h", 'top = {options = "ReduceOptions", many = "values indices"}')
        self.assertIn("const auto result = ops::top(c[0], reduce_options(c));\n  return {result.values, result.indices};", calls)

    def test_arguments_of_keras_alone_are_constants(self):
        row = 'sum = {options = "ReduceOptions", config = "num=null axis sparse=false"}'
        self.assertIn('{{"num", Config()}, {"axis", options.axis}, {"sparse", false}}', self.file("option_functions.cc", row))

    def test_a_part_by_hand_is_declared_and_one_that_is_none_is_left_out(self):
        row = 'sum = {options = "ReduceOptions", hand = "operation", none = "graph golden"}'
        self.assertIn("std::vector<Tensor> call_sum(const OperationCall& c);", self.file("operation_adapters_support.h", row))
        self.assertIn('{"Sum", "numpy", "x", &call_sum},', self.file("operation_rows.cc", row))
        for name in ("option_functions.h", "ops_golden_rows_test_support.cc", "function_calls_support.h"):
            self.assertNotIn(" sum(", self.file(name, row))

    def test_an_alias_has_an_overload_and_no_row_of_operations(self):
        row = 'total = {options = "ReduceOptions", alias = "sum"}'
        self.assertIn('call("Sum", {x}', self.file("option_functions.cc", row))
        self.assertNotIn('"Sum"', self.file("operation_rows.cc", row))

    def test_a_text_is_never_broken(self):
        row = 'dot_product_attention_of_several_heads = {args = "query_of_one key_of_another value_of_another bias? mask? scale?", options = "ReduceOptions", hand = "graph"}'
        self.assertIn('"query_of_one key_of_another value_of_another bias? mask? scale?"', self.file("operation_rows.cc", row))

    def test_what_is_not_well_formed_is_refused(self):
        self.assert_refused("there is no column opt; the columns are", 'sum = {opt = "ReduceOptions"}')
        self.assert_refused(r"\[options\] has no SumOptions; add it", 'sum = {options = "SumOptions"}')
        self.assert_refused("there is no part graphs; the parts are", 'sum = {options = "ReduceOptions", hand = "graphs"}')
        self.assert_refused('the argument "n:number" is none; the forms are', 'sum = {args = "n:number", options = "ReduceOptions"}')
        self.assert_refused("config has axes, which is neither in args nor in options", 'sum = {options = "ReduceOptions", config = "axes"}')
        self.assert_refused("written by hand; add hand", 'sum = {args = "x weights?", options = "ReduceOptions"}')
        self.assert_refused("no function has ReduceOptions; remove it", "sum = {}")
        self.write(TABLE, "shape")
        self.assert_refused("sum: the function has two rows; remove one", 'sum = {options = "ReduceOptions"}')

    def test_a_row_needs_a_declaration(self):
        self.write(TABLE)
        self.assertIn("reduce.h does not declare sum", make_functions.undeclared(self.root, read_groups(self.root))[0])
        (self.root / "cornu/tensor/ops/reduce.h").write_text("Tensor sum(const Tensor& x);\n")
        self.assertEqual(make_functions.undeclared(self.root, read_groups(self.root)), [])

    def test_a_stale_file_fails_the_check(self):
        root = pathlib.Path(__file__).resolve().parents[1]
        copy = self.root / "copy"
        paths = list(make_functions.files(function_tables.read_functions(root)))
        for path in [*paths, *(f"cornu/tensor/ops/{group}.h" for group in function_tables.GROUPS)]:
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / path, copy / path)
        shutil.copytree(root / function_tables.FOLDER, copy / function_tables.FOLDER)
        sys.argv = ["make_functions.py", str(copy), "--check"]
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(make_functions.main(), 0)
            (copy / paths[0]).write_text("")
            self.assertEqual(make_functions.main(), 1)
        self.assertIn(f"{paths[0]} is not as {function_tables.FOLDER} has it", out.getvalue())


if __name__ == "__main__":
    unittest.main(argv=["make_functions_test.py", "-q"])

#!/usr/bin/env python3
"""Tests of check_functions.py."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from check_functions import check, functions  # noqa: E402


class CheckFunctionsTest(unittest.TestCase):
    def test_lines_are_those_from_the_signature_to_the_closing_brace(self):
        text = "int f() { return 1; }\n\n/// Text.\ntemplate <typename T>\nvoid g(int a,\n       T b) {\n  h();\n}\n"
        self.assertEqual(functions(text), [(1, "f", 1), (4, "g", 5)])

    def test_functions_are_found_in_namespaces_and_classes(self):
        text = ("namespace a::inline v0 {\nnamespace {\nclass B : public C<D> {\n public:\n  B() : c_{1}, d_(2) {\n    e();\n  }\n"
                "  int f() const override {\n    return 1;\n  }\n  int g_ = 0;\n};\n}\n}\n")
        self.assertEqual(functions(text), [(5, "B", 3), (8, "f", 3)])

    def test_lambdas_and_blocks_belong_to_the_function_around_them(self):
        text = "void f() {\n  auto g = [&](int x) {\n    if (x > 0) {\n      h();\n    }\n  };\n  g(1);\n}\n"
        self.assertEqual(functions(text), [(1, "f", 8)])

    def test_a_lambda_with_a_name_is_a_function(self):
        self.assertEqual(functions("const auto f = [](int x) {\n  return x;\n};\nint g() { return 1; }\n"), [(1, "f", 3), (4, "g", 1)])

    def test_lines_of_tables_do_not_count(self):
        text = "std::vector<Row> rows() {\n  return {\n      {1, 2},\n      {3, 4},\n  };\n}\n"
        self.assertEqual(functions(text), [(1, "rows", 4)])
        text = "int f() {\n  static constexpr Row kRows[] = {\n      {1},\n      {2},\n  };\n  return kRows[0].x;\n}\n"
        self.assertEqual(functions(text), [(1, "f", 5)])
        self.assertEqual(functions("constexpr Row kRows[] = {\n    {1},\n    {2},\n};\nint f();\n"), [])

    def test_braces_in_text_and_directives_are_no_braces(self):
        text = "#define F(x) {\\\n  {\nint f() {\n  // {\n  g(\"{\", '{', 1'000, R\"({{)\");\n}\nint h() { return 2; }\n"
        self.assertEqual(functions(text), [(3, "f", 4), (7, "h", 1)])

    def test_a_trailing_type_and_operators_are_signatures(self):
        text = "auto f(int x) -> std::vector<int> {\n  return {x};\n}\nbool operator==(const A& a, const A& b) {\n  return a.x == b.x;\n}\n"
        self.assertEqual([lines for _, _, lines in functions(text)], [3, 3])

    def test_default_arguments_do_not_make_an_initializer(self):
        text = "void f(const std::function<void(int)>& g = {}, std::function<void(A)> h = nullptr) {\n  a();\n}\nint x{3};\n"
        self.assertEqual(functions(text), [(1, "f", 3)])

    def test_all_folders_of_sources_are_checked(self):
        for folder in ("cornu/ir", "cli", "examples", "benchmarks", "tests/a"):
            with tempfile.TemporaryDirectory() as root:
                os.makedirs(os.path.join(root, folder))
                with open(os.path.join(root, folder, "a.cc"), "w", encoding="utf-8") as file:
                    file.write("void f() {\n" + "  g();\n" * 59 + "}\n")
                self.assertEqual(check(root), [f"{folder}/a.cc:1: f has 61 lines without its tables; split it (at most 60)"])


if __name__ == "__main__":
    unittest.main()

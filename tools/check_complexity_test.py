#!/usr/bin/env python3
"""Tests of check_complexity.py."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from check_complexity import compare, complexities, lowered, offenders, read_baseline  # noqa: E402


def branches(count):
    """A function of complexity 1 + count."""
    return "void f(int x) {\n" + "  if (x > 0) g();\n" * count + "}\n"


class CheckComplexityTest(unittest.TestCase):
    def test_each_branch_counts_once(self):
        text = ("int f(int x) {\n  if (x > 0 && x < 9 || x == 20) return 1;\n  for (;;) while (true) {}\n  try { g(); } catch (...) {}\n"
                "  switch (x) {\n    case 1:\n    case 2: return 3;\n    default: return 4;\n  }\n  return x ? 5 : 6;\n}\nint h() { return 1; }\n")
        self.assertEqual(complexities(text), [(1, "f", 10), (12, "h", 1)])

    def test_comments_texts_directives_and_references_are_no_branches(self):
        text = "#if A\nvoid f(T&& x) {\n  // if && ?\n  g(\"if (a && b)\", '?');\n  for (auto&& y : x) h(std::forward<T&&>(y));\n}\n#endif\n"
        self.assertEqual(complexities(text), [(2, "f", 2)])

    def test_lambdas_count_in_the_function_around_them(self):
        self.assertEqual(complexities("void f() {\n  const auto g = [](int x) { return x ? 1 : 2; };\n  if (g(1)) h();\n}\n"), [(1, "f", 3)])

    def tree(self, text, baseline=""):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = folder.name
        os.makedirs(os.path.join(root, "cornu/ir"))
        os.makedirs(os.path.join(root, "tools"))
        with open(os.path.join(root, "cornu/ir/a.cc"), "w", encoding="utf-8") as file:
            file.write(text)
        with open(os.path.join(root, "tools/complexity_baseline.txt"), "w", encoding="utf-8") as file:
            file.write(baseline)
        return root

    def errors(self, text, baseline=""):
        root = self.tree(text, baseline)
        return compare(offenders(root), read_baseline(root))

    def test_a_function_above_the_limit_is_an_error(self):
        self.assertEqual(self.errors(branches(19)), [])
        self.assertEqual(self.errors(branches(20)), ["cornu/ir/a.cc:1: f has a complexity of 21; split it (at most 20)"])

    def test_the_baseline_allows_what_was_there_and_nothing_more(self):
        self.assertEqual(self.errors(branches(24), "# text\ncornu/ir/a.cc:f: 25\n"), [])
        self.assertEqual(self.errors(branches(25), "cornu/ir/a.cc:f: 25\n"),
                         ["cornu/ir/a.cc:1: f has a complexity of 26; split it (at most 25)"])
        self.assertEqual(self.errors(branches(24) + branches(21), "cornu/ir/a.cc:f: 25\n"),
                         ["cornu/ir/a.cc:27: f has a complexity of 22; split it (at most 20)"])

    def test_a_number_that_could_be_lower_is_an_error(self):
        for count in (22, 3):
            self.assertEqual(self.errors(branches(count), "cornu/ir/a.cc:f: 25\n"),
                             ["cornu/ir/a.cc: f is simpler than tools/complexity_baseline.txt says; run tools/check_complexity.py --lower"])

    def test_lower_never_raises_or_adds(self):
        allowed = {"a.cc:f": [30, 22], "a.cc:g": [25], "a.cc:h": [21]}
        found = {"a.cc:f": [(31, 1)], "a.cc:g": [(24, 9)], "a.cc:k": [(40, 20)]}
        self.assertEqual([line for line in lowered(found, allowed).splitlines() if not line.startswith("#")], ["a.cc:f: 30", "a.cc:g: 24"])


if __name__ == "__main__":
    unittest.main()

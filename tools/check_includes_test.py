#!/usr/bin/env python3
"""Tests of check_includes.py."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from check_includes import code_of, missing_of, with_header  # noqa: E402


def missing(path, **texts):
    """The missing headers of a file; names of files are written with two underscores for a slash and one for a dot."""
    codes = {name.replace("__", "/").replace("_", "."): code_of(text) for name, text in texts.items()}
    return missing_of(path, codes)


class CheckIncludesTest(unittest.TestCase):
    def test_a_name_without_its_header_is_found(self):
        self.assertEqual(missing("a.cc", a_cc="int n = std::ranges::count_if(x, y);\n"), [("algorithm", "std::ranges::count_if")])
        self.assertEqual(missing("a.cc", a_cc="#include <vector>\nstd::vector<int> v;\nstd::map<int, int> m;\n"), [("map", "std::map")])

    def test_the_file_or_a_header_that_it_reaches_names_it(self):
        self.assertEqual(missing("a.cc", a_cc="#include <algorithm>\nstd::sort(a, b);\n"), [])
        self.assertEqual(missing("a.cc", a_cc='#include "b.h"\nstd::sort(a, b);\n', b_h='#include "d/c.h"\n', d__c_h="#include <algorithm>\n"), [])
        self.assertEqual(missing("d/a.cc", d__a_cc='#include "c.h"\nstd::sort(a, b);\n', d__c_h="#include <algorithm>\n"), [])

    def test_a_header_of_another_library_does_not_count(self):
        self.assertEqual(missing("a.cc", a_cc="#include <gtest/gtest.h>\nstd::string s;\n"), [("string", "std::string")])

    def test_comments_literals_and_longer_names_are_no_uses(self):
        self.assertEqual(missing("a.cc", a_cc='// std::sort(x)\n/* std::map<int> */ f("std::string");\nstd::mapping<int> x; std::searcher(y);\n'), [])
        self.assertEqual(missing("a.cc", a_cc='// #include <algorithm>\nstd::sort(x);\n'), [("algorithm", "std::sort")])

    def test_an_added_header_stands_in_alphabetical_order(self):
        self.assertEqual(with_header("#include <array>\n#include <map>\n", "functional"), "#include <array>\n#include <functional>\n#include <map>\n")
        self.assertEqual(with_header("#include <array>\n\nint x;\n", "map"), "#include <array>\n#include <map>\n\nint x;\n")
        self.assertEqual(with_header('#include "a.h"\n\nint x;\n', "map"), '#include "a.h"\n\n#include <map>\n\nint x;\n')
        self.assertEqual(with_header('#include "a.h"\n\n#include <gtest/gtest.h>\n', "map"), '#include "a.h"\n\n#include <map>\n\n#include <gtest/gtest.h>\n')
        self.assertEqual(with_header("int x;\n", "map"), "#include <map>\n\nint x;\n")


if __name__ == "__main__":
    unittest.main()

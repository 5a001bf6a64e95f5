#!/usr/bin/env python3
"""Tests of adr_index.py."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from adr_index import index  # noqa: E402


class IndexTest(unittest.TestCase):
    def index_of(self, **decisions):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "docs", "adr"))
            for name, text in decisions.items():
                with open(os.path.join(root, "docs", "adr", name.strip("_") + ".md"), "w", encoding="utf-8") as file:
                    file.write(text)
            return index(root)

    def test_decisions_are_listed_by_subject_in_the_order_of_their_numbers(self):
        text, errors = self.index_of(_0002="# 0002. B\n\n* Subject: Files\n", _0001="# 0001. A\n\n* Subject: Training\n", _0000="# NNNN. T\n",
                                     _0003="# 0003. C\n\n* Status: superseded by [0002](0002.md)\n* Subject: Files\n")
        self.assertEqual(errors, [])
        self.assertTrue(text.endswith("\n## Training\n\n* [0001. A](0001.md)\n\n## Files\n\n* [0002. B](0002.md)\n"
                                      "* [0003. C](0003.md) (superseded by 0002)\n"), text)

    def test_a_decision_without_a_subject_or_with_another_number_is_an_error(self):
        for name, text in (("_0001", "# 0001. A\n"), ("_0001", "# 0001. A\n* Subject: Colours\n"), ("_0002", "# 0001. A\n* Subject: Files\n")):
            _, errors = self.index_of(**{name: text})
            self.assertEqual(len(errors), 1, text)
            self.assertIn(f"docs/adr/{name[1:]}.md", errors[0])


if __name__ == "__main__":
    unittest.main()

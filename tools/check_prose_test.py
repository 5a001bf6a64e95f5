#!/usr/bin/env python3
"""Tests of check_prose.py."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from check_prose import all_findings, compare, doc_comments, lowered, page_findings, read_baseline, source_findings  # noqa: E402


def words(findings):
    return [(line, found) for line, found, _ in findings]


class CommentsTest(unittest.TestCase):
    def test_a_block_is_the_lines_that_follow_each_other(self):
        source = "/// A,\n/// b.\nint a;  ///< C.\nint b;  ///< D.\n\n  /// E.\n//// no comment of a doc\nf(\"/// text\");\n"
        self.assertEqual(doc_comments(source), [(1, "A,\nb."), (3, "C."), (4, "D."), (6, "E.")])

    def test_openings_count_at_the_beginning_of_a_block_only(self):
        self.assertEqual(words(source_findings("/// Whether it is.\nint a;\n\n/// True if it is. How it is done: by b.\nint b;\n")), [(1, "Whether ...")])
        for opening in ("How often.", "Where it is.", "Which rows.", "Of layers.", "As above."):
            self.assertEqual(len(source_findings(f"/// {opening}\n")), 1, opening)
        for opening in ("Returns what is left.", "The rows.", "True if so.", "Asks.", "Offsets.", "However it is."):
            self.assertEqual(source_findings(f"/// {opening}\n"), [], opening)

    def test_words_count_in_the_whole_block_and_on_their_line(self):
        self.assertEqual(words(source_findings("int a;\n/// Returns a. The buffer\n/// stands\n/// in b.\n")), [(3, "stands in")])

    def test_comments_that_are_no_doc_comments_and_code_are_not_read(self):
        self.assertEqual(source_findings('// What it is.\nf("Nobody knows");\n/// The variable `anew`.\n'), [])


class PagesTest(unittest.TestCase):
    def test_code_links_and_comments_are_no_prose(self):
        page = ("```cpp\nint behind;  // anew\n```\n\n    anew behind\n\n<!-- nobody -->\n`nobody` [text](behind.md) https://a/nobody\n"
                'He wrote "nobody".\n')
        self.assertEqual(page_findings(page), [])

    def test_lines_are_those_of_the_page(self):
        self.assertEqual(words(page_findings("```\na\n```\n\n* compiled\n  anew\n")), [(6, "anew")])

    def test_clauses_as_subjects_are_found_and_questions_are_not(self):
        self.assertEqual(words(page_findings("What is left is read. It returns what is left.\n")), [(1, "What")])
        self.assertEqual(page_findings("What is left?\nHow and what. What of a, b\nand c?\n"), [])

    def test_people_and_texts_may_say_and_know_software_may_not(self):
        for right in ("The error says why.", "Users who know the token.", "Those who say it.", "The page devices.md says it.", "A warning says so.", "To know the size:",
                      "limits that a user may meet"):
            self.assertEqual(page_findings(right), [], right)
        for wrong in ("The worker says why.", "A client who connects.", "The engine knows it.", "If LLVM meets an op", "it is told", "fit says so"):
            self.assertEqual(len(page_findings(wrong)), 1, wrong)

    def test_terms_of_the_field_are_right(self):
        for right in ("behind a proxy", "behind the load balancer", "left behind", "2 % behind at AVX-512", "room for a batch", "floor_divide",
                      "lies on the line", "kind", "giving the upper half", "a dearth", "whole"):
            self.assertEqual(page_findings(right), [], right)
        for wrong in ("behind the batch", "the rooms of tensor", "and its kin", "was given up", "so many steps", "All but for one", "nothing but sums"):
            self.assertEqual(len(page_findings(wrong)), 1, wrong)


class BaselineTest(unittest.TestCase):
    def test_more_findings_fail_with_their_places_and_fewer_ask_to_lower(self):
        found = {"a": ["a/x.h:1: m", "a/x.h:2: n"], "b": ["b/y.h:1: m"]}
        self.assertEqual(compare(found, {"a": 2, "b": 1}), [])
        self.assertEqual(compare(found, {"a": 2}), ["b/y.h:1: m"])
        self.assertEqual(compare(found, {"a": 1, "b": 1})[:2], found["a"])
        self.assertIn("--lower", compare(found, {"a": 2, "b": 5})[0])
        self.assertIn("--lower", compare(found, {"a": 2, "b": 1, "gone": 1})[0])

    def test_a_baseline_is_lowered_and_never_raised(self):
        text = lowered({"a": ["m"], "b": ["m", "n"], "new": ["m"]}, {"a": 3, "b": 1, "gone": 1})
        self.assertEqual([line for line in text.splitlines() if not line.startswith("#")], ["a: 1", "b: 1"])

    def test_a_tree_is_read_by_folder_and_by_page(self):
        with tempfile.TemporaryDirectory() as root:
            for path, text in (("cornu/a/x.h", "/// What it is.\n"), ("cornu/a/y.cc", "/// Of a.\n"), ("docs/guide/p.md", "nobody\n"), ("README.md", ""),
                               ("docs/adr/q.md", "nobody\n"), ("tools/prose_baseline.txt", "# text\ncornu/a: 2\n")):
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            found = all_findings(root)
            self.assertEqual({key: len(messages) for key, messages in found.items()}, {"cornu/a": 2, "docs/guide/p.md": 1})
            self.assertEqual(compare(found, read_baseline(root)), found["docs/guide/p.md"])


if __name__ == "__main__":
    unittest.main()

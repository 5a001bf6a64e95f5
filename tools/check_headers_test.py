#!/usr/bin/env python3
"""Tests of check_headers.py."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check_headers

ROW = {"header": "cornu/a.h", "headers": 2, "lines": 4, "standard": ["string"], "internal": []}


class CheckHeadersTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.write("cornu/a.h", '#include <string>\n\n// #include <regex>\n#include "cornu/b.h"\n')
        self.write("cornu/b.h", "int b();  // a comment\n/* more\n   comment */\n#include <string>\n")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def faults(self, **changes):
        return check_headers.faults_of(self.root, {**ROW, **changes})[0]

    def test_headers_within_their_limits_are_fine(self):
        faults, counts = check_headers.faults_of(self.root, ROW)
        self.assertEqual(faults, [])
        self.assertEqual(counts, {"headers": 2, "lines": 4})

    def test_more_headers_or_lines_are_faults(self):
        self.assertEqual(self.faults(headers=1), ["cornu/a.h: reaches 2 headers; the limit is 1"])
        self.assertEqual(self.faults(lines=3), ["cornu/a.h: reaches 4 lines; the limit is 3"])

    def test_a_standard_header_needs_to_be_listed(self):
        self.assertEqual(self.faults(standard=[]),
                         ["cornu/a.h: reaches <string> through cornu/a.h, which is not in its list of standard headers"])

    def test_internal_headers_are_not_reached(self):
        self.assertEqual(self.faults(internal=["cornu/b.h"]), ["cornu/a.h: reaches cornu/b.h, which is internal"])
        self.assertEqual(self.faults(internal=["cornu/c.h"]), ["cornu/a.h: lists cornu/c.h as internal, which does not exist"])

    def test_the_header_of_all_layers_is_made_from_the_folder(self):
        self.write("cornu/keras/layers/core/dense.h", "int dense();\n")
        self.write("cornu/keras/layers/core/dense_support.h", "int support();\n")
        texts, _ = check_headers.reached_from(self.root, check_headers.ALL_LAYERS)
        self.assertEqual(set(texts), {check_headers.ALL_LAYERS, "cornu/keras/layers/core/dense.h"})


if __name__ == "__main__":
    unittest.main()

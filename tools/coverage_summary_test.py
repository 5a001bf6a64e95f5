#!/usr/bin/env python3
"""Tests of coverage_summary.py."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import coverage_summary  # noqa: E402

LAYERS = {"base": set(), "ops": set(), "backends/cpu": set(), "backends/cpu/rows": set()}


def file(name, total, covered):
    return {"filename": name, "line_total": total, "line_covered": covered}


class CoverageSummaryTest(unittest.TestCase):
    def test_files_count_for_the_folder_that_layers_gives_them(self):
        files = [file("cornu/ops/dot/dot.cc", 10, 9), file("cornu/ops/dot/dot_cpu.cc", 4, 4), file("cornu/base/a.cc", 3, 0), file("cornu/base/b.cc", 1, 1),
                 file("elsewhere/a.cc", 5, 5)]
        sums = coverage_summary.by_folder(files, LAYERS)
        self.assertEqual(sums, {"base": [4, 1], "ops": [10, 9], "backends/cpu/rows": [4, 4], "elsewhere": [5, 5]})
        self.assertEqual(list(sums), ["base", "ops", "backends/cpu/rows", "elsewhere"])

    def test_the_report_sums_up_and_names_what_is_missed(self):
        lines = coverage_summary.summary([file("cornu/base/a.cc", 1000, 999), file("cornu/ops/b.cc", 10, 0), file("cornu/ops/c.cc", 0, 0)], LAYERS)
        self.assertEqual([line.split() for line in lines[:4]],
                         [["folder", "lines", "run", "share"], ["base", "1000", "999", "99", "%"], ["ops", "10", "0", "0", "%"],
                          ["all", "1010", "999", "98", "%"]])
        self.assertEqual(lines[-2:], ["  cornu/ops/b.cc: 10 of 10", "  cornu/base/a.cc: 1 of 1000"])

    def test_nothing_was_run(self):
        self.assertEqual(coverage_summary.summary([], LAYERS)[1].split(), ["all", "0", "0", "-"])


if __name__ == "__main__":
    unittest.main()

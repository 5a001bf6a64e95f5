#!/usr/bin/env python3
"""Tests that the workflow of hosted CI agrees with the tree: the files and targets that its steps name exist, and it names no registry's host.

actionlint checks its form (tools/oracles/workflow_oracle.py).
"""
import os
import re
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


class WorkflowTest(unittest.TestCase):
    def setUp(self):
        self.text = re.sub(r"^\s*#.*\n", "", read(".github/workflows/ci.yml"), flags=re.MULTILINE)

    def test_files_that_it_names_exist(self):
        named = re.findall(r"(?<![\w./-])((?:head/)?(?:\.ci|tools|benchmarks)/[\w./]+)", self.text)
        self.assertIn(".ci/run", named)
        self.assertIn("head/benchmarks/gate.py", named)
        for path in named:
            self.assertTrue(os.path.exists(os.path.join(ROOT, path.removeprefix("head/"))), path)

    def test_targets_of_make_exist(self):
        makefile = read("Makefile")
        targets = re.findall(r"make -C \S+ (\w+)", self.text)
        self.assertEqual(targets, ["deps", "configure"])
        for target in targets:
            self.assertRegex(makefile, rf"(?m)^{target}:")

    def test_it_runs_in_a_debian_12_container(self):
        self.assertEqual(re.findall(r"container: (\S+)", self.text), ["debian:12"] * 3)
        self.assertNotRegex(self.text, r"https?://")

    def test_every_job_has_a_time_limit_and_no_right_to_write(self):
        jobs = re.findall(r"^    runs-on:", self.text, re.MULTILINE)
        self.assertEqual(len(re.findall(r"^    timeout-minutes: \d+$", self.text, re.MULTILINE)), len(jobs))
        self.assertIn("permissions:\n  contents: read\n", self.text)
        self.assertNotIn("write", self.text)

    def test_no_text_from_outside_becomes_part_of_a_command(self):
        for expression in re.findall(r"\$\{\{(.*?)\}\}", self.text):
            self.assertIn(expression.strip(), ("github.ref", "github.event_name == 'pull_request'", "github.event.pull_request.base.sha"))
        for command in re.findall(r"run: \|\n((?: {10,}.*\n)+)|run: (.+)\n", self.text):
            self.assertNotIn("${{", "".join(command))


if __name__ == "__main__":
    unittest.main()

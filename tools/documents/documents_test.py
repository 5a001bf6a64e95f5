#!/usr/bin/env python3
"""Tests of the page of the documents: missing figures, programs that fail, and what a reader sees."""
import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
import unittest.mock

import make_documents
import page
import plan
from page import Document, Figure, Machine, Result, Row

MACHINE = Machine([("processor", "a <fast> one")])


def document():
    return Document("A question", "What it is about.",
                    [Row("short epochs", "about 30 s", ("iris", "short"), 30),
                     Row("short to long", "5", ("iris", "short"), 5, ("iris", "long")),
                     Row("a | b", "no figure", ("iris", "long"), why="no number")],
                    "Confirmed with {0}.", sentences=("iris",), notes=("A note & more, see docs/guide/devices.md.",))


def result(**figures):
    return Result("document_iris --device sim:x", 1.25, [],
                  {name: Figure(value, "s", "sim:x", "simulated") for name, value in figures.items()}, ["It is <so>."])


class PageTest(unittest.TestCase):
    def test_figures_stand_beside_the_document_with_their_kind_and_ratio(self):
        text = page.to_markdown([document()], {"iris": result(short=33, long=6)}, MACHINE)
        self.assertIn("| short epochs | about 30 s | 33.0 s | simulated | sim:x | 1.10 | agrees |", text)
        self.assertIn("| short to long | 5 | 5.50 | simulated | sim:x | 1.10 | agrees |", text)
        self.assertIn("| a \\| b | no figure | 6.00 s | simulated | sim:x |  | cannot be compared: no number |", text)
        self.assertIn("| iris | `document_iris --device sim:x` | this one | 1.25 |", text)
        self.assertIn("* It is <so>.", text)
        self.assertNotIn("Not as it should be", text)
        self.assertEqual(page.complaints([document()], {"iris": result(short=33, long=6)}), [])

    def test_the_verdict_comes_first_with_its_figures(self):
        text = page.to_markdown([document()], {"iris": result(short=33, long=6)}, MACHINE)
        self.assertTrue(text.startswith("# The documents, run\n\n## Verdict\n"))
        self.assertIn("| A question | Confirmed with 33.0 s. | 2 | 0 | 0 | 1 |", text)
        self.assertIn("| A question | No verdict: figures are missing. | 0 | 0 | 0 | 0 |", page.to_markdown([document()], {}, MACHINE))
        self.assertIn("<td class='text'>Confirmed with 33.0 s.</td>", page.to_html([document()], {"iris": result(short=33, long=6)}, MACHINE, ""))

    def test_a_figure_that_differs_says_why_and_one_that_was_fitted_is_no_agreement(self):
        results = {"iris": result(short=60, long=6)}
        rows = [Row("x", "30 s", ("iris", "short"), 30, why="another machine"), Row("x", "30 s", ("iris", "short"), 60, fitted=True),
                Row("x", "more than 50", ("iris", "short"), bounds=(50, 70)), Row("x", "less than 50", ("iris", "short"), bounds=(0, 50))]
        self.assertEqual([page.cells(row, results)[0][6] for row in rows],
                         ["does not agree: another machine", "fitted", "agrees", "does not agree"])
        self.assertEqual([page.cells(row, results)[0][3] for row in rows], ["simulated", "fitted", "simulated", "simulated"])

    def test_a_run_in_small_size_says_how_it_runs_in_full(self):
        small = result(short=33, long=6)
        small.full_size = "document_iris --rows 1000"
        self.assertIn("| iris | `document_iris --device sim:x` | `document_iris --rows 1000` | 1.25 |",
                      page.to_markdown([document()], {"iris": small}, MACHINE))

    def test_a_run_in_full_size_says_on_which_machine(self):
        full = result(short=33, long=6)
        full.machine = "processor slow; date 2026-11-30"
        for text in (page.to_markdown([document()], {"iris": full}, MACHINE, full=True),
                     page.to_html([document()], {"iris": full}, MACHINE, "", full=True)):
            self.assertIn("processor slow; date 2026-11-30", text)
            self.assertIn("seconds there", text)
            self.assertNotIn("seconds of this machine", text)

    def test_every_column_has_a_header_and_paths_are_links(self):
        text = page.to_markdown([document()], {"iris": result(short=33, long=6)}, MACHINE)
        self.assertTrue(all(page.HEADINGS) and all(page.VERDICT_HEADINGS))
        self.assertIn("A note & more, see [docs/guide/devices.md](guide/devices.md).", text)
        self.assertIn("Their programs are in [examples/documents](../examples/documents);", text)

    def test_a_ratio_is_as_far_from_measured_as_its_farther_figure(self):
        results = {"iris": result(short=30, long=6)}
        results["iris"].figures["long"].kind = "predicted"
        self.assertEqual(page.cells(document().rows[1], results)[0][3], "predicted")

    def test_a_missing_figure_is_said_in_the_page_and_is_a_complaint(self):
        results = {"iris": result(short=30)}
        text = page.to_markdown([document()], results, MACHINE)
        self.assertIn("| short to long | 5 | missing |  |  |  |", text)
        self.assertIn("**Not as it should be:** short to long: iris gave no figure long", text)
        self.assertEqual(len(page.complaints([document()], results)), 2)
        self.assertIn("gave no figure long", page.to_html([document()], results, MACHINE, ""))

    def test_a_run_that_was_left_out_is_a_complaint(self):
        self.assertEqual(page.complaints([document()], {}), ["iris was not run"])
        self.assertIn("| short epochs | about 30 s | missing |", page.to_markdown([document()], {}, MACHINE))

    def test_a_failed_program_is_said_and_the_rest_is_there(self):
        results = {"iris": Result("document_iris", 0.1, ["the loss is 3, above 2"], {}),
                   "other": result(short=1)}
        text = page.to_markdown([document()], results, MACHINE)
        self.assertIn("**Not as it should be:** iris failed: the loss is 3, above 2", text)
        self.assertEqual(text.count("Not as it should be"), 1)
        self.assertIn("| iris (failed) | `document_iris` |", text)
        self.assertIn("| other | `document_iris --device sim:x` |", text)

    def test_a_program_that_failed_behind_its_figures_is_a_complaint_too(self):
        results = {"iris": result(short=30, long=6)}
        results["iris"].failures.append("too slow")
        self.assertEqual(page.complaints([document()], results), ["iris failed: too slow"])

    def test_the_html_page_is_one_file_that_escapes_what_it_shows(self):
        text = page.to_html([document()], {"iris": result(short=33, long=6)}, MACHINE, "body{color:red}")
        self.assertIn("<style>body{color:red}", text)
        self.assertIn("It is &lt;so&gt;.", text)
        self.assertIn("a &lt;fast&gt; one", text)
        self.assertIn("name='viewport'", text)
        self.assertIn("<td class='number predicted'>33.0 s</td>", text)
        for outside in ("http:", "https:", "src=", "<script"):
            self.assertNotIn(outside, text)

    def test_numbers_have_three_digits(self):
        self.assertEqual([page.number(x) for x in (30.04, 0.01234, 1234.5, 12345678.0, 5.0, 0)],
                         ["30.0", "0.0123", "1234", "1.23e+07", "5.00", "0"])


FAKE = """#!{python}
import json, sys
if "cost" in sys.argv:
    print(json.dumps({{"warnings": ['The prices "gcp-2017-07" are of 2017-07: 3,000 days old'], "conclusions": ["a, avx512: y"], "tables": [{{}}, {{"rows": [
        {{"program": "a", "instruction_set": "avx512", "machine": "m", "time_to_reference": 2, "cost_to_reference": None,
          "spot_cost_to_reference": 0.5}}]}}]}}))
    sys.exit(0)
if "worker" in sys.argv:
    sys.exit("no such command")
path = sys.argv[sys.argv.index("--results") + 1]
fails = "--fail" in sys.argv
if "--silent" in sys.argv:
    print("cannot go on", file=sys.stderr)
    sys.exit(3)
with open(path, "w") as file:
    json.dump({{"program": "p", "passed": not fails, "failures": ["too slow"] if fails else [],
               "figures": [{{"name": "a_generic_2_threads", "value": 4, "unit": "ms", "device": "cpu", "kind": "measured"}},
                           {{"name": "a_compiled_2_threads", "value": 1, "unit": "ms", "device": "cpu", "kind": "measured"}}]}}, file)
sys.exit(1 if fails else 0)
"""


class RunTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        os.mkdir(os.path.join(self.folder.name, "bin"))
        for name in ("program", "cornu"):
            path = os.path.join(self.folder.name, "bin", name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(FAKE.format(python=sys.executable))
            os.chmod(path, 0o755)

    def run_all(self, **runs):
        with contextlib.redirect_stdout(io.StringIO()):
            return make_documents.run_all(runs, self.folder.name, os.path.join(self.folder.name, "out"))

    def test_figures_and_failures_come_from_the_results(self):
        results = self.run_all(good=plan.Run("program", ()), bad=plan.Run("program", ("--fail",)), after=plan.Run("program", ()))
        self.assertEqual([each.failures for each in results.values()], [[], ["too slow"], []])
        self.assertEqual(results["good"].figures["a_compiled_to_generic"].value, 0.25)
        self.assertIn("a_generic_2_threads", results["bad"].figures)

    def test_a_program_without_results_fails_with_what_it_said(self):
        results = self.run_all(silent=plan.Run("program", ("--silent",)), missing=plan.Run("nowhere", ()))
        self.assertEqual(results["silent"].failures[0], "exit code 3: cannot go on")
        self.assertIn("cannot be read", results["silent"].failures[1])
        self.assertIn("cannot be started", results["missing"].failures[0])

    def test_a_worker_that_does_not_start_is_the_failure_of_its_run_alone(self):
        results = self.run_all(far=plan.Run("program", ("--device", "{worker}")), near=plan.Run("program", ()))
        self.assertEqual(results["far"].failures, ["the worker did not start: no such command"])
        self.assertEqual(results["near"].failures, [])

    def test_costs_come_from_the_study(self):
        results = self.run_all(cost=plan.Run("cornu", ("study", "cost"), "cost"))
        self.assertEqual(results["cost"].failures, [])
        self.assertEqual(results["cost"].figures["a_compiled_m_spot_cost"].value, 0.5)
        self.assertNotIn("a_compiled_m_cost", results["cost"].figures)
        self.assertEqual(results["cost"].texts, ["a, avx512: y"])

    def test_what_an_earlier_run_left_is_not_taken_for_a_result(self):
        self.run_all(one=plan.Run("program", ()))
        self.assertEqual(self.run_all(one=plan.Run("program", ("--silent",)))["one"].figures, {})

    def test_a_finished_run_is_taken_over_where_its_command_is_the_same(self):
        first = self.run_all(one=plan.Run("program", ()))["one"]
        marked = os.path.join(self.folder.name, "out", "one.result.json")
        with open(marked, encoding="utf-8") as file:
            kept = json.load(file)
        kept["seconds"] = 12345
        with open(marked, "w", encoding="utf-8") as file:
            json.dump(kept, file)
        folder = os.path.join(self.folder.name, "out")
        with contextlib.redirect_stdout(io.StringIO()):
            again = make_documents.run_all({"one": plan.Run("program", ())}, self.folder.name, folder, resume=True)["one"]
            other = make_documents.run_all({"one": plan.Run("program", ("--silent",))}, self.folder.name, folder, resume=True)["one"]
        self.assertEqual((again.seconds, again.figures), (12345, first.figures))
        self.assertTrue(other.failures)

    def test_results_are_kept_with_their_machine_where_they_are_wanted(self):
        folder, kept_in = (os.path.join(self.folder.name, name) for name in ("out", "kept"))
        run = {"one": plan.Run("program", ())}
        with contextlib.redirect_stdout(io.StringIO()):
            make_documents.run_all(run, self.folder.name, folder, kept_in=kept_in, machine="processor slow")
            again = make_documents.run_all(run, self.folder.name, folder, resume=True, kept_in=kept_in, machine="processor fast")
        self.assertEqual(again["one"].machine, "processor slow")
        self.assertFalse(os.path.exists(os.path.join(folder, "one.result.json")))

    def test_main_fails_and_writes_both_files_when_something_is_missing(self):
        markdown, html = (os.path.join(self.folder.name, name) for name in ("d.md", "d.html"))
        with unittest.mock.patch.object(plan, "runs", lambda: {"bad": plan.Run("program", ("--fail",))}), \
                unittest.mock.patch.object(plan, "documents", lambda full: [document()]), \
                unittest.mock.patch.object(sys, "argv", ["x", "--build", self.folder.name, "--markdown", markdown, "--html", html]), \
                contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(make_documents.main(), 1)
        self.assertIn("bad failed: too slow", said.getvalue())
        for path in (markdown, html):
            with open(path, encoding="utf-8") as file:
                self.assertIn("bad failed: too slow", file.read())


class PlanTest(unittest.TestCase):
    def test_a_row_that_need_not_agree_has_a_reason(self):
        for full in (False, True):
            for row in (row for each in plan.documents(full) for row in each.rows):
                if row.value is None and row.bounds is None:
                    self.assertTrue(row.why, row.what)

    def test_full_sizes_have_hours_and_no_smaller_arguments(self):
        full = plan.in_full_size(plan.runs())
        self.assertEqual(list(full), list(plan.runs()))
        self.assertFalse([name for name, run in full.items() if {"--filters", "--steps", "--seconds"} & set(run.arguments)])

    def test_kept_results_are_those_of_runs(self):
        full = plan.in_full_size(plan.runs())
        folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "full")
        for name in (each.removesuffix(".result.json") for each in os.listdir(folder)):
            self.assertIn(name, full)
            if not name.startswith("guide") or plan.real_images():  # the guide's images may not be here
                self.assertIsNotNone(make_documents.kept_result(os.path.join(folder, f"{name}.result.json"), full[name]), name)

    def test_every_row_names_a_run_that_is_there(self):
        runs = plan.runs()
        for each in plan.documents() + plan.documents(full=True):
            for row in each.rows:
                for name in (row.figure, row.over):
                    if name is not None:
                        self.assertIn(name[0], runs, row.what)
            for run in each.sentences:
                self.assertIn(run, runs)


if __name__ == "__main__":
    unittest.main()

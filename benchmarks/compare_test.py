#!/usr/bin/env python3
"""Tests of compare.py, with shell commands for Cornu and the peers."""
import contextlib
import io
import json
import os
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare  # noqa: E402
import plot  # noqa: E402
import report  # noqa: E402
import where  # noqa: E402
from runs import Failed, Results, run  # noqa: E402


def printing(**row):
    """A command that prints these figures."""
    text = json.dumps(row).replace("{", "{{").replace("}", "}}")
    return f"echo '{text}'"


CORNU = printing(ms_min=2.0, ms_step=3.0, startup_s=0.1, steps=30, gflop=0.1, state_mb=1.0, fma_gflops=100.0, fma_gflops_one_thread=50.0,
                 triad_gb_s=10.0, triad_gb_s_one_thread=8.0, threads=2, isa="avx2")
FAST = printing(ms_min=4.0, ms_step=5.0, first_fit_s=1.0, import_s=0.5, steps=30)
SLOW = printing(ms_min=40.0, ms_step=50.0, steps=1)


class CompareTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.json = os.path.join(self.folder.name, "figures.json")

    def tearDown(self):
        self.folder.cleanup()

    def compare(self, *arguments, peers=()):
        """(exit status, printed, complaints) of compare.py with workload iris_mlp, K = 1, without the known peers."""
        words = ["compare.py", "--cornu", CORNU, "--python", "false", "--workload", "iris_mlp", "--spe", "1", "--json", self.json, *arguments]
        for name, command in peers:
            words += ["--peer", f"{name}={command}"]
        out, err = io.StringIO(), io.StringIO()
        before, sys.argv = sys.argv, words
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                compare.main()
            status = None
        except SystemExit as exit_:
            status = exit_.code
        finally:
            sys.argv = before
        return status, out.getvalue(), err.getvalue()

    def saved(self):
        with open(self.json, encoding="utf-8") as file:
            return json.load(file)

    def test_prints_limits_floor_ratios_and_what_is_missing(self):
        status, printed, _ = self.compare("--rounds", "2", peers=[("fast", FAST), ("slow", SLOW)])
        self.assertIsNone(status)
        self.assertIn("The machine at the start: 100 GFLOP/s", printed)
        self.assertIn("The machine at the end: 100 GFLOP/s", printed)
        summary = next(line for line in printed.splitlines() if line.startswith("| iris_mlp"))
        self.assertEqual([cell.strip() for cell in summary.split("|")][1:-1],
                         ["iris_mlp", "1", "2.000", "fast", "4.000", "2.00", "1.000", "multiply-adds", "50 %"])
        self.assertIn("one execution measured", next(line for line in printed.splitlines() if "| slow" in line))
        self.assertIn("torch is missing: no interpreter can import torch.", printed)

    def test_who_fails_is_noted_and_left_out_and_the_others_go_on(self):
        status, printed, _ = self.compare("--rounds", "2", peers=[("broken", "sh -c 'echo no such thing >&2; exit 3'"), ("fast", FAST)])
        self.assertIn("somebody failed", status)
        broken = next(line for line in printed.splitlines() if "| broken" in line)
        self.assertIn("failed: exit code 3", broken)
        self.assertIn("no such thing", broken)
        runs = {entry["who"]: len(entry["runs"]) for entry in self.saved()["entries"]}
        self.assertEqual(runs, {"cornu": 2, "broken": 0, "fast": 2})

    def test_a_process_that_takes_too_long_is_killed(self):
        with self.assertRaisesRegex(Failed, "no result after 0 s"):
            run("sleep 30", 0.1)
        with self.assertRaisesRegex(Failed, "cannot start"):
            run("/no/such/program", 1)

    def test_slow_pairs_are_left_out_of_later_rounds_but_not_the_best_peer(self):
        sleeping = ("sleeping", f"sh -c \"sleep 1; {SLOW.replace(chr(34), chr(92) + chr(34))}\"")
        status, printed, _ = self.compare("--rounds", "3", "--minutes", "0.001", peers=[("fast", FAST), sleeping])
        self.assertIsNone(status, printed)
        runs = {entry["who"]: len(entry["runs"]) for entry in self.saved()["entries"]}
        self.assertEqual(runs, {"cornu": 3, "fast": 3, "sleeping": 1})
        self.assertIn("1 of 3 rounds, slow", next(line for line in printed.splitlines() if "| sleeping" in line))

    def test_resume_does_what_is_missing(self):
        self.compare("--rounds", "1", peers=[("fast", FAST)])
        status, _, complaints = self.compare("--rounds", "2", "--resume", peers=[("fast", FAST)])
        self.assertIsNone(status)
        self.assertEqual(complaints.count("round 2/2"), 2)
        self.assertNotIn("round 1/2", complaints)
        self.assertEqual({entry["who"]: entry["summary"]["runs"] for entry in self.saved()["entries"]}, {"cornu": 2, "fast": 2})

    def test_the_floor_is_the_longer_of_operations_and_traffic(self):
        pair = {"cornu": {"runs": [{"gflop": 0.1, "state_mb": 50.0}]}}
        self.assertEqual(report.floor_ms(pair, (100.0, 10.0)), (10.0, "bandwidth"))
        self.assertEqual(report.floor_ms(pair, (1.0, 10.0)), (100.0, "multiply-adds"))
        self.assertIsNone(report.floor_ms(pair, None))
        self.assertIsNone(report.floor_ms({}, (1.0, 1.0)))

    def test_all_means_twelve_workloads_and_the_whole_runs(self):
        options = compare.parse_arguments(["--workload", "all", "--python", "false", "--peer", "torch=x", "--peer", "keras-tensorflow=y"])
        pairs = compare.pairs_of(options)
        self.assertEqual(len(compare.known_workloads()), 12)
        self.assertIn((("iris_mlp", 50), "cornu"), pairs)
        self.assertNotIn((("iris_mlp", 50), "torch"), pairs)
        self.assertIn((("iris_fit_short", 1), "keras-tensorflow"), pairs)
        self.assertNotIn((("iris_fit_short", 1), "torch"), pairs)

    def test_a_number_of_steps_is_left_out_where_it_changes_nothing(self):
        options = compare.parse_arguments(["--workload", "all", "--spe", "50", "--python", "false"])
        pairs = compare.pairs_of(options)
        for name in ("iris_fit_short", "iris_fit_long"):
            self.assertIn(((name, 50), "cornu"), pairs)
        for name in ("iris_fit_auto", "mnist_predict"):
            self.assertIn(name, options.workload)
            self.assertNotIn(((name, 50), "cornu"), pairs)

    def test_the_family_is_run_by_the_peers_that_know_it(self):
        peers = ["--peer", "torch-compile=x", "--peer", "keras-jax=y", "--peer", "jax=z"]
        options = compare.parse_arguments(["--workload", "family", "--workload", "mnist_mlp", "--python", "false", *peers])
        pairs = compare.pairs_of(options)
        self.assertEqual(len(compare.known_workloads(compare.FAMILY)), 15)
        for who in ("cornu", "torch-compile", "keras-jax", "jax"):
            self.assertIn((("unet", 1), who), pairs)
        self.assertIn((("mnist_mlp", 50), "jax"), pairs)
        self.assertNotIn((("mnist_mlp", 1), "keras-jax"), pairs)

    def test_a_command_stands_in_front_of_every_process(self):
        options = compare.parse_arguments(["--workload", "iris_mlp", "--python", "false", "--peer", "mine=run {workload}", "--under", "nice -n 1"])
        self.assertEqual(options.commands["mine"], "nice -n 1 run {workload}")
        self.assertTrue(options.cornu.startswith("nice -n 1 "))


class PlotTest(unittest.TestCase):
    def test_the_committed_plots_are_those_of_the_committed_tables(self):
        self.assertEqual(plot.outdated(), [])

    def test_every_workload_of_the_comparison_has_a_name(self):
        self.assertEqual([name for name in compare.parse_arguments(["--workload", "all"]).workload if name not in plot.NAMES], [])

    def test_every_bar_ends_where_the_axis_has_its_value_and_names_the_fastest_peer(self):
        axis = plot.Axis([1, 10, 100, 1000, 10000], "×", logarithmic=True, base=1, mark=1)
        svg = plot.speed_plot([("iris_mlp", 1, 1.0, {"JAX": 62.38, "PyTorch": 400.0}), ("iris_fit_short", 1, 0.2066, {"Keras": 1293.0})])
        lengths = [float(width) for width in re.findall(r'class="bar"[^>]* width="([\d.]+)"', svg)]
        for length, value in zip(lengths, (62.38, 1293 / 0.2066)):
            self.assertAlmostEqual(length, axis.x(value) - plot.LEFT, delta=0.1)
        self.assertLess(max(lengths), plot.WIDTH - plot.LEFT - plot.RIGHT)
        self.assertIn("62× JAX", svg)
        self.assertIn("6,258× Keras", svg)

    def test_a_peer_that_is_faster_has_a_bar_to_the_left_of_equal_speed(self):
        svg = plot.speed_plot([("iris_mlp", 1, 1.0, {"JAX": 20.0}), ("mnist_mlp", 1, 2.0, {"JAX": 1.0})])
        [(_, _), (begin, width)] = [(float(x), float(width)) for x, width in re.findall(r'class="bar" x="([\d.]+)"[^>]* width="([\d.]+)"', svg)]
        [dashed] = re.findall(r'class="mark" x1="([\d.]+)"', svg)
        self.assertAlmostEqual(begin + width, float(dashed), delta=0.1)
        self.assertIn(">0.1×<", svg)
        self.assertIn("0.5× JAX", svg)

    def test_the_axis_of_the_floor_reaches_beyond_the_longest_bar(self):
        svg = plot.floor_plot([("cifar_10m_b256", 1, 365.7, 685.1), ("iris_mlp", 1, 0.001062, 0.0001011)])
        self.assertIn(">200 %<", svg)
        self.assertIn("187 %", svg)
        self.assertLess(svg.index(plot.CONVOLUTIONS), svg.index(plot.MEMORY))

    def test_a_comparison_is_drawn_without_other_packages(self):
        entries = [{"workload": "iris_mlp", "spe": 1, "who": who, "runs": [{"gflop": 0.1, "state_mb": 1.0}], "summary": {"ms_min": ms}}
                   for who, ms in (("cornu", 2.0), ("torch", 4.0))]
        with tempfile.TemporaryDirectory() as folder:
            plot.draw(entries, [{"fma_gflops": 100.0, "triad_gb_s": 10.0}], folder)
            with open(os.path.join(folder, "speed.svg"), encoding="utf-8") as file:
                self.assertIn("2.0× PyTorch", file.read())
            self.assertTrue(os.path.exists(os.path.join(folder, "floor.svg")))

    def test_the_plots_follow_the_readers_colour_scheme(self):
        for svg in plot.pictures(*plot.committed()).values():
            self.assertIn("prefers-color-scheme:dark", svg)


class WhereTest(unittest.TestCase):
    def test_the_fastest_half_of_the_steps_counts_and_each_group_once(self):
        def event(cat, ts, dur, name, kind=""):
            return {"ph": "X", "cat": cat, "ts": ts, "dur": dur, "name": name, "args": {"kind": kind}}

        fast = [event("step", 0, 10, "step"), event("group", 0, 4, "c (backward): winograd convolution", "winograd"),
                event("group", 4, 3, "loss (backward), optimizer: multiply", "loop"), event("group", 7, 2, "gather_rows", "rows"),
                event("loop", 7, 2, "gather_rows")]
        slow = [event("step", 20, 90, "step"), event("group", 20, 80, "dense: dot_general", "matrix")]
        spent, step = where.shares({"traceEvents": [*slow, *fast, {"ph": "M", "name": "thread_name"}]})
        self.assertEqual(step, 10)
        self.assertEqual({work: us for work, us in spent.items() if us}, {"convolutions": 4, "updates": 3, "rows, tables": 2})


if __name__ == "__main__":
    unittest.main()

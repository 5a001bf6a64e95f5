#!/usr/bin/env python3
"""Tests of gate.py: its arithmetic on figures, and the whole of it on programs that print given ones."""
import contextlib
import io
import json
import math
import os
import random
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gate  # noqa: E402


def drifting(seed, rounds, factor):
    """Figures of base and of head, which takes `factor` times as long, on a machine whose speed changes by up to two from round to round."""
    source = random.Random(seed)
    speeds = [source.uniform(1, 2) for _ in range(rounds)]
    return [[speed * own * source.lognormvariate(0, 0.01) for speed in speeds] for own in (1.0, factor)]


def bursting(seed, rounds, factor):
    """Likewise, where every other run on average is disturbed by up to 1.8."""
    source = random.Random(seed)

    def figure(own):
        disturbed = 1.0 if source.random() < 0.5 else source.uniform(1, 1.8)
        return own * disturbed * source.lognormvariate(0, 0.005)

    return [[figure(own) for _ in range(rounds)] for own in (1.0, factor)]


def times_slower(machine, rounds, factor):
    """How often of 200 a gate calls head slower."""
    return sum(gate.change_of(*machine(seed, rounds, factor), 0.03).is_slower for seed in range(200))


class ChangeTest(unittest.TestCase):
    def test_equal_figures_have_not_moved(self):
        change = gate.change_of([2.0, 2.0, 2.0], [2.0, 2.0, 2.0], 0.03)
        self.assertEqual(change, gate.Change(1.0, 0.03, 1.0, 0.03, 0.03))
        self.assertFalse(change.is_slower or change.is_faster)

    def test_ratio_noise_and_verdict_of_steady_figures(self):
        base, head = [1.0, 1.01, 1.0, 1.01, 1.0], [1.1, 1.11, 1.1, 1.11, 1.1]
        change = gate.change_of(base, head, 0.03)
        self.assertAlmostEqual(change.ratio, 1.1, places=3)
        self.assertAlmostEqual(change.best, 1.1)
        self.assertEqual((change.ratio_noise, change.best_noise), (0.03, 0.03))
        self.assertTrue(change.is_slower)
        self.assertTrue(gate.change_of(head, base, 0.03).is_faster)
        self.assertFalse(gate.change_of(base, head, 0.12).is_slower)

    def test_noise_of_the_median_is_three_standard_errors(self):
        # Ratios e^-0.2, e^0, e^0.2: the median absolute deviation is 0.2.
        change = gate.change_of([1.0, 1.0, 1.0], [math.exp(x) for x in (-0.2, 0.0, 0.2)], 0.0)
        self.assertAlmostEqual(change.ratio_noise, math.exp(3 * 1.2533 * 1.4826 * 0.2 / 3**0.5) - 1, places=6)

    def test_noise_of_the_best_is_how_far_the_second_best_is_behind(self):
        self.assertAlmostEqual(gate.change_of([0.8, 1.0, 1.0, 1.0, 1.0], [1.0] * 5, 0.03).best_noise, 0.25)
        self.assertAlmostEqual(gate.change_of([1.0] * 5, [1.0, 0.8, 1.0, 1.0, 1.0], 0.03).best_noise, 0.25)

    def test_one_kind_of_evidence_is_not_enough(self):
        lucky_base = gate.change_of([0.8, 0.8, 1.0, 1.0, 1.0], [1.0] * 5, 0.03)
        self.assertGreater(lucky_base.best, 1 + lucky_base.best_noise)
        self.assertFalse(lucky_base.is_slower)
        often_disturbed = gate.change_of([1.0] * 7, [1.0, 1.0, 1.2, 1.2, 1.2, 1.2, 1.2], 0.03)
        self.assertGreater(often_disturbed.ratio, 1 + often_disturbed.ratio_noise)
        self.assertFalse(often_disturbed.is_slower)

    def test_one_disturbed_run_moves_nothing(self):
        self.assertFalse(gate.change_of([1.0] * 5, [1.0, 1.0, 3.0, 1.0, 1.0], 0.03).is_slower)

    def test_a_restless_machine_moves_nothing(self):
        for rounds in (5, 10):
            self.assertEqual(times_slower(drifting, rounds, 1.0), 0)
        self.assertLessEqual(times_slower(bursting, 5, 1.0), 8)  # these get more rounds:
        self.assertEqual(times_slower(bursting, 10, 1.0), 0)

    def test_a_tenth_is_found_on_a_restless_machine(self):
        self.assertGreaterEqual(times_slower(drifting, 10, 1.1), 195)
        self.assertGreaterEqual(times_slower(bursting, 10, 1.1), 150)

    def test_too_few_rounds_are_refused(self):
        with self.assertRaises(ValueError):
            gate.change_of([1.0, 1.0], [1.0, 1.0], 0.03)
        with self.assertRaises(ValueError):
            gate.change_of([1.0] * 4, [1.0] * 3, 0.03)


class GateTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def build(self, name, **figures):
        """A build folder whose program prints these figures; a list gives one a run, the last again and again."""
        folder = os.path.join(self.folder.name, name)
        os.makedirs(os.path.join(folder, "bin"))
        path = os.path.join(folder, "bin", "cornu")
        row = {"ms_min": 1.0, "compile_s": 0.1, "startup_s": 0.2, **figures}
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"""#!{sys.executable}
import json, os, sys
count = os.path.join({folder!r}, "runs")
number = int(open(count).read()) if os.path.exists(count) else 0
open(count, "w").write(str(number + 1))
open(os.path.join({folder!r}, "arguments"), "a").write(" ".join(sys.argv[1:]) + "\\n")
row = json.loads({json.dumps(row)!r})
print(json.dumps({{k: v[min(number, len(v) - 1)] if isinstance(v, list) else v for k, v in row.items()}}))
""")
        os.chmod(path, 0o755)
        return folder

    def runs_of(self, build):
        with open(os.path.join(build, "runs"), encoding="utf-8") as file:
            return int(file.read())

    def gate(self, base, head, *arguments):
        """(exit status, printed) of gate.py."""
        out, err = io.StringIO(), io.StringIO()
        before, sys.argv = sys.argv, ["gate.py", base, head, "--rounds", "3", *arguments]
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                gate.main()
            status = 0
        except SystemExit as exit_:
            status = exit_.code
        finally:
            sys.argv = before
        return status, out.getvalue() + err.getvalue()

    def test_the_same_speed_passes_after_the_rounds(self):
        base, head = self.build("base"), self.build("head")
        status, printed = self.gate(base, head, "mnist_cnn")
        self.assertEqual(status, 0, printed)
        self.assertIn("nothing is slower", printed)
        self.assertEqual((self.runs_of(base), self.runs_of(head)), (3, 3))

    def test_a_slower_step_is_measured_again_named_and_fails(self):
        base, head = self.build("base"), self.build("head", ms_min=1.2)
        status, printed = self.gate(base, head, "mnist_cnn")
        self.assertEqual(status, 1)
        self.assertIn("slower: mnist_cnn (K = 1): step 1.200 times as long", printed)
        row = [cell.strip() for cell in next(line for line in printed.splitlines() if line.startswith("| mnist_cnn")).split("|")][1:-1]
        self.assertEqual(row, ["mnist_cnn", "1", "1.000", "1.200", "1.200 ± 0.030, best 1.200 ± 0.030, slower",
                               *["1.000 ± 0.050, best 1.000 ± 0.050"] * 2, "6"])
        self.assertEqual((self.runs_of(base), self.runs_of(head)), (6, 6))

    def test_what_was_slower_by_chance_passes_when_measured_again(self):
        status, printed = self.gate(self.build("base"), self.build("head", ms_min=[1.2, 1.2, 1.2, 1.0]), "mnist_cnn")
        self.assertEqual(status, 0, printed)

    def test_slower_compiling_and_starting_fail_too(self):
        status, printed = self.gate(self.build("base"), self.build("head", compile_s=0.2, startup_s=0.3), "mnist_cnn")
        self.assertEqual(status, 1)
        self.assertIn("slower: mnist_cnn (K = 1): compile 2.000 times as long", printed)
        self.assertIn("slower: mnist_cnn (K = 1): start-up 1.500 times as long", printed)

    def test_faster_is_said_and_passes(self):
        status, printed = self.gate(self.build("base", ms_min=1.2), self.build("head"), "mnist_cnn")
        self.assertEqual(status, 0)
        self.assertIn("0.833 ± 0.030, best 0.833 ± 0.030, faster", printed)

    def test_short_steps_are_measured_with_two_ks(self):
        base = self.build("base")
        self.gate(base, self.build("head"), "iris_mlp")
        with open(os.path.join(base, "arguments"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[:2], [f"bench iris_mlp --steps-per-execution {spe} --seconds 1.0 --json" for spe in (1, 50)])
        self.assertEqual(len(gate.pairs_of([])), 14)  # twelve workloads, of which two are short

    def test_a_program_that_fails_or_is_missing(self):
        base = self.build("base")
        self.assertEqual(self.gate(base, "/bin/false", "mnist_cnn")[0], 2)
        self.assertIn("is no program", self.gate(base, self.folder.name + "/none")[0])
        self.assertIn("no workload nonsense", self.gate(base, base, "nonsense")[0])


if __name__ == "__main__":
    unittest.main()

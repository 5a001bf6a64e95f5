#!/usr/bin/env python3
"""Tests of goldens_oracle.py's comparison; the oracle itself runs in the full ring."""
import json
import os
import pathlib
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import goldens_oracle  # noqa: E402


def differences(committed, made, tolerance=1e-5):
    found = goldens_oracle.Differences(tolerance)
    found.compare("", committed, made)
    return found


class GoldensOracleTest(unittest.TestCase):
    def test_numbers_are_compared_with_the_largest_of_their_list(self):
        self.assertEqual(differences({"y": [100.0, 0.0005]}, {"y": [100.0, 0.001]}).lines, [])
        found = differences({"y": [100.0, 0.0005]}, {"y": [100.0, 0.0025]})
        self.assertEqual(found.lines, [".y[1]: 0.0005 committed, 0.0025 made: 2.0e-05 of the largest, 100"])
        self.assertAlmostEqual(found.largest, 2e-5)
        self.assertEqual(len(differences({"loss": 1.0}, {"loss": 1.1}).lines), 1)

    def test_integers_texts_and_shapes_are_equal(self):
        for committed, made in (([1, 2], [1, 3]), ("same", "zero"), ([2, 3], [2, 3, 1]), (True, 1), (None, 0.0), ([[1.0]], [1.0]), ({"a": 1}, {"b": 1})):
            self.assertNotEqual(differences({"x": committed}, {"x": made}).lines, [], (committed, made))
            self.assertEqual(differences({"x": committed}, {"x": committed}).lines, [])

    def test_what_is_missing_is_named(self):
        self.assertEqual(differences({"a": [{"b": 1, "c": 2}]}, {"a": [{"b": 1, "d": 2}]}).lines,
                         [".a[0].c: only in the committed file", ".a[0].d: only in what was made"])

    def test_infinite_numbers_and_nan(self):
        nan, inf = float("nan"), float("inf")
        self.assertEqual(differences([nan, inf, 1.0], [nan, inf, 1.0]).lines, [])
        self.assertEqual(len(differences([nan, 1.0], [1.0, 1.0]).lines), 1)
        self.assertEqual(len(differences([inf, 1.0], [-inf, 1.0]).lines), 1)
        self.assertEqual(len(differences([0.0, 0.0], [0.0, 1e-9]).lines), 1)

    def test_archives_are_compared_by_content(self):
        def write(path, number, kernel, activation="relu"):
            config = {"layers": [{"shared_object_id": number}, {"shared_object_id": number, "module": "keras.layers", "activation": activation}]}
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("config.json", json.dumps(config))
                archive.writestr("notes.txt", kernel)
            return path

        with tempfile.TemporaryDirectory() as folder:
            committed = write(pathlib.Path(folder) / "a.keras", 140118852909712, "x")
            self.assertEqual(goldens_oracle.compare_files(committed, write(pathlib.Path(folder) / "b.keras", 1404, "x")), ([], 0.0))
            for other in (write(pathlib.Path(folder) / "c.keras", 7, "y"), write(pathlib.Path(folder) / "d.keras", 7, "x", "elu")):
                self.assertEqual(len(goldens_oracle.compare_files(committed, other)[0]), 1)

    def test_numbers_far_below_the_least_scale_are_rounding_errors(self):
        found = goldens_oracle.Differences(1e-5, 1e-5)
        found.compare("", [1e-11], [-1e-12])
        self.assertEqual(found.lines, [])
        found.compare("", [1e-9], [0.0])
        self.assertEqual(len(found.lines), 1)

    def test_other_files_are_compared_by_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            a, b = pathlib.Path(folder) / "a.csv", pathlib.Path(folder) / "b.csv"
            a.write_bytes(b"x")
            b.write_bytes(b"y")
            self.assertEqual(goldens_oracle.compare_files(a, a), ([], 0.0))
            self.assertEqual(goldens_oracle.compare_files(a, b), (["the bytes differ"], 0.0))


if __name__ == "__main__":
    unittest.main()

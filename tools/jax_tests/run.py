#!/usr/bin/env python3
"""Runs JAX's own tests on the platform "cornu", and compares the failures with a list of expected ones.

    python tools/jax_tests/run.py CHECKOUT [--cases N] [--expected FILE] [--junit FOLDER] [lax_test nn_test ...]

CHECKOUT is JAX's repository at the tag of the installed version (jax-v0.10.2); the Python that runs the script needs jax, pytest
and Cornu's wheel. N random cases are made of each parameterized test. Exits with 1 if a test fails that is not in the list.
"""

import argparse
import collections
import fnmatch
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
DEFAULT_FILES = ("lax_test", "lax_numpy_test", "nn_test")


def read_expected(path):
    """Lines `PATTERN | REASON`; the pattern is that of a shell, for "file::test" or for the error's text."""
    rows = []
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            pattern, reason = line.split(" | ", 1)
            rows.append((pattern.strip(), reason.strip()))
    return rows


def run_file(checkout, name, cases, report):
    """Outcomes of the tests: (name, "passed" | "failed" | "skipped", the error's text)."""
    environment = dict(os.environ, JAX_PLATFORMS="cornu,cpu", JAX_NUM_GENERATED_CASES=str(cases),
                       JAX_ENABLE_CHECKS="0", JAX_SKIP_SLOW_TESTS="1")
    command = [sys.executable, "-m", "pytest", "-q", "--tb=line", "-p", "no:cacheprovider", f"--junitxml={report}",
               f"tests/{name}.py"]
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True)
    if not report.exists():
        sys.exit(f"{name}: pytest ended with {done.returncode} and without a report:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    outcomes = []
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        failure = next((part for kind in ("failure", "error") for part in case.iter(kind)), None)
        skipped = case.find("skipped") is not None
        text = "" if failure is None else (failure.get("message") or "") + (failure.text or "")
        outcomes.append((case.get("name"), "skipped" if skipped else "passed" if failure is None else "failed", text))
    return outcomes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("files", nargs="*", default=DEFAULT_FILES)
    parser.add_argument("--cases", type=int, default=2)
    parser.add_argument("--expected", type=pathlib.Path, default=HERE / "expected_failures.txt")
    parser.add_argument("--junit", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    expected = read_expected(options.expected)
    reasons, unexpected = collections.Counter(), []
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.junit or pathlib.Path(temporary)
        for name in options.files:
            outcomes = run_file(options.checkout, name, options.cases, folder / f"{name}.xml")
            counts = collections.Counter(outcome for _, outcome, _ in outcomes)
            print(f"{name}: {counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped", flush=True)
            for test, outcome, text in outcomes:
                if outcome != "failed":
                    continue
                reason = next((reason for pattern, reason in expected if fnmatch.fnmatchcase(f"{name}::{test}", pattern) or
                               fnmatch.fnmatchcase(text.replace("\n", " "), f"*{pattern}*")), None)
                if reason is None:
                    unexpected.append((name, test, text))
                else:
                    reasons[reason] += 1
    for reason, count in reasons.most_common():
        print(f"  expected {count:5}: {reason}")
    for name, test, text in unexpected:
        print(f"  NEW {name}::{test}: {text.strip().splitlines()[0][:300] if text.strip() else ''}")
    sys.exit(1 if unexpected else 0)


if __name__ == "__main__":
    main()

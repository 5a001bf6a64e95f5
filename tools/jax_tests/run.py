#!/usr/bin/env python3
"""Runs JAX's own tests, and Keras's, on the platform "cornu", and compares the failures with a list of expected ones.

    python tools/jax_tests/run.py CHECKOUT [--cases N] [--expected FILE] [--junit FOLDER] [--baseline] [lax_test nn_test ...]

CHECKOUT is JAX's repository at the tag of the installed version (jax-v0.10.2); the Python that runs the script needs jax, pytest
and Cornu's wheel. N random cases are made of each parameterized test. Without names all files of FILES are run, and pmap_test and
shard_map_test on several devices. A name such as keras:layers/core/dense_test or keras:layers is a test, or all tests of a folder,
in Keras's wheel; "keras" stands for all of KERAS_FILES. With --baseline each file is also run on JAX's CPU backend, and the tests
that pass there are counted. Exits with 1 if a test fails that is not in the list.
"""

import argparse
import collections
import fnmatch
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
FILES = ("lax_test", "lax_numpy_test", "lax_numpy_operators_test", "lax_numpy_indexing_test", "lax_numpy_reducers_test",
         "lax_control_flow_test", "lax_autodiff_test", "lax_vmap_test", "lax_scipy_test", "lax_scipy_special_functions_test",
         "linalg_test", "fft_test", "random_test", "random_lax_test", "nn_test", "python_callback_test",
         "debugging_primitives_test", "checkify_test", "jaxpr_effects_test", "custom_linear_solve_test", "custom_root_test", "ode_test",
         "lax_scipy_sparse_test")
# These skip platforms that JAX does not know; they run on the platform's devices in any case.
FILES_OF_KNOWN_PLATFORMS = ("python_callback_test", "debugging_primitives_test")
# These run on several devices.
FILES_OF_DEVICES = ("pmap_test", "shard_map_test", "pjit_test", "array_test", "multi_device_test")
NUM_DEVICES = 8
KERAS = "keras:"
# Folders and files of Keras's tests.
KERAS_FILES = tuple(KERAS + name for name in (
    "activations", "backend", "callbacks", "constraints", "dtype_policies", "initializers", "layers", "losses", "metrics", "models",
    "ops/core_test", "ops/image_test", "ops/linalg_test", "ops/math_test", "ops/nn_test", "ops/numpy_test", "optimizers", "quantizers",
    "random", "regularizers", "saving", "trainers"))


def read_expected(path):
    """Lines `PATTERN | REASON`; the pattern is that of a shell, for "file::test" or for the error's text."""
    rows = []
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            pattern, reason = line.split(" | ", 1)
            rows.append((pattern.strip(), reason.strip()))
    return rows


def run_file(checkout, name, cases, report, platforms="cornu,cpu"):
    """Outcomes of the tests: (name, "passed" | "failed" | "skipped", the error's text)."""
    environment = dict(os.environ, JAX_PLATFORMS=platforms, JAX_NUM_GENERATED_CASES=str(cases),
                       JAX_ENABLE_CHECKS="0", JAX_SKIP_SLOW_TESTS="1")
    if name in FILES_OF_DEVICES:
        environment["CORNU_PJRT_DEVICES"] = environment["JAX_NUM_CPU_DEVICES"] = str(NUM_DEVICES)
    path, folder = f"tests/{name}.py", checkout
    if name.startswith(KERAS):
        environment["KERAS_BACKEND"] = "jax"
        package = importlib.util.find_spec("keras").submodule_search_locations[0]
        path = f"{package}/src/{name.removeprefix(KERAS)}"
        if not os.path.isdir(path):
            path += ".py"
        folder = report.parent  # the checkout has a conftest.py of its own
    command = [sys.executable, "-m", "pytest", "-q", "--tb=line", "-p", "no:cacheprovider", "--continue-on-collection-errors",
               f"--junitxml={report}", path]
    if name in FILES_OF_KNOWN_PLATFORMS:
        command += ["-p", "as_cpu"]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HERE), environment.get("PYTHONPATH")]))
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
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
    parser.add_argument("files", nargs="*", default=FILES + FILES_OF_DEVICES[:2])
    parser.add_argument("--cases", type=int, default=2)
    parser.add_argument("--expected", type=pathlib.Path, default=HERE / "expected_failures.txt")
    parser.add_argument("--junit", type=pathlib.Path)
    parser.add_argument("--baseline", action="store_true")
    options = parser.parse_intermixed_args()
    expected = read_expected(options.expected)
    reasons, unexpected = collections.Counter(), []
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.junit or pathlib.Path(temporary)
        names = [name for each in options.files for name in (KERAS_FILES if each == "keras" else (each,))]
        for name in names:
            report = folder / name.replace(":", "_").replace("/", "_")
            outcomes = run_file(options.checkout, name, options.cases, report.with_suffix(".xml"))
            counts = collections.Counter(outcome for _, outcome, _ in outcomes)
            print(f"{name}: {counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped", flush=True)
            if options.baseline:
                on_cpu = run_file(options.checkout, name, options.cases, report.with_suffix(".cpu.xml"), "cpu")
                expected_names = {test for test, outcome, _ in on_cpu if outcome == "passed"}
                found = sum(outcome == "passed" and test in expected_names for test, outcome, _ in outcomes)
                skipped = sum(outcome == "skipped" and test in expected_names for test, outcome, _ in outcomes)
                print(f"  {found} of the {len(expected_names)} that pass on JAX's CPU backend; {skipped} skipped here", flush=True)
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

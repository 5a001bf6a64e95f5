#!/usr/bin/env python3
"""Records what Keras's own unit tests make Keras compute, for tests/keras_cases to compare Cornu with.

Usage: KERAS_BACKEND=jax JAX_PLATFORMS=cpu python tools/oracles/keras_cases/record.py [--float64] OUT [FOLDER_OR_FILE ...]

Runs the tests that the Keras wheel holds (keras/src/FOLDER_OR_FILE; default: FOLDERS) under hooks, which note the calls of layers, losses, metrics,
optimizers, schedules, initializers, regularizers, constraints and functions of keras.ops that a test makes. After a test each call becomes a case: a new
object of the configuration, with weights moved by a seed, computes outputs, state, losses and gradients. A call that another had already with the same
configuration and forms is not recorded twice.

With --float64 the tests run with Keras's floatx = float64 and JAX's 64-bit types (default: WIDE_FOLDERS); names of cases begin with "float64:".

OUT gets a line of JSON a case; stderr, what was not recorded and why. docs/dev/keras_cases.md describes the form. A test, and a case, may take TIME_LIMIT
seconds each.

Without folders each folder runs in a process of its own: compiled programs take gigabytes.

Exit code: 0, 1 if a process ends early, or 77 if the packages are not installed (CTest: skipped).
"""

import argparse
import contextlib
import faulthandler
import functools
import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import types

os.environ.setdefault("KERAS_BACKEND", "jax")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")  # thousands of programs run once each
if "--float64" in sys.argv:
    os.environ["JAX_ENABLE_X64"] = "1"
MISSING = [name for name in ("keras", "jax", "pytest", "absl") if importlib.util.find_spec(name) is None]
if MISSING:
    print(f"skipped: {sys.executable} has no {', '.join(MISSING)} (make oracles installs them)")
    sys.exit(77)

import keras  # noqa: E402
import keras.src.testing  # noqa: E402
import pytest  # noqa: E402

import compute  # noqa: E402
import hooks  # noqa: E402
from values import NotRecordable  # noqa: E402

# Of one process each.
FOLDERS = ["activations constraints initializers regularizers losses", "metrics", "optimizers", "layers/activations layers/attention layers/convolutional",
           "layers/core layers/merging layers/normalization layers/pooling", "layers/regularization layers/reshaping layers/rnn", "layers/preprocessing",
           "models trainers", "ops/numpy_test.py", "ops/nn_test.py", "ops/core_test.py ops/einops_test.py ops/math_test.py ops/linalg_test.py ops/image_test.py"]
WIDE_FOLDERS = ["activations constraints initializers regularizers losses metrics optimizers",
                "layers/activations layers/core layers/normalization layers/pooling layers/merging"]
LARGEST_CASE = 100_000  # bytes of its line
MOST_OF_A_FUNCTION = 100
TIME_LIMIT = 120  # seconds
SOURCE = pathlib.Path(keras.__file__).parent / "src"
STAND_INS = ("tensorflow", "grain")
# Tests that quantize (tests/goldens has cases for these), or write files, and record nothing else.
DESELECTED = ["quantiz", "float8", "int4", "int8", "gptq", "awq", "saving", "correctness_distributed"]


class TimeLimitExceeded(BaseException):
    """No Exception, so that tests and hooks let it pass."""


@contextlib.contextmanager
def time_limit():
    """Raises TimeLimitExceeded in the code inside; ends the process with a traceback if that code does not return to Python."""

    def stop(*_):
        raise TimeLimitExceeded

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, TIME_LIMIT, 5)  # again, if a callback has swallowed it
    faulthandler.dump_traceback_later(3 * TIME_LIMIT, exit=True)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()


class Plugin:
    """Turns the calls of each test into cases."""

    def __init__(self, out, prefix):
        self.out, self.prefix = out, prefix
        self.recorder = hooks.Recorder()
        self.seen, self.per_function, self.count = set(), {}, 0
        hooks.install(self.recorder)

    def pytest_collection_finish(self, session):
        for name in STAND_INS:  # only for the imports of test modules
            if isinstance(sys.modules.get(name), StandIn):
                del sys.modules[name]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item):
        test = f"{item.path.relative_to(SOURCE)}::{item.nodeid.partition('::')[2]}"
        self.recorder.begin(test)
        with time_limit():
            outcome = yield
        if outcome.excinfo is not None and outcome.excinfo[0] is TimeLimitExceeded:
            self.recorder.refuse("test", f"over {TIME_LIMIT} s: {test}")
        calls = self.recorder.end()
        for call in calls + [labeled for labeled in map(compute.labeled, calls) if labeled is not None]:
            try:
                with time_limit():
                    self.record(call, test)
            except TimeLimitExceeded:
                self.recorder.refuse(call["kind"], f"over {TIME_LIMIT} s: {test}")
        self.out.flush()

    def record(self, call, test):
        key = compute.key(call)
        if key in self.seen:
            return
        self.seen.add(key)
        if call["kind"] == "op":
            self.per_function[call["function"]] = self.per_function.get(call["function"], 0) + 1
            if self.per_function[call["function"]] > MOST_OF_A_FUNCTION:
                return self.recorder.refuse("op", "more calls of one function")
        try:
            case = compute.case_of(call)
        except NotRecordable as error:
            return self.recorder.refuse(call["kind"], error)
        except Exception as error:  # noqa: BLE001  (calls that Keras refuses, as tests want)
            return self.recorder.refuse(call["kind"], f"{type(error).__name__}: {error}"[:100])
        number = self.per_function[("test", test)] = self.per_function.get(("test", test), 0) + 1
        line = json.dumps({"id": f"{self.prefix}{test}#{number}", **case}, separators=(",", ":"))
        if len(line) > LARGEST_CASE:
            return self.recorder.refuse(call["kind"], "a case too large")
        self.out.write(line + "\n")
        self.count += 1


class StandIn(types.ModuleType):
    """A module in place of one that test modules import for some of their tests."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn(name)

    def executing_eagerly(self):
        return True


def keep_all(*_, **__):
    """In place of Keras's decorator that skips tests on a backend."""
    return lambda test: test


def record_folders(options):
    """Records all folders, each in a process; returns the exit code."""
    has_ended = True
    with open(options.out, "wb") as file, tempfile.TemporaryDirectory() as folder:
        part = pathlib.Path(folder) / "part.jsonl"
        for folders in WIDE_FOLDERS if options.float64 else FOLDERS:
            command = [sys.executable, __file__, *["--float64"] * options.float64, part, *folders.split()]
            code = subprocess.run(command, check=False).returncode
            if code != 0:  # by a signal, or a test that does not end
                print(f"{folders}: its process ended with the code {code}", file=sys.stderr)
                has_ended = False
            file.write(part.read_bytes())
    return 0 if has_ended else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--float64", action="store_true")
    parser.add_argument("out")
    parser.add_argument("chosen", nargs="*")
    options = parser.parse_intermixed_args()
    if not options.chosen:
        sys.exit(record_folders(options))
    if options.float64:
        keras.config.set_floatx("float64")
    sys.modules["conftest"] = types.SimpleNamespace(skip_if_backend=keep_all)
    for name in STAND_INS:
        if importlib.util.find_spec(name) is None:
            sys.modules[name] = StandIn(name)
    keras.src.testing.TestCase.run_layer_test = functools.partialmethod(keras.src.testing.TestCase.run_layer_test, run_training_check=False)
    with open(options.out, "w") as file:
        plugin = Plugin(file, "float64:" if options.float64 else "")
        pytest.main(["-q", "-s", "--durations=15", "-p", "no:faulthandler", "-p", "no:cacheprovider", "--no-header", "-W", "ignore", "--tb=no", "--continue-on-collection-errors",
                     "-k", " and ".join(f"not {name}" for name in DESELECTED), *(str(SOURCE / each) for each in options.chosen)], plugins=[plugin])
    for (kind, reason), count in sorted(plugin.recorder.refused.items(), key=lambda item: -item[1])[:60]:
        print(f"{count} of {kind} not recorded: {reason}", file=sys.stderr)
    print(f"{plugin.count} cases", file=sys.stderr)


if __name__ == "__main__":
    main()

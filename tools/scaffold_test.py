#!/usr/bin/env python3
"""Tests of new_op and new_layer: they run in a copy of the tree, which must stay as the checkers want it.

Usage: scaffold_test.py [--build BUILD] [unittest's arguments]. With a build folder, whose generated headers it needs, what was written is compiled too.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOLS = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(TOOLS)
sys.path[:0] = [TOOLS, os.path.join(TOOLS, "docs")]
import check_functions  # noqa: E402
import check_layers  # noqa: E402
import examples  # noqa: E402

BUILD = None
OPTIONS = "cornu/keras/options/layers.toml"
EXAMPLES = "tools/docs/examples/layers.cc"
OP_FILES = ["log_one.cc", "log_one.h", "log_one_cases.cc", "log_one_test.cc"]
LAYER_FILES = ["cornu/keras/layers/normalization/odd_scaling.cc", "cornu/keras/layers/normalization/odd_scaling.h",
               "cornu/keras/layers/normalization/odd_scaling_golden_test.cc", "tools/goldens/odd_scaling_layer.py"]


class ScaffoldTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """A tree of the headers and of the tables of options, without the sources, so that the checkers read little."""
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = cls.folder.name
        for name in ("LAYERS", ".clang-format"):
            shutil.copy(os.path.join(ROOT, name), cls.root)

        def sources(folder, names):
            return [name for name in names if os.path.isfile(os.path.join(folder, name)) and not name.endswith((".h", ".toml"))]

        shutil.copytree(os.path.join(ROOT, "cornu"), os.path.join(cls.root, "cornu"), ignore=sources)
        os.makedirs(os.path.join(cls.root, "tools/goldens"))
        os.makedirs(os.path.join(cls.root, os.path.dirname(EXAMPLES)))
        shutil.copy(os.path.join(ROOT, EXAMPLES), os.path.join(cls.root, EXAMPLES))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_tool(self, *arguments):
        return subprocess.run([sys.executable, os.path.join(TOOLS, arguments[0]), *arguments[1:], "--root", self.root], capture_output=True, text=True)

    def written(self, *arguments):
        """Runs a tool that must succeed; the files that it names, which are removed after the test."""
        result = self.run_tool(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        files = [line.strip() for line in result.stdout.partition("\nNext:")[0].splitlines() if line.startswith("  ")]
        for file in files:
            self.addCleanup(self.remove, os.path.join(self.root, file))
        for extended in (OPTIONS, EXAMPLES):
            self.addCleanup(shutil.copy, os.path.join(ROOT, extended), os.path.join(self.root, extended))
        self.assertIn("FILL IN", result.stdout)
        return files

    @staticmethod
    def remove(path):
        os.remove(path)
        if not os.listdir(os.path.dirname(path)):
            os.rmdir(os.path.dirname(path))

    def refusal(self, *arguments):
        result = self.run_tool(*arguments)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        return result.stderr

    def check_sources(self, files):
        """The checkers find that there are gaps to be filled in, and nothing else."""
        breaches = [line for line in check_layers.check(self.root) if line.partition(":")[0] in files]
        self.assertEqual({line.partition(": ")[2] for line in breaches}, {"tools/new_op or tools/new_layer left this to be written"})
        self.assertEqual(check_functions.check(self.root), [])
        sources = [file for file in files if file.endswith((".h", ".cc"))]
        if shutil.which("clang-format-19"):
            subprocess.run(["clang-format-19", "--dry-run", "-Werror", *sources], cwd=self.root, check=True)

    def compile_sources(self, files):
        """Compiles the sources together, as unity builds do."""
        if BUILD is None:
            return
        text = "".join(f'#include "{file}"\n' for file in files if file.endswith(".cc"))
        command = [os.environ.get("CXX", "c++"), "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wno-missing-field-initializers", "-Werror", "-I.", f"-I{ROOT}",
                   f"-I{BUILD}/generated", "-x", "c++", "-"]
        result = subprocess.run(command, input=text, cwd=self.root, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)

    def check_op(self, *options):
        files = self.written("new_op", "log_one", *options)
        self.check_sources(files)
        self.compile_sources(files)
        return [file.removeprefix("cornu/ops/log_one/") for file in files]

    def test_an_op_is_a_composite(self):
        self.assertEqual(self.check_op(), OP_FILES)

    def test_an_op_with_a_kernel_has_a_row_of_the_cpu_engine(self):
        self.assertEqual(self.check_op("--kernel"), sorted([*OP_FILES, "log_one_cpu.cc"]))

    def test_a_layer_has_a_class_a_test_and_a_script_of_goldens(self):
        files = self.written("new_layer", "odd_scaling", "--family", "normalization")
        self.assertEqual(files, LAYER_FILES)
        self.check_sources(files)
        self.compile_sources(files)
        with open(os.path.join(self.root, files[-1]), encoding="utf-8") as script:
            compile(script.read(), files[-1], "exec")

    def test_the_options_of_a_layer_have_a_row(self):
        files = self.written("new_layer", "odd_scaling", "--family", "normalization")
        with open(os.path.join(self.root, OPTIONS), encoding="utf-8") as table:
            self.assertIn("[structs.OddScalingOptions]", table.read())
        with open(os.path.join(self.root, files[1]), encoding="utf-8") as header:
            self.assertIn("CORNU_FIELDS(OddScalingOptions, activity_regularizer, name, trainable, dtype, input_shape)", header.read())
        result = subprocess.run([sys.executable, os.path.join(TOOLS, "make_options.py"), self.root, "--check"], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout), (0, "options: fine\n"))

    def test_a_layer_has_an_example_in_the_reference_beside_its_family(self):
        self.written("new_layer", "odd_scaling", "--family", "normalization")
        found = {name: code for name, code in examples.read(os.path.join(self.root, os.path.dirname(EXAMPLES)))}
        self.assertEqual(found["OddScaling"], "layers::OddScaling()(ops::ones({2, 3}));  // shape [2, 3]")
        with open(os.path.join(self.root, EXAMPLES), encoding="utf-8") as file:
            functions = file.read().split("\nvoid ")
        self.assertEqual([function.partition("(")[0] for function in functions if "OddScaling" in function], ["normalization_and_regularization"])

    def test_the_steps_after_a_layer_name_its_example_and_the_counts(self):
        steps = self.run_tool("new_layer", "odd_scaling").stdout.partition("\nNext:")[2]
        for file in ("cornu/keras/layers/core/odd_scaling.h", "cornu/keras/layers/core/odd_scaling.cc", "cornu/keras/layers/core/odd_scaling_golden_test.cc",
                     "tools/goldens/odd_scaling_layer.py"):
            self.addCleanup(self.remove, os.path.join(self.root, file))
        for extended in (OPTIONS, EXAMPLES):
            self.addCleanup(shutil.copy, os.path.join(ROOT, extended), os.path.join(self.root, extended))
        for words in (EXAMPLES, "README.md", "docs/comparison.md"):
            self.assertIn(words, steps)

    def test_the_class_of_a_layer_may_have_capitals_as_keras_has_them(self):
        files = self.written("new_layer", "odd_rnn", "--family", "rnn", "--class", "OddRNN")
        with open(os.path.join(self.root, files[1]), encoding="utf-8") as header:
            self.assertIn("class OddRNN : public LayerHandle", header.read())
        self.assertIn("written in other letters", self.refusal("new_layer", "odd_rnn_2", "--class", "EvenRNN"))

    def test_names_that_are_no_snake_case_are_refused(self):
        for tool in ("new_op", "new_layer"):
            for name in ("LogOne", "log__one", "log_", "1log", "log-one", "../log"):
                self.assertIn("is not snake_case", self.refusal(tool, name))
        self.assertIn("is a keyword of C++", self.refusal("new_op", "while"))

    def test_names_that_exist_are_refused(self):
        self.assertIn("cornu/ops/softmax exists", self.refusal("new_op", "softmax"))
        self.assertIn("elementwise_unary.h declares tanh already", self.refusal("new_op", "tanh"))
        self.assertIn("has the class Dense already", self.refusal("new_layer", "dense"))
        self.assertIn("has the class GRU already", self.refusal("new_layer", "gru", "--class", "GRU"))
        self.assertIn('there is no family "odd"', self.refusal("new_layer", "odd_scaling", "--family", "odd"))

    def test_a_file_that_exists_is_not_written_over(self):
        script = os.path.join(self.root, "tools/goldens/odd_scaling_layer.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write("mine\n")
        self.addCleanup(os.remove, script)
        self.assertIn("tools/goldens/odd_scaling_layer.py exists", self.refusal("new_layer", "odd_scaling"))
        self.assertFalse(os.path.exists(os.path.join(self.root, "cornu/keras/layers/core/odd_scaling.h")))

    def test_help_says_what_the_tools_do(self):
        for tool in ("new_op", "new_layer"):
            result = subprocess.run([os.path.join(TOOLS, tool), "--help"], capture_output=True, text=True)
            self.assertEqual(result.returncode, 0)
            self.assertIn("The tests fail", " ".join(result.stdout.split()))


if __name__ == "__main__":
    if "--build" in sys.argv:
        at = sys.argv.index("--build")
        BUILD = os.path.abspath(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    unittest.main()

#!/usr/bin/env python3
"""Tests of check_layers.py: a small tree with one mistake at a time."""
import os
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_layers  # noqa: E402

LAYERS = """
# comment
base:
ir: base
ops: ir
runtime: ir
backends/reference: runtime ops
backends/cpu: runtime ops
keras: ops runtime
cli: keras
benchmarks: keras
tests: cli backends/reference
"""


class CheckLayersTest(unittest.TestCase):
    def check(self, files, missing=()):
        """The breaches in a tree of these files; what they include is there too, empty, but for what is `missing`."""
        included = {}
        for text in files.values():
            included.update(dict.fromkeys(re.findall(r'^#include "([^"]+/[^"]+)"', text, re.MULTILINE), ""))
        files = {**{path: text for path, text in included.items() if path not in missing}, **files}
        with tempfile.TemporaryDirectory() as root:
            for path, text in {"LAYERS": LAYERS, **files}.items():
                full = os.path.join(root, path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "w", encoding="utf-8") as file:
                    file.write(text)
            return check_layers.check(root)

    def test_downward_includes_are_fine_directly_and_transitively(self):
        self.assertEqual(self.check({
            "cornu/keras/a.cc": '#include "cornu/ops/all.h"\n#include "cornu/base/error.h"\n#include <vector>\n',
            "cli/main.cc": '#include "cornu/keras/a.h"\n#include "cornu/ir/graph.h"\n',
        }), [])

    def test_upward_include_is_named_with_file_and_line(self):
        errors = self.check({"cornu/ir/a.h": '// text\n#include "cornu/ops/add.h"\n'})
        self.assertEqual(errors, ["cornu/ir/a.h:2: ir may not include ops (cornu/ops/add.h)"])

    def test_backends_do_not_know_each_other(self):
        errors = self.check({"cornu/backends/cpu/a.cc": '#include "cornu/backends/reference/b.h"\n'})
        self.assertEqual(len(errors), 1)
        self.assertIn("backends/cpu may not include backends/reference", errors[0])

    def test_cpu_file_of_an_op_belongs_to_the_cpu_backend(self):
        include = '#include "cornu/backends/cpu/plan.h"\n'
        self.assertEqual(self.check({"cornu/ops/dot/dot_cpu.cc": include}), [])
        self.assertEqual(len(self.check({"cornu/ops/dot/dot.cc": include})), 1)
        self.assertEqual(len(self.check({"cornu/ops/dot/dot.cc": '#include "cornu/ops/dot/dot_cpu.h"\n'})), 1)

    def test_rules_of_an_op_belong_to_transform(self):
        lines = LAYERS + "transform: ops\n"
        include = '#include "cornu/transform/op_rules.h"\n'
        self.assertEqual(self.check({"LAYERS": lines, "cornu/ops/dot/dot_rule.cc": include}), [])
        self.assertEqual(len(self.check({"LAYERS": lines, "cornu/ops/dot/dot_gradient.cc": include})), 1)

    def test_a_file_of_an_op_has_one_of_five_endings(self):
        names = ("dot.h", "dot.cc", "dot_cpu.cc", "dot_cases.cc", "dot_test.cc", "dot_test_support.h", "dot_gradient.cc", "windows.cc", "dots.h")
        self.assertEqual(self.check(dict.fromkeys((f"cornu/ops/dot/{name}" for name in names), "")), [])
        for name in ("dot_text.cc", "dot_row_rules.h"):
            errors = self.check({f"cornu/ops/dot/{name}": ""})
            self.assertEqual(len(errors), 1, name)
            self.assertIn(f"cornu/ops/dot/{name}:1: a file of an op is", errors[0])

    def test_comparison_with_an_op_name_is_a_pattern(self):
        line = '  if (op.name() == "add") return;\n'
        self.assertEqual(len(self.check({"cornu/backends/cpu/a.cc": line})), 1)
        self.assertEqual(self.check({"cornu/backends/cpu/a.cc": "  // pattern: a sum of products\n" + line}), [])
        self.assertEqual(self.check({"cornu/ops/a/a.cc": line, "cornu/backends/cpu/a_test.cc": line}), [])
        for line in ('  return ops::simple_body_kind(op.region(0)) == "add";\n', '  if (kind != "add") return;\n',
                     '  const ir::Op* inner = made_by(c.operands[0], "reshape");\n'):
            self.assertEqual(len(self.check({"cornu/transform/a.cc": line, "LAYERS": LAYERS + "transform: ops\n"})), 1, line)
        for line in ('  made_by(value, name);\n', '  simple_body_kind(body).empty();\n', '  kind(a) == b && text(c) == "d";\n'):
            self.assertEqual(self.check({"cornu/backends/cpu/a.cc": line}), [], line)

    def test_rooms_of_a_folder_have_lines_of_their_own(self):
        lines = LAYERS + "backends/cpu/op: ops\nbackends/cpu/plan: backends/cpu/op\nbackends/cpu/rows: backends/cpu/plan\n"
        include = '#include "cornu/backends/cpu/plan/p.h"\n'
        self.assertEqual(len(self.check({"LAYERS": lines, "cornu/backends/cpu/op/a.cc": include})), 1)
        self.assertEqual(self.check({"LAYERS": lines.replace("backends/cpu: runtime ops", "backends/cpu: runtime backends/cpu/rows"),
                                     "cornu/ops/dot/dot_cpu.cc": include, "cornu/backends/cpu/op/a_test.cc": include}), [])

    def test_a_header_may_have_a_line_of_its_own(self):
        lines = LAYERS.replace("base:", "version.h:\nbase: version.h") + "all.h: keras\nexamples: all.h\n"
        used = '#include "cornu/version.h"\n'
        self.assertEqual(self.check({"LAYERS": lines, "cornu/base/a.cc": used, "cornu/all.h": used + '#include "cornu/keras/a.h"\n',
                                     "examples/a.cc": '#include "cornu/all.h"\n'}), [])
        self.assertEqual(len(self.check({"LAYERS": lines, "cornu/keras/a.h": '#include "cornu/all.h"\n'})), 1)
        self.assertEqual(len(self.check({"LAYERS": lines, "cornu/other.h": ""})), 1)

    def test_the_library_writes_nothing_to_stderr_but_by_its_log(self):
        for line in ('  std::fprintf(stderr, "x");\n', '      stderr,\n', '  std::fputs("x", stderr);\n', '  std::cerr << 1;\n'):
            self.assertEqual(len(self.check({"cornu/ir/a.cc": line})), 1, line)
            self.assertEqual(self.check({"cornu/base/log.cc": line, "cornu/ir/a_test.cc": line, "cli/main.cc": line}), [])
        self.assertEqual(self.check({"cornu/ir/a.cc": "  // said on stderr\n"}), [])

    def test_tests_may_use_the_reference_backend_but_nothing_above_them(self):
        used = '#include "cornu/backends/reference/b.h"\n'
        self.assertEqual(self.check({"cornu/ops/a_test.cc": used + '#include "tests/help.h"\n', "cornu/backends/reference/a.cc": used}), [])
        above = '#include "cornu/keras/b.h"\n'
        self.assertEqual(len(self.check({"cornu/ops/a_test.cc": above, "cornu/keras/a.cc": above})), 1)
        self.assertEqual(len(self.check({"cornu/ops/a.cc": '#include "tests/help.h"\n'})), 1)

    def test_header_for_tests_is_named_as_one(self):
        used = '#include "cornu/ir/a.h"\n'
        library = {"cornu/ir/b.cc": used, "cornu/ir/a.h": ""}
        self.assertEqual(self.check({**library, "cornu/ir/a_test.cc": used}), [])
        for name in ("test_a.h", "a_test.h", "a_test_fixture.h"):
            self.assertEqual(self.check({**library, f"cornu/ir/{name}": ""}), [f"cornu/ir/{name}:1: a header for tests is named x_test_support.h"])
        self.assertEqual(self.check({"cornu/ir/a_test_support.h": "#include <gtest/gtest.h>\n"}), [])
        self.assertEqual(len(self.check({**library, "cornu/ir/a.h": "#include <gtest/gtest.h>\n"})), 1)
        self.assertEqual(self.check({"cornu/ir/a_test.cc": used}), ["cornu/ir/a.h:1: only tests include it; a header for tests is named x_test_support.h"])
        support = '#include "cornu/ir/a_test_support.h"\n'
        self.assertEqual(self.check({"cornu/ir/a_test.cc": support, "benchmarks/a_benchmark.cc": support}), [])
        self.assertEqual(self.check({"cornu/ir/a.cc": support}), ["cornu/ir/a.cc:1: only tests may include cornu/ir/a_test_support.h"])

    def test_header_with_a_source_of_its_own_may_be_for_tests_too(self):
        def files(header, **others):
            used = f'#include "{header}"\n'
            return {header: "", header[:-1] + "cc": used, "cornu/ops/other_test.cc": used, "cornu/ops/b/b_cases.cc": used, **others}
        breach = ["cornu/ops/a.h:1: only tests include it; a header for tests is named x_test_support.h"]
        self.assertEqual(self.check(files("cornu/ops/a.h")), breach)
        self.assertEqual(self.check(files("cornu/ops/a.h", **{"tests/a.cc": '#include "cornu/ops/a.h"\n'})), breach)
        self.assertEqual(self.check(files("cornu/ops/a.h", **{"cornu/ops/c.cc": '#include "cornu/ops/a.h"\n'})), [])
        self.assertEqual(self.check(files("cornu/ops/a/a.h")), [])
        self.assertEqual(self.check(files("cornu/ops/a.h", **{"docs/guide/a.md": "Include `cornu/ops/a.h`."})), [])

    def test_rows_of_the_conformance_table_count_as_tests(self):
        support = '#include "cornu/ops/a_test_support.h"\n'
        self.assertEqual(self.check({"cornu/ops/a/a_cases.cc": support}), [])
        self.assertEqual(self.check({"cornu/ops/a/a.cc": support}), ["cornu/ops/a/a.cc:1: only tests may include cornu/ops/a_test_support.h"])

    def test_tests_across_folders_may_include_all_that_their_line_names(self):
        self.assertEqual(self.check({"tests/a/a.cc": '#include "cornu/ops/a_test_support.h"\n#include "tests/a/a.h"\n', "tests/a/a.h": ""}), [])
        self.assertEqual(len(self.check({"tests/a/a.cc": '#include "cornu/backends/cpu/a.h"\n', "cornu/backends/cpu/b.cc": '#include "cornu/backends/cpu/a.h"\n'})), 1)
        self.assertEqual(self.check({"tests/a/a.cc": 'std::getenv("X");\n'}), [])
        self.assertEqual(len(self.check({"tests/a/a.cc": "\n" * 801})), 1)

    def test_what_is_included_is_there_or_made_by_cmake(self):
        files = {"cornu/ir/a.cc": '#include "cornu/ir/gone.h"\n'}
        self.assertEqual(self.check(files, missing=["cornu/ir/gone.h"]), ["cornu/ir/a.cc:1: there is no cornu/ir/gone.h"])
        self.assertEqual(self.check({**files, "cmake/m.cmake": "${PROJECT_BINARY_DIR}/generated/cornu/ir/gone.h"}, missing=["cornu/ir/gone.h"]), [])
        files = {"tests/a/a.cc": '#include "tests/a/gone.inc"\n', "tests/a/CMakeLists.txt": "${PROJECT_BINARY_DIR}/generated/tests/a/gone.inc"}
        self.assertEqual(self.check(files, missing=["tests/a/gone.inc"]), [])

    def test_folder_that_layers_does_not_know(self):
        errors = self.check({"cornu/new/a.cc": "\n"})
        self.assertEqual(errors, ["cornu/new/a.cc:1: is in no folder that LAYERS names"])

    def test_libraries_have_their_places(self):
        self.assertEqual(self.check({"cornu/backends/cpu/onednn/a.cc": "#include <oneapi/dnnl/dnnl.hpp>\n"}), [])
        self.assertEqual(len(self.check({"cornu/backends/cpu/a.cc": "#include <oneapi/dnnl/dnnl.hpp>\n"})), 1)
        self.assertEqual(self.check({"cornu/backends/cpu/a.cc": "#include <llvm/IR/Module.h>\n"}), [])
        self.assertEqual(len(self.check({"cornu/keras/a.cc": "#include <llvm/IR/Module.h>\n"})), 1)

    def test_only_one_file_reads_the_environment(self):
        self.assertEqual(self.check({"cornu/base/environment.cc": 'std::getenv("X");\n'}), [])
        self.assertEqual(len(self.check({"cornu/keras/a.cc": 'std::getenv("X");\n'})), 1)

    def test_nothing_is_left_to_be_filled_in(self):
        self.assertEqual(self.check({"cornu/base/a.cc": "int f();\n// FILL IN: f\n"}),
                         ["cornu/base/a.cc:2: tools/new_op or tools/new_layer left this to be written"])

    def test_statics_of_the_library_are_not_destroyed(self):
        for static in ("std::vector<int> all = make();", "const std::map<int, std::string> all = {", "std::string none;"):
            self.assertEqual(len(self.check({"cornu/ir/a.cc": f"void f() {{\n  static {static}\n"})), 1)
            self.assertEqual(self.check({"cornu/ir/a_test.cc": f"void f() {{\n  static {static}\n"}), [])
        for static in ("auto& all = *new std::vector<int>;", "std::vector<int> make(int n);", "const std::string& name();"):
            self.assertEqual(self.check({"cornu/ir/a.cc": f"void f() {{\n  static {static}\n"}), [])

    def test_fourteenth_llvm_unit_is_refused_also_through_a_header(self):
        files = {"cornu/backends/cpu/jit.h": "#include <llvm/IR/Module.h>\n"}
        for i in range(13):
            files[f"cornu/backends/cpu/u{i}.cc"] = '#include "cornu/backends/cpu/jit.h"\n'
        self.assertEqual(self.check(files), [])
        files["cornu/backends/cpu/u13.cc"] = '#include "cornu/backends/cpu/jit.h"\n'
        errors = self.check(files)
        self.assertEqual(len(errors), 1)
        self.assertIn("14 units include LLVM", errors[0])

    def test_long_file_is_refused(self):
        self.assertEqual(self.check({"cornu/ir/a.cc": "\n" * 800}), [])
        self.assertEqual(len(self.check({"cornu/ir/a.cc": "\n" * 801})), 1)

    def test_mistakes_in_layers_itself(self):
        for text, message in (("a: b\n", "no line"), ("a: b\nb: a\n", "cycle"), ("a\n", "expected"), ("a:\na:\n", "twice")):
            with self.assertRaisesRegex(ValueError, message):
                check_layers.read_layers(text)

    def test_own_headers_stand_in_quotes_from_the_root(self):
        self.assertEqual(len(self.check({"cornu/ir/a.cc": '#include "graph.h"\n'})), 1)
        self.assertEqual(len(self.check({"cornu/ir/a.cc": "#include <cornu/ir/graph.h>\n"})), 1)


if __name__ == "__main__":
    unittest.main()

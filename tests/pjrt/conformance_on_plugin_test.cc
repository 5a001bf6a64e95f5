#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "cornu/backends/pjrt/plugin_test_support.h"
#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/error.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/transform/rewrite.h"
#include "tests/conformance/gradient_function.h"

// Rows of the table of ops and their gradients' graphs, by the plug-in for CPUs, or by the one of
// CORNU_TEST_PJRT_DEVICE, against the reference backend. Many rows share a program, because compiling is what
// takes time: CORNU_TEST_CASE_STRIDE=8 takes every eighth row, from CORNU_TEST_CASE_FIRST (0) on;
// CORNU_TEST_CASE_PREFIX takes those whose names begin so.
namespace cornu::inline v0::ops {
namespace {

/// What plug-ins compute otherwise than the reference, with the reason.
struct Exception {
  const char* plugins;  // a pattern of their names
  const char* parts;    // of the names of rows and, with " gradient", of their gradients
  const char* reason;
  bool may_agree = false;  // by luck
};
constexpr Exception kExceptions[] = {
    {"cpu", "collective_broadcast.*", "XLA compiles no such op for CPUs"},
    {".*", "(eig|schur)_.*", "the calls cornu.eig and cornu.schur are the engine's own"},
    {"cpu", "resize_.* gradient",
     "XLA for CPUs compiles gathers along two dimensions of a constant to another order of elements", true},
    {".*", "convolution_no_taps.*", "the plug-in's StableHLO wants windows of at least one tap"},
    {"cpu", "power_edges/i32",
     "of (-7)^(2^31 - 1) the plug-in does not give the value modulo 2^32, as StableHLO's interpreter does"},
    {".*", "reduce_precision_e1m0_edges.*",
     "of a format without a mantissa the plug-in makes NaN of infinity"},
    {".*", "scatter_windows.*",
     "XLA leaves out a window that lies partly outside, StableHLO the elements that do"},
    {"cuda|rocm", "convolution_.*/u?i[0-9]+", "convolutions of integers are refused (portable_ops.h)"},
    {"cuda", "convolution_mixed_groups/.* gradient",
     "cuDNN refuses the kernel's gradient of a convolution with lhs_dilation and groups, which Keras has "
     "not"},
    {"cuda", "reduce_init/.*|reduce_window_init_(padded|dilated)/.*",
     "StableHLO leaves open how often an initial value goes into a reduction; no op of Keras has one that "
     "matters"},
    {"cpu", "reduce_window_init_(padded|dilated)/.*",
     "StableHLO leaves open how often an initial value goes into a reduction", true},
    {"cuda", "scatter_overwrite_twice/.*",
     "StableHLO leaves open which of several updates of one element stays; a GPU's threads race", true},
};

std::string tested_plugin() {
  const std::string device = backends::pjrt::tested_device();  // "pjrt:cuda,precision=default"
  const std::size_t begin = device.find(':') + 1;
  return device.substr(begin, device.find(',') - begin);
}

bool matches(const std::string& text, const char* pattern) {
  static std::map<const char*, std::regex> compiled;
  return std::regex_match(text, compiled.try_emplace(pattern, pattern).first->second);
}

bool is_excepted(const std::string& part) {
  static const std::string plugin = tested_plugin();
  return std::any_of(std::begin(kExceptions), std::end(kExceptions), [&](const Exception& exception) {
    return matches(plugin, exception.plugins) && matches(part, exception.parts);
  });
}

std::size_t number(const char* variable, std::size_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoul(text, nullptr, 10);
}

/// One row, or its gradient.
struct Part {
  std::string name;
  double tolerance_factor = 1;
  std::unique_ptr<ir::Function> function;
  std::vector<ir::Literal> inputs;
};

Part part_of(const ConformanceCase& row) {
  return {row.name, row.tolerance_factor, make_function(row), make_inputs(row)};
}

/// A row and, where it has one, its gradient.
std::vector<Part> parts_of(const ConformanceCase& row) {
  std::vector<Part> parts;
  parts.push_back(part_of(row));
  if (!row.differentiable) return parts;
  std::unique_ptr<ir::Function> gradient = make_gradient_function(row);
  EXPECT_NE(gradient, nullptr) << row.name << " is differentiable and has no float result";
  if (gradient != nullptr)
    parts.push_back({row.name + " gradient", row.tolerance_factor, std::move(gradient), make_inputs(row)});
  return parts;
}

std::vector<Part> all_parts() {
  std::vector<Part> parts;
  const std::vector<ConformanceCase> rows = conformance_cases();
  const std::size_t stride = std::max<std::size_t>(number("CORNU_TEST_CASE_STRIDE", 1), 1);
  const char* const named = std::getenv("CORNU_TEST_CASE_PREFIX");
  const std::string prefix = named == nullptr ? "" : named;
  for (std::size_t i = number("CORNU_TEST_CASE_FIRST", 0); i < rows.size(); i += stride) {
    const ConformanceCase& row = rows[i];
    if (!row.name.starts_with(prefix)) continue;
    for (Part& part : parts_of(row))
      if (!is_excepted(part.name)) parts.push_back(std::move(part));
  }
  return parts;
}

/// Several parts as one function, their arguments and results one behind the other.
std::unique_ptr<ir::Function> joined(std::span<const Part> parts) {
  auto function = std::make_unique<ir::Function>();
  function->name = "main";
  transform::ValueMap map;
  for (const Part& part : parts)
    for (const ir::Value& argument : part.function->body.arguments())
      map[argument] = function->body.add_argument(argument.type());
  ir::Builder builder(function->body);
  std::vector<ir::Value> results;
  for (const Part& part : parts)
    for (const ir::Value& result : transform::clone_ops(builder, part.function->body, map))
      results.push_back(result);
  function->body.set_results(results);
  return function;
}

std::vector<ir::Literal> run_on(runtime::Client& client, std::span<const Part> parts) {
  const std::unique_ptr<ir::Function> function = joined(parts);
  std::vector<std::unique_ptr<runtime::Buffer>> owned;
  std::vector<runtime::Buffer*> fixed;
  for (const Part& part : parts)
    for (const ir::Literal& input : part.inputs) {
      owned.push_back(client.allocate(input.type()));
      owned.back()->copy_from_host(input.bytes().data());
      fixed.push_back(owned.back().get());
    }
  std::vector<ir::Literal> results;
  std::vector<std::byte*> outputs;
  for (const ir::Value& result : function->body.results()) results.emplace_back(result.type());
  for (ir::Literal& result : results) outputs.push_back(result.mutable_bytes().data());
  const auto executable =
      client.compile({.step = function.get(),
                      .arguments = std::vector(fixed.size(), runtime::ArgumentKind::kFixed),
                      .name = "rows"});
  executable->run({.fixed = fixed, .outputs = outputs});
  return results;
}

class ConformanceOnPluginTest : public backends::pjrt::PluginTest {
 protected:
  /// Compares; where the plug-in refuses a program of several parts, the halves tell which one it is.
  void compare(std::span<const Part> parts) {
    std::vector<ir::Literal> results;
    try {
      results = run_on(*client(), parts);
    } catch (const Error& error) {
      if (parts.size() > 1) {
        compare(parts.first(parts.size() / 2));
        return compare(parts.subspan(parts.size() / 2));
      }
      ADD_FAILURE() << parts[0].name << ": " << error.what();
      return;
    }
    std::size_t next = 0;
    for (const Part& part : parts)
      for (const ir::Literal& expected : backends::reference::evaluate(*part.function, part.inputs))
        EXPECT_EQ(compare_literals(results[next++], expected, part.tolerance_factor), "") << part.name;
  }

  /// Whether the plug-in refuses it, or gives something else than the reference.
  static bool is_other(const Part& part) {
    try {
      const std::vector<ir::Literal> found = run_on(*client(), {&part, 1});
      const std::vector<ir::Literal> expected = backends::reference::evaluate(*part.function, part.inputs);
      for (std::size_t i = 0; i < found.size(); ++i)
        if (!compare_literals(found[i], expected[i], part.tolerance_factor).empty()) return true;
      return false;
    } catch (const Error&) {
      return true;
    }
  }
};

TEST_F(ConformanceOnPluginTest, TheRowsTakenEqualTheReference) {
  constexpr std::size_t kPartsOfAProgram = 64;
  const std::vector<Part> parts = all_parts();
  ASSERT_GT(parts.size(), 10U);  // also where only some rows are taken
  for (std::size_t i = 0; i < parts.size(); i += kPartsOfAProgram)
    compare(std::span(parts).subspan(i, std::min(kPartsOfAProgram, parts.size() - i)));
}

/// One row of each will do.
TEST_F(ConformanceOnPluginTest, WhatIsExceptedDiffersIndeed) {
  const std::vector<ConformanceCase> rows = conformance_cases();
  for (const Exception& exception : kExceptions) {
    if (!matches(tested_plugin(), exception.plugins)) continue;
    bool is_known = false, differs = false;
    for (std::size_t i = 0; i < rows.size() && !differs; ++i) {
      const std::string& name = rows[i].name;
      if (!matches(name, exception.parts) && !matches(name + " gradient", exception.parts)) continue;
      for (const Part& part : parts_of(rows[i])) {
        if (!matches(part.name, exception.parts)) continue;
        is_known = true;
        differs = differs || is_other(part);
      }
    }
    EXPECT_TRUE(is_known) << exception.parts;
    EXPECT_TRUE(differs || exception.may_agree) << exception.parts << " agrees: " << exception.reason << "?";
  }
}

}  // namespace
}  // namespace cornu::inline v0::ops

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "cornu/backends/pjrt/plugin_test_support.h"
#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/error.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/transform/rewrite.h"
#include "tests/conformance/gradient_function.h"

// Rows of the table of ops and their gradients' graphs, by the plug-in for CPUs against the reference
// backend. Many rows share a program, because compiling is what takes time: CORNU_TEST_CASE_STRIDE=8 takes
// every eighth row.
namespace cornu::inline v0::ops {
namespace {

/// What the plug-in computes otherwise than the reference, with the reason.
struct Exception {
  const char* prefix;  // of the names of rows
  const char* reason;
};
constexpr Exception kExceptions[] = {
    {"collective_broadcast", "XLA compiles no such op for CPUs"},
    {"convolution_no_taps", "the plug-in's StableHLO wants windows of at least one tap"},
    {"power_edges/i32",
     "of (-7)^(2^31 - 1) the plug-in does not give the value modulo 2^32, as StableHLO's interpreter does"},
    {"reduce_precision_e1m0_edges", "of a format without a mantissa the plug-in makes NaN of infinity"},
    {"scatter_windows", "XLA leaves out a window that lies partly outside, StableHLO the elements that do"},
};

const Exception* exception_of(const std::string& name) {
  for (const Exception& exception : kExceptions)
    if (name.starts_with(exception.prefix)) return &exception;
  return nullptr;
}

std::size_t stride() {
  const char* const text = std::getenv("CORNU_TEST_CASE_STRIDE");
  return text == nullptr ? 1 : std::max<std::size_t>(std::strtoul(text, nullptr, 10), 1);
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

std::vector<Part> all_parts() {
  std::vector<Part> parts;
  const std::vector<ConformanceCase> rows = conformance_cases();
  for (std::size_t i = 0; i < rows.size(); i += stride()) {
    const ConformanceCase& row = rows[i];
    if (exception_of(row.name) != nullptr) continue;
    parts.push_back(part_of(row));
    if (!row.differentiable) continue;
    std::unique_ptr<ir::Function> gradient = make_gradient_function(row);
    EXPECT_NE(gradient, nullptr) << row.name << " is differentiable and has no float result";
    if (gradient != nullptr)
      parts.push_back({row.name + " gradient", row.tolerance_factor, std::move(gradient), make_inputs(row)});
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

class ConformanceOnPluginTest : public backends::pjrt::CpuPluginTest {
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
};

TEST_F(ConformanceOnPluginTest, TheRowsTakenEqualTheReference) {
  constexpr std::size_t kPartsOfAProgram = 64;
  const std::vector<Part> parts = all_parts();
  ASSERT_GT(parts.size(), 50U);  // also where only some rows are taken
  for (std::size_t i = 0; i < parts.size(); i += kPartsOfAProgram)
    compare(std::span(parts).subspan(i, std::min(kPartsOfAProgram, parts.size() - i)));
}

/// One row of each will do.
TEST_F(ConformanceOnPluginTest, WhatIsExceptedDiffersIndeed) {
  const std::vector<ConformanceCase> rows = conformance_cases();
  for (const Exception& exception : kExceptions) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const ConformanceCase& each) {
      return each.name.starts_with(exception.prefix);
    });
    ASSERT_NE(row, rows.end()) << exception.prefix;
    const Part part = part_of(*row);
    bool differs = false;
    try {
      const std::vector<ir::Literal> found = run_on(*client(), {&part, 1});
      const std::vector<ir::Literal> expected = backends::reference::evaluate(*part.function, part.inputs);
      for (std::size_t i = 0; i < found.size(); ++i)
        differs |= !compare_literals(found[i], expected[i], part.tolerance_factor).empty();
    } catch (const Error&) {
      differs = true;
    }
    EXPECT_TRUE(differs) << part.name << " agrees: " << exception.reason << "?";
  }
}

}  // namespace
}  // namespace cornu::inline v0::ops

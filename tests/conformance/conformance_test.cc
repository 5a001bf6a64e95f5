#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/check.h"
#include "cornu/ir/bytecode/write.h"
#include "cornu/ir/print.h"
#include "cornu/ir/same_graph_test_support.h"
#include "cornu/ir/verify.h"
#include "cornu/ops/parse.h"
#include "cornu/ops/registry.h"
#include "tests/conformance/cases_test_support.h"
#include "tests/conformance/gradient_function.h"

namespace cornu::inline v0::ops {
namespace {

class ConformanceTest : public CaseTest {};
/// The rows that are marked differentiable.
class ConformanceFlowTest : public CaseTest {};
/// Those of them in f64, which has the digits to compare.
class ConformanceGradientTest : public CaseTest {};
/// Those in other types, whose gradients can be made and run only.
class ConformanceLowGradientTest : public CaseTest {};

/// f(x + step * direction) for the float inputs.
double loss_at(const ir::Function& loss, std::vector<ir::Literal> inputs,
               const std::vector<ir::Literal>& directions, double step) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].type().dtype != ir::DType::kF64) continue;
    ir::Literal moved(inputs[i].type());
    for (std::size_t j = 0; j < moved.data<double>().size(); ++j)
      moved.mutable_data<double>()[j] = inputs[i].data<double>()[j] + step * directions[i].data<double>()[j];
    inputs[i] = moved;
  }
  return backends::reference::evaluate(loss, inputs)[0].at(0);
}

TEST_P(ConformanceTest, VerifiesPrintsAndRuns) {
  const std::unique_ptr<ir::Function> function = make_function(row());
  ir::verify(*function);
  const ir::ParsedModule parsed = parse_stablehlo(ir::to_stablehlo(*function));
  // A composite with a region is read as its decomposition: text has no place for the region. A map is
  // written out by the reader.
  if (!row().name.starts_with("custom_gradient/") && !row().name.starts_with("map/")) {
    EXPECT_EQ(ir::GraphComparison::difference(function->body, parsed.entry().body), "");
    const ir::ParsedModule from_bytes = parse_stablehlo(ir::to_bytecode(*function));
    EXPECT_EQ(ir::GraphComparison::difference(function->body, from_bytes.entry().body), "");
  }
  const std::vector<ir::Literal> inputs = make_inputs(row());
  const std::vector<ir::Literal> results = backends::reference::evaluate(*function, inputs);
  ASSERT_EQ(results.size(), function->body.results().size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].type(), function->body.results()[i].type());
    EXPECT_EQ(compare_literals(results[i], backends::reference::evaluate(*function, inputs)[i]), "")
        << "a second run differs";
  }
}

/// Where no gradient flows make_gradient_function gives zeros, which other tests would take for a gradient.
TEST_P(ConformanceFlowTest, OnlyTheInputsThatTheRowNamesGetNoGradient) {
  ASSERT_NE(make_loss_function(row()), nullptr) << "a differentiable case needs a float result";
  EXPECT_EQ(inputs_without_gradient(row()), row().without_gradient);
}

TEST_P(ConformanceLowGradientTest, BuildsAndHasTheTypesOfTheInputs) {
  const std::unique_ptr<ir::Function> gradient = make_gradient_function(row());
  ASSERT_NE(gradient, nullptr) << "a differentiable case needs a float result";
  ir::verify(*gradient);
  const std::vector<ir::Literal> inputs = make_inputs(row()),
                                 gradients = backends::reference::evaluate(*gradient, inputs);
  std::size_t next = 0;
  for (const ir::Literal& input : inputs) {
    if (!ir::is_float(input.type().dtype)) continue;
    ASSERT_LT(next, gradients.size());
    EXPECT_EQ(gradients[next++].type(), input.type());
  }
  EXPECT_EQ(next, gradients.size());
}

/// Central differences along three random directions against the gradient's inner product with them.
TEST_P(ConformanceGradientTest, MatchesCentralDifferences) {
  const std::unique_ptr<ir::Function> gradient = make_gradient_function(row());
  ASSERT_NE(gradient, nullptr) << "a differentiable case needs a float result";
  ir::verify(*gradient);
  const std::vector<ir::Literal> inputs = make_inputs(row());
  const std::vector<ir::Literal> gradients = backends::reference::evaluate(*gradient, inputs);
  const std::unique_ptr<ir::Function> loss = make_loss_function(row());
  for (int trial = 0; trial < 3; ++trial) {
    ConformanceCase maker{.name = row().name + "/direction" + std::to_string(trial), .inputs = row().inputs};
    for (ConformanceInput& input : maker.inputs)
      input = {.type = input.type, .low = ir::is_float(input.type.dtype) ? -1.0 : 0.0, .high = 1};
    const std::vector<ir::Literal> directions = make_inputs(maker);
    double inner = 0, scale = 1e-3;
    std::size_t next = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].type().dtype != ir::DType::kF64) continue;
      for (std::size_t j = 0; j < inputs[i].data<double>().size(); ++j) {
        inner += gradients[next].data<double>()[j] * directions[i].data<double>()[j];
        scale += std::fabs(gradients[next].data<double>()[j] * directions[i].data<double>()[j]);
      }
      ++next;
    }
    // Two steps, extrapolated: the error is of fourth order.
    const auto slope = [&](double step) {
      return (loss_at(*loss, inputs, directions, step) - loss_at(*loss, inputs, directions, -step)) /
             (2 * step);
    };
    const double difference = (4 * slope(1e-4) - slope(2e-4)) / 3;
    EXPECT_NEAR(inner, difference, 1e-8 * scale) << "direction " << trial;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, ConformanceTest, testing::Range<std::size_t>(0, all_cases().size()),
                         case_test_name);
INSTANTIATE_TEST_SUITE_P(Cases, ConformanceFlowTest, testing::ValuesIn(differentiable_cases()),
                         case_test_name);
INSTANTIATE_TEST_SUITE_P(Cases, ConformanceGradientTest,
                         testing::ValuesIn(differentiable_cases_by_type(true)), case_test_name);
INSTANTIATE_TEST_SUITE_P(Cases, ConformanceLowGradientTest,
                         testing::ValuesIn(differentiable_cases_by_type(false)), case_test_name);

TEST(ConformanceTableTest, NamesAreUnique) {
  std::set<std::string> names;
  for (const ConformanceCase& row : all_cases()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

TEST(ConformanceTableTest, EveryOpHasACase) {
  // An op counts when its name begins a case's name or occurs in a case's module (through a helper).
  std::string everything;
  for (const ConformanceCase& row : all_cases()) everything += ir::to_stablehlo(*make_function(row));
  for (const ir::OpDef* def : all_op_defs()) {
    const std::string name =
        def->is_stablehlo() ? fmt::format("stablehlo.{}", def->name) : fmt::format("\"{}\"", def->name);
    EXPECT_NE(everything.find(name), std::string::npos) << def->name << " has no conformance case";
  }
}

}  // namespace
}  // namespace cornu::inline v0::ops

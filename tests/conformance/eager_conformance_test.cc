#include <gtest/gtest.h>

#include "cornu/backends/reference/interpreter.h"
#include "tests/conformance/cases_test_support.h"
#include "tests/conformance/gradient_function.h"
#include "tests/conformance/run_test_support.h"

// Every row of the table, and its gradient's graph, as an eager program of the CPU backend at every
// instruction set level against the reference backend.
namespace cornu::inline v0::ops {
namespace {

class EagerConformanceTest : public CaseTest {
 protected:
  void compare(const ir::Function& function) {
    const std::vector<ir::Literal> inputs = make_inputs(row());
    const std::vector<ir::Literal> expected = backends::reference::evaluate(function, inputs);
    for (const std::shared_ptr<runtime::Client>& client : clients_of_levels()) {
      SCOPED_TRACE(client->description());
      const std::vector<ir::Literal> results = run_eagerly(*client, function, inputs);
      ASSERT_EQ(results.size(), expected.size());
      for (std::size_t i = 0; i < results.size(); ++i)
        EXPECT_EQ(compare_literals(results[i], expected[i], row().tolerance_factor), "") << "result " << i;
    }
  }
};

/// The rows that are marked differentiable.
class EagerGradientTest : public EagerConformanceTest {};

TEST_P(EagerConformanceTest, EqualsReference) { compare(*make_function(row())); }

TEST_P(EagerGradientTest, EqualsReference) {
  const std::unique_ptr<ir::Function> gradient = make_gradient_function(row());
  ASSERT_NE(gradient, nullptr) << "a differentiable case needs a float result";
  compare(*gradient);
}

INSTANTIATE_TEST_SUITE_P(Cpu, EagerConformanceTest, testing::Range<std::size_t>(0, all_cases().size()),
                         case_test_name);
INSTANTIATE_TEST_SUITE_P(Cpu, EagerGradientTest, testing::ValuesIn(differentiable_cases()), case_test_name);

}  // namespace
}  // namespace cornu::inline v0::ops

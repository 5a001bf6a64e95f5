#include <gtest/gtest.h>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/cpu_info.h"
#include "cornu/runtime/client.h"
#include "tests/conformance/cases_test_support.h"
#include "tests/conformance/gradient_function.h"

// Every row of the table, and its gradient's graph, as an eager program of the CPU backend at every
// instruction set level against the reference backend.
namespace cornu::inline v0::ops {
namespace {

const std::vector<std::shared_ptr<runtime::Client>>& clients() {
  static const std::vector<std::shared_ptr<runtime::Client>> all = [] {
    std::vector<std::shared_ptr<runtime::Client>> made;
    for (const IsaLevel level : cpu_isa_levels())
      if (level != IsaLevel::kAvx512)
        made.push_back(runtime::make_client("cpu", {.isa = std::string(isa_level_name(level))}));
    return made;
  }();
  return all;
}

class EagerConformanceTest : public CaseTest {
 protected:
  void compare(const ir::Function& function) {
    const std::vector<ir::Literal> inputs = make_inputs(row());
    const std::vector<ir::Literal> expected = backends::reference::evaluate(function, inputs);
    std::vector<const std::byte*> input_bytes;
    for (const ir::Literal& input : inputs) input_bytes.push_back(input.bytes().data());
    for (const std::shared_ptr<runtime::Client>& client : clients()) {
      SCOPED_TRACE(client->description());
      std::vector<ir::Literal> results;
      std::vector<std::byte*> output_bytes;
      for (const ir::Literal& literal : expected) {
        results.emplace_back(literal.type());
        output_bytes.push_back(results.back().mutable_bytes().data());
      }
      const std::unique_ptr<runtime::EagerProgram> program = client->prepare(function);
      program->run(input_bytes, output_bytes);
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

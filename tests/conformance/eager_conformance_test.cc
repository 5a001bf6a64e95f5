#include <gtest/gtest.h>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/cpu_info.h"
#include "cornu/ops/conformance.h"
#include "cornu/runtime/client.h"
#include "tests/conformance/gradient_function.h"

// Every row of the table, and its gradient's graph, as an eager program of the CPU backend at every
// instruction set level against the reference backend.
namespace cornu::inline v0::ops {
namespace {

std::vector<ConformanceCase>& eager_cases() {
  static std::vector<ConformanceCase> cases = conformance_cases();
  return cases;
}

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

class EagerConformanceTest : public testing::TestWithParam<std::size_t> {
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
  const ConformanceCase& row() const { return eager_cases()[GetParam()]; }
};

TEST_P(EagerConformanceTest, EqualsReference) { compare(*make_function(row())); }

TEST_P(EagerConformanceTest, GradientEqualsReference) {
  if (!row().differentiable) return;
  const std::unique_ptr<ir::Function> gradient = make_gradient_function(row());
  if (gradient != nullptr) compare(*gradient);
}

std::string eager_test_name(const testing::TestParamInfo<std::size_t>& info) {
  std::string name = eager_cases()[info.param].name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cpu, EagerConformanceTest, testing::Range<std::size_t>(0, eager_cases().size()),
                         eager_test_name);

}  // namespace
}  // namespace cornu::inline v0::ops

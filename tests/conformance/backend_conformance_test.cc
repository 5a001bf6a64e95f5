#include <gtest/gtest.h>

#include <map>
#include <string>

#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/backends/reference/interpreter.h"
#include "cornu/runtime/client.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/split_complex.h"
#include "tests/conformance/cases_test_support.h"
#include "tests/conformance/gradient_function.h"
#include "tests/conformance/run_test_support.h"
#include "tests/conformance/same_bits_test_support.h"

// Every row of the table, and its gradient's graph, compiled by the CPU engine against the reference backend;
// and against the same as an eager program, bit by bit.
namespace cornu::inline v0::ops {
namespace {

class BackendConformanceTest : public CaseTest {
 protected:
  void compare(ir::Function& function, const std::vector<ir::Literal>& inputs) {
    static const std::shared_ptr<runtime::Client> client = runtime::make_client("cpu");
    const std::vector<ir::Literal> expected = backends::reference::evaluate(function, inputs);
    const std::vector<ir::Literal> eager = run_eagerly(*client, function, inputs);
    const auto inlined = transform::inline_composites(function);
    const auto real = transform::split_complex(*inlined);  // null: there are no complex numbers
    const bool is_same = !has_own_order((real == nullptr ? *inlined : *real).body);
    const std::vector<ir::Literal> results = run_compiled(*client, function, inputs);
    ASSERT_EQ(results.size(), expected.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      EXPECT_EQ(compare_literals(results[i], expected[i], row().tolerance_factor), "") << "result " << i;
      if (is_same) {
        EXPECT_EQ(difference(eager[i], results[i]), "") << "result " << i;
      }
    }
  }
};

/// The rows that are marked differentiable.
class BackendGradientTest : public BackendConformanceTest {};

TEST_P(BackendConformanceTest, EqualsReference) { compare(*make_function(row()), make_inputs(row())); }

TEST_P(BackendGradientTest, EqualsReference) {
  const std::unique_ptr<ir::Function> gradient = make_gradient_function(row());
  ASSERT_NE(gradient, nullptr) << "a differentiable case needs a float result";
  compare(*gradient, make_inputs(row()));
}

/// The ops of a block that run by their reference kernels, and whether their rows say so.
void collect_fallbacks(const ir::Block& block, std::map<std::string, bool>& said) {
  for (const auto& op : block.ops()) {
    if (backends::cpu::classify(*op) == backends::cpu::OpKind::kReference) {
      // It takes its regions along.
      const backends::cpu::CpuOp* const row = backends::cpu::find_cpu_op(*op);
      said[std::string(op->name())] = row != nullptr && !row->falls_back.empty();
    } else {
      for (const auto& region : op->regions()) collect_fallbacks(*region, said);
    }
  }
}

TEST(FallbackTest, TheRowOfAnOpThatRunsByItsReferenceKernelSaysWhen) {
  std::map<std::string, bool> said;
  for (const ConformanceCase& row : all_cases())
    collect_fallbacks(transform::inline_composites(*make_function(row))->body, said);
  EXPECT_FALSE(said.empty());
  for (const auto& [name, is_said] : said) EXPECT_TRUE(is_said) << name;
}

INSTANTIATE_TEST_SUITE_P(Cpu, BackendConformanceTest, testing::Range<std::size_t>(0, all_cases().size()),
                         case_test_name);
INSTANTIATE_TEST_SUITE_P(Cpu, BackendGradientTest, testing::ValuesIn(differentiable_cases()), case_test_name);

}  // namespace
}  // namespace cornu::inline v0::ops

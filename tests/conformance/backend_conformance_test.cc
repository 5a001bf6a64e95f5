#include <gtest/gtest.h>

#include <set>

#include "cornu/backends/cpu/fallback.h"
#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/conformance.h"
#include "cornu/runtime/client.h"
#include "cornu/transform/rewrite.h"
#include "tests/conformance/gradient_function.h"

// Every row of the table, and its gradient's graph, on the CPU engine against the reference backend.
namespace cornu::inline v0::ops {
namespace {

std::vector<ConformanceCase>& all_cases() {
  static std::vector<ConformanceCase> cases = conformance_cases();
  return cases;
}

/// Runs a function once on a client: inputs are fixed arguments, each result replaces a state argument.
std::vector<ir::Literal> run_on(runtime::Client& client, ir::Function& function,
                                const std::vector<ir::Literal>& inputs) {
  runtime::StepProgram program;
  program.step = &function;
  std::vector<std::unique_ptr<runtime::Buffer>> owned;
  std::vector<runtime::Buffer*> state, fixed;
  for (const ir::Literal& input : inputs) {
    program.arguments.push_back(runtime::ArgumentKind::kFixed);
    owned.push_back(client.allocate(input.type()));
    owned.back()->copy_from_host(input.bytes().data());
    fixed.push_back(owned.back().get());
  }
  for (const ir::Value& result : function.body.results()) {
    function.body.add_argument(result.type());
    program.arguments.push_back(runtime::ArgumentKind::kState);
    owned.push_back(client.allocate(result.type()));
    state.push_back(owned.back().get());
  }
  const std::unique_ptr<runtime::Executable> executable = client.compile(program);
  runtime::Replica replica;
  replica.state = state;
  replica.fixed = fixed;
  EXPECT_EQ(executable->run(replica), 1);
  std::vector<ir::Literal> results;
  for (runtime::Buffer* buffer : state) {
    results.emplace_back(buffer->type());
    buffer->copy_to_host(results.back().mutable_bytes().data());
  }
  return results;
}

class BackendConformanceTest : public testing::TestWithParam<std::size_t> {
 protected:
  void compare(ir::Function& function, const std::vector<ir::Literal>& inputs) {
    static const std::shared_ptr<runtime::Client> client = runtime::make_client("cpu");
    const std::vector<ir::Literal> expected = backends::reference::evaluate(function, inputs);
    const std::vector<ir::Literal> results = run_on(*client, function, inputs);
    ASSERT_EQ(results.size(), expected.size());
    for (std::size_t i = 0; i < results.size(); ++i)
      EXPECT_EQ(compare_literals(results[i], expected[i], row().tolerance_factor), "") << "result " << i;
  }
  const ConformanceCase& row() const { return all_cases()[GetParam()]; }
};

TEST_P(BackendConformanceTest, EqualsReference) { compare(*make_function(row()), make_inputs(row())); }

TEST_P(BackendConformanceTest, GradientEqualsReference) {
  if (!row().differentiable) return;
  const std::unique_ptr<ir::Function> gradient = make_gradient_function(row());
  if (gradient != nullptr) compare(*gradient, make_inputs(row()));
}

void collect_fallbacks(const ir::Block& block, std::set<std::string>& names) {
  for (const auto& op : block.ops()) {
    if (backends::cpu::falls_back(*op)) names.insert(std::string(op->name()));
    // What runs by its reference kernel takes its regions along.
    if (!backends::cpu::falls_back(*op))
      for (const auto& region : op->regions()) collect_fallbacks(*region, names);
  }
}

TEST(FallbackTest, TheListNamesEveryOpThatRunsByItsReferenceKernel) {
  std::set<std::string> listed, found;
  for (const backends::cpu::Fallback& row : backends::cpu::fallbacks()) listed.insert(std::string(row.op));
  for (const ConformanceCase& row : all_cases())
    collect_fallbacks(transform::inline_composites(*make_function(row))->body, found);
  for (const std::string& name : found)
    EXPECT_TRUE(listed.count(name)) << name << " has neither a kernel nor a row in the list";
}

std::string test_name(const testing::TestParamInfo<std::size_t>& info) {
  std::string name = all_cases()[info.param].name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cpu, BackendConformanceTest, testing::Range<std::size_t>(0, all_cases().size()),
                         test_name);

}  // namespace
}  // namespace cornu::inline v0::ops

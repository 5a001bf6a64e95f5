#include "cornu/tensor/trace.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0 {
namespace {

class TraceTest : public ::testing::Test {
 protected:
  void SetUp() override { set_default_client(runtime::make_client("reference")); }
  void TearDown() override { set_default_client(nullptr); }

  /// Runs a program without rows.
  static void run(const TracedProgram& program, std::int64_t num_steps = 1) {
    const auto client = default_client();
    const auto state = program.state_buffers(Placement(client));
    const auto fixed = program.fixed_buffers(Placement(client));
    runtime::Replica replica;
    replica.state = state;
    replica.fixed = fixed;
    client->compile(program.step_program())->run(replica, num_steps);
  }

  static Variable scalar_variable(double value, const char* name) {
    return Variable(ir::Literal::scalar(DType::kF32, value), {.name = name});
  }
};

TEST_F(TraceTest, AssignedVariablesAreStateAndOthersFixed) {
  const Variable x = scalar_variable(1, "x");
  const Variable y = scalar_variable(10, "y");
  Trace trace;
  {
    const Trace::Scope scope(trace);
    EXPECT_TRUE(x.value().is_symbolic());
    x.assign(x + y);
    x.assign(x * 2.0);  // reads the value assigned before
  }
  EXPECT_EQ(Trace::current(), nullptr);
  const TracedProgram program = trace.finish();
  ASSERT_EQ(program.state.size(), 1U);
  ASSERT_EQ(program.fixed.size(), 1U);
  EXPECT_EQ(program.state[0], x);
  EXPECT_EQ(program.fixed[0], y);
  run(program, 2);
  EXPECT_EQ(x.read().at(0), 64);  // ((1 + 10) * 2 + 10) * 2
  EXPECT_EQ(y.read().at(0), 10);
}

TEST_F(TraceTest, SmallTensorsBecomeConstantsLargeOnesArgumentsOnce) {
  const Variable x(ir::Literal(TensorType{DType::kF32, {1025}}));
  const Tensor small = Tensor::adopt({1024}, std::vector<float>(1024, 2.0F));
  const Tensor large = Tensor::adopt({1025}, std::vector<float>(1025, 3.0F));
  Trace trace;
  {
    const Trace::Scope scope(trace);
    x.assign(x + large * ops::max(small) + large);
  }
  const TracedProgram program = trace.finish();
  EXPECT_EQ(program.fixed.size(), 1U);
  run(program);
  EXPECT_EQ(x.read().at(1024), 9);
}

TEST_F(TraceTest, GradientIsTakenAtTheFirstValues) {
  const Variable x = scalar_variable(3, "x");
  const Variable unused = scalar_variable(3, "unused");
  const Variable out = scalar_variable(0, "out");
  Trace trace;
  {
    const Trace::Scope scope(trace);
    const Tensor loss = x * x;
    x.assign(x + 1.0);
    const std::vector<Variable> variables = {x, unused};
    const std::vector<Tensor> gradients = gradient(loss, variables);
    EXPECT_FALSE(gradients[1].defined());
    out.assign(gradients[0]);
  }
  run(trace.finish());
  EXPECT_EQ(out.read().at(0), 6);
  EXPECT_EQ(x.read().at(0), 4);
}

TEST_F(TraceTest, PredicatedAssignmentsKeepTheOldValues) {
  const Variable x = scalar_variable(1, "x");
  const Variable always = scalar_variable(1, "always");
  const Variable ok = Variable(ir::Literal::of<bool>({}, {false}), {.name = "ok"});
  Trace trace;
  {
    const Trace::Scope scope(trace);
    x.assign(x + 1.0);
    always.assign(always + 1.0);
    trace.predicate_assignments(ok, std::span(&always, 1));
  }
  const TracedProgram program = trace.finish();
  run(program);
  EXPECT_EQ(x.read().at(0), 1);
  EXPECT_EQ(always.read().at(0), 2);
  ok.load(ir::Literal::of<bool>({}, {true}));
  run(program);
  EXPECT_EQ(x.read().at(0), 2);
}

TEST_F(TraceTest, RowsAreGatheredAndOutputsFollowEachOther) {
  Trace trace;
  Tensor output;
  {
    const Trace::Scope scope(trace);
    const Tensor x = trace.add_rows_argument({DType::kF32, {2, 3}});
    output = x * 2.0;
  }
  const TracedProgram program = trace.finish(std::span(&output, 1));
  EXPECT_EQ(program.outputs[0].dims, (Dims{2, 3}));
  const Tensor data = Tensor::of<float>({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const std::vector<std::int64_t> indices = {2, 0, 1, 1};
  ir::Literal result(TensorType{DType::kF32, {4, 3}});
  const std::byte* base = data.bytes();
  std::byte* out = result.mutable_bytes().data();
  runtime::Replica replica;
  replica.rows = {&base, 1};
  replica.row_indices = indices.data();
  replica.num_rows = 4;
  replica.outputs = {&out, 1};
  EXPECT_EQ(default_client()->compile(program.step_program())->run(replica, 2), 2);
  EXPECT_EQ(result.at(0), 14);
  EXPECT_EQ(result.at(3), 2);
  EXPECT_EQ(result.at(11), 12);
}

TEST_F(TraceTest, SymbolicTensorsStayInTheirTrace) {
  Tensor leaked;
  {
    Trace trace;
    const Trace::Scope scope(trace);
    leaked = trace.add_rows_argument({DType::kF32, {2}});
    EXPECT_THROW((void)leaked.data<float>(), Error);
  }
  EXPECT_THROW((void)(leaked + 1.0), Error);
  Trace other;
  const Trace::Scope scope(other);
  EXPECT_THROW((void)(leaked + 1.0), Error);
}

TEST_F(TraceTest, AssigningAnotherShapeOrDtypeIsAnError) {
  const Variable x(ir::Literal(TensorType{DType::kF32, {2}}), {.name = "x"});
  EXPECT_THROW(x.assign(Tensor::zeros({3})), Error);
  EXPECT_THROW(x.assign(Tensor::zeros({2}, DType::kF64)), Error);
  EXPECT_THROW(x.load(ir::Literal(TensorType{DType::kF32, {3}})), Error);
}

TEST_F(TraceTest, VariablesMoveToAnotherClient) {
  const Variable x = scalar_variable(5, "x");
  (void)x.buffer();
  set_default_client(runtime::make_client("reference"));
  (void)x.buffer();
  EXPECT_EQ(x.read().at(0), 5);
}

TEST_F(TraceTest, SeedGeneratorCountsSteps) {
  const SeedGenerator generator(1);
  EXPECT_EQ(generator.next().item<int>(), 0);
  EXPECT_EQ(generator.next().item<int>(), 1);
  EXPECT_EQ(generator.counter().read().at(0), 2);
}

}  // namespace
}  // namespace cornu::inline v0

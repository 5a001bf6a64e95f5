#include "cornu/backends/cpu/emit/compiled_step.h"

#include "cornu/backends/cpu/plan/plan_text_test_support.h"
#include "cornu/base/cpu_info.h"
#include "cornu/base/error_test_support.h"

namespace cornu::inline v0::backends::cpu {
namespace {

int num_occurrences(std::string_view text, std::string_view part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

class CompiledStepTest : public PlanText {
 protected:
  /// A plan of two loops, and a product between them that a kernel computes.
  void plan_two_loops_and_a_kernel() {
    const ir::Value w = argument({64, 64}), other = argument({64, 64}), x = fixed({64, 64});
    plan({ops::negate(b_, w), ops::tanh(b_, ops::matmul(b_, x, ops::add(b_, other, w)))});
  }

  std::unique_ptr<CompiledStep> compile(const CompileStepOptions& options = {}) const {
    return compile_step(plan_, target_, options);
  }

  Target target_ = level_target(cpu_isa_level());
};

TEST_F(CompiledStepTest, DefinesAFunctionForEachLoopGroupAndNoneForKernels) {
  plan_two_loops_and_a_kernel();
  const std::unique_ptr<CompiledStep> step = compile();
  const std::string text = step->text("llvm");
  EXPECT_EQ(num_occurrences(text, "define i64 @cornu_steps("), 1);
  bool has_kernel = false, has_loop = false;
  for (const Group& group : plan_.groups) {
    has_kernel = has_kernel || group.is<MatrixDotGroup>();
    has_loop = has_loop || group.is<LoopGroup>();
    const std::string name = fmt::format("@group_{}(", group.id);
    EXPECT_EQ(num_occurrences(text, "define void " + name), group.is<MatrixDotGroup>() ? 0 : 1) << text;
  }
  EXPECT_TRUE(has_kernel && has_loop);
  EXPECT_EQ(step->num_slices().size(), plan_.groups.size());
}

TEST_F(CompiledStepTest, TheTextIsTheSameEachTimeAndOnAnyNumberOfThreads) {
  plan_two_loops_and_a_kernel();
  const std::string text = compile()->text("llvm");
  EXPECT_EQ(compile()->text("llvm"), text) << "the disk cache finds code by its text";
  ThreadPool pool(3);
  EXPECT_EQ(compile({.pool = &pool})->text("llvm"), text);
}

TEST_F(CompiledStepTest, LongChainsOfIntegersRunInSeveralVectors) {
  const auto chain_of = [&](const ir::Dims& dims) {
    ir::Value bits = argument(dims, runtime::ArgumentKind::kFixed, ir::DType::kU32);
    for (int i = 1; i <= 24; ++i)
      bits = ops::xor_(b_, bits, ops::shift_left(b_, bits, ops::full(b_, bits.type(), i)));
    return bits;
  };
  plan({chain_of({8, 256}), chain_of({9, 33})});
  const int several = target_.isa == IsaLevel::kAvx512 ? 4 : 2;
  const std::string text = compile()->text("llvm");
  const auto num_loads = [&](int vectors) {
    return num_occurrences(text, fmt::format("= load <{} x i32>", vectors * target_.lanes));
  };
  EXPECT_EQ(num_loads(several), 1) << text;
  EXPECT_EQ(num_loads(1), 1) << text;
}

TEST_F(CompiledStepTest, RowsOfLargeTablesAreFetchedBeforeTheLoopsUseThem) {
  const ir::Value small = fixed({2000, 100}), large = fixed({20'000, 100});
  const ir::Value ids = argument({32, 4}, runtime::ArgumentKind::kFixed, ir::DType::kI32);
  plan({ops::gather_rows(b_, small, ids), ops::reduce_sum(b_, ops::gather_rows(b_, large, ids), {1})});
  EXPECT_EQ(num_occurrences(compile()->text("llvm"), "call void @llvm.prefetch"), 8)
      << "7 lines of a row's 400 bytes, and its last byte, which may be in another line";
}

TEST_F(CompiledStepTest, WhereManyRowsAreReadThoseOfTheNextIterationAreFetched) {
  const ir::Value large = fixed({20'000, 100});
  const ir::Value ids = argument({4096, 100}, runtime::ArgumentKind::kFixed, ir::DType::kI32);
  plan({ops::reduce_sum(b_, ops::gather_rows(b_, large, ids), {1})});
  EXPECT_EQ(num_occurrences(compile()->text("llvm"), "call void @llvm.prefetch"), 8);
}

TEST_F(CompiledStepTest, RowsThatLaterUpdatesChangeAreFetchedForWriting) {
  const ir::Value small = argument({2000, 100}), large = argument({20'000, 100});
  const ir::Value ids = argument({300}, runtime::ArgumentKind::kFixed, ir::DType::kI32),
                  rows = fixed({300, 100});
  plan({ops::scatter_add_rows(b_, small, ids, rows), ops::scatter_add_rows(b_, large, ids, rows)});
  const std::string text = compile()->text("llvm");
  EXPECT_EQ(num_occurrences(text, "call void @llvm.prefetch"), 8) << text;
  EXPECT_EQ(num_occurrences(text, "i32 1, i32 2, i32 1)"), 8) << text;
}

TEST_F(CompiledStepTest, ACompilationThatIsStoppedIsCancelled) {
  plan_two_loops_and_a_kernel();
  const std::atomic<bool> stop = true;
  expect_error(ErrorCode::kCancelled, {}, [&] { (void)compile({.stop = &stop}); });
}

TEST_F(CompiledStepTest, AStepRunsItsGroupsUntilItIsAskedToStop) {
  const ir::Value count = argument({4});
  plan({ops::add(b_, count, ops::full(b_, count.type(), 1))});
  const std::unique_ptr<CompiledStep> step = compile();
  alignas(64) float values[16] = {0, 1, 2, 3};
  std::byte* arguments[] = {reinterpret_cast<std::byte*>(values)};
  std::int64_t steps_done = 0;
  std::uint8_t stop = 0;
  StepContext context;
  context.arguments = arguments;
  context.num_steps = 5;
  context.steps_done = &steps_done;
  context.stop = &stop;
  EXPECT_EQ(step->run(&context), 5);
  EXPECT_EQ(steps_done, 5);
  EXPECT_EQ(values[3], 8);
  stop = 1;
  EXPECT_EQ(step->run(&context), 0);
  EXPECT_EQ(values[0], 5);
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu

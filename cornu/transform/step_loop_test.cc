#include "cornu/transform/step_loop.h"

#include <gtest/gtest.h>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/transform/simplify.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using ir::DType;
using ir::Literal;
using ir::Value;
using runtime::ArgumentKind;

/// Batches of 2 rows of 3: total += the valid rows' sum of x * scale; output: x * scale. Arguments in no
/// particular order.
struct SumStep {
  ir::Function function;
  runtime::StepProgram program;

  SumStep() {
    function.name = "sum_step";
    const Value x = function.body.add_argument({DType::kF32, {2, 3}});
    const Value total = function.body.add_argument({DType::kF32, {}});
    const Value valid_rows = function.body.add_argument({DType::kI32, {}});
    const Value scale = function.body.add_argument({DType::kF32, {3}});
    ir::Builder b(function.body);
    const Value scaled = ops::multiply(b, x, ops::broadcast_in_dim(b, scale, {2, 3}, {1}));
    const Value row = ops::iota(b, {DType::kI32, {2, 3}}, 0);
    const Value is_valid =
        ops::compare(b, row, ops::broadcast_scalar(b, valid_rows, {2, 3}), ops::ComparisonDirection::kLt);
    const Value kept = ops::select(b, is_valid, scaled, ops::full(b, scaled.type(), 0));
    function.body.set_results({ops::add(b, total, ops::reduce_sum(b, kept, {0, 1})), scaled});
    program = {.step = &function,
               .arguments = {ArgumentKind::kRows, ArgumentKind::kState, ArgumentKind::kValidRows,
                             ArgumentKind::kFixed},
               .name = "sum_step"};
  }
};

/// Two states that change places, and nothing else.
struct SwapStep {
  ir::Function function;
  runtime::StepProgram program;

  SwapStep() {
    const Value a = function.body.add_argument({DType::kF32, {}}),
                c = function.body.add_argument({DType::kF32, {}});
    function.body.set_results({c, a});
    program = {.step = &function, .arguments = {ArgumentKind::kState, ArgumentKind::kState}, .name = "swap"};
  }
};

Literal count(std::int32_t value) { return Literal::of<std::int32_t>({}, {value}); }

TEST(StepLoopTest, AStepWithoutRowsBecomesAPlainLoop) {
  const SwapStep step;
  const StepLoop loop = make_step_loop(step.program, 4);
  EXPECT_EQ(ir::to_stablehlo(*loop.function, loop.donations()), R"(module {
  func.func @main(%arg0: tensor<f32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<f32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<i32>, %arg3: tensor<i32>) -> (tensor<f32>, tensor<f32>) {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %10:3 = "stablehlo.while"(%0, %arg0, %arg1) ({
      ^bb0(%1: tensor<i32>, %2: tensor<f32>, %3: tensor<f32>):
        %4 = "stablehlo.compare"(%1, %arg2) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }, {
      ^bb0(%5: tensor<i32>, %6: tensor<f32>, %7: tensor<f32>):
        %8 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
        %9 = stablehlo.add %5, %8 : tensor<i32>
        "stablehlo.return"(%9, %7, %6) : (tensor<i32>, tensor<f32>, tensor<f32>) -> ()
    }) : (tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<i32>, tensor<f32>, tensor<f32>)
    return %10#1, %10#2 : tensor<f32>, tensor<f32>
  }
}
)");
}

TEST(StepLoopTest, RowsAreCutOutOfStacksAndOutputsWrittenIntoThem) {
  const SumStep step;
  const StepLoop loop = make_step_loop(step.program, 4);
  EXPECT_EQ(loop.batch, 2);
  EXPECT_EQ(loop.num_state, 1U);
  EXPECT_EQ(loop.num_fixed, 1U);
  EXPECT_EQ(loop.num_stacks, 1U);
  EXPECT_EQ(loop.num_outputs(), 1U);
  EXPECT_EQ(body_text(*loop.function),
            R"(%0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
%1 = "stablehlo.constant"() <{value = dense<0.0e+00> : tensor<f32>}> : () -> tensor<f32>
%2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x3xf32>
%38:3 = "stablehlo.while"(%0, %arg0, %2) ({
^bb0(%3: tensor<i32>, %4: tensor<f32>, %5: tensor<4x2x3xf32>):
%6 = "stablehlo.compare"(%3, %arg3) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
"stablehlo.return"(%6) : (tensor<i1>) -> ()
}, {
^bb0(%7: tensor<i32>, %8: tensor<f32>, %9: tensor<4x2x3xf32>):
%10 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
%11 = "stablehlo.dynamic_slice"(%arg2, %7, %10, %10) <{slice_sizes = array<i64: 1, 2, 3>}> : (tensor<4x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x3xf32>
%12 = "stablehlo.reshape"(%11) : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
%13 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
%14 = stablehlo.multiply %7, %13 : tensor<i32>
%15 = stablehlo.subtract %arg4, %14 : tensor<i32>
%16 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
%17 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
%18 = "stablehlo.clamp"(%16, %15, %17) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
%19 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<2x3xf32>
%20 = stablehlo.multiply %12, %19 : tensor<2x3xf32>
%21 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2x3xi32>
%22 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
%23 = "stablehlo.compare"(%21, %22) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
%24 = "stablehlo.constant"() <{value = dense<0.0e+00> : tensor<f32>}> : () -> tensor<f32>
%25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
%26 = "stablehlo.select"(%23, %20, %25) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
%27 = "stablehlo.constant"() <{value = dense<0.0e+00> : tensor<f32>}> : () -> tensor<f32>
%31 = "stablehlo.reduce"(%26, %27) <{dimensions = array<i64: 0, 1>}> ({
^bb0(%28: tensor<f32>, %29: tensor<f32>):
%30 = stablehlo.add %28, %29 : tensor<f32>
"stablehlo.return"(%30) : (tensor<f32>) -> ()
}) : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
%32 = stablehlo.add %8, %31 : tensor<f32>
%33 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
%34 = stablehlo.add %7, %33 : tensor<i32>
%35 = "stablehlo.reshape"(%20) : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
%36 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
%37 = "stablehlo.dynamic_update_slice"(%9, %35, %7, %36, %36) : (tensor<4x2x3xf32>, tensor<1x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x3xf32>
"stablehlo.return"(%34, %32, %37) : (tensor<i32>, tensor<f32>, tensor<4x2x3xf32>) -> ()
}) : (tensor<i32>, tensor<f32>, tensor<4x2x3xf32>) -> (tensor<i32>, tensor<f32>, tensor<4x2x3xf32>)
return %38#1, %38#2 : tensor<f32>, tensor<4x2x3xf32>
)");
}

TEST(StepLoopTest, OneStepNeedsNoLoop) {
  const SwapStep swap;
  EXPECT_EQ(body_text(*simplify(*make_step_loop(swap.program, 1).function)),
            "return %arg1, %arg0 : tensor<f32>, tensor<f32>\n");
  const SumStep sum;
  const StepLoop loop = make_step_loop(sum.program, 1);
  EXPECT_EQ(body_text(*loop.function).find("while"), std::string::npos);
  EXPECT_EQ(body_text(*loop.function).find("dynamic"), std::string::npos);
  const std::vector<Literal> arguments = {Literal::of<float>({}, {1000}), Literal::of<float>({3}, {1, 0, 10}),
                                          Literal::of<float>({1, 2, 3}, {1, 2, 3, 4, 5, 6}), count(1),
                                          count(1)};
  const std::vector<Literal> results = backends::reference::evaluate(*loop.function, arguments);
  EXPECT_EQ(results[0].at(0), 1031) << "the second row is padding";
  EXPECT_EQ(results[1], Literal::of<float>({1, 2, 3}, {1, 0, 30, 4, 0, 60}));
}

TEST(StepLoopTest, RunsAsManyStepsAsAskedAndCountsTheLastOnesRows) {
  const SumStep step;
  const StepLoop loop = make_step_loop(step.program, 4);
  Literal stack(ir::TensorType{DType::kF32, {4, 2, 3}});
  for (std::size_t i = 0; i < 24; ++i) stack.mutable_data<float>()[i] = static_cast<float>(i + 1);
  const Literal scale = Literal::of<float>({3}, {1, 0, 10});
  const Literal total = Literal::of<float>({}, {1000});
  const auto run = [&](std::int32_t steps, std::int32_t rows) {
    return backends::reference::evaluate(
        *loop.function, std::vector<Literal>{total, scale, stack, count(steps), count(rows)});
  };
  // Rows of the stack: (1 2 3), (4 5 6), (7 8 9), ...: a row's sum is first + 10 * (first + 2).
  EXPECT_EQ(run(0, 0)[0].at(0), 1000);
  EXPECT_EQ(run(1, 2)[0].at(0), 1000 + 31 + 64);
  EXPECT_EQ(run(2, 3)[0].at(0), 1000 + 31 + 64 + 97) << "the last row of step 1 is padding";
  EXPECT_EQ(run(2, 2)[0].at(0), 1000 + 31 + 64) << "a step without data changes nothing";
  EXPECT_EQ(run(4, 8)[0].at(0), 1000 + 31 + 64 + 97 + 130 + 163 + 196 + 229 + 262);
  const Literal output = run(2, 3)[1];
  EXPECT_EQ(output.type(), stack.type());
  EXPECT_EQ(output.at(2), 30);
  EXPECT_EQ(output.at(11), 120);
  EXPECT_EQ(output.at(12), 0) << "steps that did not run leave zeros";
}

TEST(StepLoopTest, TheLoopIsAProgramWhoseStateIsDonated) {
  const SumStep step;
  const StepLoop loop = make_step_loop(step.program, 4);
  EXPECT_EQ(loop.donations(), (std::vector<std::int64_t>{0, ir::kNotDonated, ir::kNotDonated, ir::kNotDonated,
                                                         ir::kNotDonated}));
  const runtime::StepProgram program = loop.program();
  EXPECT_EQ(program.name, "sum_step");
  EXPECT_EQ(program.arguments,
            (std::vector<ArgumentKind>{ArgumentKind::kState, ArgumentKind::kFixed, ArgumentKind::kFixed,
                                       ArgumentKind::kFixed, ArgumentKind::kFixed}));
  const StepLoop again = make_step_loop(program, 2);  // a loop is a step like any other
  EXPECT_EQ(again.num_fixed, 4U);
}

TEST(StepLoopTest, RejectsNumbersOfStepsThatCannotBeCounted) {
  const SumStep step;
  for (const std::int64_t max_steps :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 31, std::int64_t{1} << 62}) {
    try {
      make_step_loop(step.program, max_steps);
      FAIL() << max_steps;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_NE(std::string(error.what()).find("\"sum_step\""), std::string::npos) << error.what();
    }
  }
}

TEST(StepLoopTest, RejectsProgramsThatBreakTheContract) {
  SumStep step;
  step.program.arguments.pop_back();
  EXPECT_THROW(make_step_loop(step.program, 4), Error);
}

}  // namespace
}  // namespace cornu::inline v0::transform

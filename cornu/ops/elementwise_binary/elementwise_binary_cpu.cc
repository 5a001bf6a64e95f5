#include "cornu/backends/cpu/emit/element_code.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/graph.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::elementwise_binary_folder {
namespace {

template <llvm::Value* (ElementCode::*kFunction)(llvm::Value*, llvm::Value*) const>
llvm::Value* emit(const ElementCode& code) {
  return (code.*kFunction)(code.operand(0), code.operand(1));
}

constexpr CpuOp row(std::string_view name, double cost, double integer_cost,
                    llvm::Value* (*emit)(const ElementCode&), bool keeps_numbers = false,
                    Combiner combiner = Combiner::kNone, ErrorBound error_bound = {}) {
  return {.name = name,
          .op_class = OpClass::kElementwise,
          .cost = cost,
          .integer_cost = integer_cost,
          .combiner = combiner,
          .emit = emit,
          .keeps_numbers = keeps_numbers,
          .error_bound = error_bound};
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      // name, cost in additions, that of integers where it is another, code, whether f16 and bf16 need no
      // rounding, combiner, error of f32 and f64
      row("add", 1, 0, emit<&ElementCode::add>, false, Combiner::kSum),
      row("subtract", 1, 0, emit<&ElementCode::subtract>),
      row("multiply", 1, 0, emit<&ElementCode::multiply>, false, Combiner::kProduct),
      row("divide", 6, 20, emit<&ElementCode::divide>),
      row("remainder", 40, 20, emit<&ElementCode::remainder>),
      row("maximum", 1, 0, emit<&ElementCode::maximum>, true, Combiner::kMaximum),
      row("minimum", 1, 0, emit<&ElementCode::minimum>, true, Combiner::kMinimum),
      row("power", 40, 0, emit<&ElementCode::power>, false, Combiner::kNone, {1, 3}),
      row("atan2", 40, 0, emit<&ElementCode::atan2>, false, Combiner::kNone, {1, 2}),
      row("and", 1, 0, emit<&ElementCode::bit_and>, false, Combiner::kAnd),
      row("or", 1, 0, emit<&ElementCode::bit_or>, false, Combiner::kOr),
      row("xor", 1, 0, emit<&ElementCode::bit_xor>),
      row("shift_left", 1, 0, emit<&ElementCode::shift_left>),
      row("shift_right_logical", 1, 0, emit<&ElementCode::shift_right_logical>),
      row("shift_right_arithmetic", 1, 0, emit<&ElementCode::shift_right_arithmetic>),
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::elementwise_binary_folder

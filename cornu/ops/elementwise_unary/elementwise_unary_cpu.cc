#include "cornu/backends/cpu/emit/element_code.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/graph.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::elementwise_unary_folder {
namespace {

template <llvm::Value* (ElementCode::*kFunction)(llvm::Value*) const>
llvm::Value* emit(const ElementCode& code) {
  return (code.*kFunction)(code.operand(0));
}

constexpr CpuOp row(std::string_view name, double cost, llvm::Value* (*emit)(const ElementCode&),
                    bool keeps_numbers = false, ErrorBound error_bound = {}) {
  return {.name = name,
          .op_class = OpClass::kElementwise,
          .cost = cost,
          .emit = emit,
          .keeps_numbers = keeps_numbers,
          .error_bound = error_bound};
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      // name, cost in additions, code, whether f16 and bf16 need no rounding, error of f32 and f64
      row("abs", 1, emit<&ElementCode::abs>, true),
      row("negate", 1, emit<&ElementCode::negate>, true),
      row("sign", 1, emit<&ElementCode::sign>),
      row("exponential", 20, emit<&ElementCode::exponential>, false, {2, 2}),
      row("exponential_minus_one", 20, emit<&ElementCode::exponential_minus_one>, false, {2, 2}),
      row("log", 20, emit<&ElementCode::log>, false, {1, 1}),
      row("log_plus_one", 20, emit<&ElementCode::log_plus_one>, false, {2, 2}),
      row("logistic", 20, emit<&ElementCode::logistic>, false, {3.5, 3.5}),
      row("tanh", 20, emit<&ElementCode::tanh>, false, {3, 3}),
      row("sqrt", 6, emit<&ElementCode::sqrt>),
      row("rsqrt", 6, emit<&ElementCode::rsqrt>, false, {1.5, 1.5}),
      row("sine", 20, emit<&ElementCode::sine>, false, {1, 1}),
      row("cosine", 20, emit<&ElementCode::cosine>, false, {1, 1}),
      row("tan", 40, emit<&ElementCode::tan>, false, {1, 1}),
      row("cbrt", 40, emit<&ElementCode::cbrt>, false, {1, 1}),
      row("floor", 1, emit<&ElementCode::floor>),
      row("ceil", 1, emit<&ElementCode::ceil>),
      row("round_nearest_even", 1, emit<&ElementCode::round_nearest_even>),
      row("round_nearest_afz", 1, emit<&ElementCode::round_nearest_afz>),
      row("is_finite", 1, emit<&ElementCode::is_finite>),
      row("not", 1, emit<&ElementCode::bit_not>),
      row("popcnt", 1, emit<&ElementCode::count_ones>),
      row("count_leading_zeros", 1, emit<&ElementCode::count_leading_zeros>),
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::elementwise_unary_folder

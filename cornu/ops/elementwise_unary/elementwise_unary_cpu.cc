#include "cornu/backends/cpu/elements/kernels.h"
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

ElementwiseKernel element_kernel(const ir::Op& op, const elements::KernelSet& kernels) {
  return kernels.elementwise(op.name(), op.operand(0).dtype());
}

constexpr CpuOp row(std::string_view name, double cost, llvm::Value* (*emit)(const ElementCode&),
                    bool keeps_numbers = false) {
  return {.name = name,
          .op_class = OpClass::kElementwise,
          .cost = cost,
          .emit = emit,
          .keeps_numbers = keeps_numbers,
          .element_kernel = element_kernel};
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      // name, cost in additions, code; the kernels of eager mode stand in elementwise_unary_elements.inc
      row("abs", 1, emit<&ElementCode::abs>, true),
      row("negate", 1, emit<&ElementCode::negate>, true),
      row("sign", 1, emit<&ElementCode::sign>),
      row("exponential", 20, emit<&ElementCode::exponential>),
      row("exponential_minus_one", 20, emit<&ElementCode::exponential_minus_one>),
      row("log", 20, emit<&ElementCode::log>),
      row("log_plus_one", 20, emit<&ElementCode::log_plus_one>),
      row("logistic", 20, emit<&ElementCode::logistic>),
      row("tanh", 20, emit<&ElementCode::tanh>),
      row("sqrt", 6, emit<&ElementCode::sqrt>),
      row("rsqrt", 6, emit<&ElementCode::rsqrt>),
      row("sine", 20, emit<&ElementCode::sine>),
      row("cosine", 20, emit<&ElementCode::cosine>),
      row("tan", 40, emit<&ElementCode::tan>),
      row("cbrt", 40, emit<&ElementCode::cbrt>),
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

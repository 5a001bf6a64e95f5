#include "cornu/backends/cpu/recurrent/kernel_column.h"

namespace cornu::inline v0::backends::cpu::simple_rnn_folder {
namespace {

using enum recurrent::Role;
using recurrent::Cell;
using recurrent::Composite;
using recurrent::Role;

constexpr Role kOperands[] = {kProjected, kKernel, kState, kMask};
constexpr Role kResults[] = {kStates, kLastState};
constexpr Composite kForward{Cell::kSimple, false, 1, kOperands, kResults};

constexpr Role kGradientOperands[] = {kKernel, kStates, kDLastState, kDStates, kMask};
constexpr Role kGradientResults[] = {kDProjected, kDState};
constexpr Composite kBackward{Cell::kSimple, true, 1, kGradientOperands, kGradientResults};

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "cornu.simple_rnn",
       .op_kind = OpKind::kKernel,
       .upcasts_low_precision = true,
       .kernel = recurrent::kernel_column<kForward>()},
      {.name = "cornu.simple_rnn_gradient",
       .op_kind = OpKind::kKernel,
       .upcasts_low_precision = true,
       .kernel = recurrent::kernel_column<kBackward>()},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::simple_rnn_folder

#include "cornu/backends/cpu/recurrent/kernel_column.h"

namespace cornu::inline v0::backends::cpu::gru_folder {
namespace {

using enum recurrent::Role;
using recurrent::Cell;
using recurrent::Composite;
using recurrent::Role;

constexpr Role kOperands[] = {kProjected, kKernel, kState, kBias, kMask};
constexpr Role kResults[] = {kStates, kLastState, kGates};
constexpr Composite kForward{Cell::kGru, false, 3, kOperands, kResults};

constexpr Role kGradientOperands[] = {kKernel, kStatesBefore, kGates, kDLastState, kDStates, kMask};
constexpr Role kGradientResults[] = {kDProjected, kDState};
constexpr Composite kBackward{Cell::kGru, true, 3, kGradientOperands, kGradientResults};

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "cornu.gru",
       .op_kind = OpKind::kKernel,
       .upcasts_low_precision = true,
       .kernel = recurrent::kernel_column<kForward>()},
      {.name = "cornu.gru_gradient",
       .op_kind = OpKind::kKernel,
       .upcasts_low_precision = true,
       .kernel = recurrent::kernel_column<kBackward>()},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::gru_folder

#include "cornu/backends/cpu/recurrent/kernel_column.h"

namespace cornu::inline v0::backends::cpu::lstm_folder {
namespace {

using enum recurrent::Role;
using recurrent::Cell;
using recurrent::Composite;
using recurrent::Role;

constexpr Role kOperands[] = {kProjected, kKernel, kState, kCarry, kMask};
constexpr Role kResults[] = {kStates, kLastState, kLastCarry, kCarries, kGates};
constexpr Composite kForward{Cell::kLstm, false, 4, kOperands, kResults};

constexpr Role kGradientOperands[] = {kKernel,     kCarry,      kCarries, kGates,
                                      kDLastState, kDLastCarry, kDStates, kMask};
constexpr Role kGradientResults[] = {kDProjected, kDState, kDCarry};
constexpr Composite kBackward{Cell::kLstm, true, 4, kGradientOperands, kGradientResults};

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "cornu.lstm",
       .op_kind = OpKind::kKernel,
       .upcasts_low_precision = true,
       .kernel = recurrent::kernel_column<kForward>()},
      {.name = "cornu.lstm_gradient",
       .op_kind = OpKind::kKernel,
       .upcasts_low_precision = true,
       .kernel = recurrent::kernel_column<kBackward>()},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::lstm_folder

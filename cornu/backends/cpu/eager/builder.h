#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "cornu/backends/cpu/eager/steps.h"
#include "cornu/ir/graph.h"

namespace cornu::inline v0::backends::cpu::eager {

/// Where a slot of a program is.
struct Slot {
  enum class Kind { kInput, kOutput, kTemporary, kConstant };
  Kind kind = Kind::kTemporary;
  std::size_t index = 0;         // of the input, output or constant
  std::size_t offset_bytes = 0;  // of a temporary
};

/// A program as it is being made.
struct Parts {
  std::vector<Slot> slots;
  std::vector<std::unique_ptr<Step>> steps;
  std::vector<ir::Literal> constants;
  std::size_t temporary_bytes = 0;
  std::size_t kernel_bytes = 0;  // about what the kernels of single ops hold, with their code
  int num_reference_ops = 0;
  /// Kept for the steps that run kernels of single ops; else null.
  std::shared_ptr<const ir::Function> function;
};

/// Turns the ops of a function without composites into steps, one after the other.
///
/// Ops that only move indices (broadcasts, transposes, slices, ...) become views; neighbouring elementwise ops of one shape become one
/// step. `num_threads` is the pool's.
Parts build_parts(std::shared_ptr<const ir::Function> function, const KernelSet& kernels, const Target& target, int num_threads);

}  // namespace cornu::inline v0::backends::cpu::eager

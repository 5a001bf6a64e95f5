#pragma once

#include <memory>
#include <vector>

#include "cornu/backends/cpu/elements/instructions.h"
#include "cornu/backends/cpu/elements/kernels.h"
#include "cornu/ir/graph.h"
#include "cornu/ir/literal.h"

namespace cornu::inline v0::backends::cpu::elements {

/// A block of elementwise ops on scalars, run on many elements at a time: the body of a reduction.
class ScalarFunction {
 public:
  /// Null when an op of the block has no kernel, or it uses values from outside.
  static std::shared_ptr<const ScalarFunction> make(const ir::Block& block, const KernelSet& kernels);

  /// n elements; operands advance by `stride` elements, results are contiguous; results overlap no operand.
  void run(std::int64_t n, const std::byte* const* operands, std::int64_t stride,
           std::byte* const* results) const;
  std::size_t num_operands() const { return num_operands_; }
  std::size_t num_results() const { return num_results_; }

 private:
  std::size_t num_operands_ = 0, num_results_ = 0;
  std::vector<ir::Literal> constants_;
  Instructions instructions_;
  // By place: operands, constants, results.
  std::vector<std::int64_t> strides_, element_bytes_;
};

}  // namespace cornu::inline v0::backends::cpu::elements

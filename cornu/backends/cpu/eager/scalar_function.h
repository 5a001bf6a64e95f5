#pragma once

#include <memory>
#include <vector>

#include "cornu/backends/cpu/eager/steps.h"
#include "cornu/ir/graph.h"
#include "cornu/ir/literal.h"

namespace cornu::inline v0::backends::cpu::eager {

/// The kernel of an elementwise op (convert, compare, select and clamp are), or null.
ElementwiseKernel find_elementwise_kernel(const ir::Op& op, const KernelSet& kernels);

/// A block of elementwise ops on scalars, run on many elements at a time: the body of a reduction.
class ScalarFunction {
 public:
  /// Null when an op of the block has no kernel, or it uses values from outside.
  static std::shared_ptr<const ScalarFunction> make(const ir::Block& block, const KernelSet& kernels);

  /// n elements; operands advance by `stride` elements, results are contiguous; results overlap no operand.
  void run(std::int64_t n, const std::byte* const* operands, std::int64_t stride, std::byte* const* results) const;
  std::size_t num_operands() const { return num_operands_; }
  std::size_t num_results() const { return num_results_; }

 private:
  std::size_t num_operands_ = 0, num_results_ = 0;
  std::vector<ir::Literal> constants_;
  Instructions instructions_;
  // By place: operands, constants, results.
  std::vector<std::int64_t> strides_, element_bytes_;
};

/// A reduction by any body: values are [reduced, kept].
struct FoldingReduce {
  std::shared_ptr<const ScalarFunction> body;
  std::int64_t num_reduced = 1, num_kept = 1;
  // One an input. The inputs' memory is overwritten.
  std::vector<int> values, scratch, inits, results;
  std::vector<std::int64_t> init_offsets;
  std::vector<std::size_t> element_bytes;

  void run(const Run& run) const;
};

}  // namespace cornu::inline v0::backends::cpu::eager

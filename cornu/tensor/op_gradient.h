#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0::detail {

/// The gradient of one eager operation as an eager operation of its own, made once for its key and types.
/// Threads: safe.
class OpGradient {
 public:
  /// The gradient of this operation; `build` makes its graph when it is seen for the first time.
  static std::shared_ptr<OpGradient> of(const OpKey& key, std::span<const Tensor> inputs, BuildManyFn build);
  OpGradient(std::span<const Tensor> inputs, BuildManyFn build);

  /// The gradients of the wanted inputs (undefined: none flows; or zero_gradient()) for those of the results
  /// (undefined: zero).
  /// Inputs and results that the formula uses are taken as they are, not computed again.
  std::vector<Tensor> backward(std::span<const Tensor> inputs, std::span<const Tensor> results,
                               std::span<const Tensor> result_gradients, const std::vector<bool>& wanted);

 private:
  /// How the gradients are computed for one choice of given result gradients and wanted inputs.
  struct Formula {
    std::int64_t id = 0;                 // in the key of the eager operation
    std::vector<std::size_t> arguments;  // which of inputs, then results, then result gradients
    ir::Function function;               // computes gradients from the arguments
    std::vector<std::pair<std::size_t, std::size_t>> computed;  // (input, result of the function)
    /// (input, which of inputs, results and result gradients is its gradient).
    std::vector<std::pair<std::size_t, std::size_t>> passed;
    std::vector<std::size_t> zeros;  // inputs whose gradient is zero_gradient()
  };
  std::unique_ptr<Formula> make_formula(const std::vector<bool>& given,
                                        const std::vector<bool>& wanted) const;

  ir::Function forward_;
  std::mutex mutex_;
  std::map<std::pair<std::vector<bool>, std::vector<bool>>, std::unique_ptr<Formula>> formulas_;
};

}  // namespace cornu::inline v0::detail

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

/// The gradient of one eager operation as an eager operation, made once for its key and types.
/// Threads: safe.
class OpGradient {
 public:
  /// The gradient of this operation; `build` makes its graph at the first call.
  static std::shared_ptr<OpGradient> of(const OpKey& key, std::span<const Tensor> inputs, BuildManyFn build);
  OpGradient(std::span<const Tensor> inputs, BuildManyFn build);

  /// Computes the gradients of the wanted inputs from the results' gradients. An undefined result gradient is
  /// zero; an undefined input gradient means that none flows; both may be zero_gradient().
  /// Inputs and results in the formula are used as they are, not computed again.
  std::vector<Tensor> backward(std::span<const Tensor> inputs, std::span<const Tensor> results,
                               std::span<const Tensor> result_gradients, const std::vector<bool>& wanted);

 private:
  /// The gradient computation for one combination of given result gradients and wanted inputs.
  struct Formula {
    std::int64_t id = 0;                 // part of the eager operation's key
    std::vector<std::size_t> arguments;  // indices into inputs, then results, then result gradients
    ir::Function function;               // computes gradients from the arguments
    std::vector<std::pair<std::size_t, std::size_t>> computed;  // (input, result of the function)
    /// (input, index of its gradient among inputs, results and result gradients).
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

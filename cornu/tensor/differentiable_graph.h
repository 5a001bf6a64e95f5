#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/runtime/client.h"
#include "cornu/tensor/value/placement.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0::detail {

/// A pure function of tensors as a compiled program. Its gradient is a separate program for each choice of
/// wanted inputs, made on first use and cached.
/// Threads: safe.
class DifferentiableGraph : public std::enable_shared_from_this<DifferentiableGraph> {
 public:
  explicit DifferentiableGraph(std::unique_ptr<ir::Function> function) : function_(std::move(function)) {}

  /// Runs on the current placement; this thread's tapes record one operation.
  std::vector<Tensor> call(std::span<const Tensor> inputs);
  /// Computes the gradients of the wanted inputs from those of the results (undefined: zero). They are
  /// undefined if none flows, and for other inputs; zero_gradient() for constant zeros. Only ops on the path
  /// to wanted inputs need a gradient.
  std::vector<Tensor> backward(std::span<const Tensor> inputs, std::span<const Tensor> result_gradients,
                               const std::vector<bool>& wanted);

 private:
  /// The graph of (inputs, gradients of the float results) -> gradients of some inputs.
  struct Derivative {
    std::shared_ptr<DifferentiableGraph> graph;
    std::vector<std::size_t> inputs;  // the inputs whose gradients are the graph's results
    std::vector<std::size_t> zeros;   // inputs whose gradient is zero_gradient()
  };
  /// The program for a placement, cached while calls use that placement.
  std::shared_ptr<runtime::Executable> executable(const Placement& placement);
  const Derivative& derivative(const std::vector<bool>& wanted);
  Derivative make_derivative(const std::vector<bool>& wanted) const;

  std::mutex mutex_;
  std::unique_ptr<ir::Function> function_;
  Placement placement_;
  std::shared_ptr<runtime::Executable> executable_;
  std::map<std::vector<bool>, Derivative> derivatives_;  // by the wanted inputs; entries are never removed
};

}  // namespace cornu::inline v0::detail

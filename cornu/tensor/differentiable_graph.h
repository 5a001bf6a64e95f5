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

/// A pure function of tensors as a compiled program. Its gradient is another one for each choice of wanted
/// inputs, made on first need and kept.
/// Threads: safe.
class DifferentiableGraph : public std::enable_shared_from_this<DifferentiableGraph> {
 public:
  explicit DifferentiableGraph(std::unique_ptr<ir::Function> function) : function_(std::move(function)) {}

  /// Runs on the current placement; this thread's tapes see one operation.
  std::vector<Tensor> call(std::span<const Tensor> inputs);
  /// The gradients of the wanted inputs for those of the results (undefined: zero); undefined where none
  /// flows, and for other inputs; zero_gradient() where constant zeros come. Only ops on the
  /// way to wanted inputs must have a gradient.
  std::vector<Tensor> backward(std::span<const Tensor> inputs, std::span<const Tensor> result_gradients,
                               const std::vector<bool>& wanted);

 private:
  /// The graph of (inputs, gradients of the float results) -> gradients of some inputs.
  struct Derivative {
    std::shared_ptr<DifferentiableGraph> graph;
    std::vector<std::size_t> inputs;  // what the graph's results are the gradients of
    std::vector<std::size_t> zeros;   // whose gradient is zero_gradient()
  };
  /// The program for a placement, which is kept as long as calls are for that placement.
  std::shared_ptr<runtime::Executable> executable(const Placement& placement);
  const Derivative& derivative(const std::vector<bool>& wanted);
  Derivative make_derivative(const std::vector<bool>& wanted) const;

  std::mutex mutex_;
  std::unique_ptr<ir::Function> function_;
  Placement placement_;
  std::shared_ptr<runtime::Executable> executable_;
  std::map<std::vector<bool>, Derivative> derivatives_;  // by the wanted inputs; none is ever taken out
};

}  // namespace cornu::inline v0::detail

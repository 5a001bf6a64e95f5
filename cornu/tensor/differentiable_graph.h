#pragma once

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

/// A pure function of tensors as a compiled program, with its gradient as another one, made on first need and
/// kept.
/// Threads: safe.
class DifferentiableGraph : public std::enable_shared_from_this<DifferentiableGraph> {
 public:
  explicit DifferentiableGraph(std::unique_ptr<ir::Function> function) : function_(std::move(function)) {}

  /// Runs on the current placement; this thread's tapes see one operation.
  std::vector<Tensor> call(std::span<const Tensor> inputs);
  /// The gradients of the inputs for those of the results (undefined: zero); undefined where none flows.
  std::vector<Tensor> backward(std::span<const Tensor> inputs, std::span<const Tensor> result_gradients);

 private:
  /// The program for a placement, which is kept as long as calls are for that placement.
  std::shared_ptr<runtime::Executable> executable(const Placement& placement);
  /// The graph of (inputs, gradients of the float results) -> gradients of some inputs.
  DifferentiableGraph& derivative();

  std::mutex mutex_;
  std::unique_ptr<ir::Function> function_;
  Placement placement_;
  std::shared_ptr<runtime::Executable> executable_;
  std::shared_ptr<DifferentiableGraph> derivative_;
  std::vector<std::size_t> differentiated_;  // the inputs that derivative_'s results belong to
};

}  // namespace cornu::inline v0::detail

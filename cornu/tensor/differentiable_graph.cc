#include "cornu/tensor/differentiable_graph.h"

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/tensor/run/program_call.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/transform/gradient.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::detail {

std::vector<Tensor> DifferentiableGraph::call(std::span<const Tensor> inputs) {
  std::vector<TensorType> types;
  for (const ir::Value& result : function_->body.results()) types.push_back(result.type());
  const Placement placement = current_placement();
  const std::shared_ptr<runtime::Executable> executable = this->executable(placement);
  std::vector<const Tensor*> tensors;
  tensors.reserve(inputs.size());
  for (const Tensor& input : inputs) tensors.push_back(&input);
  std::vector<Tensor> results = call_program(executable, placement, tensors, types);
  if (op_recorders().empty()) return results;
  const CallBackwardFn backward_of =
      [self = shared_from_this(), kept = std::vector<Tensor>(inputs.begin(), inputs.end())](
          std::span<const Tensor> result_gradients, const std::vector<bool>& wanted) {
        return self->backward(kept, result_gradients, wanted);
      };
  for (const auto& recorder : op_recorders()) recorder->record_call(inputs, results, backward_of);
  return results;
}

std::shared_ptr<runtime::Executable> DifferentiableGraph::executable(const Placement& placement) {
  const std::lock_guard lock(mutex_);
  if (executable_ == nullptr || placement_ != placement) {
    const std::vector<runtime::ArgumentKind> kinds(function_->body.arguments().size(),
                                                   runtime::ArgumentKind::kFixed);
    executable_ = placement.client()->compile({.step = function_.get(),
                                               .arguments = kinds,
                                               .name = function_->name,
                                               .devices = placement.devices()});
    placement_ = placement;
  }
  return executable_;
}

const DifferentiableGraph::Derivative& DifferentiableGraph::derivative(const std::vector<bool>& wanted) {
  const std::lock_guard lock(mutex_);
  const auto found = derivatives_.find(wanted);
  return found != derivatives_.end() ? found->second
                                     : derivatives_.emplace(wanted, make_derivative(wanted)).first->second;
}

DifferentiableGraph::Derivative DifferentiableGraph::make_derivative(const std::vector<bool>& wanted) const {
  auto made = std::make_unique<ir::Function>();
  made->name = function_->name + "_gradient";
  ir::Builder builder(made->body);
  transform::ValueMap map;
  for (const ir::Value& argument : function_->body.arguments())
    map[argument] = made->body.add_argument(argument.type());
  std::vector<ir::Value> inputs(made->body.arguments().begin(), made->body.arguments().end());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!wanted[i]) inputs[i] = {};
  const std::vector<ir::Value> results = transform::clone_ops(builder, function_->body, map);
  std::vector<ir::Op*> ops;
  for (const auto& op : made->body.ops()) ops.push_back(op.get());
  std::vector<ir::Value> outputs, output_gradients;
  for (const ir::Value& result : results) {
    if (!ir::is_differentiable(result.dtype())) continue;
    outputs.push_back(result);
    output_gradients.push_back(made->body.add_argument(result.type()));
  }
  const std::vector<ir::Value> gradients =
      transform::vector_jacobian_product(builder, outputs, output_gradients, inputs, ops);
  Derivative derivative;
  std::vector<ir::Value> defined;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i]) continue;
    if (transform::is_constant_zero(gradients[i])) {
      derivative.zeros.push_back(i);
      continue;
    }
    defined.push_back(gradients[i]);
    derivative.inputs.push_back(i);
  }
  made->body.set_results(std::move(defined));
  derivative.graph = std::make_shared<DifferentiableGraph>(std::move(made));
  return derivative;
}

std::vector<Tensor> DifferentiableGraph::backward(std::span<const Tensor> inputs,
                                                  std::span<const Tensor> result_gradients,
                                                  const std::vector<bool>& wanted) {
  const Derivative& derivative = this->derivative(wanted);
  std::vector<Tensor> all(inputs.size());
  for (const std::size_t input : derivative.zeros) all[input] = zero_gradient();
  if (derivative.inputs.empty()) return all;
  std::vector<Tensor> arguments(inputs.begin(), inputs.end());
  const std::span<const ir::Value> results = function_->body.results();
  CORNU_CHECK(result_gradients.size() == results.size(), "{} gradients for {} results",
              result_gradients.size(), results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!ir::is_differentiable(results[i].dtype())) continue;
    const bool is_zero = !result_gradients[i].defined();
    arguments.push_back(is_zero ? Tensor::zeros(results[i].dims(), results[i].dtype()) : result_gradients[i]);
  }
  const std::vector<Tensor> gradients = derivative.graph->call(arguments);
  for (std::size_t i = 0; i < gradients.size(); ++i) all[derivative.inputs[i]] = gradients[i];
  return all;
}

}  // namespace cornu::inline v0::detail

#include "cornu/tensor/differentiable_graph.h"

#include "cornu/base/check.h"
#include "cornu/runtime/host_view.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/run_op.h"
#include "cornu/transform/gradient.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::detail {

std::vector<Tensor> execute(runtime::Executable& executable, std::span<runtime::Buffer* const> state,
                            std::span<runtime::Buffer* const> fixed, std::span<const TensorType> outputs) {
  constexpr std::size_t kOnStack = 16;
  std::byte* on_stack[kOnStack];
  std::vector<std::byte*> on_heap(outputs.size() > kOnStack ? outputs.size() : 0);
  std::byte** addresses = on_heap.empty() ? on_stack : on_heap.data();
  std::vector<Tensor> results;
  results.reserve(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::size_t size_bytes = outputs[i].size_bytes();
    auto memory = std::make_shared_for_overwrite<std::byte[]>(size_bytes == 0 ? 1 : size_bytes);
    addresses[i] = memory.get();
    results.push_back(Tensor::from_bytes(outputs[i], addresses[i], size_bytes, std::move(memory)));
  }
  executable.run({.state = state, .fixed = fixed, .outputs = {addresses, outputs.size()}});
  return results;
}

std::vector<Tensor> DifferentiableGraph::call(std::span<const Tensor> inputs) {
  std::vector<TensorType> types;
  for (const ir::Value& result : function_->body.results()) types.push_back(result.type());
  std::vector<runtime::HostView> views;
  std::vector<runtime::Buffer*> fixed;
  views.reserve(inputs.size());
  for (const Tensor& input : inputs) {
    views.emplace_back(input.type()).look_at(input.bytes());
    fixed.push_back(&views.back());
  }
  std::vector<Tensor> results = execute(executable(), {}, fixed, types);
  if (op_recorders().empty()) return results;
  const BackwardFn backward_of = [self = shared_from_this(), kept = std::vector<Tensor>(inputs.begin(), inputs.end())](
                                     std::span<const Tensor> result_gradients) { return self->backward(kept, result_gradients); };
  for (const auto& recorder : op_recorders()) recorder->record_call(inputs, results, backward_of);
  return results;
}

runtime::Executable& DifferentiableGraph::executable() {
  const std::lock_guard lock(mutex_);
  const std::shared_ptr<runtime::Client> client = default_client();
  if (executable_ == nullptr || client_ != client) {
    const std::vector<runtime::ArgumentKind> kinds(function_->body.arguments().size(), runtime::ArgumentKind::kFixed);
    executable_ = client->compile({function_.get(), kinds, function_->name});
    client_ = client;
  }
  return *executable_;
}

DifferentiableGraph& DifferentiableGraph::derivative() {
  const std::lock_guard lock(mutex_);
  if (derivative_ != nullptr) return *derivative_;
  auto made = std::make_unique<ir::Function>();
  made->name = function_->name + "_gradient";
  ir::Builder builder(made->body);
  transform::ValueMap map;
  for (const ir::Value& argument : function_->body.arguments()) map[argument] = made->body.add_argument(argument.type());
  const std::vector<ir::Value> inputs(made->body.arguments().begin(), made->body.arguments().end());
  const std::vector<ir::Value> results = transform::clone_ops(builder, function_->body, map);
  std::vector<ir::Op*> ops;
  for (const auto& op : made->body.ops()) ops.push_back(op.get());
  std::vector<ir::Value> outputs, output_gradients;
  for (const ir::Value& result : results) {
    if (!ir::is_float(result.dtype())) continue;
    outputs.push_back(result);
    output_gradients.push_back(made->body.add_argument(result.type()));
  }
  const std::vector<ir::Value> gradients = transform::vector_jacobian_product(builder, outputs, output_gradients, inputs, ops);
  std::vector<ir::Value> defined;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i]) continue;
    defined.push_back(gradients[i]);
    differentiated_.push_back(i);
  }
  made->body.set_results(std::move(defined));
  derivative_ = std::make_shared<DifferentiableGraph>(std::move(made));
  return *derivative_;
}

std::vector<Tensor> DifferentiableGraph::backward(std::span<const Tensor> inputs, std::span<const Tensor> result_gradients) {
  DifferentiableGraph& graph = derivative();
  std::vector<Tensor> arguments(inputs.begin(), inputs.end());
  const std::span<const ir::Value> results = function_->body.results();
  CORNU_CHECK(result_gradients.size() == results.size(), "{} gradients for {} results", result_gradients.size(), results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!ir::is_float(results[i].dtype())) continue;
    const bool is_zero = !result_gradients[i].defined();
    arguments.push_back(is_zero ? Tensor::zeros(results[i].dims(), results[i].dtype()) : result_gradients[i]);
  }
  const std::vector<Tensor> gradients = graph.call(arguments);
  std::vector<Tensor> all(inputs.size());
  for (std::size_t i = 0; i < gradients.size(); ++i) all[differentiated_[i]] = gradients[i];
  return all;
}

}  // namespace cornu::inline v0::detail

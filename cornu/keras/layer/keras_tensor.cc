#include "cornu/keras/layer/keras_tensor.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/undefined.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layer/layer_parts_support.h"
#include "cornu/keras/layer/node.h"

namespace cornu::inline v0::keras {

KerasTensor::KerasTensor(std::shared_ptr<const Node> node, std::size_t index)
    : node_(std::move(node)), index_(index) {
  if (node_ != nullptr && index_ >= node_->types.size())
    fail(ErrorCode::kOutOfRange, {.argument = "index"},
         "[keras tensor] the call has {} outputs; got index = {}", node_->types.size(), index_);
}

const Node& KerasTensor::node() const { return require_defined(node_, "keras tensor"); }
const TensorType& KerasTensor::type() const { return node().types[index_]; }
const std::string& KerasTensor::name() const { return node().names[index_]; }

bool KerasTensor::is_input() const { return node_ != nullptr && node_->inputs.empty(); }

std::string KerasTensor::str() const {
  if (!defined()) return "<KerasTensor empty>";
  return fmt::format("<KerasTensor shape={}, dtype={}, name={}>", shape_with_none_str(shape()),
                     ir::numpy_name(dtype()), name());
}

// Destroying a node may destroy those before it. The outermost destructor collects their inputs, so that the
// stack does not grow.
Node::~Node() {
  thread_local std::vector<KerasTensor>* to_release = nullptr;
  if (to_release != nullptr) {
    std::move(inputs.begin(), inputs.end(), std::back_inserter(*to_release));
    return;
  }
  std::vector<KerasTensor> pending = std::move(inputs);
  to_release = &pending;
  while (!pending.empty()) {
    const KerasTensor next = std::move(pending.back());
    pending.pop_back();
  }
  to_release = nullptr;
}

std::vector<KerasTensor> add_node(const std::shared_ptr<Layer>& layer, std::vector<KerasTensor> inputs,
                                  CallArguments arguments, std::vector<TensorType> types,
                                  std::vector<std::string> names) {
  auto node = std::make_shared<Node>();
  node->layer = layer;
  node->inputs = std::move(inputs);
  node->arguments = std::move(arguments);
  node->types = std::move(types);
  node->names = std::move(names);
  while (node->names.size() < node->types.size()) node->names.push_back(unique_name("keras_tensor"));
  node->index = layer->parts_->nodes.size();
  layer->parts_->nodes.emplace_back(node);
  std::vector<KerasTensor> outputs;
  outputs.reserve(node->types.size());
  for (std::size_t i = 0; i < node->types.size(); ++i) outputs.emplace_back(node, i);
  return outputs;
}

LayerHandle::LayerHandle(const KerasTensor& input)
    : Handle<Layer>(input.is_input() ? input.node().layer : nullptr) {
  if (!*this) invalid_argument("only a tensor of keras::Input stands for a layer; got {}", input.str());
}

std::vector<KerasTensor> Layer::call_many(std::span<const KerasTensor> inputs,
                                          const CallArguments& arguments) {
  std::shared_ptr<Layer> self = weak_from_this().lock();
  if (self == nullptr)
    fail(ErrorCode::kFailedPrecondition, {.layer = name_},
         "a functional model holds its layers: make the layer by std::make_shared or LayerOf to call it on a "
         "KerasTensor");
  std::vector<TensorType> types;
  for (const KerasTensor& input : inputs) {
    if (!input.defined()) invalid_argument({.layer = name_}, "an input is an empty KerasTensor");
    types.push_back(input.type());
  }
  if (types.empty()) invalid_argument({.layer = name_}, "the layer is called without inputs");
  std::vector<TensorType> outputs = call_types(types, arguments);
  return add_node(self, {inputs.begin(), inputs.end()}, arguments, std::move(outputs));
}

KerasTensor Layer::operator()(const std::vector<KerasTensor>& inputs, const CallArguments& arguments) {
  std::vector<KerasTensor> outputs = call_many(std::span<const KerasTensor>(inputs), arguments);
  if (outputs.size() != 1)
    invalid_argument({.layer = name_}, "the layer has {} outputs: use call_many()", outputs.size());
  return std::move(outputs[0]);
}

KerasTensor Layer::operator()(const KerasTensor& input, const CallArguments& arguments) {
  return (*this)(std::vector<KerasTensor>{input}, arguments);
}

std::vector<std::shared_ptr<const Node>> Layer::nodes() const {
  std::vector<std::shared_ptr<const Node>> held;
  for (const auto& node : parts_->nodes)
    if (auto one = node.lock()) held.push_back(std::move(one));
  return held;
}

std::shared_ptr<const Node> Layer::first_node() const {
  if (const auto held = nodes(); !held.empty()) return held[0];
  fail(ErrorCode::kFailedPrecondition, {.layer = name_},
       "the layer was not called on a KerasTensor, or nothing holds what it gave");
}

KerasTensor Layer::input() const {
  const std::shared_ptr<const Node> node = first_node();
  if (node->inputs.empty()) return {node, 0};
  if (node->inputs.size() > 1)
    invalid_argument({.layer = name_}, "the layer has {} inputs, not one", node->inputs.size());
  return node->inputs[0];
}

KerasTensor Layer::output() const {
  const std::shared_ptr<const Node> node = first_node();
  if (node->types.size() > 1)
    invalid_argument({.layer = name_}, "the layer has {} outputs, not one", node->types.size());
  return {node, 0};
}

}  // namespace cornu::inline v0::keras

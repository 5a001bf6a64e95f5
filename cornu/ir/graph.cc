#include "cornu/ir/graph.h"

#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ir {

Block::~Block() = default;

Value Block::add_argument(TensorType type) {
  check_type(type);
  const int index = static_cast<int>(arguments_.size());
  argument_nodes_.push_back({std::move(type), nullptr, this, index});
  arguments_.emplace_back(&argument_nodes_.back());
  return arguments_.back();
}

Op& Block::append(std::unique_ptr<Op> op) {
  op->block_ = this;
  for (detail::ValueNode& node : op->result_nodes_) node.block = this;
  ops_.push_back(std::move(op));
  return *ops_.back();
}

Op::Op(const OpDef& def, std::vector<Value> operands, Attributes attributes,
       std::vector<std::unique_ptr<Block>> regions, std::vector<TensorType> result_types)
    : def_(&def),
      operands_(std::move(operands)),
      attributes_(std::move(attributes)),
      regions_(std::move(regions)) {
  for (std::size_t i = 0; i < result_types.size(); ++i) {
    result_nodes_.push_back({std::move(result_types[i]), this, nullptr, static_cast<int>(i)});
    results_.emplace_back(&result_nodes_.back());
  }
  for (const auto& region : regions_) region->parent_ = this;
}

std::string_view Op::name() const { return def_->name; }

Function& Module::add_function(std::string name) {
  functions.push_back(std::make_unique<Function>());
  functions.back()->name = std::move(name);
  return *functions.back();
}

Function* Module::find(std::string_view name) const {
  for (const auto& function : functions)
    if (function->name == name) return function.get();
  return nullptr;
}

}  // namespace cornu::inline v0::ir

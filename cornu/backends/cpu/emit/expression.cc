#include "cornu/backends/cpu/emit/expression.h"

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {
namespace {

std::vector<std::int64_t> key_of(const IndexMap& map, bool compute) {
  std::vector<std::int64_t> key = {compute ? 1 : 0};
  for (const Index& index : map) {
    key.insert(key.end(), index.coefficients.begin(), index.coefficients.end());
    key.push_back(index.constant);
    for (const Index::Dynamic& d : index.dynamic) {
      key.push_back(reinterpret_cast<std::int64_t>(d.start.id()));
      key.push_back(d.max);
      const std::vector<std::int64_t> inner = key_of(d.map, false);
      key.push_back(static_cast<std::int64_t>(inner.size()));
      key.insert(key.end(), inner.begin(), inner.end());
    }
    key.push_back(-1);
  }
  return key;
}

}  // namespace

Address Expression::address(const PlanBuffer& buffer, const IndexMap& map) {
  Address out{{std::vector<std::int64_t>(group_.extents.size(), 0), 0}, {}};
  for (std::size_t d = 0; d < map.size(); ++d) {
    const std::int64_t stride = buffer.strides[d];
    for (std::size_t l = 0; l < map[d].coefficients.size(); ++l) out.position.coefficients[l] += stride * map[d].coefficients[l];
    out.position.constant += stride * map[d].constant;
    for (const Index::Dynamic& dynamic : map[d].dynamic) out.dynamic.push_back(add_offset(dynamic.start, dynamic.map, dynamic.max, stride));
  }
  return out;
}

int Expression::add_offset(ir::Value start, const IndexMap& map, std::int64_t max, std::int64_t stride) {
  Node node;
  node.kind = Node::Kind::kOffset;
  node.operands = {add(start, map, false)};
  node.value = start;
  node.max = max;
  node.stride = stride;
  nodes_.push_back(std::move(node));
  return static_cast<int>(nodes_.size()) - 1;
}

int Expression::add_load(ir::Value value, int buffer, Address address) {
  Node node;
  node.kind = Node::Kind::kLoad;
  node.value = value;
  node.buffer = buffer;
  node.address = std::move(address);
  nodes_.push_back(std::move(node));
  return static_cast<int>(nodes_.size()) - 1;
}

int Expression::add_row_load(ir::Value value, int row_argument, const IndexMap& map) {
  Node node;
  node.kind = Node::Kind::kRowLoad;
  node.value = value;
  node.buffer = row_argument;
  PlanBuffer plain{value.type(), ir::row_major_strides(value.dims()), Place::kArgument, 0, 0, true};
  plain.strides[0] = 0;  // the row comes from the step's indices
  node.address = address(plain, map);
  nodes_.push_back(std::move(node));
  return static_cast<int>(nodes_.size()) - 1;
}

int Expression::add(ir::Value value, const IndexMap& map, bool compute) {
  const bool scalar_constant = value.op() != nullptr && value.op()->name() == "constant" && value.type().num_elements() == 1;
  if (!compute && !scalar_constant) {
    for (const Store& store : group_.stores)
      if (store.value == value && group_.kind == GroupKind::kLoop && plan_.in_memory(value) && plan_.buffer_of.at(value) == store.buffer &&
          is_identity(map, group_.extents))
        compute = true;  // this loop makes it: stay in registers
  }
  const bool load = !compute && !scalar_constant && plan_.in_memory(value);
  auto key = std::pair(value.id(), key_of(map, !load));
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  int id = 0;
  if (load) {
    const int buffer = plan_.buffer_of.at(value);
    id = add_load(value, buffer, address(plan_.buffers[static_cast<std::size_t>(buffer)], map));
  } else {
    const ir::Op* op = value.op();
    CORNU_CHECK(op != nullptr, "an argument that is not in memory");
    if (scalar_constant) {
      Node node;
      node.kind = Node::Kind::kConstant;
      node.value = value;
      nodes_.push_back(std::move(node));
      id = static_cast<int>(nodes_.size()) - 1;
    } else if (op->name() == "iota") {
      Node node;
      node.kind = Node::Kind::kIota;
      node.value = value;
      const Index& index = map[static_cast<std::size_t>(op->attributes().get<std::int64_t>("iota_dimension"))];
      node.address.position = {index.coefficients, index.constant};
      CORNU_CHECK(index.dynamic.empty(), "iota behind a dynamic slice");
      nodes_.push_back(std::move(node));
      id = static_cast<int>(nodes_.size()) - 1;
    } else if (classify(*op) == OpClass::kView) {
      if (const std::optional<IndexMap> inner = operand_map(*op, map)) {
        id = add(op->operand(0), *inner, false);
      } else {
        const int buffer = plan_.buffer_of.at(op->operand(0));
        const PlanBuffer flat{{value.dtype(), {value.type().num_elements()}}, {1}, Place::kArena, 0, 0, true};
        id = add_load(op->operand(0), buffer,
                      address(flat, {linear_index(value.dims(), map, map.empty() ? 0 : map[0].coefficients.size())}));
      }
    } else {
      CORNU_CHECK(classify(*op) == OpClass::kElementwise, "{} is not computable in a loop", op->name());
      std::vector<int> operands;
      for (const ir::Value& operand : op->operands()) operands.push_back(add(operand, operand.rank() == 0 ? IndexMap{} : map, false));
      Node node;
      node.kind = Node::Kind::kOp;
      node.value = value;
      node.operands = std::move(operands);
      nodes_.push_back(std::move(node));
      id = static_cast<int>(nodes_.size()) - 1;
    }
  }
  known_.emplace(std::move(key), id);
  return id;
}

}  // namespace cornu::inline v0::backends::cpu

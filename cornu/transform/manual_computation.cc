#include "cornu/transform/manual_computation.h"

#include "cornu/base/check.h"
#include "cornu/ir/clone.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/replica_id/replica_id.h"
#include "cornu/transform/partition.h"
#include "cornu/transform/replicate.h"

namespace cornu::inline v0::transform {
namespace {

/// The types that the program declares, whose extents the readers add as "result_dims".
std::vector<ir::TensorType> infer_manual(const ir::InferContext& context) {
  if (context.regions.size() != 1)
    invalid_argument("there must be one region; got {}", context.regions.size());
  const ir::Block& body = *context.regions[0];
  if (body.arguments().size() != context.operands.size())
    invalid_argument("there are {} operands; the region takes {}", context.operands.size(),
                     body.arguments().size());
  for (const char* const name : {"in_shardings", "out_shardings", "manual_axes"})
    context.attributes.get<std::string>(name);
  const auto& extents = context.attributes.get<std::vector<std::int64_t>>("result_dims");
  std::vector<ir::TensorType> types;
  std::size_t next = 0;
  for (const ir::Value& result : body.results()) {
    const auto rank = static_cast<std::size_t>(result.rank());
    if (extents.size() - next < rank) invalid_argument("the region has other results than the op");
    ir::TensorType& type = types.emplace_back(ir::TensorType{.dtype = result.dtype(), .dims = {}});
    for (std::size_t d = 0; d < rank; ++d) type.dims.push_back(extents[next++]);
  }
  if (next != extents.size()) invalid_argument("the region has other results than the op");
  return types;
}

std::vector<ir::TensorType> infer_constraint(const ir::InferContext& context) {
  ops::check_operands(context, 1);
  context.attributes.get<std::string>("sharding");
  return {context.type(0)};
}

const ir::OpDef kManual = {.name = "sdy.manual_computation", .infer = infer_manual, .has_regions = true};
const ir::OpDef kConstraint = {.name = "sdy.sharding_constraint", .infer = infer_constraint};

std::vector<std::int64_t> ranks_of(std::span<const ir::Value> values) {
  std::vector<std::int64_t> ranks;
  for (const ir::Value& value : values) ranks.push_back(value.rank());
  return ranks;
}

/// The attributes of an op with the devices of collectives as replicas.
ir::Attributes local_attributes(const ir::Op& op) {
  ir::Attributes attributes = op.attributes();
  const ir::Attribute* const channel = attributes.find("channel_id");
  if (channel == nullptr) return attributes;
  const ir::Attribute* const global = attributes.find("use_global_device_ids");
  const ir::Attribute* const groups = attributes.find("replica_groups");
  // Groups of replicas, of which there is one, have one member; without a channel they are meant, too.
  const bool names_replica = groups != nullptr && std::get<ir::Literal>(*groups).type().num_elements() == 1;
  if (*channel == ir::Attribute(std::int64_t{0}) || names_replica)
    fail(ErrorCode::kUnimplemented,
         "[partition] [{}] in a manual computation must have a channel and name all devices", op.name());
  attributes.set("channel_id", std::int64_t{0});
  if (global != nullptr) attributes.set("use_global_device_ids", false);
  return attributes;
}

/// Appends the copy of an op for a replica, and maps its results.
void add_local_op(ir::Builder& builder, const ir::Op& op, ir::ValueMap& map);

std::unique_ptr<ir::Block> local_region(const ir::Block& block, ir::ValueMap map) {
  auto copy = std::make_unique<ir::Block>();
  for (const ir::Value& argument : block.arguments()) map[argument] = copy->add_argument(argument.type());
  ir::Builder builder(*copy);
  for (const auto& op : block.ops()) add_local_op(builder, *op, map);
  copy->set_results(ir::mapped(map, block.results()));
  return copy;
}

void add_local_op(ir::Builder& builder, const ir::Op& op, ir::ValueMap& map) {
  const ir::LocationScope location(builder, op.location());
  if (is_manual_computation(op))
    fail(ErrorCode::kUnimplemented,
         "[partition] a loop or a branch in a manual computation (shard_map) has another one");
  if (is_sharding_constraint(op)) {
    map[op.result()] = ir::mapped(map, op.operand(0));
  } else if (op.name() == "partition_id") {  // pattern: a device is a partition of one replica
    map[op.result()] = ops::replica_id(builder);
  } else if (op.name() == "replica_id") {
    map[op.result()] = ops::scalar(builder, ir::DType::kU32, 0);
  } else {
    std::vector<std::unique_ptr<ir::Block>> regions;
    for (const auto& region : op.regions()) regions.push_back(local_region(*region, map));
    const ir::Op& made =
        builder.create(op.def(), ir::mapped(map, op.operands()), local_attributes(op), std::move(regions));
    for (std::size_t i = 0; i < op.results().size(); ++i) map[op.result(i)] = made.result(i);
  }
}

}  // namespace

const ir::OpDef* find_sharding_op(std::string_view full_name) {
  for (const ir::OpDef* const op : {&kManual, &kConstraint})
    if (op->name == full_name) return op;
  return nullptr;
}

bool is_manual_computation(const ir::Op& op) { return &op.def() == &kManual; }
bool is_sharding_constraint(const ir::Op& op) { return &op.def() == &kConstraint; }

ManualShardings manual_shardings(const ir::Op& op, const ShardingReader& reader) {
  const auto text = [&](const char* name) -> const std::string& {
    return op.attributes().get<std::string>(name);
  };
  ManualShardings shardings{
      .axes = ShardingReader::manual_axes(text("manual_axes")), .operands = {}, .results = {}};
  shardings.operands = reader.shardings(text("in_shardings"), ranks_of(op.operands()), shardings.axes);
  shardings.results = reader.shardings(text("out_shardings"), ranks_of(op.results()), shardings.axes);
  return shardings;
}

LocalBody local_body(const ir::Block& body) {
  LocalBody local;
  local.segments.push_back(std::make_unique<ir::Block>());
  ir::ValueMap map;
  for (const ir::Value& argument : body.arguments())
    map[argument] = local.segments[0]->add_argument(argument.type());
  for (const auto& op : body.ops()) {
    if (is_manual_computation(*op)) {
      local.nested.push_back({.op = op.get(), .operands = ir::mapped(map, op->operands())});
      local.segments.push_back(std::make_unique<ir::Block>());
      continue;
    }
    ir::Builder builder(*local.segments.back());
    add_local_op(builder, *op, map);
  }
  local.results = ir::mapped(map, body.results());
  return local;
}

}  // namespace cornu::inline v0::transform

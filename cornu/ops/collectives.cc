#include "cornu/ops/collectives.h"

#include "cornu/base/check.h"
#include "cornu/ir/clone.h"
#include "cornu/ir/print.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::ops {

ReplicaGroups all_replicas(std::int64_t count) { return {.groups = {counting(count)}}; }

ir::Attributes group_attributes(const ReplicaGroups& groups) {
  const std::size_t size = groups.groups.empty() ? 0 : groups.groups[0].size();
  std::vector<std::int64_t> values;
  for (const ir::Dims& group : groups.groups) {
    if (group.size() != size)
      invalid_argument("replica groups must have one length; got {} and {}", size, group.size());
    values.insert(values.end(), group.begin(), group.end());
  }
  const ir::Dims dims = {static_cast<std::int64_t>(groups.groups.size()), static_cast<std::int64_t>(size)};
  return {{"replica_groups", ir::Literal::of<std::int64_t>(dims, values)},
          {"channel_id", groups.channel_id},
          {"use_global_device_ids", groups.use_global_device_ids}};
}

ReplicaGroups replica_groups(const ir::Attributes& attributes) {
  const auto& matrix = attributes.get<ir::Literal>("replica_groups");
  if (matrix.type().dtype != ir::DType::kI64 || matrix.type().rank() != 2 ||
      matrix.type().num_elements() == 0)
    invalid_argument("replica_groups must be an i64 matrix with a row a group; got {}", matrix.type().str());
  ReplicaGroups groups{.groups = {},
                       .channel_id = attributes.get<std::int64_t>("channel_id"),
                       .use_global_device_ids = attributes.get<bool>("use_global_device_ids")};
  const auto size = static_cast<std::size_t>(matrix.type().dims[1]);
  const std::span<const std::int64_t> values = matrix.data<std::int64_t>();
  for (std::size_t i = 0; i < values.size(); i += size)
    groups.groups.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(i),
                               values.begin() + static_cast<std::ptrdiff_t>(i + size));
  return groups;
}

ReplicaGroups checked_groups(const ir::Attributes& attributes, const GroupLabels& labels) {
  ReplicaGroups groups = replica_groups(attributes);
  const std::size_t count = groups.groups.size() * groups.groups[0].size();
  std::vector<bool> seen(count);
  for (const ir::Dims& group : groups.groups)
    for (const std::int64_t replica : group) {
      if (replica < 0 || std::cmp_greater_equal(replica, count))
        invalid_argument("({}) replica_groups must number replicas from 0 to {}; got {}", labels.range,
                         count - 1, replica);
      if (seen[static_cast<std::size_t>(replica)])
        invalid_argument("({}) replica_groups must name each replica once; got {} twice", labels.unique,
                         replica);
      seen[static_cast<std::size_t>(replica)] = true;
    }
  if (labels.global != nullptr && groups.use_global_device_ids && groups.channel_id <= 0)
    invalid_argument("({}) use_global_device_ids needs a channel_id above 0; got {}", labels.global,
                     groups.channel_id);
  return groups;
}

std::string print_channel(const ir::Op& op) {
  const auto channel = op.attributes().get<std::int64_t>("channel_id");
  return channel <= 0
             ? ""
             : fmt::format("channel_handle = #stablehlo.channel_handle<handle = {}, type = 1>, ", channel);
}

std::string print_groups(const ir::Op& op) {
  const auto& matrix = op.attributes().get<ir::Literal>("replica_groups");
  return fmt::format("{}replica_groups = {} : {}{}", print_channel(op), ir::dense_str(matrix),
                     matrix.type().str(),
                     op.attributes().get<bool>("use_global_device_ids") ? ", use_global_device_ids" : "");
}

std::int64_t read_channel(ir::OpAttributes& text) {
  ir::OpAttributes handle = text.inside({"channel_handle"});
  handle.ignore({"type"});
  return std::max<std::int64_t>(handle.integer({"handle"}, 0), 0);
}

ir::Attributes read_groups(ir::OpAttributes& text) {
  return {{"replica_groups", text.literal({"replica_groups"})},
          {"channel_id", read_channel(text)},
          {"use_global_device_ids", text.boolean({"use_global_device_ids"}, false)}};
}

std::vector<ir::Literal> run_alone(const ir::ReferenceContext& context) {
  const std::size_t members = replica_groups(context.op.attributes()).groups[0].size();
  if (members > 1)
    fail(ErrorCode::kUnimplemented,
         "[{}] one replica runs here, and replica_groups put {} together: the program is for several devices",
         context.op.name(), members);
  return {context.operands.begin(), context.operands.end()};
}

std::vector<ir::Value> add_scalars(ir::Builder& builder, std::span<const ir::Value> values) {
  return {add(builder, values[0], values[1])};
}

ir::Value combine_by(ir::Builder& builder, const ir::Block& body, ir::Value x, ir::Value y) {
  ir::ValueMap map = {{body.arguments()[0], x}, {body.arguments()[1], y}};
  for (const auto& op : body.ops()) {
    if (is_constant(op->result())) {
      const ir::Op& scalar = ir::clone_op(builder, *op, map);
      map[op->result()] = broadcast_scalar(builder, scalar.result(), x.dims());
      continue;
    }
    if (!op->def().elementwise || !op->regions().empty())
      fail(ErrorCode::kUnimplemented,
           "a collective's body cannot hold [{}]: it does not work element by element", op->name());
    ir::clone_op(builder, *op, map);
  }
  const ir::Value result = ir::mapped(map, body.results()[0]);
  if (result.type() != x.type())
    fail(ErrorCode::kUnimplemented, "a collective's body must not use values from outside");
  return result;
}

}  // namespace cornu::inline v0::ops

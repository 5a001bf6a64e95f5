#include "cornu/ops/collectives.h"

#include <algorithm>
#include <set>

#include "cornu/base/check.h"
#include "cornu/ir/clone.h"
#include "cornu/ir/print.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::ops {
namespace {

constexpr std::int64_t kNoReplica = -1;  // ends a row that is shorter than others
constexpr const char* kNumPartitions = "num_partitions";
constexpr const char* kHasDynamicRoot = "has_dynamic_root";

}  // namespace

ReplicaGroups all_replicas(std::int64_t count) { return {.groups = {counting(count)}}; }

ir::Attributes group_attributes(const ReplicaGroups& groups) {
  std::size_t size = 0;
  for (const ir::Dims& group : groups.groups) size = std::max(size, group.size());
  std::vector<std::int64_t> values;
  for (const ir::Dims& group : groups.groups) {
    values.insert(values.end(), group.begin(), group.end());
    values.insert(values.end(), size - group.size(), kNoReplica);
  }
  const ir::Dims dims = {static_cast<std::int64_t>(groups.groups.size()), static_cast<std::int64_t>(size)};
  ir::Attributes attributes{{"replica_groups", ir::Literal::of<std::int64_t>(dims, values)},
                            {"channel_id", groups.channel_id},
                            {"use_global_device_ids", groups.use_global_device_ids}};
  if (groups.num_partitions > 1) attributes.set(kNumPartitions, groups.num_partitions);
  return attributes;
}

ReplicaGroups replica_groups(const ir::Attributes& attributes) {
  const auto& matrix = attributes.get<ir::Literal>("replica_groups");
  if (matrix.type().dtype != ir::DType::kI64 || matrix.type().rank() != 2 ||
      matrix.type().num_elements() == 0)
    invalid_argument("replica_groups must be an i64 matrix with a row a group; got {}", matrix.type().str());
  ReplicaGroups groups{.groups = {},
                       .channel_id = attributes.get<std::int64_t>("channel_id"),
                       .use_global_device_ids = attributes.get<bool>("use_global_device_ids")};
  if (attributes.find(kNumPartitions) != nullptr)
    groups.num_partitions = attributes.get<std::int64_t>(kNumPartitions);
  const auto size = static_cast<std::size_t>(matrix.type().dims[1]);
  const std::span<const std::int64_t> values = matrix.data<std::int64_t>();
  for (std::size_t i = 0; i < values.size(); i += size) {
    const std::span<const std::int64_t> row = values.subspan(i, size);
    std::size_t members = size;
    while (members > 0 && row[members - 1] == kNoReplica) --members;
    if (members == 0) invalid_argument("each row of replica_groups must name a replica");
    groups.groups.emplace_back(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(members));
  }
  return groups;
}

ReplicaGroups checked_groups(const ir::Attributes& attributes, const GroupLabels& labels) {
  ReplicaGroups groups = replica_groups(attributes);
  std::size_t count = 0;
  for (const ir::Dims& group : groups.groups) {
    count += group.size();
    if (!labels.are_ragged && group.size() != groups.groups[0].size())
      invalid_argument("replica groups must have one length; got {} and {}", groups.groups[0].size(),
                       group.size());
  }
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

void read_partitions(ir::Attributes& attributes, std::int64_t whole, std::int64_t part) {
  const auto& matrix = attributes.get<ir::Literal>("replica_groups");
  if (attributes.get<std::int64_t>("channel_id") <= 0 || attributes.get<bool>("use_global_device_ids") ||
      matrix.type().rank() != 2 || matrix.type().dims[1] < 1 || part < 1)
    return;
  const std::int64_t members = matrix.type().dims[1];
  if (whole % part == 0 && whole / part % members == 0 && whole / part / members > 1)
    attributes.set(kNumPartitions, whole / part / members);
}

bool has_dynamic_root(const ir::Attributes& attributes) {
  const ir::Attribute* const found = attributes.find(kHasDynamicRoot);
  return found != nullptr && std::get<bool>(*found);
}

std::vector<ir::TensorType> data_types(const ir::InferContext& context, const char* label) {
  std::vector<ir::TensorType> types;
  for (const ir::Value& operand : context.operands) types.push_back(operand.type());
  const bool has_root = has_dynamic_root(context.attributes);
  if (types.size() < (has_root ? 2 : 1)) invalid_argument("({}) there must be an input", label);
  if (!has_root) return types;
  const ir::TensorType root = types.back();
  types.pop_back();
  if (root != ir::TensorType{ir::DType::kI32, {static_cast<std::int64_t>(types.size())}})
    invalid_argument("({}) the roots must be an i32 vector with a number for each of {} inputs; got {}",
                     label, types.size(), root.str());
  return types;
}

std::string print_rooted_groups(const ir::Op& op) {
  return print_groups(op) + (has_dynamic_root(op.attributes()) ? ", has_dynamic_root" : "");
}

ir::Attributes read_rooted_groups(ir::OpAttributes& text) {
  ir::Attributes attributes = read_groups(text);
  if (text.boolean({kHasDynamicRoot}, false)) attributes.set(kHasDynamicRoot, true);
  return attributes;
}

void check_some_groups(const ir::Attributes& attributes, const char* unique, const char* range) {
  std::set<std::int64_t> seen;
  for (const ir::Dims& group : replica_groups(attributes).groups)
    for (const std::int64_t replica : group) {
      if (replica < 0) invalid_argument("({}) replicas are numbered from 0; got {}", range, replica);
      if (!seen.insert(replica).second)
        invalid_argument("({}) replica_groups must name each replica once; got {} twice", unique, replica);
    }
}

std::vector<ir::Literal> run_replica_0(const ir::ReferenceContext& context) {
  const ReplicaGroups groups = replica_groups(context.op.attributes());
  if (groups.groups.size() > 1 || groups.groups[0] != ir::Dims{0})
    fail(ErrorCode::kUnimplemented,
         "[{}] one replica runs here, and replica_groups name others: the program is for several devices",
         context.op.name());
  std::span<const ir::Literal> data = context.operands;
  if (has_dynamic_root(context.op.attributes())) {
    for (const std::int32_t root : data.back().data<std::int32_t>())
      if (root != 0)
        invalid_argument("[{}] a root must be a member of the group, which has one; got {}",
                         context.op.name(), root);
    data = data.first(data.size() - 1);
  }
  return {data.begin(), data.end()};
}

std::vector<ir::Literal> run_alone(const ir::ReferenceContext& context) {
  const ReplicaGroups groups = replica_groups(context.op.attributes());
  std::size_t members = 0;
  for (const ir::Dims& group : groups.groups) members = std::max(members, group.size());
  members *= static_cast<std::size_t>(groups.num_partitions);
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

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/operands.h"

/// Parts that the collectives share: ops whose results depend on other replicas of the program.
///
/// A program of N replicas is one graph that N devices run, each on arguments of its own; there is one
/// partition. transform::replicate defines the collectives' meaning. Their reference kernels support one
/// replica: they run where no group has a second member, and report an error elsewhere.
/// Gradients are those of the sum of all replicas' losses.
namespace cornu::inline v0::ops {

/// Replicas that work together.
struct ReplicaGroups {
  /// A row a group; all_reduce and collective_reduce take rows of several lengths. Their order is that in which
  /// results are put together.
  std::vector<ir::Dims> groups;
  /// Above 0: the devices communicate on this channel. Groups then count devices across partitions.
  std::int64_t channel_id = 0;
  bool use_global_device_ids = false;
  /// Partitions of each replica that take part: above 1 only for an all_gather or a reduce_scatter on a channel
  /// whose result is made of parts of several partitions.
  std::int64_t num_partitions = 1;
};

/// One group: 0, 1, ..., count - 1.
ReplicaGroups all_replicas(std::int64_t count);

/// The attributes replica_groups, channel_id, use_global_device_ids and, if there are several partitions,
/// num_partitions. Rows that are shorter than others end in -1.
ir::Attributes group_attributes(const ReplicaGroups& groups);
/// Back from attributes.
/// Errors: InvalidArgument when replica_groups is no i64 matrix of at least one element, or when a row names no
///         replica.
ReplicaGroups replica_groups(const ir::Attributes& attributes);

/// Names of constraints, for check_groups; null: the op has none.
struct GroupLabels {
  const char* unique;
  const char* range;
  const char* global;
  /// True if groups may differ in their number of members.
  bool are_ragged = false;
};
/// The groups, checked: each replica is in one.
/// Errors: InvalidArgument, with labels, when one comes twice, is negative or not below their number,
///         when global ids are asked for without a channel, or when groups differ in size and may not.
ReplicaGroups checked_groups(const ir::Attributes& attributes, const GroupLabels& labels);

/// The text of group_attributes, e.g. "replica_groups = dense<0> : tensor<1x1xi64>".
std::string print_groups(const ir::Op& op);
std::string print_channel(const ir::Op& op);
/// group_attributes as the text gives them.
ir::Attributes read_groups(ir::OpAttributes& text);
/// The channel's number, 0 where none is given.
std::int64_t read_channel(ir::OpAttributes& text);
/// Sets num_partitions if `whole`, an extent, has more parts of extent `part` than a group has members: on a
/// channel all partitions of a group's replicas take part, whose number only the program's types show.
void read_partitions(ir::Attributes& attributes, std::int64_t whole, std::int64_t part);

/// The operands, which are what a replica that is alone gets.
/// Errors: Unimplemented where a group has several members.
std::vector<ir::Literal> run_alone(const ir::ReferenceContext& context);
/// The same for ops whose groups may leave replicas out: the operands of replica 0, which must be a group of its
/// own, without the root's number if has_dynamic_root is set.
/// Errors: Unimplemented if other replicas are named, InvalidArgument if the root is another one.
std::vector<ir::Literal> run_replica_0(const ir::ReferenceContext& context);

/// The attribute has_dynamic_root: the last operand has the number of the root, counted in its group, for each
/// other operand.
bool has_dynamic_root(const ir::Attributes& attributes);
/// The types of the operands that are data.
/// Errors: InvalidArgument, with the label, if there is none or the root's numbers are no i32 vector, one for each
///         of them.
std::vector<ir::TensorType> data_types(const ir::InferContext& context, const char* label);
/// print_groups with has_dynamic_root, and the attributes as the text gives them.
std::string print_rooted_groups(const ir::Op& op);
ir::Attributes read_rooted_groups(ir::OpAttributes& text);
/// Checks the groups of an op that may leave replicas out.
/// Errors: InvalidArgument, with labels, when a replica is in them twice or is negative.
void check_some_groups(const ir::Attributes& attributes, const char* unique, const char* range);

/// The definition of an op without operands that returns the number of a replica or partition: 0 for one that
/// is alone.
constexpr ir::OpDef define_number(std::string_view name) {
  return {.name = name,
          .infer =
              [](const ir::InferContext& context) {
                check_operands(context, 0);
                return std::vector{ir::TensorType{ir::DType::kU32, {}}};
              },
          .gradient = [](const ir::GradientContext&) { return std::vector<ir::Value>(); },
          .reference =
              [](const ir::ReferenceContext& context) {
                return std::vector{ir::Literal(context.op.result().type())};
              }};
}

/// The body of a sum of scalars.
std::vector<ir::Value> add_scalars(ir::Builder& builder, std::span<const ir::Value> values);

/// result = body(x, y), element by element, for a body of two scalars.
/// Errors: Unimplemented for a body of ops that do not work element by element.
ir::Value combine_by(ir::Builder& builder, const ir::Block& body, ir::Value x, ir::Value y);

}  // namespace cornu::inline v0::ops

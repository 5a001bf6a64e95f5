#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

/// What collectives are among replicas that are parts of one graph, for replicate. The rules stand in the
/// ops' folders (cornu/ops/x/x_replica_rule.cc); here is what they are made of.
namespace cornu::inline v0::transform {

/// One collective of a program, as all its replicas see it.
struct ReplicaRuleContext {
  ir::Builder& builder;
  const ir::Op& op;
  /// Of each replica.
  std::span<const std::vector<ir::Value>> operands;
  /// Above 1: each process has so many replicas as there are operands, and the graph is what one of them
  /// runs, see inline_replicas. Only rules that say so get this.
  std::int64_t num_processes = 1;

  std::int64_t num_replicas() const { return static_cast<std::int64_t>(operands.size()); }
  ir::Value operand(std::int64_t replica, std::size_t i) const {
    return operands[static_cast<std::size_t>(replica)][i];
  }
};

/// Of each replica, its results.
using ReplicaResults = std::vector<std::vector<ir::Value>>;

struct ReplicaRule {
  std::string_view op;  // its name
  ReplicaResults (*of)(const ReplicaRuleContext& context) = nullptr;
  /// How often its operands go round a ring of replicas: once to gather them, twice to add them up in
  /// parts and to gather the sums.
  int num_rounds = 1;
  /// Whether it knows what to do where replicas are in several processes;
  /// for all others what they have is gathered.
  bool knows_processes = false;
};

/// Every rule; generated from the folders.
std::span<const ReplicaRule> all_replica_rules();

/// The rule of an op; null: its results follow from its own replica's operands.
const ReplicaRule* find_replica_rule(const ir::Op& op);

// What rules are made of.

inline std::size_t as_index(std::int64_t replica) { return static_cast<std::size_t>(replica); }

/// Groups of replicas, of an op that names all of them.
/// Errors: InvalidArgument when it names more or fewer than there are.
std::vector<ir::Dims> groups_of_all(const ReplicaRuleContext& c);
/// Groups of replicas, of an op that a channel above 0 makes one of partitions, of which there is one:
/// then each replica is a group of its own.
/// Errors: InvalidArgument when a replica or partition does not exist.
std::vector<ir::Dims> groups_of_some(const ReplicaRuleContext& c, std::vector<ir::Dims> groups);

/// Part i of `count` equal ones along a dimension.
ir::Value part_of(ir::Builder& builder, ir::Value x, std::int64_t dimension, std::int64_t i,
                  std::int64_t count);

/// Operand i of a group's members, combined by the op's body in a binary tree: pairs of neighbours first,
/// then pairs of the results, and so on. So 2^k members in a row, from a multiple of 2^k on, are a subtree: a
/// process that combines its own first changes no bit.
ir::Value combined(const ReplicaRuleContext& c, const ir::Dims& group, std::size_t i);

/// One value of each replica of this process becomes one of each replica of all processes, which send them to
/// each other; in the order of their numbers.
std::vector<ir::Value> gathered_from_processes(const ReplicaRuleContext& context, std::vector<ir::Value> own);

/// Applies `of`, a rule that knows no processes, where there are several: each process gathers the operands
/// of all replicas, applies the rule, and takes the results of its own replicas.
ReplicaResults gathered_from_processes(const ReplicaRuleContext& context,
                                       ReplicaResults (*of)(const ReplicaRuleContext& context));

}  // namespace cornu::inline v0::transform

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

/// Rules that lower collectives among replicas of one graph, for replicate: their type and building blocks.
/// The rules are in the ops' folders, see op_rules.h.
namespace cornu::inline v0::transform {

/// One collective of a program with the operands of all its replicas.
struct ReplicaRuleContext {
  ir::Builder& builder;
  const ir::Op& op;
  /// The operands of each replica.
  std::span<const std::vector<ir::Value>> operands;
  /// If above 1, each process has as many replicas as there are operand lists, and the graph is the program
  /// of one process, see inline_replicas. Only rules with supports_processes receive this.
  std::int64_t num_processes = 1;

  std::int64_t num_replicas() const { return static_cast<std::int64_t>(operands.size()); }
  ir::Value operand(std::int64_t replica, std::size_t i) const {
    return operands[static_cast<std::size_t>(replica)][i];
  }
};

/// The results of each replica.
using ReplicaResults = std::vector<std::vector<ir::Value>>;

struct ReplicaRule {
  /// Null for a composite whose decomposition contains collectives: the decomposition is replicated.
  ReplicaResults (*of)(const ReplicaRuleContext& context) = nullptr;
  /// Rounds of its operands in a ring of replicas: one to gather them; two to sum them in parts and to gather
  /// the sums.
  int num_rounds = 1;
  /// True if each replica cuts its operands into a part for each replica, and keeps one of them.
  bool sends_parts = false;
  /// True if the rule supports replicas in several processes. For all other rules the operands of all
  /// processes are gathered first.
  bool supports_processes = false;
  /// Composites: the op's values among processes with one replica each, which may contain collectives; empty,
  /// or null: the decomposition's. `outer` makes values available from which operands are computed.
  std::vector<ir::Value> (*of_processes)(ir::Builder& builder, const ir::Op& op,
                                         std::span<const ir::Value> operands,
                                         const std::function<ir::Value(ir::Value)>& outer) = nullptr;
  /// Composites: true if backends run the op itself among processes with one replica each; then it is not
  /// decomposed. Null: false.
  bool (*runs_among_processes)(const ir::Op& op) = nullptr;
};

/// The rule of an op; null if each replica's results depend only on its own operands.
const ReplicaRule* find_replica_rule(const ir::Op& op);

// Building blocks of rules.

inline std::size_t as_index(std::int64_t replica) { return static_cast<std::size_t>(replica); }

/// The groups of replicas of an op that must list all of them.
/// Errors: InvalidArgument if it lists more or fewer.
std::vector<ir::Dims> groups_of_all(const ReplicaRuleContext& c);
/// The groups of replicas of an op that may leave some out, on a channel too.
/// Errors: InvalidArgument if a replica does not exist.
std::vector<ir::Dims> groups_of_replicas(const ReplicaRuleContext& c);
/// The groups of replicas of an op. A channel above 0 makes the groups refer to partitions, of which there is
/// only one: then each replica is a group of its own.
/// Errors: InvalidArgument if a replica or partition does not exist.
std::vector<ir::Dims> groups_of_some(const ReplicaRuleContext& c, std::vector<ir::Dims> groups);

/// Part i of `count` equal parts along a dimension.
ir::Value part_of(ir::Builder& builder, ir::Value x, std::int64_t dimension, std::int64_t i,
                  std::int64_t count);

/// Zeros for replicas without results.
void fill_with_zeros(const ReplicaRuleContext& c, ReplicaResults& results);

/// Element i of an op's last operand on a replica, a vector with the roots' numbers, as a scalar.
ir::Value root_of(const ReplicaRuleContext& c, std::int64_t replica, std::size_t i);

/// Operand i of the member of a group whose number, counted from 0, is the scalar `number`; the nearest one
/// if there is none.
ir::Value of_member(const ReplicaRuleContext& c, const ir::Dims& group, std::size_t i, ir::Value number);

/// Combines operand i of a group's members by the op's body in a binary tree: pairs of neighbours first, then
/// pairs of the results, and so on. 2^k consecutive members, starting at a multiple of 2^k, are a subtree, so
/// a process may combine its own members first without changing a bit.
ir::Value combined(const ReplicaRuleContext& c, const ir::Dims& group, std::size_t i);

/// Gathers one value of each replica from all processes, in the order of the replicas' numbers.
std::vector<ir::Value> gathered_from_processes(const ReplicaRuleContext& context, std::vector<ir::Value> own);

/// Applies `of`, a rule without support for processes, to several processes: each process gathers the
/// operands of all replicas, applies the rule, and keeps the results of its own replicas.
ReplicaResults gathered_from_processes(const ReplicaRuleContext& context,
                                       ReplicaResults (*of)(const ReplicaRuleContext& context));

}  // namespace cornu::inline v0::transform

#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "cornu/ir/op_def.h"
#include "cornu/transform/replica_rules.h"
#include "cornu/transform/row_rules.h"

namespace cornu::inline v0::transform {

/// Rules of one op for graph transformations. They are in the ops' folders (cornu/ops/x/x_rule.cc).
struct OpRule {
  std::string_view op;  // the op's name
  /// The op's part in BatchDependenceAnalysis.
  std::optional<RowRule> rows = std::nullopt;
  /// Collectives only: the plain ops that replace it in a graph of several replicas.
  std::optional<ReplicaRule> replicas = std::nullopt;
};

/// All rules; generated from the folders.
std::span<const OpRule> all_op_rules();

/// The rules of an op; null if its folder has none.
const OpRule* find_op_rule(const ir::Op& op);

}  // namespace cornu::inline v0::transform

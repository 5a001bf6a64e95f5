#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cornu/ir/op_def.h"
#include "cornu/transform/row_dependence.h"

/// The rules of single ops, for RowAnalysis.
namespace cornu::inline v0::transform {

struct RowRuleContext {
  const ir::Op& op;
  std::span<const RowDependence> operands;
  std::int64_t batch;
};

/// Of an op's results, from its operands'; `context.op` has neither loops nor branches and is no composite, unless an elementwise one.
std::vector<RowDependence> row_dependence_of(const RowRuleContext& context);

/// Of a value that is one or the other.
RowDependence either(const RowDependence& a, const RowDependence& b, const ir::Op& op);

/// What an op does that puts rows together.
RowDependence mixed_by(const ir::Op& op);

}  // namespace cornu::inline v0::transform

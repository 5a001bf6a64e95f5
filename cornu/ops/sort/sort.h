#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Builds a sort's comparator: gets 2N scalars (lhs and rhs of each input in turn), returns the i1 "lhs comes
/// first".
using Comparator = std::function<ir::Value(ir::Builder&, std::span<const ir::Value>)>;

struct SortOptions {  // options/ops.toml
  /// Dimension along which lines are sorted; negative: from the end.
  std::int64_t dimension = -1;
  /// True: equal elements keep their order.
  bool is_stable = true;
};

/// Sorts the lines along one dimension; several inputs are permuted together.
///
/// Semantics: each line is ordered so that no element precedes one that the comparator puts before it.
/// Shapes:    inputs: N tensors of one shape; results: as inputs.
/// Types:     any.
/// Errors:    InvalidArgument when (C1) there is no input, (C3) shapes differ, (C4) dimension is outside
///            [-rank, rank), (C5) the comparator does not map two scalars an input to an i1. ((C2) holds by
///            inference.)
/// Gradient:  each gradient goes back to where its element came from, by sorting it by the permutation.
/// Source:    StableHLO specification, sort.
std::vector<ir::Value> sort(ir::Builder& builder, std::vector<ir::Value> inputs, const Comparator& comparator,
                            SortOptions options = {});

/// One tensor, ascending (or descending) by <; where NaN goes is not defined.
ir::Value sort_ascending(ir::Builder& builder, ir::Value x, std::int64_t dimension = -1);
ir::Value sort_descending(ir::Builder& builder, ir::Value x, std::int64_t dimension = -1);

namespace sort_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops

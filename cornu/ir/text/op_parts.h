#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/ir/text/syntax.h"

namespace cornu::inline v0::ir::text {

/// Ops of Shardy. Their layouts of devices have no effect on a program for one device: if ParseOptions' FindOp
/// does not have them, a constraint is its operand, and a manual computation is refused.
inline constexpr std::string_view kMesh = "sdy.mesh", kShardingConstraint = "sdy.sharding_constraint",
                                  kManualComputation = "sdy.manual_computation", kShardyReturn = "sdy.return";

inline constexpr std::string_view kTuple = "stablehlo.tuple",
                                  kGetTupleElement = "stablehlo.get_tuple_element";
/// The attribute with the extents of a manual computation's results, one after the other: they follow from the
/// mesh, which the op's shape rule does not have.
inline constexpr std::string_view kResultDims = "result_dims";
inline constexpr std::string_view kCustomCall = "stablehlo.custom_call";

/// An op as read from text or bytecode, before its definition interprets it.
struct OpParts {
  std::string name;          // "stablehlo.add"
  std::size_t position = 0;  // of the op in the source
  std::vector<Value> operands;
  std::vector<std::unique_ptr<Block>> regions;
  Syntax fields;              // attributes by name
  std::vector<Syntax> loose;  // attributes without a name
  std::vector<TensorType> result_types;
  bool has_result_types = false;  // as declared: none or all of them
};

}  // namespace cornu::inline v0::ir::text

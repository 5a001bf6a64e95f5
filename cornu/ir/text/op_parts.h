#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/ir/text/syntax.h"

namespace cornu::inline v0::ir::text {

/// Ops of Shardy. Their layouts of devices mean nothing for a program that runs on one: a mesh is skipped, and a
/// constraint is its operand.
inline constexpr std::string_view kMesh = "sdy.mesh", kShardingConstraint = "sdy.sharding_constraint";

inline constexpr std::string_view kTuple = "stablehlo.tuple",
                                  kGetTupleElement = "stablehlo.get_tuple_element";
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

#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "cornu/ir/builder.h"

/// Copies of ops and blocks, and the values captured by regions; for gradient rules and passes.
namespace cornu::inline v0::ir {

/// Maps values of the original to values of the copy. A value that is not in it is its own copy (a region
/// uses outer values).
using ValueMap = std::unordered_map<Value, Value, ValueHash>;

/// The copy of a value: the mapped one, or itself.
Value mapped(const ValueMap& map, Value value);
std::vector<Value> mapped(const ValueMap& map, std::span<const Value> values);

/// Appends a copy of `op` (regions too) with mapped operands, keeps its location, and maps its results.
Op& clone_op(Builder& builder, const Op& op, ValueMap& map);

/// Appends copies of the block's ops and returns the mapped results; its arguments must be mapped already.
std::vector<Value> clone_ops(Builder& builder, const Block& block, ValueMap& map);

/// Appends copies of only the ops that `wanted`, values of the block, need; returns the copies of `wanted`.
std::vector<Value> clone_needed_ops(Builder& builder, const Block& block, std::span<const Value> wanted,
                                    ValueMap& map);

/// A copy of a region with arguments of its own; outer values are mapped.
std::unique_ptr<Block> clone_block(const Block& block, const ValueMap& outer = {});

/// The ops of a block that `wanted` need, in order.
std::vector<const Op*> needed_ops(const Block& block, std::span<const Value> wanted);

/// The outer values that the op's regions use, each once, in order of use.
std::vector<Value> captured_values(const Op& op);

}  // namespace cornu::inline v0::ir

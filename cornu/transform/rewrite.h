#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "cornu/ir/builder.h"

/// Copies of ops, blocks and functions; what passes are made of.
namespace cornu::transform {

/// From values of the original to values of the copy. A value that is not in it stands for itself (a region that uses values from outside).
using ValueMap = std::unordered_map<ir::Value, ir::Value, ir::ValueHash>;

/// The copy of a value: the mapped one, or itself.
ir::Value mapped(const ValueMap& map, ir::Value value);
std::vector<ir::Value> mapped(const ValueMap& map, std::span<const ir::Value> values);

/// Appends a copy of `op` (regions too) with mapped operands, keeps its location, and maps its results.
ir::Op& clone_op(ir::Builder& builder, const ir::Op& op, ValueMap& map);

/// Appends copies of the block's ops and returns the mapped results; its arguments must be mapped already.
std::vector<ir::Value> clone_ops(ir::Builder& builder, const ir::Block& block, ValueMap& map);

/// A copy of a region with arguments of its own; values from outside are mapped.
std::unique_ptr<ir::Block> clone_block(const ir::Block& block, const ValueMap& outer = {});

/// A copy of a function.
std::unique_ptr<ir::Function> clone_function(const ir::Function& function);

/// Appends the decomposition of a composite with these operands, at the op's location; composites inside stay.
std::vector<ir::Value> decompose(ir::Builder& builder, const ir::Op& composite, std::span<const ir::Value> operands);

/// A copy of a function without composites, in regions too: each is replaced by its decomposition.
std::unique_ptr<ir::Function> inline_composites(const ir::Function& function);

}  // namespace cornu::transform

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/ir/clone.h"

/// Copies of ops, blocks and functions; what passes are made of.
namespace cornu::inline v0::transform {

using ir::clone_block;
using ir::clone_op;
using ir::clone_ops;
using ir::mapped;
using ir::ValueMap;

/// A copy of a function.
std::unique_ptr<ir::Function> clone_function(const ir::Function& function);

/// Appends the decomposition of a composite with these operands, at the op's location; composites inside
/// stay.
std::vector<ir::Value> decompose(ir::Builder& builder, const ir::Op& composite,
                                 std::span<const ir::Value> operands);

/// Says which composites stay: those that a backend has kernels for.
using KeepComposite = bool (*)(const ir::Op& composite);

/// A copy of a function without composites, in regions too: each is replaced by its decomposition, except
/// those that `keep` keeps.
std::unique_ptr<ir::Function> inline_composites(const ir::Function& function, KeepComposite keep = nullptr);

/// What takes the place of an op, whose operands are copied: its results; nothing where it stays.
using ReplaceOp = std::function<std::optional<std::vector<ir::Value>>(ir::Builder& builder, const ir::Op& op,
                                                                      std::span<const ir::Value> operands)>;

/// A copy of a function in which ops are replaced, in regions too. What is built stands at the op's location.
std::unique_ptr<ir::Function> replace_ops(const ir::Function& function, const ReplaceOp& replace);

}  // namespace cornu::inline v0::transform

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/ir/clone.h"

/// Copies of ops, blocks and functions: building blocks of passes.
namespace cornu::inline v0::transform {

using ir::clone_block;
using ir::clone_op;
using ir::clone_ops;
using ir::mapped;
using ir::ValueMap;

/// True if `matches` is true of an op of the block, or of a region of its ops.
bool has_op(const ir::Block& block, const std::function<bool(const ir::Op&)>& matches);

/// A copy of a function.
std::unique_ptr<ir::Function> clone_function(const ir::Function& function);

/// Appends the decomposition of a composite with these operands, at the op's location; nested composites are
/// kept.
std::vector<ir::Value> decompose(ir::Builder& builder, const ir::Op& composite,
                                 std::span<const ir::Value> operands);

/// True for composites to keep: those that a backend has kernels for.
using KeepComposite = bool (*)(const ir::Op& composite);

/// Copies a function and replaces each composite by its decomposition, also in regions, except those that
/// `keep` keeps.
std::unique_ptr<ir::Function> inline_composites(const ir::Function& function, KeepComposite keep = nullptr);

/// The results that replace those of an op; nullopt keeps the op.
using Replacement = std::optional<std::vector<ir::Value>>;

/// Builds the replacement of an op from its copied operands.
using ReplaceOp =
    std::function<Replacement(ir::Builder& builder, const ir::Op& op, std::span<const ir::Value> operands)>;

/// Copies a function and replaces ops, also in regions. New ops get the location of the op that they replace.
std::unique_ptr<ir::Function> replace_ops(const ir::Function& function, const ReplaceOp& replace);

/// Copies a function and replaces the ops of which `matches` is true, also in regions. nullptr if none is replaced;
/// where none matches, nothing is copied.
std::unique_ptr<ir::Function> replace_matching(const ir::Function& function,
                                               const std::function<bool(const ir::Op&)>& matches,
                                               const ReplaceOp& replace);

}  // namespace cornu::inline v0::transform

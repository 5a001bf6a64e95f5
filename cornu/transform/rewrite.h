#pragma once

#include <memory>
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

}  // namespace cornu::inline v0::transform

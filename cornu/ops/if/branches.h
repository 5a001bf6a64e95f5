#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "cornu/ir/op_def.h"
#include "cornu/ops/if/if.h"

/// Functions that if and case share.
namespace cornu::inline v0::ops {

/// A region without arguments, filled by `build`.
std::unique_ptr<ir::Block> make_branch(const ir::Builder& builder, const Branch& build);

/// The labels of the constraints in the specification of each op.
struct BranchLabels {
  std::string_view arguments, results;
};

/// The types that all branches return; throws InvalidArgument when one takes arguments or they differ.
std::vector<ir::TensorType> branch_types(std::span<const std::unique_ptr<ir::Block>> branches,
                                         const BranchLabels& labels);

/// The same op on the same operand, whose branches compute the branches' gradients for the values that they
/// use from outside.
std::vector<ir::Value> branches_gradient(const ir::GradientContext& context);

}  // namespace cornu::inline v0::ops

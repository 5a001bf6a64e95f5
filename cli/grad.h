#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::cli {

struct GradientOptions {
  /// The numbers of the arguments for which there is a gradient, in the order of the results; empty: all
  /// floating-point ones.
  std::vector<std::size_t> wrt = {};
  /// Adds a last argument, the gradient of a loss with respect to the first result, which may then have any
  /// shape.
  bool cotangent = false;
};

/// The gradient of a program's first result with respect to its arguments, as a function of the same
/// arguments. The gradient is zero for an argument that the result does not depend on.
/// Errors: InvalidArgument for a number that is no floating-point argument's or is given twice, for a program
///         without floating-point arguments, and for a first result that is no floating-point tensor, or no
///         scalar without `cotangent`; Unimplemented, with the op, if an op has no gradient.
std::unique_ptr<ir::Function> gradient_program(const ir::Function& program,
                                               const GradientOptions& options = {});

}  // namespace cornu::inline v0::cli

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/ir/literal.h"

namespace cornu::inline v0::tests {

/// Builds a scalar f64 loss of the arguments.
using BuildLoss = std::function<ir::Value(ir::Builder&, std::span<const ir::Value>)>;

struct CheckGradientOptions {
  /// Directions that are tried; each moves all f64 inputs at once.
  int num_directions = 4;
  /// Length of the smaller of the two steps of the extrapolated central difference.
  double step = 1e-4;
  /// Allowed difference relative to the sum of the magnitudes of the directional derivative's terms.
  double tolerance = 1e-8;
};

/// Compares the gradient with central differences along random directions, on the reference backend; before
/// and after simplify. Only inputs of f64 are moved. Empty when all agree, else what differs.
std::string check_gradient(const BuildLoss& build_loss, const std::vector<ir::Literal>& inputs,
                           const CheckGradientOptions& options = {});

/// A tensor of uniform numbers in [low, high), the same ones for the same seed.
ir::Literal random_literal(const ir::TensorType& type, std::uint64_t seed, double low = -1, double high = 1);

}  // namespace cornu::inline v0::tests

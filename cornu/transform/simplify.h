#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

struct SimplifyOptions {
  /// Replaces composites by their decompositions first. Without it composites stay as they are.
  bool inline_composites = true;
  /// Composites that are kept even so; null: none.
  bool (*keep_composite)(const ir::Op& composite) = nullptr;
  /// Constants of more elements than this are not made by folding.
  std::int64_t max_folded_elements = 64;
  /// The same for integers and truth values: they are positions and masks, which patterns look at.
  std::int64_t max_folded_integers = 4096;
};

/// Simplifies a function without changing a bit of its results: no composites, constants folded, identities
/// and common subexpressions removed, dead code dropped, also in regions.
///
/// Floating-point arithmetic stays exact: nothing is reassociated, and patterns that could change a bit (x +
/// 0 at x = -0, x * 0) are not applied. Ops keep their locations; of equal ops the first is kept.
std::unique_ptr<ir::Function> simplify(const ir::Function& function, SimplifyOptions options = {});

}  // namespace cornu::inline v0::transform

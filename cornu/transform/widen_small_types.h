#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a function that has types of less than eight bits or floats of eight, so that it computes in wider ones:
/// i2 and i4 in i8, ui2 and ui4 in ui8, floats in f32, and each result is wrapped or rounded to the small type.
/// Its arguments and results are the storage of the original ones: i8 or ui8 of the same bytes. Composites are
/// inlined. Null if there are none of these types.
std::unique_ptr<ir::Function> widen_small_types(const ir::Function& function);

}  // namespace cornu::inline v0::transform

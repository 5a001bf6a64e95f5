#pragma once

#include <cmath>
#include <cstring>
#include <string>

#include "cornu/base/check.h"
#include "cornu/ir/graph.h"
#include "cornu/ir/literal.h"

/// Compares eager with compiled results bit by bit: both are generated from the same code. The three
/// exceptions are numbered.
namespace cornu::inline v0::ops {

/// 1. Reductions and products of floats: compiled code adds in the order of its loops and keeps sums in
/// float32, eager code in that of its kernels and keeps them in float64; eager extrema return either of two
/// zeros.
inline bool has_own_order(const ir::Op& op) {
  return ir::is_float(op.results().back().dtype()) &&
         (op.name() == "dot_general" || op.name() == "reduce" || op.name() == "reduce_window");
}

inline bool has_own_order(const ir::Block& block) {
  for (const auto& op : block.ops()) {
    if (has_own_order(*op)) return true;
    for (const auto& region : op->regions())
      if (has_own_order(*region)) return true;
  }
  return false;
}

/// The smallest normal number; f16 has all of its numbers as normal f32.
inline double least_normal(ir::DType dtype) { return dtype == ir::DType::kF64 ? 0x1p-1022 : 0x1p-126; }

/// 2. A NaN is any NaN. 3. Compiled code takes subnormal numbers for zeros (docs/adr/0005).
inline bool is_same(ir::DType dtype, double eager, double compiled) {
  if (std::isnan(eager) && std::isnan(compiled)) return true;
  const bool is_flushed = compiled == 0 && std::fabs(eager) < least_normal(dtype);
  return (eager == compiled || is_flushed) && std::signbit(eager) == std::signbit(compiled);
}

/// The first difference between what was computed eagerly and what was compiled, or nothing.
inline std::string difference(const ir::Literal& eager, const ir::Literal& compiled) {
  const ir::TensorType& type = eager.type();
  if (type != compiled.type()) return "types differ";
  const std::size_t size = ir::size_bytes(type.dtype);
  for (std::int64_t i = 0; i < type.num_elements(); ++i) {
    const std::size_t at = static_cast<std::size_t>(i) * size;
    if (std::memcmp(eager.bytes().data() + at, compiled.bytes().data() + at, size) == 0) continue;
    if (ir::is_float(type.dtype) && is_same(type.dtype, eager.at(i), compiled.at(i))) continue;
    return fmt::format("element {} is {} eagerly, {} compiled", i, eager.at(i), compiled.at(i));
  }
  return "";
}

}  // namespace cornu::inline v0::ops

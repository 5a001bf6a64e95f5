#pragma once

#include <span>
#include <string_view>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::backends::cpu {

/// An op that runs by its slow reference kernel on this engine, and in which cases.
struct Fallback {
  std::string_view op;
  std::string_view when;
};

/// The one list of them; a test compares it with every row of the conformance table.
std::span<const Fallback> fallbacks();

/// Whether this op does.
bool falls_back(const ir::Op& op);

}  // namespace cornu::inline v0::backends::cpu

#pragma once

#include <string>

#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops {

/// "[pad] (C2)": the op and the constraint that building with operands of these types violates; empty when
/// nothing is thrown.
template <typename Build>
std::string error_label(const std::vector<ir::TensorType>& types, Build&& build) {
  const std::string error = build_error(types, build);
  return error.substr(0, error.find(')') == std::string::npos ? error.size() : error.find(')') + 1);
}

using Operands = std::span<const ir::Value>;

}  // namespace cornu::inline v0::ops

#include "cornu/ops/product_dtype.h"

namespace cornu::inline v0::ops {
namespace {

bool is_any_float(ir::DType dtype) { return ir::is_float(dtype) || ir::is_small_float(dtype); }

}  // namespace

std::optional<ir::DType> common_product_dtype(const ProductDTypes& dtypes) {
  const auto [lhs, rhs, result, accumulation] = dtypes;
  if (ir::is_complex(lhs) || ir::is_complex(rhs) || ir::is_complex(result)) return std::nullopt;
  const bool is_wider =
      accumulation && is_any_float(*accumulation) && ir::bit_width(*accumulation) > ir::bit_width(lhs);
  if (lhs == rhs && rhs == result && !is_wider && !ir::is_small_float(lhs)) return std::nullopt;
  const bool is_float = is_any_float(lhs);
  if (is_float != is_any_float(rhs)) return std::nullopt;
  if (!is_any_float(result)) return is_float ? std::nullopt : std::optional(result);
  for (const ir::DType dtype : {lhs, rhs, result, accumulation.value_or(result)})
    if (dtype == ir::DType::kF64) return dtype;
  return ir::DType::kF32;
}

}  // namespace cornu::inline v0::ops

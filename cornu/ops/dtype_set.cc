#include "cornu/ops/dtype_set.h"

#include "cornu/base/check.h"
#include "cornu/ir/small_types.h"

namespace cornu::inline v0::ops {

bool contains(DTypeSet set, ir::DType dtype) {
  if (dtype == ir::DType::kI1) return (set & kBool) != 0;
  if (ir::is_float(dtype) || ir::is_small_float(dtype)) return (set & kFloat) != 0;
  if (ir::is_small_integer(dtype))
    return (set & (ir::is_signed_small_integer(dtype) ? kSigned : kUnsigned)) != 0;
  if (ir::is_complex(dtype)) return (set & kComplex) != 0;
  if (ir::is_signed_integer(dtype)) return (set & kSigned) != 0;
  return ir::is_unsigned_integer(dtype) && (set & kUnsigned) != 0;
}

std::string dtype_set_str(DTypeSet set) {
  std::vector<std::string_view> names;
  if (set & kBool) names.emplace_back("i1");
  if ((set & kInteger) == kInteger) {
    names.emplace_back("integers");
  } else {
    if (set & kSigned) names.emplace_back("signed integers");
    if (set & kUnsigned) names.emplace_back("unsigned integers");
  }
  if (set & kFloat) names.emplace_back("floats");
  if (set & kComplex) names.emplace_back("complex numbers");
  if (names.size() == 1) return std::string(names[0]);
  const std::string_view last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

void no_reference_kernel(const ir::Op& op, ir::DType dtype) {
  fail(ErrorCode::kUnimplemented, "[{}] there is no reference kernel for {} yet", op.name(),
       ir::stablehlo_name(dtype));
}

}  // namespace cornu::inline v0::ops

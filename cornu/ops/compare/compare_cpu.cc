#include "cornu/backends/cpu/emit/element_code.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/compare/compare.h"

namespace cornu::inline v0::backends::cpu::compare_folder {
namespace {

const std::string& direction(const ir::Op& op) {
  return op.attributes().get<std::string>("comparison_direction");
}

bool is_total_order(const ir::Op& op) {
  return op.attributes().get<std::string>("compare_type") == "TOTALORDER";
}

/// Integers that are ordered as the floats are in total order: those of negative floats have the other bits
/// inverted.
llvm::Value* ordered_bits(const FloatCode& floats, llvm::Value* x) {
  llvm::Value* const bits = floats.bits(x);
  const int sign_bit = floats.is_double() ? 63 : 31;
  llvm::Value* const sign = floats.shift_right_arithmetic(bits, sign_bit);
  return floats.bit_xor(bits, floats.shift_right_logical(sign, 1));
}

llvm::Value* emit(const ElementCode& code) {
  if (!is_total_order(code.op())) return code.compare(direction(code.op()), code.operand(0), code.operand(1));
  const FloatCode floats = code.floats();
  llvm::Value* const x = ordered_bits(floats, code.operand(0));
  llvm::Value* const y = ordered_bits(floats, code.operand(1));
  switch (ops::comparison_direction_from_name(direction(code.op()))) {
    case ops::ComparisonDirection::kEq: return code.equal(x, y);
    case ops::ComparisonDirection::kNe: return code.unequal(x, y);
    case ops::ComparisonDirection::kGe: return code.greater_equal(x, y);
    case ops::ComparisonDirection::kGt: return code.greater(x, y);
    case ops::ComparisonDirection::kLe: return code.less_equal(x, y);
    default: return code.less(x, y);
  }
}

std::vector<ir::Attributes> attributes(ir::DType dtype) {
  std::vector<const char*> types = {ir::is_float(dtype)            ? "FLOAT"
                                    : ir::is_signed_integer(dtype) ? "SIGNED"
                                                                   : "UNSIGNED"};
  if (ir::is_float(dtype)) types.push_back("TOTALORDER");
  std::vector<ir::Attributes> all;
  for (const char* const type : types)
    for (const char* const name : {"EQ", "NE", "GE", "GT", "LE", "LT"})
      all.push_back({{"comparison_direction", std::string(name)}, {"compare_type", std::string(type)}});
  return all;
}

/// Distinguishes the kernels: the direction, in small letters for the total order.
std::string_view variant(const ir::Op& op) {
  constexpr std::string_view kTotal[] = {"eq", "ne", "ge", "gt", "le", "lt"};
  if (!is_total_order(op)) return direction(op);
  return kTotal[static_cast<std::size_t>(ops::comparison_direction_from_name(direction(op)))];
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "compare",
       .op_kind = OpKind::kElementwise,
       .emit = emit,
       .kernels_from_code = {.attributes = attributes, .variant = variant}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::compare_folder

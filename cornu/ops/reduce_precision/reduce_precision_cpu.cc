#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/emit/element_code.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::reduce_precision_folder {
namespace {

using llvm::Value;

int mantissa_width(ir::DType dtype) {
  switch (dtype) {
    case ir::DType::kF16: return 10;
    case ir::DType::kBF16: return 7;
    case ir::DType::kF32: return 23;
    default: return 52;
  }
}

struct Format {
  explicit Format(const ir::Op& op)
      : exponent_bits(op.attributes().get<std::int64_t>("exponent_bits")),
        mantissa_bits(op.attributes().get<std::int64_t>("mantissa_bits")) {}
  std::int64_t exponent_bits, mantissa_bits;
};

/// Rounds to a format of fewer bits of exponent and mantissa, on the bits of the dtype in memory. The numbers
/// of bits are 64-bit integers, constants in fused code.
Value* reduced(const ElementCode& code, Value* exponent_bits, Value* mantissa_bits) {
  const int own_mantissa = mantissa_width(code.dtype());
  const int own_exponent = ir::bit_width(code.dtype()) - 1 - own_mantissa;
  Value* const bits = code.memory_bits(code.operand(0), code.dtype());
  const auto number = [&](std::uint64_t v) { return code.integer_like(bits, static_cast<std::int64_t>(v)); };
  const auto at_most = [&](Value* kept, int own) {
    Value* const most = code.integer_like(kept, own);
    return code.truncate_like(bits, code.select(code.less_unsigned(kept, most), kept, most));
  };
  const std::uint64_t sign = std::uint64_t{1} << (ir::bit_width(code.dtype()) - 1);
  const std::uint64_t mantissa_mask = (std::uint64_t{1} << own_mantissa) - 1;
  Value* const zero = number(0);
  Value* const one = number(1);
  Value* const infinity = number(((std::uint64_t{1} << own_exponent) - 1) << own_mantissa);
  Value* const magnitude = code.bit_and(bits, number(sign - 1));

  Value* const mantissa = at_most(mantissa_bits, own_mantissa);
  Value* const unit =
      code.shift_left(one, code.subtract(number(static_cast<std::uint64_t>(own_mantissa)), mantissa));
  Value* const below_half = code.subtract(code.shift_right_logical(unit, one), one);
  Value* const is_odd = code.unequal(code.bit_and(magnitude, unit), zero);
  Value* const addend = code.select(is_odd, code.add(below_half, one), below_half);
  Value* result = code.bit_and(code.add(magnitude, addend), code.negate(unit));
  result = code.select(code.equal(unit, one), magnitude, result);

  Value* const exponent = at_most(exponent_bits, own_exponent);
  Value* const is_narrow = code.less_unsigned(exponent, number(static_cast<std::uint64_t>(own_exponent)));
  Value* const reach = code.subtract(code.shift_left(one, code.subtract(exponent, one)), one);
  Value* const bias = number((std::uint64_t{1} << (own_exponent - 1)) - 1);
  const auto field_end = [&](Value* field) {  // the largest number of this exponent
    Value* const shifted = code.shift_left(field, number(static_cast<std::uint64_t>(own_mantissa)));
    return code.bit_or(shifted, number(mantissa_mask));
  };
  // Formats as wide as the dtype have no number that is too large or too small.
  Value* const most = code.select(is_narrow, field_end(code.add(bias, reach)), number(sign - 1));
  Value* const least = code.select(is_narrow, code.add(field_end(code.subtract(bias, reach)), one), zero);
  Value* const is_small = code.less_unsigned(result, least);
  result = code.select(code.greater_unsigned(result, most), infinity, result);
  result = code.select(is_small, zero, result);
  // NaN stays, but a format without a mantissa has none.
  Value* const nan = code.select(code.equal(mantissa, zero), infinity, magnitude);
  result = code.select(code.greater_unsigned(magnitude, infinity), nan, result);
  result = code.bit_or(result, code.bit_and(bits, number(sign)));
  return code.from_memory_bits(result, code.dtype());
}

Value* emit(const ElementCode& code) {
  const bool has_parameters = code.num_operands() == 3;
  const Format format(code.op());
  return reduced(code, has_parameters ? code.operand(1) : code.parameter(format.exponent_bits),
                 has_parameters ? code.operand(2) : code.parameter(format.mantissa_bits));
}

bool add_step(eager::Builder& builder, const ir::Op& op) {
  const Format format(op);
  const ElementwiseKernel kernel = builder.kernels().find(elements::element_kernel_key(op));
  std::vector<eager::View> inputs = {builder.view(op.operand(0))};
  for (const std::int64_t bits : {format.exponent_bits, format.mantissa_bits}) {
    eager::View constant = builder.constant(ir::Literal::scalar(ir::DType::kI64, static_cast<double>(bits)));
    constant.dims = op.result().dims();
    constant.strides.assign(constant.dims.size(), 0);
    inputs.push_back(std::move(constant));
  }
  builder.add_kernel(kernel, inputs, builder.place(op.result()));
  return true;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "reduce_precision",
       .op_kind = OpKind::kElementwise,
       .emit = emit,
       .keeps_numbers = true,
       .kernels_from_code = {.attributes =
                                 [](ir::DType) {
                                   return std::vector<ir::Attributes>{{{"exponent_bits", std::int64_t{1}},
                                                                       {"mantissa_bits", std::int64_t{0}}}};
                                 },
                             .num_parameters = 2},
       .eager = add_step},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::reduce_precision_folder

#include "cornu/ops/bitcast_convert/bitcast_convert.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/small_types.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reduce/reduce.h"

namespace cornu::inline v0::ops {
namespace bitcast_convert_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  const auto dtype = context.attributes.get<ir::DType>("dtype");
  const ir::TensorType& operand = context.type(0);
  const int from = ir::bit_width(operand.dtype), to = ir::bit_width(dtype);
  ir::Dims dims = operand.dims;
  if ((from == 1) != (to == 1))
    invalid_argument("(C1) i1 has no bits in common with another dtype; got {} and {}", operand.str(),
                     ir::stablehlo_name(dtype));
  if (std::max(from, to) % std::min(from, to) != 0)
    invalid_argument("(C1) the widths of {} and {} are no multiples", operand.str(),
                     ir::stablehlo_name(dtype));
  if (to < from) dims.push_back(from / to);
  if (to > from) {
    if (dims.empty() || dims.back() != to / from)
      invalid_argument("(C1) the last dimension must be the {} elements that make a {}; got {}", to / from,
                       ir::stablehlo_name(dtype), operand.str());
    dims.pop_back();
  }
  return {{dtype, dims}};
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  std::ranges::copy(context.operands[0].bytes(), result.mutable_bytes().begin());
  return {result};
}

ir::Attributes read_attributes(ir::OpAttributes& text) { return {{{"dtype", text.result_type().dtype}}}; }

ir::DType unsigned_of(int bits) {
  return bits == 8    ? ir::DType::kU8
         : bits == 16 ? ir::DType::kU16
         : bits == 32 ? ir::DType::kU32
                      : ir::DType::kU64;
}

/// Elements of i1, which take a byte each, as the bits of a last dimension, and back.
std::vector<ir::Value> expand(const ir::ExpandContext& context) {
  if (context.operands.size() != 1 || context.result_types.size() != 1) return {};
  ir::Builder& b = context.builder;
  const ir::Value x = context.operands[0];
  const ir::DType dtype = context.result_types[0].dtype;
  const bool is_from_bits = x.dtype() == ir::DType::kI1;
  if (is_from_bits == (dtype == ir::DType::kI1)) return {};
  const ir::DType wide = is_from_bits ? dtype : x.dtype();
  const int width = ir::bit_width(wide);
  if (ir::is_small(wide) || ir::is_complex(wide)) return {};
  const ir::DType words = unsigned_of(width);
  if (is_from_bits) {
    if (x.rank() == 0 || x.dims().back() != width) return {};
    const ir::Value bits = convert(b, x, words);
    const ir::Value shifted = shift_left(b, bits, iota(b, bits.type(), bits.rank() - 1));
    const ir::Value whole = reduce_sum(b, shifted, {bits.rank() - 1});
    return {words == dtype ? whole : bitcast_convert(b, whole, dtype)};
  }
  ir::Dims dims = x.dims();
  dims.push_back(width);
  const ir::Value whole = words == wide ? x : bitcast_convert(b, x, words);
  const ir::Value spread = broadcast_in_dim(b, whole, dims, counting(x.rank()));
  const ir::Value bits = shift_right_logical(b, spread, iota(b, spread.type(), x.rank()));
  const ir::Value lowest = and_(b, bits, full(b, bits.type(), 1));
  return {compare(b, lowest, full(b, bits.type(), 0), ComparisonDirection::kNe)};
}

// Not marked elementwise: between widths it adds or takes away a dimension. The first of several elements has
// the lowest bits.
const ir::OpDef kBitcastConvert = {
    .name = "bitcast_convert",
    .infer = &infer,
    .gradient = [](const ir::GradientContext&) { return std::vector<ir::Value>(1); },
    .reference = &reference,
    .print_attributes = [](const ir::Op&) { return std::string(); },
    .read_attributes = read_attributes,
    .expand = expand};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kBitcastConvert>(); }

}  // namespace bitcast_convert_folder

ir::Value bitcast_convert(ir::Builder& b, ir::Value operand, ir::DType dtype) {
  return b.create(bitcast_convert_folder::kBitcastConvert, {operand}, {{"dtype", dtype}}).result();
}

}  // namespace cornu::inline v0::ops

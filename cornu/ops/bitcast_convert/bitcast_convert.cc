#include "cornu/ops/bitcast_convert/bitcast_convert.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/operands.h"

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

// Not marked elementwise: between widths it adds or takes away a dimension. The first of several elements has
// the lowest bits.
const ir::OpDef kBitcastConvert = {
    .name = "bitcast_convert",
    .infer = &infer,
    .gradient = [](const ir::GradientContext&) { return std::vector<ir::Value>(1); },
    .reference = &reference,
    .print_attributes = [](const ir::Op&) { return std::string(); },
    .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kBitcastConvert>(); }

}  // namespace bitcast_convert_folder

ir::Value bitcast_convert(ir::Builder& b, ir::Value operand, ir::DType dtype) {
  return b.create(bitcast_convert_folder::kBitcastConvert, {operand}, {{"dtype", dtype}}).result();
}

}  // namespace cornu::inline v0::ops

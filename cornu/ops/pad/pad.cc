#include "cornu/ops/pad/pad.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/slice/slice.h"

namespace cornu::inline v0::ops {
namespace pad_folder {
namespace {

struct Padding {
  explicit Padding(const ir::Attributes& attributes)
      : low(attributes.get<ir::Dims>("edge_padding_low")),
        high(attributes.get<ir::Dims>("edge_padding_high")),
        interior(attributes.get<ir::Dims>("interior_padding")) {}
  const ir::Dims& low;
  const ir::Dims& high;
  const ir::Dims& interior;
};

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 2);
  const ir::TensorType& x = context.type(0);
  const ir::TensorType& value = context.type(1);
  const Padding padding(context.attributes);
  if (value != ir::TensorType{x.dtype, {}})
    invalid_argument("(C1) padding_value must be a scalar of the operand's dtype; got {} for {}", value.str(),
                     x.str());
  if (padding.low.size() != x.dims.size() || padding.high.size() != x.dims.size() ||
      padding.interior.size() != x.dims.size())
    invalid_argument(
        "(C2) edge_padding_low {}, edge_padding_high {} and interior_padding {} must have one entry a "
        "dimension of {}",
        padding.low, padding.high, padding.interior, ir::shape_str(x.dims));
  ir::Dims result;
  for (std::size_t d = 0; d < x.dims.size(); ++d) {
    if (padding.interior[d] < 0)
      invalid_argument("(C3) interior_padding must not be negative; got {}", padding.interior);
    const CheckedSize step = CheckedSize(padding.interior[d]) + 1,
                      num_gaps = std::max<std::int64_t>(x.dims[d] - 1, 0);
    const CheckedSize inside = num_gaps * step + std::min<std::int64_t>(x.dims[d], 1);
    const std::int64_t extent = (inside + padding.low[d] + padding.high[d]).value([&] {
      return fmt::format("(C4) the extent that dimension {} would get", d);
    });
    if (extent < 0) invalid_argument("(C4) dimension {} would get the extent {}", d, extent);
    result.push_back(extent);
  }
  return {{x.dtype, result}};
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  const ir::Literal& x = context.operands[0];
  const Padding padding(context.op.attributes());
  const ir::Dims strides = ir::row_major_strides(x.type().dims);
  const std::size_t size = ir::size_bytes(x.type().dtype);
  for_each_index(result.type().dims, [&](const ir::Dims& index, std::int64_t at) {
    std::int64_t from = 0;
    bool inside = true;
    for (std::size_t d = 0; d < index.size(); ++d) {
      const std::int64_t offset = index[d] - padding.low[d], step = padding.interior[d] + 1;
      inside = inside && offset >= 0 && offset % step == 0 && offset / step < x.type().dims[d];
      from += offset / step * strides[d];
    }
    copy_element(result.mutable_bytes(), at, inside ? x.bytes() : context.operands[1].bytes(),
                 inside ? from : 0, size);
  });
  return {result};
}

ir::Dims negated(ir::Dims values) {
  for (std::int64_t& value : values) value = -value;
  return values;
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  ir::Builder& builder = context.builder;
  const ir::Value x = context.op.operand(0), dy = context.result_gradients[0];
  const Padding padding(context.op.attributes());
  const std::size_t rank = x.dims().size();
  // Undo the edges: what was added is cut, what was cut gets no gradient.
  ir::Value inner = pad(builder, dy, scalar(builder, x.dtype(), 0), negated(padding.low),
                        negated(padding.high), ir::Dims(rank, 0));
  ir::Dims strides = padding.interior;
  for (std::int64_t& stride : strides) stride += 1;
  const ir::Value dx = slice(builder, inner, ir::Dims(rank, 0), inner.dims(), strides);
  if (!context.wants(context.op.operand(1))) return {dx, ir::Value()};
  const ir::Dims all = counting(x.rank());
  const ir::Value sum = reduce_sum(builder, dy, all), inner_sum = reduce_sum(builder, dx, all);
  return {dx, subtract(builder, sum, inner_sum)};
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"edge_padding_low", text.integers({"edge_padding_low", "low"})},
          {"edge_padding_high", text.integers({"edge_padding_high", "high"})},
          {"interior_padding", text.integers({"interior_padding", "interior"})}};
}

const ir::OpDef kPad = {.name = "pad",
                        .infer = infer,
                        .gradient = gradient,
                        .reference = reference,
                        .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kPad>(); }

}  // namespace pad_folder

ir::Value pad(ir::Builder& builder, ir::Value x, ir::Value padding_value, ir::Dims edge_padding_low,
              ir::Dims edge_padding_high, ir::Dims interior_padding) {
  return builder
      .create(pad_folder::kPad, {x, padding_value},
              {{"edge_padding_low", std::move(edge_padding_low)},
               {"edge_padding_high", std::move(edge_padding_high)},
               {"interior_padding", std::move(interior_padding)}})
      .result();
}

}  // namespace cornu::inline v0::ops

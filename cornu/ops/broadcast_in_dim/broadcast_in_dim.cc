#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/transpose/transpose.h"

namespace cornu::inline v0::ops {
namespace broadcast_in_dim_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  const ir::Dims& x = context.type(0).dims;
  const auto& result = context.attributes.get<ir::Dims>("dims");
  const auto& map = context.attributes.get<ir::Dims>("broadcast_dimensions");
  if (map.size() != x.size())
    invalid_argument("(C2) broadcast_dimensions {} must have one entry a dimension of {}", map,
                     ir::shape_str(x));
  if (!all_in_range(map, static_cast<std::int64_t>(result.size())))
    invalid_argument("(C3) broadcast_dimensions {} must be dimensions of the result {}", map,
                     ir::shape_str(result));
  if (!is_unique(map)) invalid_argument("(C4) broadcast_dimensions must not repeat; got {}", map);
  for (std::size_t d = 0; d < x.size(); ++d)
    if (x[d] != 1 && x[d] != result[static_cast<std::size_t>(map[d])])
      invalid_argument("(C5) {} does not broadcast to {} along {}: extent {} is neither 1 nor {}",
                       ir::shape_str(x), ir::shape_str(result), map, x[d],
                       result[static_cast<std::size_t>(map[d])]);
  return {{context.type(0).dtype, result}};
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  const auto& map = context.op.attributes().get<ir::Dims>("broadcast_dimensions");
  const ir::Literal& x = context.operands[0];
  const ir::Dims strides = ir::row_major_strides(x.type().dims);
  const std::size_t size = ir::size_bytes(x.type().dtype);
  for_each_index(result.type().dims, [&](const ir::Dims& index, std::int64_t at) {
    std::int64_t from = 0;
    for (std::size_t d = 0; d < map.size(); ++d)
      if (x.type().dims[d] != 1) from += index[static_cast<std::size_t>(map[d])] * strides[d];
    copy_element(result.mutable_bytes(), at, x.bytes(), from, size);
  });
  return {result};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ir::Value x = context.op.operand(0);
  const auto& map = context.op.attributes().get<ir::Dims>("broadcast_dimensions");
  ir::Dims kept;  // the result's dimensions that run along x's
  for (std::size_t d = 0; d < map.size(); ++d)
    if (x.dims()[d] == context.op.result().dims()[static_cast<std::size_t>(map[d])]) kept.push_back(map[d]);
  ir::Value dx = reduce_sum(context.builder, context.result_gradients[0],
                            remaining_dimensions(context.op.result().rank(), kept));
  if (!is_sorted(kept)) {  // the kept dimensions come out ascending; put them in x's order
    ir::Dims order;
    for (std::int64_t dimension : kept) {
      std::int64_t rank = 0;
      for (std::int64_t other : kept) rank += other < dimension ? 1 : 0;
      order.push_back(rank);
    }
    dx = transpose(context.builder, dx, order);
  }
  return {dx.dims() == x.dims() ? dx : reshape(context.builder, dx, x.dims())};
}

std::string print_attributes(const ir::Op& op) {
  const auto& map = op.attributes().get<ir::Dims>("broadcast_dimensions");
  return fmt::format("broadcast_dimensions = array<i64{}{}>", map.empty() ? "" : ": ", fmt::join(map, ", "));
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"dims", text.result_type().dims},
          {"broadcast_dimensions", text.integers({"broadcast_dimensions", "dims"})}};
}

const ir::OpDef kBroadcastInDim = {.name = "broadcast_in_dim",
                                   .infer = infer,
                                   .gradient = gradient,
                                   .reference = reference,
                                   .print_attributes = print_attributes,
                                   .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kBroadcastInDim>(); }

}  // namespace broadcast_in_dim_folder

ir::Value broadcast_in_dim(ir::Builder& builder, ir::Value x, ir::Dims result_dims,
                           ir::Dims broadcast_dimensions) {
  return builder
      .create(broadcast_in_dim_folder::kBroadcastInDim, {x},
              {{"dims", std::move(result_dims)}, {"broadcast_dimensions", std::move(broadcast_dimensions)}})
      .result();
}

ir::Value broadcast_scalar(ir::Builder& builder, ir::Value x, ir::Dims dims) {
  if (x.rank() != 0)
    invalid_argument("[broadcast_scalar] the operand must be a scalar; got {}", x.type().str());
  return dims.empty() ? x : broadcast_in_dim(builder, x, std::move(dims), {});
}

ir::Value broadcast_to(ir::Builder& builder, ir::Value x, const ir::Dims& dims) {
  if (x.dims() == dims) return x;
  const std::int64_t missing = static_cast<std::int64_t>(dims.size()) - x.rank();
  if (missing < 0)
    invalid_argument("[broadcast_to] {} has more dimensions than {}", ir::shape_str(x.dims()),
                     ir::shape_str(dims));
  ir::Dims map;
  for (std::int64_t d = 0; d < x.rank(); ++d) map.push_back(d + missing);
  return broadcast_in_dim(builder, x, dims, std::move(map));
}

ir::Value broadcast_leading(ir::Builder& builder, ir::Value x, const ir::Dims& dims) {
  return x.dims() == dims ? x : broadcast_in_dim(builder, x, dims, counting(x.rank()));
}

}  // namespace cornu::inline v0::ops

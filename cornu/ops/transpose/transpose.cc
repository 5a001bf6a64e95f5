#include "cornu/ops/transpose/transpose.h"

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace transpose_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  const auto& permutation = context.attributes.get<ir::Dims>("permutation");
  const std::int64_t rank = context.type(0).rank();
  if (static_cast<std::int64_t>(permutation.size()) != rank || !all_in_range(permutation, rank) ||
      !is_unique(permutation))
    invalid_argument("(C2) {} is not a permutation of the dimensions of {}", permutation,
                     ir::shape_str(context.type(0).dims));
  return {{context.type(0).dtype, extents(context.type(0).dims, permutation)}};
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  const ir::Literal& x = context.operands[0];
  const ir::Dims strides =
      extents(ir::row_major_strides(x.type().dims), context.op.attributes().get<ir::Dims>("permutation"));
  const std::size_t size = ir::size_bytes(x.type().dtype);
  for_each_index(result.type().dims, [&](const ir::Dims& index, std::int64_t at) {
    copy_element(result.mutable_bytes(), at, x.bytes(), linear_index(index, strides), size);
  });
  return {result};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  return {transpose(context.builder, context.result_gradients[0],
                    inverse_permutation(context.op.attributes().get<ir::Dims>("permutation")))};
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"permutation", text.integers({"permutation", "dims"})}};
}

const ir::OpDef kTranspose = {.name = "transpose",
                              .infer = infer,
                              .gradient = gradient,
                              .reference = reference,
                              .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kTranspose>(); }

}  // namespace transpose_folder

ir::Value transpose(ir::Builder& builder, ir::Value x, ir::Dims permutation) {
  return builder.create(transpose_folder::kTranspose, {x}, {{"permutation", std::move(permutation)}})
      .result();
}

}  // namespace cornu::inline v0::ops

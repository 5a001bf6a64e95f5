#include "cornu/ops/concatenate/concatenate.h"

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/slice/slice.h"

namespace cornu::inline v0::ops {
namespace concatenate_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  if (context.operands.empty()) invalid_argument("(C3) at least one input is needed");
  const std::int64_t dimension = context.attributes.get<std::int64_t>("dimension");
  ir::TensorType result = context.type(0);
  if (dimension < 0 || dimension >= result.rank())
    invalid_argument("(C4) dimension {} must be a dimension of {}", dimension, ir::shape_str(result.dims));
  const auto along = static_cast<std::size_t>(dimension);
  for (std::size_t i = 1; i < context.operands.size(); ++i) {
    const ir::TensorType& other = context.type(i);
    if (other.dtype != result.dtype)
      invalid_argument("(C1) inputs must share a dtype; got {} and {}", context.type(0).str(), other.str());
    ir::Dims expected = context.type(0).dims;
    if (other.dims.size() == expected.size()) expected[along] = other.dims[along];
    if (other.dims != expected)
      invalid_argument("(C2) inputs must agree but in dimension {}; got {} and {}", dimension,
                       ir::shape_str(context.type(0).dims), ir::shape_str(other.dims));
    result.dims[along] = (CheckedSize(result.dims[along]) + other.dims[along]).value("the joined extent");
  }
  return {std::move(result)};
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  const auto along = static_cast<std::size_t>(context.op.attributes().get<std::int64_t>("dimension"));
  const ir::Dims strides = ir::row_major_strides(result.type().dims);
  const std::size_t size = ir::size_bytes(result.type().dtype);
  std::int64_t first = 0;
  for (const ir::Literal& input : context.operands) {
    for_each_index(input.type().dims, [&](const ir::Dims& index, std::int64_t at) {
      copy_element(result.mutable_bytes(), first + linear_index(index, strides), input.bytes(), at, size);
    });
    first += input.type().dims[along] * strides[along];
  }
  return {result};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ir::Value dy = context.result_gradients[0];
  const auto along = static_cast<std::size_t>(context.op.attributes().get<std::int64_t>("dimension"));
  std::vector<ir::Value> gradients;
  ir::Dims start(dy.dims().size(), 0), limit = dy.dims();
  for (const ir::Value& input : context.op.operands()) {
    limit[along] = start[along] + input.dims()[along];
    gradients.push_back(slice(context.builder, dy, start, limit, ir::Dims(start.size(), 1)));
    start[along] = limit[along];
  }
  return gradients;
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"dimension", text.integer({"dimension", "dim"})}};
}

const ir::OpDef kConcatenate = {.name = "concatenate",
                                .infer = infer,
                                .gradient = gradient,
                                .reference = reference,
                                .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kConcatenate>(); }

}  // namespace concatenate_folder

ir::Value concatenate(ir::Builder& builder, std::vector<ir::Value> inputs, std::int64_t dimension) {
  return builder.create(concatenate_folder::kConcatenate, std::move(inputs), {{"dimension", dimension}})
      .result();
}

}  // namespace cornu::inline v0::ops

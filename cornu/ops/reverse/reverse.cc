#include "cornu/ops/reverse/reverse.h"

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace reverse_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  const auto& dimensions = context.attributes.get<ir::Dims>("dimensions");
  if (!is_unique(dimensions)) invalid_argument("(C2) dimensions must not repeat; got {}", dimensions);
  if (!all_in_range(dimensions, context.type(0).rank()))
    invalid_argument("(C3) dimensions {} must be dimensions of {}", dimensions,
                     ir::shape_str(context.type(0).dims));
  return {context.type(0)};
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  const ir::Literal& x = context.operands[0];
  const auto& dimensions = context.op.attributes().get<ir::Dims>("dimensions");
  const ir::Dims& dims = x.type().dims;
  const ir::Dims strides = ir::row_major_strides(dims);
  const std::size_t size = ir::size_bytes(x.type().dtype);
  for_each_index(dims, [&](const ir::Dims& index, std::int64_t at) {
    std::int64_t from = at;
    for (std::int64_t dimension : dimensions) {
      const auto d = static_cast<std::size_t>(dimension);
      from += (dims[d] - 1 - 2 * index[d]) * strides[d];
    }
    copy_element(result.mutable_bytes(), at, x.bytes(), from, size);
  });
  return {result};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  return {reverse(context.builder, context.result_gradients[0],
                  context.op.attributes().get<ir::Dims>("dimensions"))};
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"dimensions", text.integers({"dimensions", "dims"})}};
}

const ir::OpDef kReverse = {.name = "reverse",
                            .infer = infer,
                            .gradient = gradient,
                            .reference = reference,
                            .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kReverse>(); }

}  // namespace reverse_folder

ir::Value reverse(ir::Builder& builder, ir::Value x, ir::Dims dimensions) {
  return builder.create(reverse_folder::kReverse, {x}, {{"dimensions", std::move(dimensions)}}).result();
}

}  // namespace cornu::inline v0::ops

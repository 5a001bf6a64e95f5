#include "cornu/ops/reshape/reshape.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace reshape_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  ir::TensorType result{context.type(0).dtype, context.attributes.get<ir::Dims>("dims")};
  ir::check_type(result);
  if (result.num_elements() != context.type(0).num_elements())
    invalid_argument("(C2) {} has {} elements, {} has {}", ir::shape_str(context.type(0).dims),
                     context.type(0).num_elements(), ir::shape_str(result.dims), result.num_elements());
  return {std::move(result)};
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  std::copy(context.operands[0].bytes().begin(), context.operands[0].bytes().end(),
            result.mutable_bytes().begin());
  return {result};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  return {reshape(context.builder, context.result_gradients[0], context.op.operand(0).dims())};
}

ir::Attributes read_attributes(ir::OpAttributes& text) { return {{{"dims", text.result_type().dims}}}; }

const ir::OpDef kReshape = {.name = "reshape",
                            .infer = infer,
                            .gradient = gradient,
                            .reference = reference,
                            .print_attributes = [](const ir::Op&) { return std::string(); },
                            .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kReshape>(); }

}  // namespace reshape_folder

ir::Value reshape(ir::Builder& builder, ir::Value x, ir::Dims dims) {
  return builder.create(reshape_folder::kReshape, {x}, {{"dims", std::move(dims)}}).result();
}

}  // namespace cornu::inline v0::ops

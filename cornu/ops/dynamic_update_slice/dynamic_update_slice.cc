#include "cornu/ops/dynamic_update_slice/dynamic_update_slice.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dynamic_slice/dynamic_slice.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace dynamic_update_slice_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 2, kAnyNumber);
  const ir::TensorType& x = context.type(0);
  const ir::TensorType& update = context.type(1);
  if (update.dtype != x.dtype)
    invalid_argument("(C2) operand and update must share a dtype; got {} and {}", x.str(), update.str());
  if (update.rank() != x.rank())
    invalid_argument("(C3) operand and update must have one rank; got {} and {}", x.str(), update.str());
  const std::size_t num_starts = context.operands.size() - 2;
  if (num_starts != x.dims.size())
    invalid_argument("(C4) start_indices must have one entry a dimension of {}; got {}",
                     ir::shape_str(x.dims), num_starts);
  for (std::size_t i = 2; i < context.operands.size(); ++i)
    if (context.type(i).rank() != 0 || !ir::is_integer(context.type(i).dtype) ||
        context.type(i) != context.type(2))
      invalid_argument("(C5) start_indices must be integer scalars of one type; got {}",
                       context.type(i).str());
  for (std::size_t d = 0; d < x.dims.size(); ++d)
    if (update.dims[d] > x.dims[d])
      invalid_argument("(C6) update {} is larger than {}", ir::shape_str(update.dims), ir::shape_str(x.dims));
  return {x};
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  const ir::Literal& x = context.operands[0];
  const ir::Literal& update = context.operands[1];
  const ir::Dims& dims = x.type().dims;
  ir::Literal result(x.type());
  std::copy(x.bytes().begin(), x.bytes().end(), result.mutable_bytes().begin());
  const ir::Dims strides = ir::row_major_strides(dims);
  std::int64_t first = 0;
  for (std::size_t d = 0; d < dims.size(); ++d)
    first += strides[d] * std::clamp<std::int64_t>(integer_at(context.operands[2 + d], 0), 0,
                                                   dims[d] - update.type().dims[d]);
  const std::size_t size = ir::size_bytes(x.type().dtype);
  for_each_index(update.type().dims, [&](const ir::Dims& index, std::int64_t at) {
    copy_element(result.mutable_bytes(), first + linear_index(index, strides), update.bytes(), at, size);
  });
  return {result};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  ir::Builder& builder = context.builder;
  const auto operands = context.op.operands();
  const ir::Value dy = context.result_gradients[0];
  const std::vector<ir::Value> starts(operands.begin() + 2, operands.end());
  std::vector<ir::Value> gradients(operands.size());
  if (context.wants(operands[0]))
    gradients[0] = dynamic_update_slice(builder, dy, full(builder, operands[1].type(), 0), starts);
  gradients[1] = dynamic_slice(builder, dy, starts, operands[1].dims());
  return gradients;
}

const ir::OpDef kDynamicUpdateSlice = {
    .name = "dynamic_update_slice", .infer = infer, .gradient = gradient, .reference = reference};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kDynamicUpdateSlice>(); }

}  // namespace dynamic_update_slice_folder

ir::Value dynamic_update_slice(ir::Builder& builder, ir::Value x, ir::Value update,
                               std::vector<ir::Value> start_indices) {
  start_indices.insert(start_indices.begin(), {x, update});
  return builder.create(dynamic_update_slice_folder::kDynamicUpdateSlice, std::move(start_indices)).result();
}

}  // namespace cornu::inline v0::ops

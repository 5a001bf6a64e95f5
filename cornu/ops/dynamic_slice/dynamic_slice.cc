#include "cornu/ops/dynamic_slice/dynamic_slice.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dynamic_update_slice/dynamic_update_slice.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace dynamic_slice_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1, kAnyNumber);
  const ir::TensorType& x = context.type(0);
  const auto& sizes = context.attributes.get<ir::Dims>("slice_sizes");
  const std::size_t num_starts = context.operands.size() - 1;
  if (num_starts != x.dims.size() || sizes.size() != x.dims.size())
    invalid_argument("(C2) {} start_indices and slice_sizes {} must have one entry a dimension of {}",
                     num_starts, sizes, ir::shape_str(x.dims));
  for (std::size_t i = 1; i <= num_starts; ++i)
    if (context.type(i).rank() != 0 || !ir::is_integer(context.type(i).dtype) ||
        context.type(i) != context.type(1))
      invalid_argument("(C3) start_indices must be integer scalars of one type; got {}",
                       context.type(i).str());
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] < 0 || sizes[d] > x.dims[d])
      invalid_argument("(C4) slice_sizes {} must lie between 0 and the extents of {}", sizes,
                       ir::shape_str(x.dims));
  return {{x.dtype, sizes}};
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  const ir::Literal& x = context.operands[0];
  const ir::Dims& dims = x.type().dims;
  const ir::Dims strides = ir::row_major_strides(dims);
  std::int64_t first = 0;
  for (std::size_t d = 0; d < dims.size(); ++d)
    first += strides[d] * std::clamp<std::int64_t>(integer_at(context.operands[1 + d], 0), 0,
                                                   dims[d] - result.type().dims[d]);
  const std::size_t size = ir::size_bytes(x.type().dtype);
  for_each_index(result.type().dims, [&](const ir::Dims& index, std::int64_t at) {
    copy_element(result.mutable_bytes(), at, x.bytes(), first + linear_index(index, strides), size);
  });
  return {result};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const auto operands = context.op.operands();
  std::vector<ir::Value> gradients(operands.size());
  const ir::Value zeros = full(context.builder, operands[0].type(), 0);
  gradients[0] = dynamic_update_slice(context.builder, zeros, context.result_gradients[0],
                                      std::vector<ir::Value>(operands.begin() + 1, operands.end()));
  return gradients;
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"slice_sizes", text.integers({"slice_sizes", "sizes"})}};
}

const ir::OpDef kDynamicSlice = {.name = "dynamic_slice",
                                 .infer = infer,
                                 .gradient = gradient,
                                 .reference = reference,
                                 .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kDynamicSlice>(); }

}  // namespace dynamic_slice_folder

ir::Value dynamic_slice(ir::Builder& builder, ir::Value x, std::vector<ir::Value> start_indices,
                        ir::Dims slice_sizes) {
  start_indices.insert(start_indices.begin(), x);
  return builder
      .create(dynamic_slice_folder::kDynamicSlice, std::move(start_indices),
              {{"slice_sizes", std::move(slice_sizes)}})
      .result();
}

}  // namespace cornu::inline v0::ops

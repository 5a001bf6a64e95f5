#include "cornu/ops/max_pool/max_pool.h"

#include "cornu/base/check.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reduce_window/reduce_window.h"
#include "cornu/ops/reduce_window/window_rules.h"
#include "cornu/ops/select_and_scatter/select_and_scatter.h"

namespace cornu::inline v0::ops {
namespace max_pool_folder {
namespace {

/// The result of a max_pool of `x`.
ir::TensorType pooled_type(const ir::TensorType& x, const PoolWindow& window) {
  const std::size_t rank = x.dims.size();
  if (window.dimensions.size() != rank || window.strides.size() != rank ||
      window.padding_low.size() != rank || window.padding_high.size() != rank)
    invalid_argument(
        "windows, strides and padding must have one entry a dimension of {}; got {}, {}, {} and {}", x.str(),
        window.dimensions, window.strides, window.padding_low, window.padding_high);
  ir::TensorType result = x;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t size = window.dimensions[d], low = window.padding_low[d],
                       high = window.padding_high[d];
    if (size < 1 || window.strides[d] < 1)
      invalid_argument("windows and strides must be positive; got {} and {}", window.dimensions,
                       window.strides);
    // So that each window has an element of x.
    if (low < 0 || high < 0 || low >= size || high >= size)
      invalid_argument("padding must be 0 or more and smaller than the window {}; got {} and {}",
                       window.dimensions, window.padding_low, window.padding_high);
    result.dims[d] = count_windows(padded_extent(low, x.dims[d], high), size, window.strides[d]);
  }
  return result;
}

std::vector<ir::TensorType> infer_pool(const ir::InferContext& context) {
  check_operands(context, 1);
  check_float(context.type(0));
  return {pooled_type(context.type(0), read_pool_window(context.attributes))};
}

std::vector<ir::TensorType> infer_gradient(const ir::InferContext& context) {
  check_operands(context, 2);
  check_float(context.type(0));
  const ir::TensorType expected = pooled_type(context.type(0), read_pool_window(context.attributes));
  if (context.type(1) != expected)
    invalid_argument("dy must be {}, one element a window of {}; got {}", expected.str(),
                     context.type(0).str(), context.type(1).str());
  return {context.type(0)};
}

std::vector<ir::Value> decompose_pool(ir::Builder& builder, std::span<const ir::Value> operands,
                                      const ir::Attributes& attributes) {
  const PoolWindow window = read_pool_window(attributes);
  return {reduce_window_max(builder, operands[0],
                            {.dimensions = window.dimensions,
                             .strides = window.strides,
                             .padding_low = window.padding_low,
                             .padding_high = window.padding_high})};
}

std::vector<ir::Value> decompose_gradient(ir::Builder& builder, std::span<const ir::Value> operands,
                                          const ir::Attributes& attributes) {
  return {select_and_scatter_add(builder, operands[0], operands[1], read_pool_window(attributes),
                                 ComparisonDirection::kGe)};
}

std::vector<ir::Value> pool_gradient(const ir::GradientContext& context) {
  return {max_pool_gradient(context.builder, context.op.operand(0), context.result_gradients[0],
                            max_pool_window(context.op))};
}

const ir::OpDef kMaxPool = {
    .name = "cornu.max_pool", .infer = infer_pool, .gradient = pool_gradient, .decompose = decompose_pool};
const ir::OpDef kMaxPoolGradient = {
    .name = "cornu.max_pool_gradient", .infer = infer_gradient, .decompose = decompose_gradient};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kMaxPool, kMaxPoolGradient>(); }

}  // namespace max_pool_folder

ir::Value max_pool(ir::Builder& builder, ir::Value x, const PoolWindow& window) {
  return builder.create(max_pool_folder::kMaxPool, {x}, pool_window_attributes(window, x.dims().size()))
      .result();
}

ir::Value max_pool_gradient(ir::Builder& builder, ir::Value x, ir::Value dy, const PoolWindow& window) {
  return builder
      .create(max_pool_folder::kMaxPoolGradient, {x, dy}, pool_window_attributes(window, x.dims().size()))
      .result();
}

PoolWindow max_pool_window(const ir::Op& op) { return read_pool_window(op.attributes()); }

}  // namespace cornu::inline v0::ops

#include "cornu/transform/line_convolutions.h"

#include <algorithm>

#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convolution/convolution.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/pad/pad.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/reverse/reverse.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: a convolution of one line

using ir::Value;

constexpr std::int64_t kRow = 64;  // results of a row
constexpr std::int64_t kFewestTaps = 32, kFewestResults = 1024;

/// True for one line, one channel and one kernel, element by element.
bool is_convolution_of_one_line(const ir::Op& op) {
  if (op.name() != "convolution") return false;
  const ir::Value x = op.operand(0), kernel = op.operand(1);
  if (x.rank() != 3 || (x.dtype() != ir::DType::kF32 && x.dtype() != ir::DType::kF64) ||
      kernel.dtype() != x.dtype() || op.result().dtype() != x.dtype())
    return false;
  const ops::ConvolutionDimensions d = ops::convolution_dimensions(op);
  const ops::ConvolutionOptions o = ops::convolution_options(op);
  const auto is_line = [](Value value, std::int64_t dimension) {
    return value.dims()[static_cast<std::size_t>(dimension)] == value.type().num_elements();
  };
  const ir::Dims one = {1};
  return is_line(x, d.input_spatial_dimensions[0]) && is_line(kernel, d.kernel_spatial_dimensions[0]) &&
         o.window_strides == one && o.lhs_dilation == one && o.rhs_dilation == one &&
         o.feature_group_count == 1 && o.batch_group_count == 1 &&
         kernel.type().num_elements() >= kFewestTaps && op.result().type().num_elements() >= kFewestResults;
}

Value padded(ir::Builder& b, Value line, std::int64_t low, std::int64_t high) {
  return ops::pad(b, line, ops::scalar(b, line.dtype(), 0), {low}, {high}, {0});
}

/// Row j: the kernel from element j on, zeros elsewhere; [kRow, num_taps + kRow - 1]. It is a line with a row of zeros
/// that is repeated, in rows that are shorter by one element.
Value shifted_kernels(ir::Builder& b, Value kernel) {
  const std::int64_t length = kernel.dims()[0] + kRow;
  const Value line = padded(b, kernel, 0, kRow);
  const Value repeated =
      ops::reshape(b, ops::broadcast_in_dim(b, line, {kRow, length}, {1}), {kRow * length});
  return ops::reshape(b, ops::slice(b, repeated, {0}, {kRow * (length - 1)}, {1}), {kRow, length - 1});
}

Value as_product(ir::Builder& b, const ir::Op& op, Value x, Value kernel) {
  const ops::ConvolutionOptions o = ops::convolution_options(op);
  const std::int64_t num_elements = x.type().num_elements(), num_taps = kernel.type().num_elements();
  const std::int64_t num_results = op.result().type().num_elements();
  const std::int64_t num_rows = (num_results + kRow - 1) / kRow, more_rows = (num_taps + kRow - 2) / kRow;
  const std::int64_t low = o.padding_low[0], width = num_taps + kRow - 1;
  const Value line =
      padded(b, ops::reshape(b, x, {num_elements}), low, (num_rows + more_rows) * kRow - num_elements - low);
  const Value rows = ops::reshape(b, line, {num_rows + more_rows, kRow});
  std::vector<Value> parts;
  for (std::int64_t i = 0; i <= more_rows; ++i)
    parts.push_back(ops::slice(b, rows, {i, 0}, {i + num_rows, std::min(kRow, width - i * kRow)}, {1, 1}));
  Value taps = ops::reshape(b, kernel, {num_taps});
  if (o.window_reversal[0] != 0) taps = ops::reverse(b, taps, {0});
  const Value product = ops::dot_general(b, ops::concatenate(b, parts, 1), shifted_kernels(b, taps),
                                         {.lhs_contracting = {1}, .rhs_contracting = {1}});
  const Value results = ops::slice(b, ops::reshape(b, product, {num_rows * kRow}), {0}, {num_results}, {1});
  return ops::reshape(b, results, op.result().dims());
}

}  // namespace

std::unique_ptr<ir::Function> multiply_long_lines(const ir::Function& function) {
  return replace_matching(function, &is_convolution_of_one_line,
                          [](ir::Builder& b, const ir::Op& op, std::span<const Value> operands) {
                            return std::vector{as_product(b, op, operands[0], operands[1])};
                          });
}

}  // namespace cornu::inline v0::transform

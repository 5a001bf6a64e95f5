#include "cornu/transform/pool_gradients.h"

#include <algorithm>
#include <optional>
#include <string>

#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/pad/pad.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/select_and_scatter/select_and_scatter.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: a select_and_scatter of overlapping windows

using ir::Value;

constexpr std::int64_t kMostElements = 16;  // of a window: each is a few ops
constexpr std::int64_t kFewChannels = 8;

std::int64_t num_elements_of(const ir::Dims& sizes) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= std::min(size, kMostElements + 1);
  return count;
}

bool is_pool_gradient(const ir::Op& op) {
  if (op.name() != "select_and_scatter") return false;
  const ops::PoolWindow w = ops::select_window(op);
  const ir::Block& select = op.region(0);
  const bool selects =
      ops::simple_body_kind(select) == "compare" && select.ops()[0]->operand(0) == select.arguments()[0];
  if (!selects || ops::simple_body_kind(op.region(1)) != "add" || !ir::is_float(op.result().dtype()))
    return false;
  const auto is_padding = [](std::int64_t padding) { return padding >= 0; };
  const bool overlaps = !std::ranges::equal(w.dimensions, w.strides) &&
                        std::ranges::all_of(w.padding_low, is_padding) &&
                        std::ranges::all_of(w.padding_high, is_padding);
  if (w.dimensions.empty()) return false;
  const bool has_few_lanes = w.dimensions.back() > 1 || op.result().dims().back() < kFewChannels;
  return overlaps && has_few_lanes && op.result().type().num_elements() > 0 &&
         op.operand(1).type().num_elements() > 0 && num_elements_of(w.dimensions) <= kMostElements;
}

class PoolGradient {
 public:
  PoolGradient(ir::Builder& builder, const ir::Op& op, ops::PoolWindow window)
      : b_(builder), op_(op), window_(std::move(window)), offsets_(ops::all_indices(window_.dimensions)) {}

  Value build(Value operand, Value source, Value init) {
    // f16 and bf16 are summed in f32.
    const ir::DType dtype = source.dtype(), wide = ir::bit_width(dtype) < 32 ? ir::DType::kF32 : dtype;
    const Value selected = selected_elements(operand, source.dims());
    const Value zero = ops::scalar(b_, wide, 0), none = ops::scalar(b_, ir::DType::kI32, -1);
    const Value spread = spread_out(ops::convert(b_, source, wide), zero),
                numbers = spread_out(selected, none);
    const ir::Dims& dims = operand.dims();
    Value sum = ops::broadcast_scalar(b_, ops::convert(b_, init, wide), dims);
    // An element's first window has it at its last offset: sums are in the order of windows, as elsewhere.
    for (std::size_t i = offsets_.size(); i-- > 0;) {
      ir::Dims starts, limits;
      for (std::size_t d = 0; d < dims.size(); ++d) {
        starts.push_back(window_.dimensions[d] - 1 - offsets_[i][d] + window_.padding_low[d]);
        limits.push_back(starts.back() + dims[d]);
      }
      const ir::Dims ones(dims.size(), 1);
      const Value is_selected = ops::compare(b_, ops::slice(b_, numbers, starts, limits, ones),
                                             number(i, dims), ops::ComparisonDirection::kEq);
      const Value part = ops::slice(b_, spread, starts, limits, ones);
      sum = ops::add(b_, sum, ops::select(b_, is_selected, part, ops::full(b_, part.type(), 0)));
    }
    return ops::convert(b_, sum, dtype);
  }

 private:
  Value number(std::size_t i, const ir::Dims& dims) {
    return ops::full(b_, {ir::DType::kI32, dims}, static_cast<double>(i));
  }

  /// For each window the number of the element that it selects. The first element replaces padding, and padding
  /// replaces no element.
  Value selected_elements(Value operand, const ir::Dims& windows) {
    const auto direction = ops::comparison_direction_from_name(
        op_.region(0).ops()[0]->attributes().get<std::string>("comparison_direction"));
    const ir::Dims none(windows.size(), 0);
    const Value padded = ops::pad(b_, operand, ops::scalar(b_, operand.dtype(), 0), window_.padding_low,
                                  window_.padding_high, none);
    Value kept, selected, kept_is_padding;
    for (std::size_t i = 0; i < offsets_.size(); ++i) {
      ir::Dims limits;
      for (std::size_t d = 0; d < windows.size(); ++d)
        limits.push_back(offsets_[i][d] + (windows[d] - 1) * window_.strides[d] + 1);
      const Value next = ops::slice(b_, padded, offsets_[i], limits, window_.strides);
      const Value next_is_padding = is_padding(offsets_[i], windows);
      Value stays = i == 0 ? Value() : ops::compare(b_, kept, next, direction);
      if (i > 0 && kept_is_padding) stays = ops::and_(b_, stays, ops::not_(b_, kept_is_padding));
      if (i > 0 && next_is_padding) stays = ops::or_(b_, stays, next_is_padding);
      selected = i == 0 ? number(0, windows) : ops::select(b_, stays, selected, number(i, windows));
      kept = i == 0 ? next : ops::select(b_, stays, kept, next);
      if (i == 0 || !next_is_padding || !kept_is_padding) {
        kept_is_padding = i == 0 ? next_is_padding : Value();
      } else {
        kept_is_padding = ops::and_(b_, kept_is_padding, next_is_padding);
      }
    }
    return selected;
  }

  /// True where a window's element at this offset is padding; empty if none is.
  Value is_padding(const ir::Dims& offset, const ir::Dims& windows) {
    Value any;
    const auto add = [&](std::size_t d, std::int64_t limit, ops::ComparisonDirection direction) {
      const ir::TensorType type{ir::DType::kI32, windows};
      const Value position = ops::iota(b_, type, static_cast<std::int64_t>(d));
      const Value is_outside =
          ops::compare(b_, position, ops::full(b_, type, static_cast<double>(limit)), direction);
      any = any ? ops::or_(b_, any, is_outside) : is_outside;
    };
    for (std::size_t d = 0; d < windows.size(); ++d) {
      // Window i has element i * stride + offset - low.
      const std::int64_t stride = window_.strides[d], first = window_.padding_low[d] - offset[d],
                         end = first + op_.result().dims()[d];
      if (first > 0) add(d, (first + stride - 1) / stride, ops::ComparisonDirection::kLt);
      if ((windows[d] - 1) * stride >= end)
        add(d, end <= 0 ? 0 : (end + stride - 1) / stride, ops::ComparisonDirection::kGe);
    }
    return any;
  }

  /// A value for each window at its first element, `filler` elsewhere and around.
  Value spread_out(Value x, Value filler) {
    ir::Dims low, high, interior;
    for (std::size_t d = 0; d < x.dims().size(); ++d) {
      low.push_back(window_.dimensions[d] - 1);
      interior.push_back(window_.strides[d] - 1);
      const std::int64_t padded = window_.padding_low[d] + op_.result().dims()[d] + window_.padding_high[d];
      high.push_back(padded - 1 - (x.dims()[d] - 1) * window_.strides[d]);
    }
    return ops::pad(b_, x, filler, low, high, interior);
  }

  ir::Builder& b_;
  const ir::Op& op_;
  ops::PoolWindow window_;
  std::vector<ir::Dims> offsets_;
};

}  // namespace

std::unique_ptr<ir::Function> unroll_pool_gradients(const ir::Function& function) {
  return replace_matching(
      function, &is_pool_gradient, [](ir::Builder& b, const ir::Op& op, std::span<const Value> operands) {
        return std::vector{
            PoolGradient(b, op, ops::select_window(op)).build(operands[0], operands[1], operands[2])};
      });
}

}  // namespace cornu::inline v0::transform

#include "cornu/transform/whole_windows.h"

#include <algorithm>
#include <limits>

#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/scatter/scatter.h"
#include "cornu/ops/select/select.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: a scatter of windows of two elements or more along a dimension of the indices

using ir::Value;

/// For each component of an index: the extent of the operand, and the last start of a whole window.
struct Bounds {
  std::vector<std::int64_t> extents, last_starts;
  bool has_windows = false;
};

Bounds bounds_of(const ir::Op& op, const ops::ScatterDimensions& d) {
  const std::size_t num_inputs = op.results().size();
  const ir::Dims &dims = op.operand(0).dims(), &updates = op.operand(num_inputs + 1).dims();
  std::vector<std::int64_t> window;  // by dimension of the operand
  std::size_t next = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const auto is_in = [&](const ir::Dims& some) {
      return std::ranges::count(some, static_cast<std::int64_t>(i)) > 0;
    };
    const bool is_one = is_in(d.inserted_window_dims) || is_in(d.input_batching_dims);
    window.push_back(is_one ? 1 : updates[static_cast<std::size_t>(d.update_window_dims[next++])]);
  }
  Bounds bounds;
  for (const std::int64_t to : d.scatter_dims_to_operand_dims) {
    const std::int64_t extent = dims[static_cast<std::size_t>(to)],
                       size = window[static_cast<std::size_t>(to)];
    bounds.extents.push_back(extent);
    bounds.last_starts.push_back(extent - size);
    bounds.has_windows = bounds.has_windows || size > 1;
  }
  return bounds;
}

bool has_windows(const ir::Op& op) {
  return op.name() == "scatter" && bounds_of(op, ops::scatter_dimensions(op)).has_windows;
}

/// A number for each component of the indices.
Value by_component(ir::Builder& b, std::span<const std::int64_t> numbers, Value indices,
                   std::int64_t dimension) {
  const bool is_wide = indices.dtype() == ir::DType::kI64;
  const auto count = static_cast<std::int64_t>(numbers.size());
  const std::vector<std::int32_t> narrow(numbers.begin(), numbers.end());
  const Value vector = ops::constant(b, is_wide ? ir::Literal::of<std::int64_t>({count}, numbers)
                                                : ir::Literal::of<std::int32_t>({count}, narrow));
  if (dimension < indices.rank()) return ops::broadcast_in_dim(b, vector, indices.dims(), {dimension});
  return ops::broadcast_in_dim(b, ops::scalar(b, indices.dtype(), static_cast<double>(numbers[0])),
                               indices.dims(), {});
}

/// Indices of whole windows, and the operand's extent, where no element is, in place of others.
Value indices_of_whole_windows(ir::Builder& b, Value indices, const Bounds& bounds, std::int64_t dimension) {
  const bool is_wide =
      indices.dtype() != ir::DType::kI32 || std::ranges::any_of(bounds.extents, [](std::int64_t extent) {
        return extent > std::numeric_limits<std::int32_t>::max();
      });
  indices = ops::convert(b, indices, is_wide ? ir::DType::kI64 : ir::DType::kI32);
  const std::vector<std::int64_t> zeros(bounds.extents.size(), 0);
  const auto number = [&](std::span<const std::int64_t> numbers) {
    return by_component(b, numbers, indices, dimension);
  };
  const Value is_whole =
      ops::and_(b, ops::compare(b, indices, number(zeros), ops::ComparisonDirection::kGe),
                ops::compare(b, indices, number(bounds.last_starts), ops::ComparisonDirection::kLe));
  return ops::select(b, is_whole, indices, number(bounds.extents));
}

}  // namespace

std::unique_ptr<ir::Function> skip_partial_windows(const ir::Function& function) {
  return replace_matching(
      function, &has_windows, [](ir::Builder& b, const ir::Op& op, std::span<const Value> operands) {
        const ops::ScatterDimensions dimensions = ops::scatter_dimensions(op);
        std::vector<Value> changed(operands.begin(), operands.end());
        Value& indices = changed[op.results().size()];
        indices =
            indices_of_whole_windows(b, indices, bounds_of(op, dimensions), dimensions.index_vector_dim);
        std::vector<std::unique_ptr<ir::Block>> regions;
        regions.push_back(clone_block(op.region(0), {}));
        const ir::Op& made = b.create(op.def(), std::move(changed), op.attributes(), std::move(regions));
        return std::vector<Value>(made.results().begin(), made.results().end());
      });
}

}  // namespace cornu::inline v0::transform

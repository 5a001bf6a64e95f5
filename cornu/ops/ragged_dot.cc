#include "cornu/ops/ragged_dot.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/transpose/transpose.h"

namespace cornu::inline v0::ops {
namespace ragged {
namespace {

using ir::Builder;
using ir::Value;

ir::Dims incremented(ir::Dims dims) {
  for (std::int64_t& dimension : dims) ++dimension;
  return dims;
}

/// Those of `dims` before `dimension`.
ir::Dims before(const ir::Dims& dims, std::int64_t dimension) {
  return {dims.begin(), std::find(dims.begin(), dims.end(), dimension)};
}

/// Sums of group sizes up to each one, that one included or not.
Value sums_before(Builder& b, Value sizes, bool inclusive) {
  ir::Dims dims = sizes.dims();
  dims.push_back(dims.back());
  const std::int64_t rank = sizes.rank();
  const Value wide = broadcast_in_dim(b, sizes, dims, counting(rank));  // [..., of, for]
  const ir::TensorType positions{ir::DType::kI32, dims};
  const Value counts = compare(b, iota(b, positions, rank - 1), iota(b, positions, rank),
                               inclusive ? ComparisonDirection::kLe : ComparisonDirection::kLt);
  return reduce_sum(b, select(b, counts, wide, full(b, wide.type(), 0)), {rank - 1});
}

/// Copies of x for each group, zeros outside of it: [g, x...]. The extents of group_sizes before the last one
/// are those of the dimensions `prefix`.
Value expanded(Builder& b, Value x, Value group_sizes, std::int64_t dimension, const ir::Dims& prefix) {
  const std::int64_t count = group_sizes.dims().back();
  ir::Dims dims = x.dims();
  dims.insert(dims.begin(), count);
  Value sizes = group_sizes;
  ir::Dims sizes_dims;
  for (const std::int64_t i : prefix) sizes_dims.push_back(x.dims()[static_cast<std::size_t>(i)]);
  sizes_dims.push_back(count);
  if (sizes.rank() == 1)
    sizes = broadcast_in_dim(b, sizes, sizes_dims, {static_cast<std::int64_t>(prefix.size())});
  if (sizes.dims() != sizes_dims)
    invalid_argument("[chlo.ragged_dot] group_sizes must have the extents {}; got {}", sizes_dims,
                     group_sizes.type().str());
  const ir::Dims places = concatenated(incremented(prefix), {0});
  const auto spread = [&](Value sums) {
    // Dimensions of a broadcast ascend: sort them by their places.
    ir::Dims order = counting(sums.rank()), sorted;
    std::sort(order.begin(), order.end(), [&](std::int64_t i, std::int64_t j) {
      return places[static_cast<std::size_t>(i)] < places[static_cast<std::size_t>(j)];
    });
    for (const std::int64_t i : order) sorted.push_back(places[static_cast<std::size_t>(i)]);
    return broadcast_in_dim(b, transpose(b, sums, order), dims, sorted);
  };
  const Value position = iota(b, {sizes.dtype(), dims}, dimension + 1);
  const Value inside =
      and_(b, compare(b, spread(sums_before(b, sizes, false)), position, ComparisonDirection::kLe),
           compare(b, position, spread(sums_before(b, sizes, true)), ComparisonDirection::kLt));
  const Value wide = broadcast_in_dim(b, x, dims, incremented(counting(x.rank())));
  return select(b, inside, wide, full(b, wide.type(), 0));
}

void check_ragged(Value lhs, Value rhs, Value group_sizes, const RaggedDotDimensions& d) {
  if (!ir::is_integer(group_sizes.dtype()) || group_sizes.rank() < 1)
    invalid_argument("[chlo.ragged_dot] group_sizes must be of integers with a dimension; got {}",
                     group_sizes.type().str());
  const auto in_range = [](const ir::Dims& dims, std::int64_t rank) {
    return std::all_of(dims.begin(), dims.end(), [rank](std::int64_t i) { return i >= 0 && i < rank; });
  };
  if (!in_range(concatenated(d.dot.lhs_batching, d.dot.lhs_contracting), lhs.rank()) ||
      !in_range(concatenated(d.dot.rhs_batching, d.dot.rhs_contracting), rhs.rank()) ||
      !in_range({d.lhs_ragged}, lhs.rank()) || !in_range(d.rhs_group, rhs.rank()) ||
      d.dot.lhs_contracting.size() != d.dot.rhs_contracting.size())
    invalid_argument("[chlo.ragged_dot] a dimension is outside of the operands; got {} and {}",
                     lhs.type().str(), rhs.type().str());
}

}  // namespace
}  // namespace ragged

ir::Value ragged_dot(ir::Builder& builder, ir::Value lhs, ir::Value rhs, ir::Value group_sizes,
                     const RaggedDotDimensions& dimensions) {
  using namespace ragged;
  check_ragged(lhs, rhs, group_sizes, dimensions);
  const DotDimensions& dot = dimensions.dot;
  const std::int64_t ragged = dimensions.lhs_ragged;
  if (contains(dot.lhs_batching, ragged)) return dot_general(builder, lhs, rhs, dot);
  if (!contains(dot.lhs_contracting, ragged)) {
    if (dimensions.rhs_group.size() != 1)
      invalid_argument("[chlo.ragged_dot] rhs must have one dimension of groups; got {}",
                       dimensions.rhs_group);
    const ir::Dims free =
        remaining_dimensions(lhs.rank(), concatenated(dot.lhs_batching, dot.lhs_contracting));
    const ir::Value wide =
        expanded(builder, lhs, group_sizes, ragged, concatenated(dot.lhs_batching, before(free, ragged)));
    return dot_general(builder, wide, rhs,
                       {.lhs_batching = incremented(dot.lhs_batching),
                        .rhs_batching = dot.rhs_batching,
                        .lhs_contracting = concatenated(incremented(dot.lhs_contracting), {0}),
                        .rhs_contracting = concatenated(dot.rhs_contracting, dimensions.rhs_group)});
  }
  const auto place =
      static_cast<std::size_t>(std::find(dot.lhs_contracting.begin(), dot.lhs_contracting.end(), ragged) -
                               dot.lhs_contracting.begin());
  const std::int64_t rhs_ragged = dot.rhs_contracting[place];
  const ir::Value wide_lhs = expanded(builder, lhs, group_sizes, ragged,
                                      concatenated(dot.lhs_batching, before(dot.lhs_contracting, ragged)));
  const ir::Value wide_rhs =
      expanded(builder, rhs, group_sizes, rhs_ragged,
               concatenated(dot.rhs_batching, before(dot.rhs_contracting, rhs_ragged)));
  return dot_general(builder, wide_lhs, wide_rhs,
                     {.lhs_batching = concatenated({0}, incremented(dot.lhs_batching)),
                      .rhs_batching = concatenated({0}, incremented(dot.rhs_batching)),
                      .lhs_contracting = incremented(dot.lhs_contracting),
                      .rhs_contracting = incremented(dot.rhs_contracting)});
}

}  // namespace cornu::inline v0::ops

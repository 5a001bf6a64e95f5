#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "cornu/ir/graph.h"

/// Small helpers that the shape rules, reference kernels and gradients of the structural ops share.
namespace cornu::inline v0::ops {

/// Calls f(index, row-major number) for every index of a box, in row-major order.
template <typename F>
void for_each_index(const ir::Dims& dims, F&& f) {
  std::int64_t count = 1;
  for (std::int64_t extent : dims) count *= extent;
  ir::Dims index(dims.size(), 0);
  for (std::int64_t number = 0; number < count; ++number) {
    f(static_cast<const ir::Dims&>(index), number);
    for (std::size_t d = dims.size(); d-- > 0;) {
      if (++index[d] < dims[d]) break;
      index[d] = 0;
    }
  }
}

/// sum(index * strides)
inline std::int64_t linear_index(const ir::Dims& index, const ir::Dims& strides) {
  std::int64_t linear = 0;
  for (std::size_t d = 0; d < index.size(); ++d) linear += index[d] * strides[d];
  return linear;
}

/// Copies one element between tensors of one dtype, whose size is `size`, by position.
inline void copy_element(std::span<std::byte> to, std::int64_t to_at, std::span<const std::byte> from,
                         std::int64_t from_at, std::size_t size) {
  std::memcpy(to.data() + static_cast<std::size_t>(to_at) * size,
              from.data() + static_cast<std::size_t>(from_at) * size, size);
}

bool is_unique(const ir::Dims& values);
bool is_sorted(const ir::Dims& values);
bool all_in_range(const ir::Dims& values, std::int64_t limit);  // 0 <= value < limit
bool contains(const ir::Dims& values, std::int64_t value);
bool all_equal(const ir::Dims& values, std::int64_t value);  // true for an empty list
ir::Dims concatenated(ir::Dims first, const ir::Dims& second);

/// Every index of a box, in row-major order.
std::vector<ir::Dims> all_indices(const ir::Dims& dims);
/// 0, 1, ..., count - 1
ir::Dims counting(std::int64_t count);
/// [0, rank) without `dropped`, ascending.
ir::Dims remaining_dimensions(std::int64_t rank, const ir::Dims& dropped);
/// The extents at `dimensions`.
ir::Dims extents(const ir::Dims& dims, const ir::Dims& dimensions);
/// The permutation p with p[permutation[d]] = d.
ir::Dims inverse_permutation(const ir::Dims& permutation);

/// `axis` counted from the front; throws InvalidArgument when it is outside [-rank, rank).
std::int64_t normalized_axis(std::int64_t axis, std::int64_t rank);

/// Element i of an integer literal; ui64 saturates at the largest int64.
std::int64_t integer_at(const ir::Literal& literal, std::int64_t i);

/// Throws InvalidArgument unless the dtype is floating-point.
void check_float(const ir::TensorType& type);
/// Throws InvalidArgument unless the ids are integers.
void check_ids(const ir::TensorType& ids);

/// True for the result of a constant op.
bool is_constant(ir::Value value);
/// True for a constant of zeros, also if it is broadcast.
bool is_zero(ir::Value value);

/// "name = [1, 2]" for MLIR's structured attributes; nothing when the list is empty.
void append_list(std::string& text, std::string_view name, const ir::Dims& values);

}  // namespace cornu::inline v0::ops

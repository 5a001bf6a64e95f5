#include "cornu/ops/index_space.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <type_traits>

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

bool is_unique(const ir::Dims& values) {
  ir::Dims sorted = values;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

bool is_sorted(const ir::Dims& values) { return std::is_sorted(values.begin(), values.end()); }

bool all_in_range(const ir::Dims& values, std::int64_t limit) {
  return std::all_of(values.begin(), values.end(), [limit](std::int64_t v) { return v >= 0 && v < limit; });
}

bool contains(const ir::Dims& values, std::int64_t value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool all_equal(const ir::Dims& values, std::int64_t value) {
  return std::all_of(values.begin(), values.end(), [value](std::int64_t v) { return v == value; });
}

ir::Dims concatenated(ir::Dims first, const ir::Dims& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<ir::Dims> all_indices(const ir::Dims& dims) {
  std::vector<ir::Dims> indices;
  for_each_index(dims, [&](const ir::Dims& index, std::int64_t) { indices.push_back(index); });
  return indices;
}

ir::Dims counting(std::int64_t count) {
  ir::Dims values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

ir::Dims remaining_dimensions(std::int64_t rank, const ir::Dims& dropped) {
  ir::Dims kept;
  for (std::int64_t d = 0; d < rank; ++d)
    if (!contains(dropped, d)) kept.push_back(d);
  return kept;
}

ir::Dims extents(const ir::Dims& dims, const ir::Dims& dimensions) {
  ir::Dims values;
  for (std::int64_t d : dimensions) values.push_back(dims[static_cast<std::size_t>(d)]);
  return values;
}

ir::Dims inverse_permutation(const ir::Dims& permutation) {
  ir::Dims inverse(permutation.size());
  for (std::size_t d = 0; d < permutation.size(); ++d)
    inverse[static_cast<std::size_t>(permutation[d])] = static_cast<std::int64_t>(d);
  return inverse;
}

std::int64_t normalized_axis(std::int64_t axis, std::int64_t rank) {
  if (axis < -rank || axis >= rank)
    invalid_argument("axis must be in [{}, {}) for a tensor of rank {}; got {}", -rank, rank, rank, axis);
  return axis < 0 ? axis + rank : axis;
}

std::int64_t integer_at(const ir::Literal& literal, std::int64_t i) {
  std::int64_t value = 0;
  ir::visit_dtype(literal.type().dtype, [&]<typename T>() {
    T element = literal.data<T>()[static_cast<std::size_t>(i)];
    if constexpr (std::is_same_v<T, std::uint64_t>)
      element = std::min<T>(element, std::numeric_limits<std::int64_t>::max());
    value = static_cast<std::int64_t>(element);
  });
  return value;
}

void check_float(const ir::TensorType& type) {
  if (!ir::is_float(type.dtype)) invalid_argument("the operand must be floating-point; got {}", type.str());
}

void check_ids(const ir::TensorType& ids) {
  if (!ir::is_integer(ids.dtype)) invalid_argument("ids must be integers; got {}", ids.str());
}

bool is_constant(ir::Value value) { return value.op() != nullptr && value.op()->name() == "constant"; }

bool is_zero(ir::Value value) {
  if (value.op() != nullptr && value.op()->name() == "broadcast_in_dim")
    return is_zero(value.op()->operand(0));
  if (!is_constant(value)) return false;
  const auto& literal = value.op()->attributes().get<ir::Literal>("value");
  return literal.type().num_elements() > 0 && literal.is_splat() && literal.at(0) == 0;
}

void append_list(std::string& text, std::string_view name, const ir::Dims& values) {
  if (values.empty()) return;
  text += fmt::format("{}{} = [{}]", text.empty() ? "" : ", ", name, fmt::join(values, ", "));
}

}  // namespace cornu::inline v0::ops

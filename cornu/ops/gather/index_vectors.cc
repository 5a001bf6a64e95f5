#include "cornu/ops/gather/index_vectors.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/clamp/clamp.h"
#include "cornu/ops/constant/constant.h"

namespace cornu::inline v0::ops {
namespace gather_folder {
namespace {

ir::Literal integers(ir::DType dtype, const ir::Dims& values) {
  ir::Literal literal(ir::TensorType{dtype, {static_cast<std::int64_t>(values.size())}});
  ir::visit_dtype(dtype, [&]<typename T>() {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if constexpr (std::is_same_v<T, std::uint64_t>) {
        literal.mutable_data<T>()[i] = static_cast<T>(std::max<std::int64_t>(values[i], 0));
      } else {
        literal.mutable_data<T>()[i] = static_cast<T>(
            std::clamp<std::int64_t>(values[i], static_cast<std::int64_t>(std::numeric_limits<T>::lowest()),
                                     static_cast<std::int64_t>(std::numeric_limits<T>::max())));
      }
    }
  });
  return literal;
}

}  // namespace
}  // namespace gather_folder

ir::Dims IndexVectors::batch_dims(const ir::Dims& indices) const {
  return extents(indices,
                 remaining_dimensions(static_cast<std::int64_t>(indices.size()), {index_vector_dim}));
}

std::int64_t IndexVectors::num_components(const ir::Dims& indices) const {
  const auto at = static_cast<std::size_t>(index_vector_dim);
  return at < indices.size() ? indices[at] : 1;
}

ir::Dims IndexVectors::window_start(const ir::Literal& indices, const ir::Dims& batch_index,
                                    std::int64_t operand_rank) const {
  const ir::Dims strides = ir::row_major_strides(indices.type().dims);
  const ir::Dims batch_strides =
      extents(strides, remaining_dimensions(static_cast<std::int64_t>(strides.size()), {index_vector_dim}));
  const std::int64_t first = linear_index(batch_index, batch_strides);
  const auto vector_dim = static_cast<std::size_t>(index_vector_dim);
  const std::int64_t step = vector_dim < strides.size() ? strides[vector_dim] : 0;
  ir::Dims start(static_cast<std::size_t>(operand_rank), 0);
  for (std::size_t c = 0; c < index_map.size(); ++c)
    start[static_cast<std::size_t>(index_map[c])] =
        integer_at(indices, first + static_cast<std::int64_t>(c) * step);
  for (std::size_t i = 0; i < operand_batching_dims.size(); ++i) {
    const std::int64_t from = indices_batching_dims[i];
    start[static_cast<std::size_t>(operand_batching_dims[i])] =
        batch_index[static_cast<std::size_t>(from < index_vector_dim ? from : from - 1)];
  }
  return start;
}

ir::Value component_values(ir::Builder& builder, ir::Value indices, std::int64_t index_vector_dim,
                           const ir::Dims& per_component) {
  if (std::adjacent_find(per_component.begin(), per_component.end(), std::not_equal_to<>()) ==
      per_component.end()) {
    ir::Literal one(ir::TensorType{indices.dtype(), {}});
    const ir::Literal vector =
        gather_folder::integers(indices.dtype(), {per_component.empty() ? 0 : per_component[0]});
    std::copy(vector.bytes().begin(), vector.bytes().end(), one.mutable_bytes().begin());
    return constant(builder, one);
  }
  return broadcast_in_dim(builder, constant(builder, gather_folder::integers(indices.dtype(), per_component)),
                          indices.dims(), {index_vector_dim});
}

ir::Value clamp_components(ir::Builder& builder, ir::Value indices, std::int64_t index_vector_dim,
                           const ir::Dims& low, const ir::Dims& high) {
  const ir::Value least = component_values(builder, indices, index_vector_dim, low);
  const ir::Value greatest = component_values(builder, indices, index_vector_dim, high);
  return clamp(builder, least, indices, greatest);
}

}  // namespace cornu::inline v0::ops

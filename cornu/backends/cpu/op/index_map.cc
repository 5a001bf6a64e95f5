#include "cornu/backends/cpu/op/index_map.h"

namespace cornu::inline v0::backends::cpu {

Index zero_index(std::size_t num_loops) { return Index{std::vector<std::int64_t>(num_loops, 0), 0, {}}; }

void add_scaled(Index& to, const Index& from, std::int64_t scale) {
  for (std::size_t l = 0; l < to.coefficients.size(); ++l) to.coefficients[l] += scale * from.coefficients[l];
  to.constant += scale * from.constant;
}

std::size_t num_loops_of(const IndexMap& map) { return map.empty() ? 0 : map[0].coefficients.size(); }

IndexMap component_map(const ir::Dims& indices, std::int64_t index_vector_dim, const IndexMap& batch,
                       std::int64_t component, std::size_t num_loops) {
  IndexMap out;
  std::size_t next = 0;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    if (static_cast<std::int64_t>(d) == index_vector_dim) {
      out.push_back(zero_index(num_loops));
      out.back().constant = component;
    } else {
      out.push_back(batch[next++]);
    }
  }
  return out;
}

std::size_t batch_dimension(std::int64_t indices_dimension, std::int64_t index_vector_dim) {
  return static_cast<std::size_t>(indices_dimension < index_vector_dim ? indices_dimension
                                                                       : indices_dimension - 1);
}

IndexMap identity_map(std::size_t rank) {
  IndexMap map(rank, zero_index(rank));
  for (std::size_t d = 0; d < rank; ++d) map[d].coefficients[d] = 1;
  return map;
}

bool is_identity(const IndexMap& map, const ir::Dims& loop_extents) {
  if (map.size() != loop_extents.size()) return false;
  for (std::size_t d = 0; d < map.size(); ++d) {
    if (map[d].constant != 0 || !map[d].dynamic.empty()) return false;
    for (std::size_t l = 0; l < loop_extents.size(); ++l)
      if ((l < map[d].coefficients.size() ? map[d].coefficients[l] : 0) != (d == l ? 1 : 0) &&
          loop_extents[l] != 1)
        return false;
  }
  return true;
}

}  // namespace cornu::inline v0::backends::cpu

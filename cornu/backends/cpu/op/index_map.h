#pragma once

#include <cstdint>
#include <vector>

#include "cornu/ir/graph.h"

/// The elements of its operand that an op reads, as functions of loop indices.
namespace cornu::inline v0::backends::cpu {

/// One dimension's index of a value as an affine function of a group's loop indices:
/// sum(coefficients[l] * loop[l]) + constant + sum(clamp(start, 0, max) of dynamic starts).
struct Index {
  std::vector<std::int64_t> coefficients;
  std::int64_t constant = 0;
  struct Dynamic {
    ir::Value start;  // integers, in memory
    std::int64_t max = 0;
    std::vector<Index> map;  // where in `start`; empty for a scalar
  };
  std::vector<Dynamic> dynamic;
};
using IndexMap = std::vector<Index>;

/// The map under which loop l is dimension l.
IndexMap identity_map(std::size_t rank);
bool is_identity(const IndexMap& map, const ir::Dims& loop_extents);

/// An index that is 0 whatever the loops do.
Index zero_index(std::size_t num_loops);

/// to += scale * from, without dynamic starts.
void add_scaled(Index& to, const Index& from, std::int64_t scale);

/// The number of loops that a map's coefficients refer to.
std::size_t num_loops_of(const IndexMap& map);

/// The index in the indices of a gather or a scatter of component `component` of an index vector, at the
/// batch index that `batch` gives (one a batch dimension).
IndexMap component_map(const ir::Dims& indices, std::int64_t index_vector_dim, const IndexMap& batch,
                       std::int64_t component, std::size_t num_loops);

/// The batch dimension that a dimension of the indices is.
std::size_t batch_dimension(std::int64_t indices_dimension, std::int64_t index_vector_dim);

}  // namespace cornu::inline v0::backends::cpu

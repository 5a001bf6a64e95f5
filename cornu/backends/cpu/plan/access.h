#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/graph.h"

/// The elements of its operands that a single op reads, and those of its results that it writes.
namespace cornu::inline v0::backends::cpu {

/// A tensor counts as small if a loop has at least this multiple of its elements: reading it, such as the
/// statistics of channels, then takes no extra time.
inline constexpr std::int64_t kSmallShare = 16;

double num_elements(const ir::Dims& dims);

/// True if the op's (first) body consists of elementwise ops and constants and uses no outer values, so that
/// loops can run it.
bool has_elementwise_body(const ir::Op& op);

/// The destinations of a scatter. `target` maps the update's dimensions (window and batching ones) to the
/// input's, without the starts; each start is one component of an index vector, at the position `start` in
/// the indices.
struct ScatterShape {
  IndexMap target;
  struct Start {
    std::size_t dimension = 0;           // of the input
    IndexMap map;                        // in the indices
    std::int64_t window_extent = 1;      // of the update along the dimension
    std::int64_t window_dimension = -1;  // of the update; -1: inserted
  };
  std::vector<Start> starts;
  std::vector<std::size_t> batch, window;  // dimensions of the update, in order
  std::optional<std::size_t>
      shared;  // the first start that every update has one index of: slices share its dimension
};
ScatterShape scatter_shape(const ir::Op& scatter);

/// True if a scatter's updates can be split by destination: the rows of a table are so wide that reading all
/// indices in every slice costs little.
bool can_share_scatter(const ir::Op& scatter);

/// True for a view that is computed once and kept in memory: dynamic_slice, gather.
bool is_computed_view(const ir::Op& op);

/// All users of a value.
using UsersOf = std::function<std::span<const ir::Op* const>(ir::Value)>;

/// True if users of such a view read through it instead: a gather of rows that is read once, or from a small
/// table; a slice of an outer tensor that only loops over elements read.
bool is_read_in_place(const ir::Op& view, const UsersOf& users_of);

/// The values that an op needs: its operands, and the outer values of its regions.
std::vector<ir::Value> op_inputs(const ir::Op& op);

/// The loops of a reduce or of a reduce_window without padding: the indices of its inputs, and the loops that
/// are kept, in result order.
struct ReduceLoops {
  ir::Dims extents;
  IndexMap input;
  std::vector<std::int64_t> kept;
};
ReduceLoops reduce_loops(const ir::Op& reduce);

/// The function that combines the elements of a reduce of one tensor.
Combiner free_combiner(const ir::Op& reduce);

}  // namespace cornu::inline v0::backends::cpu

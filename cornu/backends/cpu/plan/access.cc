#include <algorithm>

#include "cornu/backends/cpu/group_kernel.h"
#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/backends/cpu/plan/plan.h"
#include "cornu/backends/cpu/plan/windows.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/gather/gather.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/scatter/scatter.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Dims;

std::int64_t extent_product(const Dims& dims, std::size_t begin, std::size_t end) {
  std::int64_t n = 1;
  for (std::size_t i = begin; i < end; ++i) n *= dims[i];
  return n;
}

Index zero_index(std::size_t num_loops) { return Index{std::vector<std::int64_t>(num_loops, 0), 0, {}}; }

void add_scaled(Index& to, const Index& from, std::int64_t scale) {
  for (std::size_t l = 0; l < to.coefficients.size(); ++l) to.coefficients[l] += scale * from.coefficients[l];
  to.constant += scale * from.constant;
}

/// A reshape is affine when every operand dimension is a product of neighbouring result dimensions: its index is then the row-major
/// combination of theirs.
std::optional<IndexMap> reshape_map(const Dims& operand, const Dims& result, const IndexMap& map, std::size_t num_loops) {
  IndexMap out;
  std::size_t r = 0;
  for (std::int64_t extent : operand) {
    Index index = zero_index(num_loops);
    if (extent != 1) {
      std::size_t end = r;
      std::int64_t product = 1;
      while (end < result.size() && product < extent) product *= result[end++];
      if (product != extent) return std::nullopt;
      for (std::size_t d = r; d < end; ++d) {
        if (!map[d].dynamic.empty()) return std::nullopt;
        add_scaled(index, map[d], extent_product(result, d + 1, end));
      }
      r = end;
    }
    out.push_back(std::move(index));
  }
  return out;
}

/// The index in the indices of component c, at the batch index that `batch` gives (one a batch dimension).
IndexMap component_map(const Dims& indices, std::int64_t index_vector_dim, const IndexMap& batch, std::int64_t c, std::size_t num_loops) {
  IndexMap out;
  std::size_t next = 0;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    if (static_cast<std::int64_t>(d) == index_vector_dim) {
      out.push_back(zero_index(num_loops));
      out.back().constant = c;
    } else {
      out.push_back(batch[next++]);
    }
  }
  return out;
}

/// The batch dimension that a dimension of the indices is.
std::size_t batch_dimension(std::int64_t indices_dimension, std::int64_t index_vector_dim) {
  return static_cast<std::size_t>(indices_dimension < index_vector_dim ? indices_dimension : indices_dimension - 1);
}

std::optional<IndexMap> gather_map(const ir::Op& gather, const IndexMap& map, std::size_t num_loops) {
  const ops::GatherDimensions g = ops::gather_dimensions(gather);
  const Dims& operand = gather.operand(0).dims();
  const Dims& indices = gather.operand(1).dims();
  const auto& sizes = gather.attributes().get<Dims>("slice_sizes");
  for (const Index& index : map)
    if (!index.dynamic.empty()) return std::nullopt;
  IndexMap batch;
  for (std::size_t d = 0; d < map.size(); ++d)
    if (!ops::contains(g.offset_dims, static_cast<std::int64_t>(d))) batch.push_back(map[d]);
  IndexMap out(operand.size(), zero_index(num_loops));
  std::size_t next_offset = 0;
  for (std::size_t d = 0; d < operand.size(); ++d) {
    const auto dimension = static_cast<std::int64_t>(d);
    if (!ops::contains(g.collapsed_slice_dims, dimension) && !ops::contains(g.operand_batching_dims, dimension))
      out[d] = map[static_cast<std::size_t>(g.offset_dims[next_offset++])];
  }
  for (std::size_t i = 0; i < g.operand_batching_dims.size(); ++i)
    add_scaled(out[static_cast<std::size_t>(g.operand_batching_dims[i])],
               batch[batch_dimension(g.start_indices_batching_dims[i], g.index_vector_dim)], 1);
  for (std::size_t c = 0; c < g.start_index_map.size(); ++c) {
    const auto d = static_cast<std::size_t>(g.start_index_map[c]);
    out[d].dynamic.push_back({gather.operand(1), operand[d] - sizes[d],
                              component_map(indices, g.index_vector_dim, batch, static_cast<std::int64_t>(c), num_loops)});
  }
  return out;
}

}  // namespace

bool can_emit_scatter(const ir::Op& scatter) {
  if (!transform::captured_values(scatter).empty()) return false;
  for (const auto& inner : scatter.region(0).ops()) {
    const OpClass c = classify(*inner);
    if (c != OpClass::kElementwise && !(c == OpClass::kLeaf && inner->name() == "constant")) return false;
  }
  return true;
}

ScatterShape scatter_shape(const ir::Op& scatter) {
  const ops::ScatterDimensions s = ops::scatter_dimensions(scatter);
  const std::size_t count = scatter.results().size();
  const Dims& input = scatter.operand(0).dims();
  const Dims& indices = scatter.operand(count).dims();
  const Dims& update = scatter.operand(count + 1).dims();
  const std::size_t num_loops = update.size();
  const IndexMap identity = identity_map(num_loops);
  ScatterShape shape;
  IndexMap batch;
  for (std::size_t d = 0; d < update.size(); ++d) {
    const bool is_window = ops::contains(s.update_window_dims, static_cast<std::int64_t>(d));
    (is_window ? shape.window : shape.batch).push_back(d);
    if (!is_window) batch.push_back(identity[d]);
  }
  shape.target.assign(input.size(), zero_index(num_loops));
  std::vector<std::int64_t> window_of(input.size(), -1);
  std::size_t next_window = 0;
  for (std::size_t d = 0; d < input.size(); ++d) {
    const auto dimension = static_cast<std::int64_t>(d);
    if (ops::contains(s.inserted_window_dims, dimension) || ops::contains(s.input_batching_dims, dimension)) continue;
    window_of[d] = s.update_window_dims[next_window++];
    shape.target[d] = identity[static_cast<std::size_t>(window_of[d])];
  }
  for (std::size_t i = 0; i < s.input_batching_dims.size(); ++i)
    add_scaled(shape.target[static_cast<std::size_t>(s.input_batching_dims[i])],
               batch[batch_dimension(s.scatter_indices_batching_dims[i], s.index_vector_dim)], 1);
  for (std::size_t c = 0; c < s.scatter_dims_to_operand_dims.size(); ++c) {
    const auto d = static_cast<std::size_t>(s.scatter_dims_to_operand_dims[c]);
    const std::int64_t extent = window_of[d] < 0 ? 1 : update[static_cast<std::size_t>(window_of[d])];
    shape.starts.push_back(
        {d, component_map(indices, s.index_vector_dim, batch, static_cast<std::int64_t>(c), num_loops), extent, window_of[d]});
    if (extent == 1 && !shape.shared) shape.shared = shape.starts.size() - 1;
  }
  return shape;
}

bool can_share_scatter(const ir::Op& scatter) {
  constexpr std::int64_t kWideRow = 16;
  const ScatterShape shape = scatter_shape(scatter);
  const Dims& update = scatter.operand(scatter.results().size() + 1).dims();
  std::int64_t row = 1;
  for (std::size_t d : shape.window) row *= update[d];
  return row >= kWideRow && shape.shared;
}

IndexMap identity_map(std::size_t rank) {
  IndexMap map(rank, zero_index(rank));
  for (std::size_t d = 0; d < rank; ++d) map[d].coefficients[d] = 1;
  return map;
}

bool is_identity(const IndexMap& map, const Dims& loop_extents) {
  if (map.size() != loop_extents.size()) return false;
  for (std::size_t d = 0; d < map.size(); ++d) {
    if (map[d].constant != 0 || !map[d].dynamic.empty()) return false;
    for (std::size_t l = 0; l < loop_extents.size(); ++l)
      if ((l < map[d].coefficients.size() ? map[d].coefficients[l] : 0) != (d == l ? 1 : 0) && loop_extents[l] != 1) return false;
  }
  return true;
}

std::optional<IndexMap> operand_map(const ir::Op& view, const IndexMap& map) {
  const ir::Attributes& a = view.attributes();
  const Dims& operand = view.operand(0).dims();
  const std::size_t num_loops = map.empty() ? 0 : map[0].coefficients.size();
  const std::string_view name = view.name();
  if (name == "reshape") {
    if (map.empty()) return IndexMap(operand.size(), zero_index(0));
    return reshape_map(operand, view.result().dims(), map, num_loops);
  }
  if (name == "broadcast_in_dim") {
    const auto& dims = a.get<Dims>("broadcast_dimensions");
    IndexMap out;
    for (std::size_t d = 0; d < operand.size(); ++d)
      out.push_back(operand[d] == 1 ? zero_index(num_loops) : map[static_cast<std::size_t>(dims[d])]);
    return out;
  }
  if (name == "transpose") {
    const auto& permutation = a.get<Dims>("permutation");
    IndexMap out(operand.size());
    for (std::size_t d = 0; d < operand.size(); ++d) out[static_cast<std::size_t>(permutation[d])] = map[d];
    return out;
  }
  IndexMap out = map;
  if (name == "slice") {
    const auto& start = a.get<Dims>("start_indices");
    const auto& strides = a.get<Dims>("strides");
    for (std::size_t d = 0; d < operand.size(); ++d) {
      if (!map[d].dynamic.empty() && strides[d] != 1) return std::nullopt;
      out[d] = zero_index(num_loops);
      out[d].dynamic = map[d].dynamic;
      add_scaled(out[d], map[d], strides[d]);
      out[d].constant += start[d];
    }
    return out;
  }
  if (name == "reverse") {
    for (std::int64_t d : a.get<Dims>("dimensions")) {
      const auto i = static_cast<std::size_t>(d);
      if (!map[i].dynamic.empty()) return std::nullopt;
      out[i] = zero_index(num_loops);
      add_scaled(out[i], map[i], -1);
      out[i].constant += operand[i] - 1;
    }
    return out;
  }
  if (name == "dynamic_slice") {
    for (std::size_t d = 0; d < operand.size(); ++d)
      out[d].dynamic.push_back({view.operand(d + 1), operand[d] - view.result().dims()[d], {}});
    return out;
  }
  if (name == "gather") return gather_map(view, map, num_loops);
  return std::nullopt;
}

OpClass classify(const ir::Op& op) {
  const std::string_view n = op.name();
  if (n == "broadcast_in_dim" || n == "reshape" || n == "transpose" || n == "slice" || n == "reverse" || n == "dynamic_slice" ||
      n == "gather")
    return OpClass::kView;
  if (n == "concatenate" || n == "pad" || n == "dynamic_update_slice") return OpClass::kUpdate;
  if (n == "scatter") return can_emit_scatter(op) ? OpClass::kUpdate : OpClass::kReference;
  if (n == "while" || n == "if" || n == "case") return OpClass::kControl;
  if (n == "constant" || n == "iota") return OpClass::kLeaf;
  if (n == "bitcast_convert" && ir::size_bytes(op.operand(0).dtype()) != ir::size_bytes(op.result().dtype())) return OpClass::kReference;
  if (can_emit_elementwise(n)) return OpClass::kElementwise;
  if ((n == "reduce_window" || n == "select_and_scatter") && has_plain_windows(op)) return OpClass::kWindow;
  if (n == "dot_general")
    return op.operand(0).dtype() == op.result().dtype() && op.operand(1).dtype() == op.result().dtype() ? OpClass::kDot
                                                                                                        : OpClass::kReference;
  if (n == "reduce_window" && has_kernel_windows(op)) return OpClass::kKernel;
  if (n == "reduce" || n == "reduce_window") {
    if (!transform::captured_values(op).empty()) return OpClass::kReference;
    for (const auto& inner : op.region(0).ops()) {
      const OpClass c = classify(*inner);
      if (c != OpClass::kElementwise && !(c == OpClass::kLeaf && inner->name() == "constant")) return OpClass::kReference;
    }
    return OpClass::kReduce;
  }
  return has_group_kernel(op) ? OpClass::kKernel : OpClass::kReference;
}

double elementwise_cost(const ir::Op& op) {
  const std::string_view n = op.name();
  if (n == "reduce_window") return static_cast<double>(window_taps(window_sizes(op)).size());
  if (n == "select_and_scatter") return 3;
  const bool floating = ir::is_float(op.result().dtype());
  if (n == "power" || (n == "remainder" && floating)) return 40;
  for (const char* costly : {"exponential", "exponential_minus_one", "log", "log_plus_one", "tanh", "logistic", "sine", "cosine"})
    if (n == costly) return 20;
  for (const char* costly : {"tan", "cbrt", "atan2"})
    if (n == costly) return 40;
  if (n == "divide" || n == "remainder" || n == "sqrt" || n == "rsqrt") return floating ? 6 : 20;
  return 1;
}

}  // namespace cornu::inline v0::backends::cpu

#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/backends/cpu/plan/plan.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/scatter/scatter.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Dims;

}  // namespace

bool has_elementwise_body(const ir::Op& op) {
  if (!transform::captured_values(op).empty()) return false;
  for (const auto& inner : op.region(0).ops())
    if (classify(*inner) != OpKind::kElementwise && !ops::is_constant(inner->result(0))) return false;
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
    if (ops::contains(s.inserted_window_dims, dimension) || ops::contains(s.input_batching_dims, dimension))
      continue;
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
        {d, component_map(indices, s.index_vector_dim, batch, static_cast<std::int64_t>(c), num_loops),
         extent, window_of[d]});
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

std::optional<IndexMap> operand_map(const ir::Op& view, const IndexMap& map) {
  const CpuOp* const row = find_cpu_op(view);
  return row == nullptr || row->operand_map == nullptr ? std::nullopt : row->operand_map(view, map);
}

}  // namespace cornu::inline v0::backends::cpu

#include "cornu/backends/cpu/plan/access.h"

#include <algorithm>

#include "cornu/backends/cpu/plan/plan.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/reduce_window/reduce_window.h"
#include "cornu/ops/scatter/scatter.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::backends::cpu {

double num_elements(const ir::Dims& dims) {
  double n = 1;
  for (std::int64_t d : dims) n *= static_cast<double>(d);
  return n;
}

bool has_elementwise_body(const ir::Op& op) {
  if (!transform::captured_values(op).empty()) return false;
  for (const auto& inner : op.region(0).ops())
    if (classify(*inner) != OpKind::kElementwise && !ops::is_constant(inner->result(0))) return false;
  return true;
}

ScatterShape scatter_shape(const ir::Op& scatter) {
  const ops::ScatterDimensions s = ops::scatter_dimensions(scatter);
  const std::size_t count = scatter.results().size();
  const ir::Dims& input = scatter.operand(0).dims();
  const ir::Dims& indices = scatter.operand(count).dims();
  const ir::Dims& update = scatter.operand(count + 1).dims();
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
  const ir::Dims& update = scatter.operand(scatter.results().size() + 1).dims();
  std::int64_t row = 1;
  for (std::size_t d : shape.window) row *= update[d];
  return row >= kWideRow && shape.shared;
}

std::optional<IndexMap> operand_map(const ir::Op& view, const IndexMap& map) {
  const CpuOp* const row = find_cpu_op(view);
  return row == nullptr || row->operand_map == nullptr ? std::nullopt : row->operand_map(view, map);
}

bool is_computed_view(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  return row != nullptr && row->is_computed_view;
}

std::vector<ir::Value> op_inputs(const ir::Op& op) {
  std::vector<ir::Value> inputs(op.operands().begin(), op.operands().end());
  if (!op.regions().empty()) {
    const std::vector<ir::Value> captured = transform::captured_values(op);
    inputs.insert(inputs.end(), captured.begin(), captured.end());
  }
  return inputs;
}

Combiner free_combiner(const ir::Op& reduce) {
  return reduce.results().size() == 1 ? combiner_of_body(reduce.region(0)) : Combiner::kNone;
}

ReduceLoops reduce_loops(const ir::Op& reduce) {
  ReduceLoops loops;
  if (window_use(reduce) == WindowUse::kReduces) {
    const ops::WindowOptions window = ops::window_options(reduce);
    const ir::Dims& result = reduce.result().dims();
    const std::size_t rank = result.size();
    loops.extents = result;
    loops.extents.insert(loops.extents.end(), window.dimensions.begin(), window.dimensions.end());
    for (std::size_t d = 0; d < rank; ++d) {
      Index index{std::vector<std::int64_t>(2 * rank, 0), 0, {}};
      index.coefficients[d] = window.strides[d];
      index.coefficients[rank + d] = window.window_dilations[d];
      loops.input.push_back(std::move(index));
      loops.kept.push_back(static_cast<std::int64_t>(d));
    }
    return loops;
  }
  const auto& gone = reduce.attributes().get<ir::Dims>("dimensions");
  loops.extents = reduce.operand(0).dims();
  loops.input = identity_map(loops.extents.size());
  for (std::int64_t d = 0; d < reduce.operand(0).rank(); ++d)
    if (std::find(gone.begin(), gone.end(), d) == gone.end()) loops.kept.push_back(d);
  return loops;
}

}  // namespace cornu::inline v0::backends::cpu

#include <algorithm>
#include <cstring>
#include <optional>

#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/gather/gather.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::backends::cpu::gather_folder {
namespace {

using eager::View;
using ir::Dims;

std::optional<IndexMap> operand_map(const ir::Op& gather, const IndexMap& map) {
  const std::size_t num_loops = num_loops_of(map);
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
    if (!ops::contains(g.collapsed_slice_dims, dimension) &&
        !ops::contains(g.operand_batching_dims, dimension))
      out[d] = map[static_cast<std::size_t>(g.offset_dims[next_offset++])];
  }
  for (std::size_t i = 0; i < g.operand_batching_dims.size(); ++i)
    add_scaled(out[static_cast<std::size_t>(g.operand_batching_dims[i])],
               batch[batch_dimension(g.start_indices_batching_dims[i], g.index_vector_dim)], 1);
  for (std::size_t c = 0; c < g.start_index_map.size(); ++c) {
    const auto d = static_cast<std::size_t>(g.start_index_map[c]);
    out[d].dynamic.push_back(
        {gather.operand(1), operand[d] - sizes[d],
         component_map(indices, g.index_vector_dim, batch, static_cast<std::int64_t>(c), num_loops)});
  }
  return out;
}

bool add_rows(eager::Builder& builder, const ir::Op& op) {
  if (!ops::is_gather_rows(op)) return false;
  const View table = builder.row_major(op.operand(0)), ids = builder.as_int64(op.operand(1));
  const View to = builder.place(op.result());
  const std::int64_t num_rows = table.dims[0];
  const auto row_bytes = static_cast<std::size_t>(table.num_elements() / num_rows) * table.element_bytes;
  auto step = eager::make_step([=, count = ids.num_elements()](const eager::Run& run) {
    const std::byte* const from =
        run.slots[table.slot] + table.offset * static_cast<std::int64_t>(table.element_bytes);
    const auto* const id = reinterpret_cast<const std::int64_t*>(run.slots[ids.slot]) + ids.offset;
    std::byte* const out = run.slots[to.slot];
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t row = std::clamp<std::int64_t>(id[i], 0, num_rows - 1);
      std::memcpy(out + static_cast<std::size_t>(i) * row_bytes,
                  from + static_cast<std::size_t>(row) * row_bytes, row_bytes);
    }
  });
  builder.add_step(std::move(step), {table.slot, ids.slot, to.slot});
  return true;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "gather",
       .op_kind = OpKind::kView,
       .operand_map = operand_map,
       .is_computed_view = true,
       .eager = add_rows},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::gather_folder

#include <algorithm>

#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/backends/cpu/plan/update.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::pad_folder {
namespace {

using eager::View;
using ir::Dims;

bool add_copies(eager::Builder& builder, const ir::Op& op) {
  const auto& low = op.attributes().get<Dims>("edge_padding_low");
  const auto& interior = op.attributes().get<Dims>("interior_padding");
  View from = builder.view(op.operand(0)), value = builder.view(op.operand(1));
  const View to = builder.place(op.result());
  value.dims = to.dims;
  value.strides.assign(to.dims.size(), 0);
  builder.add_copy(value, to);
  View inside = to;
  for (std::size_t d = 0; d < to.dims.size(); ++d) {
    // Elements i of the operand land at low + i (interior + 1); keep those inside the result.
    const std::int64_t step = interior[d] + 1;
    const std::int64_t first = low[d] >= 0 ? 0 : (-low[d] + step - 1) / step;
    const std::int64_t room = to.dims[d] - 1 - low[d];
    const std::int64_t last = std::min(from.dims[d] - 1, room < 0 ? -1 : room / step);
    from.offset += first * from.strides[d];
    inside.offset += (low[d] + first * step) * to.strides[d];
    inside.strides[d] = to.strides[d] * step;
    from.dims[d] = inside.dims[d] = std::max<std::int64_t>(0, last - first + 1);
  }
  if (inside.num_elements() > 0) builder.add_copy(from, inside);
  return true;
}

/// Only the rim around the operand: a slab below and one above in each dimension. With interior padding,
/// everything.
void fill_padding(const ir::Op& op, const Dims& begin, const Dims& end, bool everything, UpdateParts& parts) {
  const Dims& result = op.result().dims();
  Dims low(result.size(), 0), high = result;  // what is not filled yet
  if (everything) return parts.write(op.operand(1), result, std::nullopt, std::nullopt);
  auto slab = [&](std::size_t d, std::int64_t from, std::int64_t to) {
    Dims offset = low, extents = high;
    offset[d] = from;
    for (std::size_t i = 0; i < extents.size(); ++i) extents[i] -= low[i];
    extents[d] = to - from;
    parts.write(op.operand(1), extents, std::nullopt, shifted(offset));
  };
  for (std::size_t d = 0; d < result.size(); ++d) {
    slab(d, 0, begin[d]);
    slab(d, end[d], result[d]);
    low[d] = begin[d];
    high[d] = end[d];
  }
}

void add_parts(UpdateParts& parts, const ir::Op& op) {
  const auto& low = op.attributes().get<Dims>("edge_padding_low");
  const auto& interior = op.attributes().get<Dims>("interior_padding");
  const Dims& operand = op.operand(0).dims();
  const Dims& result = op.result().dims();
  const std::size_t rank = operand.size();
  // The operand's elements that the result has, and where.
  Dims extents(rank), first(rank), begin(rank), end(rank);
  IndexMap at = identity_map(rank);
  bool everything = false;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t step = interior[d] + 1;
    first[d] = low[d] >= 0 ? 0 : (-low[d] + step - 1) / step;
    const std::int64_t room = result[d] - low[d];  // elements i with low + i * step < result
    const std::int64_t last = std::min(operand[d], room <= 0 ? 0 : (room + step - 1) / step);
    extents[d] = std::max<std::int64_t>(0, last - first[d]);
    at[d].coefficients[d] = step;
    at[d].constant = low[d] + first[d] * step;
    begin[d] = std::clamp<std::int64_t>(at[d].constant, 0, result[d]);
    end[d] = std::clamp<std::int64_t>(begin[d] + extents[d], begin[d], result[d]);
    everything = everything || step != 1 || extents[d] == 0;
  }
  fill_padding(op, begin, end, everything, parts);
  parts.write(op.operand(0), extents, shifted(first), std::move(at));
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "pad", .op_kind = OpKind::kUpdate, .update = {.add_parts = add_parts}, .eager = add_copies},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::pad_folder

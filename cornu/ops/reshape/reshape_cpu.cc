#include <optional>

#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::reshape_folder {
namespace {

using ir::Dims;

std::int64_t product_of(const Dims& dims, std::size_t begin, std::size_t end) {
  std::int64_t n = 1;
  for (std::size_t i = begin; i < end; ++i) n *= dims[i];
  return n;
}

/// A reshape is affine when every operand dimension is a product of neighbouring result dimensions: its index
/// is then the row-major combination of theirs.
std::optional<IndexMap> affine_map(const Dims& operand, const Dims& result, const IndexMap& map,
                                   std::size_t num_loops) {
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
        add_scaled(index, map[d], product_of(result, d + 1, end));
      }
      r = end;
    }
    out.push_back(std::move(index));
  }
  return out;
}

std::optional<IndexMap> operand_map(const ir::Op& op, const IndexMap& map) {
  if (map.empty()) return IndexMap(op.operand(0).dims().size(), zero_index(0));
  return affine_map(op.operand(0).dims(), op.result().dims(), map, num_loops_of(map));
}

bool add_view(eager::Builder& builder, const ir::Op& op) {
  eager::View from = builder.row_major(op.operand(0));
  from.dims = op.result().dims();
  from.strides = ir::row_major_strides(from.dims);
  builder.set_view(op.result(), std::move(from));
  return true;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "reshape", .op_kind = OpKind::kView, .operand_map = operand_map, .eager = add_view},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::reshape_folder

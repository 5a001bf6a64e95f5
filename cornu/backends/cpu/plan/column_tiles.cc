#include <algorithm>
#include <optional>
#include <utility>

#include "cornu/backends/cpu/plan/fuser.h"

// Loops over few columns, whose vectors run along the rows.
namespace cornu::inline v0::backends::cpu::fusing {

namespace {

/// True for a slice of one element of each row: parts of complex numbers.
bool is_part_of_rows(const Op& op) {
  const Value x = op.operand(0);
  // pattern: a slice that reads the elements of a dimension evenly
  if (op.name() != "slice" || x.rank() == 0 || op.result().dims().back() != 1) return false;
  return std::equal(x.dims().begin(), x.dims().end() - 1, op.result().dims().begin());
}

/// True for elements in their order, or evenly apart, which have neither rows nor columns.
bool is_in_order(Value v) {
  for (; v.op() != nullptr && classify(*v.op()) == OpKind::kView; v = v.op()->operand(0))
    // pattern: reshapes, parts of rows and broadcasts of scalars keep the order
    if (v.op()->name() != "reshape" && v.op()->operand(0).rank() > 0 && !is_part_of_rows(*v.op()))
      return false;
  return true;
}

/// The distances in memory, under all views, of elements that are neighbours in each dimension of v; empty if they vary.
std::optional<ir::Dims> source_strides(Value v) {
  const std::size_t rank = v.dims().size();
  IndexMap map = identity_map(rank);
  for (; v.op() != nullptr && classify(*v.op()) == OpKind::kView; v = v.op()->operand(0)) {
    std::optional<IndexMap> inner = operand_map(*v.op(), map);
    if (!inner) return std::nullopt;
    map = std::move(*inner);
  }
  const ir::Dims strides = ir::row_major_strides(v.dims());
  ir::Dims result(rank, 0);
  for (std::size_t d = 0; d < map.size(); ++d)
    for (std::size_t l = 0; l < map[d].coefficients.size(); ++l)
      result[l] += strides[d] * map[d].coefficients[l];
  return result;
}

/// True if rows and columns of a view are one dimension of the tensor in memory: whole columns, rows side by side. It is an
/// argument or made by an update; other tensors may have another layout.
bool joins_columns(Value v) {
  const std::size_t rank = v.dims().size();
  const std::int64_t columns = v.dims().back();
  IndexMap map = identity_map(rank);
  for (; v.op() != nullptr && classify(*v.op()) == OpKind::kView; v = v.op()->operand(0)) {
    std::optional<IndexMap> inner = operand_map(*v.op(), map);
    if (!inner) return false;
    map = std::move(*inner);
  }
  const std::size_t source_rank = map.size();
  const bool is_row_major = v.op() == nullptr || classify(*v.op()) == OpKind::kUpdate;
  if (!is_row_major || rank < 2 || source_rank < 2 || v.dims().size() != source_rank ||
      v.dims().back() != columns)
    return false;
  const auto follows = [&](std::size_t d, std::size_t dimension) {
    const auto& coefficients = map[d].coefficients;
    for (std::size_t i = 0; i < coefficients.size(); ++i)
      if (coefficients[i] != (i == dimension ? 1 : 0)) return false;
    return coefficients.size() > dimension;
  };
  return map.back().constant == 0 && follows(source_rank - 1, rank - 1) && follows(source_rank - 2, rank - 2);
}

}  // namespace

/// The most columns for which loops run along rows with the columns side by side.
std::int64_t Fuser::most_columns() const {
  return options.target && options.target->isa == IsaLevel::kAvx512 ? 8 : 4;
}

/// Windows of all elements of the last `num_dimensions` dimensions; empty if there are few rows, or many columns.
ir::Dims Fuser::tile_of_few_columns(const ir::Dims& dims, std::size_t num_dimensions) const {
  constexpr std::int64_t kFewestRows = 64;
  if (!options.fuse || dims.size() <= num_dimensions) return {};
  ir::Dims tile(dims.size(), 1);
  std::copy(dims.end() - static_cast<std::ptrdiff_t>(num_dimensions), dims.end(),
            tile.end() - static_cast<std::ptrdiff_t>(num_dimensions));
  const double columns = num_elements(tile);
  if (columns < 2 || columns > static_cast<double>(most_columns()) ||
      num_elements(dims) < kFewestRows * columns)
    return {};
  return tile;
}

/// The windows of a copy of views: few columns that are not rows of the source, so that vectors run along the rows. Columns
/// may be several dimensions, as of a tensor repeated along its last one, if rows are near each other in the source.
ir::Dims Fuser::copy_tile(Value v) const {
  const ir::Dims& dims = v.dims();
  // Shuffles of bytes are slow.
  if (ir::size_bytes(v.dtype()) == 1 || dims.size() < 2 || is_in_order(v)) return {};
  const std::optional<ir::Dims> strides = source_strides(v);
  if (!strides) return {};
  std::size_t last = dims.size() - 1;
  while (last > 0 && dims[last] == 1) --last;
  const bool reads_rows = (*strides)[last] == 1;
  ir::Dims tile = reads_rows ? ir::Dims() : tile_of_few_columns(dims, dims.size() - last);
  for (std::size_t d = last; d-- > 1;) {
    ir::Dims more = tile_of_few_columns(dims, dims.size() - d);
    const bool is_near = (*strides)[d - 1] > 0 && (*strides)[d - 1] <= most_columns();
    if (!more.empty() && dims[d] > 1 && (*strides)[d] == 0 && is_near) tile = std::move(more);
  }
  return tile;
}

/// The windows of a loop over a few columns that reads views, such as a row for each column: all columns of a row, so
/// that vectors run along the rows. Empty: the loop has no such form.
ir::Dims Fuser::column_tile(const Cluster& cluster) const {
  const ir::Dims tile = tile_of_few_columns(cluster.dims, 1);
  if (tile.empty()) return {};
  const bool has_views = std::any_of(cluster.ops.begin(), cluster.ops.end(), [&](const Op* op) {
    return std::any_of(op->operands().begin(), op->operands().end(),
                       [&](Value operand) { return !is_in_order(operand) && !joins_columns(operand); });
  });
  const bool is_plain = std::all_of(cluster.ops.begin(), cluster.ops.end(),
                                    [](const Op* op) { return classify(*op) == OpKind::kElementwise; });
  return has_views && is_plain ? tile : ir::Dims();
}

}  // namespace cornu::inline v0::backends::cpu::fusing

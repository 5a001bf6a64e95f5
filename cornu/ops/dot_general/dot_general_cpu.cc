#include <optional>

#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::backends::cpu::dot_general_folder {
namespace {

using eager::View;
using ir::Dims;

/// One stride that walks all axes of a group, or nothing.
std::optional<std::int64_t> single_stride(const Dims& extents, const Dims& strides) {
  const eager::Loops loops = eager::Loops::of(extents, {strides});
  if (loops.extents.size() > 1) return std::nullopt;
  return loops.extents.empty() ? 1 : loops.strides[0][0];
}

/// Views a side as [batch, rows, columns]; copies it when the groups are not walked evenly or (for a matrix
/// kernel) no stride is 1.
View matrix_side(eager::Builder& builder, View x, ir::DType dtype, const Dims& batch, const Dims& rows,
                 const Dims& columns, bool needs_unit, std::int64_t& row_stride, std::int64_t& column_stride,
                 Dims& batch_strides) {
  const Dims row_extents = ops::extents(x.dims, rows), column_extents = ops::extents(x.dims, columns);
  const auto row = single_stride(row_extents, ops::extents(x.strides, rows));
  const auto column = single_stride(column_extents, ops::extents(x.strides, columns));
  std::int64_t num_rows = 1, num_columns = 1;
  for (const std::int64_t extent : row_extents) num_rows *= extent;
  for (const std::int64_t extent : column_extents) num_columns *= extent;
  if (row && column) {
    row_stride = *row;
    column_stride = *column;
    batch_strides = ops::extents(x.strides, batch);
    // An axis of one element has any stride.
    if (num_columns == 1) column_stride = 1;
    if (num_rows == 1) row_stride = column_stride == 1 ? num_columns : 1;
    const bool plain = column_stride == 1 && row_stride >= num_columns,
               turned = row_stride == 1 && column_stride >= num_rows;
    if (!needs_unit || plain || turned) return x;
  }
  const Dims order = ops::concatenated(ops::concatenated(batch, rows), columns);
  const View copy = builder.temporary({dtype, ops::extents(x.dims, order)});
  x.dims = copy.dims;
  x.strides = ops::extents(x.strides, order);
  builder.add_copy(x, copy);
  row_stride = num_columns;
  column_stride = 1;
  batch_strides.assign(copy.strides.begin(),
                       copy.strides.begin() + static_cast<std::ptrdiff_t>(batch.size()));
  return copy;
}

/// The operand as one of `dtype`.
View converted(eager::Builder& builder, ir::Value value, ir::DType dtype) {
  const View x = builder.view(value);
  if (value.dtype() == dtype) return x;
  const View wide = builder.temporary({dtype, value.dims()});
  builder.add_kernel(builder.kernels().convert(value.dtype(), dtype), {x}, wide);
  return wide;
}

/// f16, and bf16 where no matrix kernel multiplies it, are multiplied as f32.
bool add_product(eager::Builder& builder, const ir::Op& op) {
  const ops::DotDimensions dims = ops::dot_dimensions(op);
  const ir::Value a = op.operand(0), b = op.operand(1);
  const Dims a_rows =
      ops::remaining_dimensions(a.rank(), ops::concatenated(dims.lhs_batching, dims.lhs_contracting));
  const Dims b_columns =
      ops::remaining_dimensions(b.rank(), ops::concatenated(dims.rhs_batching, dims.rhs_contracting));
  eager::DotOperands dot;
  for (const std::int64_t d : dims.lhs_batching) dot.batch.push_back(a.dims()[static_cast<std::size_t>(d)]);
  for (const std::int64_t d : a_rows) dot.m *= a.dims()[static_cast<std::size_t>(d)];
  for (const std::int64_t d : dims.lhs_contracting) dot.k *= a.dims()[static_cast<std::size_t>(d)];
  for (const std::int64_t d : b_columns) dot.n *= b.dims()[static_cast<std::size_t>(d)];
  const ir::DType own = a.dtype();
  const bool is_widened = (own == ir::DType::kF16 || own == ir::DType::kBF16) &&
                          !eager::has_matrix_kernel(dot, own, builder.target());
  const ir::DType dtype = is_widened ? ir::DType::kF32 : own;
  const bool needs_unit = eager::has_matrix_kernel(dot, dtype, builder.target());
  dot.a = matrix_side(builder, converted(builder, a, dtype), dtype, dims.lhs_batching, a_rows,
                      dims.lhs_contracting, needs_unit, dot.a_row, dot.a_column, dot.a_batch);
  dot.b = matrix_side(builder, converted(builder, b, dtype), dtype, dims.rhs_batching, dims.rhs_contracting,
                      b_columns, needs_unit, dot.b_row, dot.b_column, dot.b_batch);
  const View result =
      is_widened ? builder.temporary({dtype, op.result().dims()}) : builder.place(op.result());
  dot.c_slot = result.slot;
  std::vector<int> slots = {dot.a.slot, dot.b.slot, dot.c_slot};
  if (const std::int64_t floats = needs_unit ? eager::floats_of_sums(dot, dtype) : 0; floats > 0) {
    dot.sums_slot = builder.temporary({ir::DType::kF32, {floats}}).slot;
    slots.push_back(dot.sums_slot);
  }
  builder.add_step(
      eager::make_dot_step(dot, dtype, builder.kernels(), builder.target(), builder.num_threads()), slots);
  if (is_widened)
    builder.add_kernel(builder.kernels().convert(dtype, own), {result}, builder.place(op.result()));
  return true;
}

OpKind class_of(const ir::Op& op) {
  const ir::DType dtype = op.result().dtype();
  return op.operand(0).dtype() == dtype && op.operand(1).dtype() == dtype ? OpKind::kDot : OpKind::kReference;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "dot_general",
       .op_kind = OpKind::kDot,
       .classify = class_of,
       .upcasts_low_precision = true,
       .eager = add_product},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::dot_general_folder

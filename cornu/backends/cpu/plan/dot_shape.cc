#include "cornu/backends/cpu/plan/dot_shape.h"

#include <algorithm>
#include <utility>

#include "cornu/backends/cpu/plan/access.h"
#include "cornu/backends/cpu/plan/walk.h"
#include "cornu/base/check.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::backends::cpu {
namespace {

std::vector<std::int64_t> free_dimensions(std::int64_t rank, const ir::Dims& batching,
                                          const ir::Dims& contracting) {
  std::vector<std::int64_t> out;
  for (std::int64_t d = 0; d < rank; ++d)
    if (std::find(batching.begin(), batching.end(), d) == batching.end() &&
        std::find(contracting.begin(), contracting.end(), d) == contracting.end())
      out.push_back(d);
  return out;
}

DotOperand dot_operand(const Plan& plan, ir::Value value) {
  Read read{value, identity_map(value.dims().size())};
  if (!plan.in_memory(value)) {
    int count = 0;
    walk_reads(plan, value, identity_map(value.dims().size()), [&](const Read& r) {
      read = r;
      ++count;
    });
    CORNU_CHECK(count == 1 && !read.linear, "a dot's operand must be a view of memory");
  }
  DotOperand out{plan.buffer_of.at(read.value), ir::Dims(value.dims().size(), 0), 0};
  const ir::Dims strides = plan.strides(read.value);
  for (std::size_t j = 0; j < read.map.size(); ++j) {
    out.constant += strides[j] * read.map[j].constant;
    for (std::size_t d = 0; d < out.strides.size(); ++d)
      out.strides[d] += strides[j] * read.map[j].coefficients[d];
  }
  return out;
}

void add_axis(std::vector<DotAxis>& axes, DotAxis axis) {
  if (axis.extent == 1) return;
  if (!axes.empty()) {
    DotAxis& last = axes.back();
    if (last.a == axis.a * axis.extent && last.b == axis.b * axis.extent && last.c == axis.c * axis.extent) {
      last = {last.extent * axis.extent, axis.a, axis.b, axis.c};
      return;
    }
  }
  axes.push_back(axis);
}

/// True if each of many matrices fills a tile and is worth packing; otherwise emitted loops are faster.
bool fills_tiles(double rows, double columns, double terms) {
  return rows >= 8 && columns >= 16 && terms >= 8;
}

}  // namespace

double multiply_adds(const ir::Op& dot) {
  double n = static_cast<double>(dot.result().type().num_elements());
  for (std::int64_t d : dot.attributes().get<ir::Dims>("lhs_contracting_dimensions"))
    n *= static_cast<double>(dot.operand(0).dims()[static_cast<std::size_t>(d)]);
  return n;
}

bool has_bf16_kernel(const ir::Op& op, const PlanOptions& options) {
  constexpr std::int64_t kFewColumns = 8;  // results may be stored by columns
  const bool can_multiply = options.target && options.target->has_bf16_products();
  if (!can_multiply || op.result().dtype() != ir::DType::kBF16) return false;
  if (const CpuOp* const row = find_cpu_op(op); row != nullptr && row->kernel.multiplies_bf16 != nullptr)
    return row->kernel.multiplies_bf16(op, *options.target);
  if (classify(op) != OpKind::kDot) return false;
  const double flops = 2 * multiply_adds(op);
  if (flops == 0 || flops < options.matrix_dot_flops) return false;
  const ops::DotDimensions dimensions = ops::dot_dimensions(op);
  const ir::Dims &lhs = op.operand(0).dims(), &rhs = op.operand(1).dims();
  const double terms = num_elements(ops::extents(lhs, dimensions.lhs_contracting)),
               matrices = num_elements(ops::extents(lhs, dimensions.lhs_batching)),
               rows = num_elements(lhs) / terms / matrices, columns = num_elements(rhs) / terms / matrices;
  return columns > kFewColumns && (matrices == 1 || fills_tiles(rows, columns, terms));
}

DotShape dot_shape(const Plan& plan, const Group& group) {
  const ir::Op& dot = *group.op;
  const ir::Attributes& attributes = dot.attributes();
  const auto& lhs_batching = attributes.get<ir::Dims>("lhs_batching_dimensions");
  const auto& rhs_batching = attributes.get<ir::Dims>("rhs_batching_dimensions");
  const auto& lhs_contracting = attributes.get<ir::Dims>("lhs_contracting_dimensions");
  const auto& rhs_contracting = attributes.get<ir::Dims>("rhs_contracting_dimensions");
  const ir::Dims& lhs = dot.operand(0).dims();
  const ir::Dims& rhs = dot.operand(1).dims();
  DotShape out{dot_operand(plan, dot.operand(0)),
               dot_operand(plan, dot.operand(1)),
               group.stores[0].buffer,
               {},
               {},
               {},
               {}};
  const ir::Dims& c = plan.buffers[static_cast<std::size_t>(out.c_buffer)].strides;
  auto at = [](const ir::Dims& v, std::int64_t d) { return v[static_cast<std::size_t>(d)]; };
  std::size_t d_result = 0;
  for (std::size_t i = 0; i < lhs_batching.size(); ++i)
    add_axis(out.batch, {at(lhs, lhs_batching[i]), at(out.a.strides, lhs_batching[i]),
                         at(out.b.strides, rhs_batching[i]), c[d_result++]});
  for (std::int64_t d : free_dimensions(dot.operand(0).rank(), lhs_batching, lhs_contracting))
    add_axis(out.rows, {at(lhs, d), at(out.a.strides, d), 0, c[d_result++]});
  for (std::int64_t d : free_dimensions(dot.operand(1).rank(), rhs_batching, rhs_contracting))
    add_axis(out.columns, {at(rhs, d), 0, at(out.b.strides, d), c[d_result++]});
  for (std::size_t i = 0; i < lhs_contracting.size(); ++i)
    add_axis(out.contracting, {at(lhs, lhs_contracting[i]), at(out.a.strides, lhs_contracting[i]),
                               at(out.b.strides, rhs_contracting[i]), 0});
  return out;
}

namespace {

/// A product of two matrices, axis by axis: c[rows, columns] = sum over k of a[rows, k] * b[k, columns].
struct MatrixAxes {
  DotAxis rows, columns, k;
};

/// The innermost axes, which form a matrix product.
MatrixAxes innermost_axes(const DotShape& dot) {
  return {dot.rows.empty() ? DotAxis{1, 0, 0, 0} : dot.rows.back(),
          dot.columns.empty() ? DotAxis{1, 0, 0, 1} : dot.columns.back(),
          dot.contracting.empty() ? DotAxis{1, 1, 1, 0} : dot.contracting[0]};
}

/// The buffers, with the axes outside the innermost ones as a batch.
MatrixProduct batch_of_matrices(const DotShape& dot) {
  MatrixProduct out;
  out.batch = dot.batch;
  if (!dot.rows.empty()) out.batch.insert(out.batch.end(), dot.rows.begin(), dot.rows.end() - 1);
  if (!dot.columns.empty()) out.batch.insert(out.batch.end(), dot.columns.begin(), dot.columns.end() - 1);
  out.a_buffer = dot.a.buffer;
  out.b_buffer = dot.b.buffer;
  out.a_offset = dot.a.constant;
  out.b_offset = dot.b.constant;
  out.c_buffer = dot.c_buffer;
  return out;
}

/// Transposes the product by exchanging its operands.
void transpose_product(MatrixProduct& product, MatrixAxes& axes) {
  std::swap(axes.rows, axes.columns);
  std::swap(product.a_buffer, product.b_buffer);
  std::swap(product.a_offset, product.b_offset);
  for (DotAxis* axis : {&axes.rows, &axes.columns, &axes.k}) std::swap(axis->a, axis->b);
  for (DotAxis& axis : product.batch) std::swap(axis.a, axis.b);
}

/// False for overlapping rows: those of a broadcast operand.
bool rows_are_apart(const MatrixProduct& product) {
  if (product.m > 1 && product.lda < (product.transpose_a ? product.m : product.k)) return false;
  return product.ldb >= (product.transpose_b ? product.k : product.n);
}

}  // namespace

std::optional<MatrixProduct> matrix_product(const DotShape& dot) {
  if (dot.contracting.size() > 1) return std::nullopt;
  MatrixAxes axes = innermost_axes(dot);
  MatrixProduct out = batch_of_matrices(dot);
  // A result stored by columns is the transposed product by rows; emitted loops are faster where the columns
  // are few.
  constexpr std::int64_t kFewColumns = 8;
  if (axes.columns.c != 1 && axes.rows.c == 1 && axes.columns.extent > kFewColumns)
    transpose_product(out, axes);
  const auto& [rows, columns, k] = axes;
  if (columns.c != 1) return std::nullopt;
  out.m = rows.extent;
  out.n = columns.extent;
  out.k = k.extent;
  out.transpose_a = k.a != 1;
  out.transpose_b = columns.b != 1;
  if ((out.transpose_a && rows.a != 1) || (out.transpose_b && k.b != 1)) return std::nullopt;
  out.lda = out.transpose_a ? k.a : rows.a;
  out.ldb = out.transpose_b ? columns.b : k.b;
  out.ldc = rows.c;
  if (!rows_are_apart(out)) return std::nullopt;
  return out;
}

std::optional<MatrixProduct> product_for_kernel(const Plan& plan, const Group& dot,
                                                const PlanOptions& options) {
  const bool has_kernel = dot.op->result().dtype() == ir::DType::kF32 || has_bf16_kernel(*dot.op, options);
  if (dot.flops < options.matrix_dot_flops || !has_kernel) return std::nullopt;
  std::optional<MatrixProduct> product = matrix_product(dot_shape(plan, dot));
  if (!product || product->batch.empty() ||
      fills_tiles(static_cast<double>(product->m), static_cast<double>(product->n),
                  static_cast<double>(product->k)))
    return product;
  return std::nullopt;
}

}  // namespace cornu::inline v0::backends::cpu
